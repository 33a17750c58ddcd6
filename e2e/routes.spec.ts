import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { send, write, type RawAnswer, type RawRequest } from './lib/raw-http.ts'
import { talk, turnsEnded } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'
import { hearWarnings, type Warnings } from './lib/warnings.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
/** Longest body of a plain route (bytes). */
const MOST = 4096
/** Most open streams of reminders. */
const STREAMS = 64

let home: Home
let host: Host
let id: string
let warnings: Warnings
/** What is there, and what was said. Nothing in this file changes it. */
let before: unknown

const state = async (): Promise<unknown> => {
  const { now: _now, ...rest } = await host.call<Record<string, unknown>>('state', { sessionId: id }, '/dsh-reminders')
  const clock = await host.call('state', { sessionId: id }, '/time-reminder')
  return { ...rest, mode: (clock as { mode: unknown }).mode, turns: turnsEnded(await host.history(id)), sessions: (await host.sessions()).length }
}

beforeAll(async () => {
  home = await makeHome()
  warnings = hearWarnings(home)
  home.writeRows(warnings.row)
  host = await bootHost(home)
  id = await host.createSession(home.workspace)
  await talk(host, id, 'call schedule_create {"prompt":"kept","after_seconds":3600} ;; set', { zone: 'Asia/Shanghai' })
  before = await state()
})
afterAll(async () => {
  await endHosts()
  home.remove()
})

const call = (channel: string, method: string, payload: unknown): RawRequest => ({
  method: 'POST',
  path: `${channel}/${method}`,
  headers: JSON_TYPE,
  body: JSON.stringify({ type: 'client-request', rpcId: 'x', method, payload }),
})

/** Each of them succeeds as it stands here. */
const plain = (): readonly RawRequest[] => [
  { method: 'GET', path: `/time-reminder/api/state?sessionId=${id}` },
  { method: 'POST', path: '/time-reminder/api/mode', headers: JSON_TYPE, body: JSON.stringify({ sessionId: id, mode: 'fine' }) },
  { method: 'GET', path: `/dsh-reminders/events?sessionId=${id}` },
  { method: 'GET', path: `/dsh-reminders/calendar.ics?sessionId=${id}` },
  { method: 'GET', path: '/dsh-receipts/events' },
]
const channels = (): readonly RawRequest[] => [
  call('/dsh-reminders', 'create', { sessionId: id, text: '10m forged' }),
  call('/dsh-reminders', 'delete', { sessionId: id, id: 'r-1' }),
  call('/time-reminder', 'mode', { sessionId: id, mode: 'fine' }),
  call('/dsh-receipts', 'cursor', { sessionId: id }),
]

const statuses = async (requests: readonly RawRequest[], change: (request: RawRequest) => RawRequest): Promise<readonly (readonly [string, number])[]> =>
  Promise.all(requests.map(async one => [one.path, (await send(host, change(one))).status] as const))
const all = (requests: readonly RawRequest[], status: number): readonly (readonly [string, number])[] => requests.map(({ path }) => [path, status])
const withHeader = (name: string, value: string) => (one: RawRequest): RawRequest => ({ ...one, headers: { ...one.headers, [name]: value } })

