import { createServer, request, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fencedRoute, MAX_BODY_BYTES, type FencedRequest, type JsonAnswer, type JsonRoute } from '../src/fence.ts'

let server: Server
let seen: FencedRequest[]
let reported: unknown[]
let answer: (request: FencedRequest) => JsonAnswer | Promise<JsonAnswer>
let refuses: JsonRoute['refuses']

beforeEach(async () => {
  seen = []
  reported = []
  refuses = undefined
  answer = () => ({ status: 200, body: { ok: true } })
  const route = (method: 'GET' | 'POST', more: Pick<JsonRoute, 'maxBytes'> = {}) =>
    fencedRoute({
      ...more,
      method,
      refuses: (incoming) => refuses?.(incoming),
      report: (error) => reported.push(error),
      answer(incoming) {
        seen.push(incoming)
        return answer(incoming)
      },
    })
  const routes: Readonly<Record<string, ReturnType<typeof route>>> = { '/get': route('GET'), '/narrow': route('POST', { maxBytes: 100 }) }
  const post = route('POST')
  server = createServer((incoming, response) => void (routes[String(incoming.url).replace(/\?.*/, '')] ?? post)(incoming, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const port = (): number => (server.address() as AddressInfo).port

interface Reply {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: unknown
}

function ask(path: string, options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: port(), path, method: options.method ?? 'GET', headers: { host: `127.0.0.1:${port()}`, ...options.headers } }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text === '' ? undefined : JSON.parse(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}

const post = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Reply> => ask('/post', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

describe('who may ask', () => {
  it.each(['127.0.0.1', '127.0.0.1:9', 'localhost', 'LOCALHOST:65535', '[::1]', '[::1]:3211'])('R22 the loopback host %s is served', async (host) => {
    expect(await ask('/get', { headers: { host } })).toMatchObject({ status: 200, body: { ok: true } })
  })

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', 'localhost.', '127.0.0.2', '0.0.0.0', '192.168.1.7:3211', '[::]', 'user@localhost', 'localhost:80:80', 'localhost/'])(
    'R22 X5 the host "%s" is refused before anything is read',
    async (host) => {
      expect(await ask('/get', { headers: { host } })).toMatchObject({ status: 403, body: { error: { code: 'foreign-host' } } })
      expect(seen).toEqual([])
    },
  )

  it('R22 a request without any host is refused', async () => {
    const socket = connect(port(), '127.0.0.1')
    socket.write('GET /get HTTP/1.0\r\n\r\n')
    const text = await new Promise<string>((resolve) => socket.once('data', (data: Buffer) => resolve(data.toString())))
    socket.destroy()
    expect(text).toContain('403')
  })

  it.each([
    ['http://localhost:3211', 'localhost:3211'],
    ['http://LOCALHOST:3211', 'localhost:3211'],
    ['http://localhost', 'localhost:80'],
    ['http://[::1]:3211', '[::1]:3211'],
  ])('R22 the page of this host (%s at %s) is served', async (origin, host) => {
    expect((await ask('/get', { headers: { origin, host } })).status).toBe(200)
  })

  it.each([
    ['http://evil.example', 'localhost:3211'],
    ['http://localhost:3000', 'localhost:3211'],
    ['http://127.0.0.1:3211', 'localhost:3211'],
    ['https://localhost:3211', 'localhost:3211'],
    ['null', 'localhost:3211'],
    ['', 'localhost:3211'],
    ['http://localhost:99999', 'localhost:99999'],
  ])('R22 X5 the origin "%s" at %s is refused', async (origin, host) => {
    expect(await ask('/get', { headers: { origin, host } })).toMatchObject({ status: 403, body: { error: { code: 'foreign-origin' } } })
  })

  it.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
    ['none', 200],
  ])('R22 X5 a browser that says %s gets %i', async (site, status) => {
    expect((await ask('/get', { headers: { 'sec-fetch-site': site } })).status).toBe(status)
  })

  it('what the host itself refuses is refused with its status', async () => {
    refuses = () => 401
    expect(await ask('/get')).toMatchObject({ status: 401, body: { error: { code: 'refused' } } })
  })
})

describe('what may be asked', () => {
  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('R22 X5 %s on a route for GET is 405 and names GET', async (method) => {
    expect(await ask('/get', { method })).toMatchObject({ status: 405, headers: { allow: 'GET' } })
  })

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json;'])('R22 a body of type %s is read', async (type) => {
    expect((await post('{"a":1}', { 'content-type': type })).status).toBe(200)
    expect(seen[0]?.body).toEqual({ a: 1 })
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', 'text/application/json'])('R22 X5 a body of type %s is 415', async (type) => {
    expect(await post('{"a":1}', { 'content-type': type })).toMatchObject({ status: 415, body: { error: { code: 'not-json' } } })
  })

  it('R22 X5 a body without a type is 415', async () => {
    expect((await ask('/post', { method: 'POST', body: '{}' })).status).toBe(415)
  })

  it.each([
    ['half a document', '{"a":'],
    ['nothing', ''],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('X5 %s is 400', async (_what, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error: { code: 'bad-request' } } })
    expect(seen).toEqual([])
  })

  it('X5 a body of exactly the limit is read, one byte more is 413, and so are a thousand times as many', async () => {
    const text = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`
    expect((await post(text(MAX_BODY_BYTES))).status).toBe(200)
    expect(await post(text(MAX_BODY_BYTES + 1))).toMatchObject({ status: 413, body: { error: { code: 'too-long' } } })
    expect((await post(text(MAX_BODY_BYTES * 1000))).status).toBe(413)
    expect(seen).toHaveLength(1)
  })

  it('X5 a route may take more or less than the others', async () => {
    const narrow = (bytes: number): Promise<Reply> => ask('/narrow', { method: 'POST', body: `"${'x'.repeat(bytes - 2)}"`, headers: { 'content-type': 'application/json' } })
    expect([(await narrow(100)).status, (await narrow(101)).status]).toEqual([200, 413])
  })

  it('a caller that goes away half-way through gets nothing, and nothing is answered', async () => {
    const socket = connect(port(), '127.0.0.1')
    const arrived = new Promise((resolve) => server.once('request', resolve))
    socket.write(`POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`)
    await arrived
    const closed = new Promise((resolve) => server.getConnections(() => socket.once('close', resolve)))
    socket.destroy()
    await closed
    expect(seen).toEqual([])
  })
})

describe('what comes back', () => {
  it('the query arrives, and the answer is JSON that nobody keeps or guesses the type of', async () => {
    answer = () => ({ status: 409, body: { error: { code: 'not-live' } } })
    const reply = await ask('/get?sessionId=a%20b')
    expect(seen[0]?.query.get('sessionId')).toBe('a b')
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'not-live' } } })
    expect(reply.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each([
    ['throws', () => { throw new Error('secret path') }],
    ['rejects', () => Promise.reject(new Error('secret path'))],
  ])('an answer that %s is a 500 that says nothing, and is reported', async (_how, failing) => {
    answer = failing
    const reply = await ask('/get')
    expect(reply).toMatchObject({ status: 500, body: { error: { code: 'internal' } } })
    expect(JSON.stringify(reply.body)).not.toContain('secret')
    expect(reported).toEqual([new Error('secret path')])
  })
})
