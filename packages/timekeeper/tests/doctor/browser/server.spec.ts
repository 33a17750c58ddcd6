import { request } from 'node:http'
import { connect, Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Comparison } from '../../../src/cli/doctor/browser/compare.ts'
import { questionsOf } from '../../../src/cli/doctor/browser/questions.ts'
import { askBrowser, type BrowserRequest } from '../../../src/cli/doctor/browser/server.ts'
import { isRefusal, type Refusal } from '../../../src/cli/refusal.ts'
import { en } from '../../../src/cli/texts/en.ts'
import { LATER } from '../../harness.ts'

const FOUND: Comparison = { name: 'Chrome 156', zone: 'UTC', compared: 1, alike: 1, findings: [] }

/** More than the connection takes at once. */
const LONG = 'x'.repeat(5_000_000)

let url: URL
let asked: string[]
let judge: BrowserRequest['judge']
let ended: Promise<Comparison | Refusal>

/** Serves the page; it is there when this resolves. */
const open = (limitMs?: number): Promise<void> =>
  new Promise((resolve) => {
    ended = askBrowser(
      {
        questions: (own) => {
          asked.push(own)
          if (own === 'fault') throw new Error('ours')
          return questionsOf([own], LATER)
        },
        judge: (answer) => judge(answer),
        opened(text) {
          url = new URL(text)
          resolve()
        },
      },
      limitMs,
    )
    ended.catch(() => undefined)
  })

interface Reply {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

const ask = (path: string, { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: url.port, path, method, headers: { host: url.host, ...headers } }, (incoming) => {
      let text = ''
      incoming.on('data', (chunk: Buffer) => void (text += chunk.toString()))
      incoming.on('end', () => resolve({ status: Number(incoming.statusCode), headers: incoming.headers, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const answer = (body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  ask(`${url.pathname}report`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', origin: url.origin, ...headers } })

/** Code and detail of a refusal. */
const refused = async (): Promise<unknown> => {
  const value = await ended
  return isRefusal(value) ? [value.code, value.detail(en)] : value
}

const isGone = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), '127.0.0.1', () => void socket.destroy(resolve(false) as undefined))
    socket.on('error', () => resolve(true))
  })

beforeEach(() => {
  asked = []
  judge = () => ({ comparison: FOUND, lines: ['all is well'] })
})
afterEach(async () => {
  vi.restoreAllMocks()
  process.emit('SIGINT')
  await ended.catch(() => undefined)
  expect(process.listenerCount('SIGINT')).toBe(0)
})

describe('the page that a browser opens', () => {
  it('T14 is there at an address of this machine that nobody can guess, and says nothing that could be kept', async () => {
    await open()
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/)
    const { status, headers, text } = await ask(url.pathname)
    expect([status, headers['cache-control'], headers['content-type'], headers['referrer-policy'], headers['connection']]).toEqual([200, 'no-store', 'text/html; charset=utf-8', 'same-origin', 'close'])
    const [, nonce = ''] = /'nonce-([^']{24})'/.exec(String(headers['content-security-policy'])) ?? []
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'nonce-[^']+'; style-src 'nonce-[^']+'; connect-src 'self';/)
    expect(text.split(`nonce="${nonce}"`)).toHaveLength(3)
    expect((await ask(url.pathname)).headers['content-security-policy']).not.toContain(nonce)
    expect(text).toContain('role="status"')
    expect(text).toContain('JavaScript')
  })

  it('T14 R22 X5 another path, host, origin or method is refused, and it waits on', async () => {
    await open()
    const { pathname } = url
    expect((await ask('/')).status).toBe(404)
    expect((await ask(pathname.slice(0, -1))).status).toBe(404)
    expect((await ask(`/${'x'.repeat(32)}/report`)).status).toBe(404)
    expect((await ask(pathname, { headers: { host: `evil.example:${url.port}` } })).status).toBe(403)
    expect((await ask(pathname, { method: 'POST' })).status).toBe(405)
    expect((await ask(`${pathname}questions`, { headers: { origin: 'http://evil.example' } })).status).toBe(403)
    expect((await answer({}, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await ask(`${pathname}report`, { method: 'POST', headers: { 'content-type': 'application/json' } })).status).toBe(403)
    expect((await answer({}, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await answer('x'.repeat(1_048_576))).status).toBe(413)
    expect(asked).toEqual([])
    expect((await answer({})).status).toBe(200)
    expect(await ended).toBe(FOUND)
  })

  it('T14 gets the questions for its own zone', async () => {
    await open()
    expect(JSON.parse((await ask(`${url.pathname}questions?zone=Asia%2FShanghai`)).text)).toEqual(questionsOf(['Asia/Shanghai'], LATER))
    await ask(`${url.pathname}questions`)
    expect(asked).toEqual(['Asia/Shanghai', ''])
  })

  it('T14 what answers something else is refused, and it waits on; the first answer that counts is shown to its end and ends it', async () => {
    const lines = ['all is well', LONG]
    judge = (body) => (body === 'good' ? { comparison: FOUND, lines } : undefined)
    await open()
    expect(await answer({ zone: 1 })).toMatchObject({ status: 400, text: expect.stringContaining('bad-request') as unknown })
    expect(await answer('good')).toMatchObject({ status: 200, text: JSON.stringify(lines) })
    expect(await ended).toBe(FOUND)
    expect(await isGone()).toBe(true)
  })

  it('T14 a page that is closed before it has heard the result has answered all the same', async () => {
    await open()
    const body = '{}'
    const socket = connect(Number(url.port), '127.0.0.1')
    judge = () => {
      socket.destroy()
      return { comparison: FOUND, lines: [LONG] }
    }
    socket.write(`POST ${url.pathname}report HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    expect(await ended).toBe(FOUND)
  })

  it('T14 a caller that goes away half-way through changes nothing', async () => {
    await open()
    const socket = connect(Number(url.port), '127.0.0.1')
    await new Promise<void>((resolve) => void socket.write(`POST ${url.pathname}report HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`, () => resolve()))
    await ask('/')
    socket.destroy()
    await answer({})
    expect(await ended).toBe(FOUND)
  })
})

describe('without an answer', () => {
  it('T14 it ends when the time is over, and says what to do', async () => {
    await open(30)
    expect(await refused()).toEqual(['browser_silent', expect.stringContaining('Run it again')])
    expect(await isGone()).toBe(true)
  })

  it('T14 Ctrl-C ends it at once, with connections open', async () => {
    await open()
    const socket = connect(Number(url.port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    process.emit('SIGINT')
    expect(await refused()).toEqual(['interrupted', expect.stringContaining('Nothing was compared')])
    await closed
    expect(await isGone()).toBe(true)
  })

  it('T14 where nothing may listen it is said so', async () => {
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function listen(this: Server) {
      setImmediate(() => this.emit('error', Object.assign(new Error('no'), { code: 'EACCES' })))
      return this
    })
    void open()
    expect(await refused()).toEqual(['not_served', expect.stringContaining('fails with EACCES')])
  })

  it('T14 a fault of ours is not taken for one of the browser', async () => {
    await open()
    await ask(`${url.pathname}questions?zone=fault`).catch(() => undefined)
    await expect(ended).rejects.toThrow('ours')
    expect(await isGone()).toBe(true)
  })
})
