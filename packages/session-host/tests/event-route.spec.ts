import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventRoute, type EventListener } from '../src/event-route.ts'

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const HEAD_END = '\r\n\r\n'

let server: Server
let port: number
let listeners: EventListener[]
let gone: number
/** The newest connection, on the side of the host. */
let taken: Socket
let queries: string[]
let full: string | undefined
/** Holds back an upgrade until the host comes to it. */
let later: ((take: () => void) => void) | undefined
const open: (Socket | WebSocket)[] = []

beforeEach(async () => {
  listeners = []
  queries = []
  gone = 0
  full = undefined
  later = undefined
  const { handler, upgrade } = eventRoute({
    refuses: ({ headers }) => (headers['x-refuse'] === undefined ? undefined : 401),
    open(connectIt, query) {
      if (full !== undefined) return full
      const listener = connectIt()
      listener.onGone(() => (gone += 1))
      listeners.push(listener)
      queries.push(query.toString())
      return undefined
    },
  })
  const arrived = (...one: Parameters<typeof upgrade>): void => (later === undefined ? upgrade(...one) : later(() => upgrade(...one)))
  server = createServer(handler).on('upgrade', arrived).on('connection', (one) => (taken = one))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  vi.useRealTimers()
  for (const one of open.splice(0)) {
    if ('destroy' in one) one.destroy()
    else one.close()
  }
  server.closeAllConnections()
  await until(() => gone === listeners.length)
  await new Promise((resolve) => server.close(resolve))
})

const until = async (fact: () => boolean): Promise<void> => {
  const limit = performance.now() + 5000
  while (!fact()) {
    if (performance.now() > limit) throw new Error('waited in vain')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A real client of the platform, as a page has it. */
async function socket(query = ''): Promise<{ heard: string[]; closed: () => number | undefined; client: WebSocket }> {
  const client = new WebSocket(`ws://127.0.0.1:${port}/events${query}`)
  open.push(client)
  const heard: string[] = []
  let code: number | undefined
  client.addEventListener('message', ({ data }) => heard.push(String(data)))
  client.addEventListener('close', (event) => (code = event.code))
  await new Promise((resolve) => client.addEventListener('open', resolve))
  return { heard, closed: () => code, client }
}

/** Bytes of a request by hand, and what came back. */
function byHand(headers: Readonly<Record<string, string>> = {}, behind: Buffer = Buffer.alloc(0)): { bytes: () => Buffer; write: (bytes: Buffer) => void; ended: () => boolean; leave: () => void; reset: () => void } {
  const all = { host: `127.0.0.1:${port}`, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': KEY, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const one = connect(port, '127.0.0.1')
  open.push(one)
  let [bytes, isEnded] = [Buffer.alloc(0), false]
  one.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])))
  one.on('end', () => (isEnded = true))
  one.write(Buffer.concat([Buffer.from(`GET /events HTTP/1.1\r\n${lines.join('\r\n')}${HEAD_END}`), behind]))
  return { bytes: () => bytes, write: (more) => void one.write(more), ended: () => isEnded, leave: () => one.end(), reset: () => one.resetAndDestroy() }
}

const statusOf = (bytes: Buffer): number => Number(bytes.toString().slice(9, 12))
const frames = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length)
/** A frame as a client has to send it: masked. */
const masked = (kind: number, payload = Buffer.alloc(0)): Buffer => {
  const mask = Buffer.from([1, 2, 3, 4])
  return Buffer.concat([Buffer.from([kind, 0x80 | payload.length]), mask, payload.map((byte, index) => byte ^ mask[index % 4]!)])
}

