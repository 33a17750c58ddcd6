import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { fencedStream } from '../src/fence.ts'

/** Sends a request with these headers past the fence. @returns the status of a refusal, or that the stream was opened. */
function ask(headers: Record<string, string>, method = 'GET', status?: number): number | 'opened' {
  let outcome: number | 'opened' | undefined
  const response = { writeHead: (code: number) => void (outcome = code), end: () => undefined } as unknown as ServerResponse
  fencedStream({ refuses: () => status, open: () => (outcome = 'opened') })({ headers, method } as unknown as IncomingMessage, response)
  return outcome ?? 0
}

describe('fence before a stream', () => {
  it.each([
    ['the page itself', { host: '127.0.0.1:3080', origin: 'http://127.0.0.1:3080', 'sec-fetch-site': 'same-origin' }, 'opened'],
    ['a person by hand', { host: 'localhost:3080' }, 'opened'],
    ['a foreign host', { host: 'evil.example' }, 403],
    ['a foreign origin', { host: '127.0.0.1:3080', origin: 'https://evil.example' }, 403],
    ['another site', { host: '127.0.0.1:3080', 'sec-fetch-site': 'cross-site' }, 403],
  ] as const)('X5 answers %s', (_who, headers, outcome) => {
    expect(ask(headers)).toBe(outcome)
  })

  it('X5 refuses another method, and what the host itself refuses', () => {
    expect(ask({ host: 'localhost' }, 'POST')).toBe(405)
    expect(ask({ host: 'localhost' }, 'GET', 401)).toBe(401)
  })
})