describe('routes that are abused, on the real host', () => {
  it.each([
    ['host', 'evil.example'],
    ['host', '127.0.0.1.evil.example'],
    ['host', 'localhost.evil.example:80'],
    ['host', '0.0.0.0'],
    ['origin', 'http://evil.example'],
    ['origin', 'null'],
    ['origin', 'http://127.0.0.1:1'],
    ['origin', 'file://'],
    ['sec-fetch-site', 'cross-site'],
  ])('X5 R22 none of them serves a request with the %s %s', async (name, value) => {
    const requests = [...plain(), ...channels()]
    expect(await statuses(requests, withHeader(name, value))).toEqual(all(requests, 403))
  })

  // The host's own fence in front of the channels (0.1.0-rc.8) reads it as an address with a user; no browser sends it.
  it('X5 R22 a host with a user in it is foreign to the plain routes', async () => {
    expect(await statuses(plain(), withHeader('host', 'evil.example@127.0.0.1'))).toEqual(all(plain(), 403))
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('X5 none of them serves %s, and each plain one names the method that it serves', async method => {
    for (const one of plain()) {
      const { status, headers } = await send(host, { ...one, method })
      expect([one.path, status, headers['allow']]).toEqual([one.path, 405, one.method])
    }
    // A body with one of these has no length, and would be taken for a request of its own.
    expect(await statuses(channels(), ({ path, headers = {} }) => ({ method, path, headers }))).toEqual(all(channels(), 404))
  })

  it.each(['text/plain', 'text/json', 'application/jsonx', 'application/json-seq', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])('X5 a body of the type %s is refused', async type => {
    const requests = [...plain(), ...channels()].filter(({ method }) => method === 'POST')
    expect(await statuses(requests, withHeader('content-type', type))).toEqual(all(requests, 415))
  })

  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const BODIES: readonly (readonly [what: string, body: string | Uint8Array, status: number])[] = [
    ['nothing', '', 400],
    ['half an object', '{"sessionId":', 400],
    ['two values', '{} {}', 400],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 400],
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['two thousand lists in each other', deep(2000), 400],
    ['a prototype', '{"__proto__":{"sessionId":"ID","mode":"fine"}}', 400],
    ['a constructor', '{"sessionId":"ID","mode":"fine","constructor":{"prototype":{"mode":"fine"}}}', 400],
    ['a list for an id', '{"sessionId":["ID"],"mode":"fine"}', 400],
    ['an object for a mode', '{"sessionId":"ID","mode":{"toString":"fine"}}', 400],
    ['a mode that every object has', '{"sessionId":"ID","mode":"toString"}', 400],
    ['one byte too many', ' '.repeat(MOST + 1), 413],
    ['five million bytes', ' '.repeat(5_000_000), 413],
  ]

  it.each(BODIES)('X5 a body of %s changes nothing', async (_what, body, status) => {
    const bytes = typeof body === 'string' ? body.replaceAll('ID', id) : body
    const answer = await send(host, { method: 'POST', path: '/time-reminder/api/mode', headers: JSON_TYPE, body: bytes })
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { error: expect.objectContaining({ code: expect.any(String) as string }) as unknown }])
    for (const path of ['/dsh-reminders/create', '/time-reminder/mode', '/dsh-receipts/cursor']) {
      const { status: refused, text } = await send(host, { method: 'POST', path, headers: JSON_TYPE, body: bytes })
      expect([path, refused === 400 || text.includes('"ok":false')]).toEqual([path, true])
    }
  })

  const PAYLOADS: readonly (readonly [what: string, payload: string])[] = [
    ['prototype keys', '{"sessionId":"ID","text":"10m forged","__proto__":{"x":1},"extra":1}'],
    ['only a prototype', '{"__proto__":{"sessionId":"ID","text":"10m forged"}}'],
    ['lists in each other', deep(5000)],
    ['objects in each other', `{"sessionId":"ID","reminder":${'{"at":'.repeat(3000)}1${'}'.repeat(3000)}}`],
    ['a text of a million characters', `{"sessionId":"ID","text":"10m ${'x'.repeat(1_000_000)}"}`],
    ['a session id of a million characters', `{"sessionId":"${'s'.repeat(1_000_000)}","text":"10m forged"}`],
    ['a path for an id', '{"sessionId":"../../etc/passwd","text":"10m forged"}'],
    ['numbers beyond all bounds', '{"sessionId":"ID","reminder":{"prompt":"forged","after_seconds":1e400}}'],
    ['a lone surrogate for an id', '{"sessionId":"\\ud800","text":"10m forged"}'],
  ]

  it.each(PAYLOADS)('X5 a request of the channel with %s is refused by a known code', async (_what, payload) => {
    const filled = payload.replaceAll('ID', id)
    for (const [channel, method] of [['/dsh-reminders', 'create'], ['/dsh-reminders', 'edit'], ['/time-reminder', 'mode'], ['/dsh-receipts', 'creates']] as const) {
      const body = `{"type":"client-request","rpcId":"x","method":"${method}","payload":${filled}}`
      const { status, text } = await send(host, { method: 'POST', path: `${channel}/${method}`, headers: JSON_TYPE, body })
      expect([channel, method, status, /"code":"[a-z_-]+"/.test(text), text.length < 2000]).toEqual([channel, method, 200, true, true])
    }
  })

  it.each(['', '..%2F..%2F..%2Fetc%2Fpasswd', '%00', '%0d%0aset-cookie:%20x=1', 'ID%2F..%2FID', 'ID%00', '%ud800', '%', 's'.repeat(7000), '__proto__', 'constructor'].map(one => [one.slice(0, 40), one]))('X5 the session id %s in an address is nobody', async (_shown, encoded) => {
    const sessionId = encoded.replaceAll('ID', id)
    for (const path of ['/time-reminder/api/state', '/dsh-reminders/calendar.ics']) {
      const { status, text, headers } = await send(host, { method: 'GET', path: `${path}?sessionId=${sessionId}` })
      expect([path, status === 404 || status === 400, headers['set-cookie']]).toEqual([path, true, undefined])
      expect(text.length).toBeLessThan(1000)
    }
  })

  it('X5 fifty requests whose bodies never end keep nobody else from being served', async () => {
    const start = `POST /time-reminder/api/mode HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"sessionId"`
    const sockets = await Promise.all(Array.from({ length: 50 }, () => write(host, start)))
    expect((await send(host, plain()[0] as RawRequest)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  it('X5 more streams than the bound are refused, and room that is given back is there again', async () => {
    const address = `${host.url}/dsh-reminders/events`
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => fetch(address)))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const more: RawAnswer = await send(host, { method: 'GET', path: '/dsh-reminders/events' })
    expect(more.status).toBe(503)
    for (const { body } of streams) await body?.cancel()
    await waitFor('there is room again', async () => {
      const { status, body } = await fetch(address)
      await body?.cancel()
      return status === 200
    })
  })

  it('X5 after all of this nothing has changed, and no plugin has failed inside', async () => {
    expect(await state()).toEqual(before)
    // The host's own server tells of bodies that never came; nothing of ours, and no text of a stranger, is in there.
    expect(warnings.text().split('\n').filter(line => !/^(?:warn web-server Error: aborted)?$/.test(line))).toEqual([])
    expect((await send(host, plain()[0] as RawRequest)).status).toBe(200)
  })
})