describe('a stream for a page', () => {
  it('T11 is a WebSocket that tells texts of every length, and ends', async () => {
    const { heard, closed } = await socket('?sessionId=one')
    const texts = ['a', '提醒', 'b'.repeat(126), 'c'.repeat(70_000)]
    for (const text of texts) listeners[0]!.tell(text)
    await until(() => heard.length === texts.length)
    expect([heard, queries]).toEqual([texts, ['sessionId=one']])
    listeners[0]!.end()
    await until(() => closed() !== undefined && gone === 1)
    listeners[0]!.end()
    expect(gone).toBe(1)
  })

  it('T11 a page that leaves is gone, whether it says so or not', async () => {
    const { client } = await socket()
    client.close()
    await until(() => gone === 1)
    const silent = byHand()
    await until(() => listeners.length === 2)
    silent.leave()
    await until(() => gone === 2)
  })

  it('X5 a page whose connection breaks is gone, and nothing else happens', async () => {
    const broken = byHand()
    await until(() => listeners.length === 1)
    broken.reset()
    await until(() => gone === 1)
    listeners[0]!.tell('nobody hears this')
    listeners[0]!.beat()
    listeners[0]!.end()
    const { heard } = await socket()
    listeners[1]!.tell('still here')
    await until(() => heard.length === 1)
  })

  it('X5 the key is answered as the standard shows it, and no extension is agreed to', async () => {
    const { bytes } = byHand({ 'sec-websocket-extensions': 'permessage-deflate' })
    await until(() => bytes().includes(HEAD_END))
    expect(bytes().toString()).toMatch(/^HTTP\/1\.1 101 .*\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n\r\n$/i)
  })

  it('X5 signs of life go both ways, in one piece or in many', async () => {
    const { bytes, write } = byHand({}, masked(0x89, Buffer.from('early')))
    await until(() => listeners.length === 1)
    listeners[0]!.beat()
    for (const byte of masked(0x89, Buffer.from('hi'))) {
      const { bytesRead } = taken
      write(Buffer.from([byte]))
      await until(() => taken.bytesRead > bytesRead)
    }
    write(masked(0x8a))
    await until(() => frames(bytes()).length === 13)
    expect(frames(bytes())).toEqual(Buffer.from([0x8a, 5, ...Buffer.from('early'), 0x89, 0, 0x8a, 2, ...Buffer.from('hi')]))
  })

  it.each([
    ['a text', masked(0x81, Buffer.from('x')), 1003],
    ['a message of bytes', masked(0x82, Buffer.from('x')), 1003],
    ['a long text, of which only the head has come', Buffer.from([0x81, 0xfe, 0x01, 0x00]), 1009],
    ['a text that claims to be endless', Buffer.from([0x81, 0xff, ...Buffer.alloc(8, 0x7f)]), 1009],
    ['a text in pieces', Buffer.concat([masked(0x01, Buffer.from('x')), masked(0x00, Buffer.from('y'))]), 1008],
    ['a control frame that is too long', Buffer.from([0x89, 0xff]), 1002],
    ['a control frame in pieces', masked(0x09), 1002],
    ['a frame that is not masked', Buffer.from([0x89, 0]), 1002],
    ['a compressed frame', masked(0xc1, Buffer.from('x')), 1002],
    ['a frame of no kind', masked(0x83), 1002],
    ['rubbish', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 1002],
  ])('X5 %s is not read: the connection ends and says why', async (_what, sent, code) => {
    const { bytes, write, ended } = byHand()
    await until(() => listeners.length === 1)
    write(sent)
    await until(() => frames(bytes()).length > 0)
    write(masked(0x88))
    await until(() => ended() && gone === 1)
    expect(frames(bytes())).toEqual(Buffer.from([0x88, 2, code >> 8, code & 255]))
  })

  it('X5 whoever is deaf to the end is cut off, and nothing is left of the connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { bytes, write, ended } = byHand()
    await until(() => listeners.length === 1)
    listeners[0]!.end()
    await until(() => frames(bytes()).length === 2)
    const { bytesRead } = taken
    write(masked(0x81, Buffer.from('x')))
    await until(() => taken.bytesRead > bytesRead)
    expect([gone, vi.getTimerCount()]).toEqual([0, 1])
    vi.advanceTimersByTime(1000)
    await until(() => ended() && gone === 1)
    expect([frames(bytes()), vi.getTimerCount()]).toEqual([Buffer.from([0x88, 0]), 0])
  })

  it('X5 nothing is opened for a page that has left before it is taken', async () => {
    const held: (() => void)[] = []
    later = (take) => held.push(take)
    server.on('upgrade', (_, one) => one.on('error', () => {})) // as the host does
    const { reset } = byHand()
    await until(() => held.length === 1)
    reset()
    await until(() => taken.destroyed)
    held[0]!()
    expect(listeners).toEqual([])
  })

  it.each([
    ['a foreign host', { host: 'evil.example' }, 403],
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['what the host itself refuses', { 'x-refuse': '1' }, 401],
    ['an older version', { 'sec-websocket-version': '8' }, 400],
    ['a version that does not exist', { 'sec-websocket-version': '12' }, 400],
    ['another protocol', { upgrade: 'h2c' }, 400],
    ['a key of another length', { 'sec-websocket-key': 'abc' }, 400],
  ])('X5 %s is refused before anything is opened', async (_what, headers, status) => {
    const { bytes, ended } = byHand(headers)
    await until(ended)
    expect([statusOf(bytes()), listeners]).toEqual([status, []])
  })

  it('X5 one stream too many is refused in words', async () => {
    full = 'enough'
    const { bytes, ended } = byHand()
    await until(ended)
    expect([statusOf(bytes()), frames(bytes()).toString()]).toEqual([503, '{"error":{"code":"too-many","message":"enough"}}'])
  })
})

describe('the same stream for a script', () => {
  const ask = (headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/events?sessionId=one', headers }, resolve).on('error', reject)
    })

  it('T11 is server-sent events, which end and are seen to leave', async () => {
    const response = await ask()
    let text = ''
    let isEnded = false
    response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => (isEnded = true))
    listeners[0]!.tell('a')
    listeners[0]!.beat()
    listeners[0]!.end()
    await until(() => gone === 1 && isEnded)
    expect([response.headers['content-type'], text, queries]).toEqual(['text/event-stream; charset=utf-8', 'retry: 2000\n\ndata: a\n\n: \n\n', ['sessionId=one']])
  })

  it('X5 is refused where the page would be', async () => {
    expect((await ask({ host: 'evil.example' })).statusCode).toBe(403)
    full = 'enough'
    expect((await ask()).statusCode).toBe(503)
  })
})
