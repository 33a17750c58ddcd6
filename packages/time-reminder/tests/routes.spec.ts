import { mkdtempSync, rmSync, writeFileSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as connection from '@deepseek-ai/dsh-client-connection'
import WebServer from '@deepseek-ai/dsh-host-webserver'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE, mountClock, ours, places, readings, reasons, THURSDAY, type Agent, type ClockHost } from './harness.ts'

let host: ClockHost
let agent: Agent
let root: string

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(THURSDAY - 12 * HOUR) // 11:50 in Shanghai
  root = mkdtempSync(join(tmpdir(), 'timekeeper-routes-'))
  host = await mountClock({ root })
  await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
  agent = await host.create('one')
})
afterEach(async () => {
  await host.dispose()
  rmSync(root, { recursive: true, force: true })
  vi.useRealTimers()
})

interface Reply {
  readonly status: number
  readonly body: Record<string, unknown>
}

function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const { port } = host.ctx.get('webServer')!
  const all = { host: `localhost:${port}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers: all }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: incoming.statusCode ?? 0, body: text.startsWith('{') ? (JSON.parse(text) as Reply['body']) : { text } })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

const state = (id = 'one'): Promise<Reply> => ask('GET', `/time-reminder/api/state?sessionId=${encodeURIComponent(id)}`)
const post = (body: unknown, headers?: Record<string, string>): Promise<Reply> => ask('POST', '/time-reminder/api/mode', body, headers)
const rpc = async (endpoint: string, payload: unknown, headers?: Record<string, string>): Promise<Reply> =>
  ask('POST', `/time-reminder/${endpoint}`, { type: 'client-request', rpcId: 'x', method: endpoint, payload }, headers)

const DAILY = 'One reading when the plan is due (daily 00:00 Asia/Shanghai), after a resume, after a pause of 30m, and when the date changes.'

describe('GET /time-reminder/api/state', () => {
  it('R22 tells mode, plan, whether a switch waits, whether the session is open, its zone, and what the mode does', async () => {
    await host.type(agent, 'hello')
    expect(await state()).toEqual({ status: 200, body: { mode: 'cron', cron: '0 0 * * *', pending: false, live: true, timeZone: 'Asia/Shanghai', effect: DAILY } })
  })

  it('R22 reads a session that nobody has open from its log, and leaves it closed', async () => {
    await host.type(agent, 'hello')
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'turn', cron: '0 9 * * *' } }, { text: 'ok' })
    await host.type(agent, 'switch')
    await host.dispose()
    host = await mountClock({ root })
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    expect(await state()).toEqual({ status: 200, body: { mode: 'turn', cron: '0 9 * * *', pending: false, live: false, timeZone: 'Asia/Shanghai', effect: 'One reading per turn, on its first step.' } })
    expect(host.ctx.agents.list()).toEqual([])
  })

  it('R22 tells what is pending, the soonest first, of open and of closed sessions', async () => {
    const start = (name: string, more: object): void => void host.model.replies.push({ tool: 'time_countdown', args: { action: 'start', name, ...more } }, { text: 'ok' })
    start('tea', { in: '2h' })
    await host.type(agent, 'hello')
    start('build', { in: '1h', note: 'look', onFire: 'inject' })
    await host.type(agent, 'hello')
    const countdowns = [
      { name: 'build', dueAt: '2026-10-08T04:50:00.000Z', onFire: 'inject', note: 'look' },
      { name: 'tea', dueAt: '2026-10-08T05:50:00.000Z', onFire: 'wake' },
    ]
    expect(await state()).toMatchObject({ status: 200, body: { live: true, countdowns } })
    await host.dispose()
    host = await mountClock({ root })
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    expect(await state()).toMatchObject({ status: 200, body: { live: false, countdowns } })
  })

  it('R22 a session that was closed while the host runs is open no more', async () => {
    const { agent: short, dispose } = await host.ctx.agents.create({ sessionId: 'short' as never, agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    await host.type(short, 'hello')
    await dispose()
    expect(await state('short')).toMatchObject({ status: 200, body: { live: false } })
    expect((await post({ sessionId: 'short', mode: 'off' })).status).toBe(409)
  })

  it('R22 a session that nobody has is not found, and one whose log is broken is reported', async () => {
    for (const id of ['nobody', 'no\r\nbody', '../one']) expect(await state(id)).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
    expect(host.log).toEqual([])
    await host.type(agent, 'hello')
    await host.ctx.get('sessions')!.flush(agent.session)
    await host.dispose()
    const file = readdirSync(root, { recursive: true }).map(String).find((path) => path.endsWith('.jsonl')) ?? ''
    writeFileSync(join(root, file), readFileSync(join(root, file), 'utf8').replace('\n', '\nnonsense\n'))
    host = await mountClock({ root })
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    expect((await state()).status).toBe(404)
    expect(host.log.join()).toMatch(/session one cannot be read.*unparsable committed event at line 1/)
  })

  it.each(['/time-reminder/api/state', '/time-reminder/api/state?sessionId=', '/time-reminder/api/state?session=one'])('R22 X5 %s names no session', async (path) => {
    expect(await ask('GET', path)).toMatchObject({ status: 400, body: { error: { code: 'bad-request', field: 'sessionId' } } })
  })

  it('R22 a host that stores nothing knows only what is open', async () => {
    await host.dispose()
    host = await mountClock({ persistence: false })
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    expect((await state()).status).toBe(404)
  })
})

describe('POST /time-reminder/api/mode', () => {
  it('R23 writes the switch into the log as a message of ours, which counts at once and is no reading', async () => {
    await host.type(agent, 'hello')
    expect(await post({ sessionId: 'one', mode: 'turn' })).toMatchObject({ status: 200, body: { mode: 'turn', pending: true, live: true } })
    expect(await state()).toMatchObject({ body: { mode: 'turn', pending: true, effect: 'One reading per turn, on its first step.' } })
    await host.type(agent, 'next')
    expect(await state()).toMatchObject({ body: { mode: 'turn', pending: false } })
    expect(ours(agent.session).map(({ source, text }) => [source['mode'] ?? source['why'], text.split('\n')[1]?.slice(0, 30)])).toEqual([
      ['first', 'Time sampled while preparing t'],
      ['turn', 'The person set the time mode t'],
      ['turn', 'Time sampled while preparing t'],
    ])
    expect(places(agent)).toEqual(['1.1', '2.1'])
  })

  it('R23 a switch to off is obeyed by the very next step', async () => {
    await post({ sessionId: 'one', mode: 'off' })
    await host.type(agent, 'hello')
    expect(readings(agent)).toEqual([])
  })

  it('R22 R23 takes a plan along, in the words that were checked', async () => {
    expect(await post({ sessionId: 'one', mode: 'cron', cron: ' 0 9 * * mon ' })).toMatchObject({ status: 200, body: { mode: 'cron', cron: '0 9 * * MON' } })
    expect(await post({ sessionId: 'one', mode: 'turn' })).toMatchObject({ body: { mode: 'turn', cron: '0 9 * * MON' } })
  })

  it('R23 asking for what is so already writes nothing', async () => {
    const before = agent.session.seq
    expect(await post({ sessionId: 'one', mode: 'cron' })).toMatchObject({ status: 200, body: { pending: false } })
    expect(await post({ sessionId: 'one', mode: 'cron', cron: '0 0 * * *' })).toMatchObject({ status: 200, body: { pending: false } })
    expect(agent.session.seq).toBe(before)
  })

  it('R23 folds exactly like a call: after a restart both give the same', async () => {
    await post({ sessionId: 'one', mode: 'fine' })
    await host.ctx.get('sessions')!.flush(agent.session)
    await host.dispose()
    host = await mountClock({ root })
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    expect(await state()).toMatchObject({ body: { mode: 'fine', live: false } })
    agent = await host.resume('one')
    expect(await state()).toMatchObject({ body: { mode: 'fine', live: true } })
  })

  it('R23 stays switched when the person stops the turn before the model has heard of it', async () => {
    await post({ sessionId: 'one', mode: 'off' })
    agent.cancel({ kind: 'user' })
    expect(await state()).toMatchObject({ body: { mode: 'off', pending: false } })
  })

  it('R23 shows a switch for two minutes where the host queues without logging it', async () => {
    vi.spyOn(agent, 'inject').mockImplementation(() => undefined)
    expect(await post({ sessionId: 'one', mode: 'off' })).toMatchObject({ body: { mode: 'off', pending: true } })
    vi.setSystemTime(Date.now() + 2 * MINUTE)
    expect(await state()).toMatchObject({ body: { mode: 'cron', pending: false } })
  })

  it('R22 a session that is not open is 409 not-live', async () => {
    expect(await post({ sessionId: 'cold', mode: 'turn' })).toMatchObject({ status: 409, body: { error: { code: 'not-live' } } })
  })

  it('R22 a plan that is not valid is 400 bad-cron, with the reason', async () => {
    expect(await post({ sessionId: 'one', mode: 'cron', cron: '61 * * * *' })).toMatchObject({ status: 400, body: { error: { code: 'bad-cron', detail: expect.stringContaining('"61"') as unknown } } })
    expect(ours(agent.session)).toEqual([])
  })

  it.each([
    [{ sessionId: 'one', mode: 'hourly' }, 'bad-mode'],
    [{ sessionId: 'one', mode: 'cron', plan: 'x' }, 'bad-request'],
    [[], 'bad-request'],
    ['{', 'bad-request'],
  ])('R22 X5 %j is 400 %s', async (body, code) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error: { code } } })
  })

  it.each([
    ['a foreign host', { host: 'evil.example' }, 403],
    ['a foreign origin', { origin: 'http://evil.example' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('R22 X5 from %s is refused and changes nothing', async (_who, headers, status) => {
    expect((await post({ sessionId: 'one', mode: 'off' }, headers)).status).toBe(status)
    expect(await state()).toMatchObject({ body: { mode: 'cron' } })
  })

  it('R22 X5 other methods are 405', async () => {
    expect((await ask('GET', '/time-reminder/api/mode')).status).toBe(405)
    expect((await ask('POST', '/time-reminder/api/state?sessionId=one', {})).status).toBe(405)
  })

  it('R22 what fails inside is a 500 without its reason, and is reported', async () => {
    vi.spyOn(agent, 'inject').mockImplementation(() => {
      throw new Error('secret')
    })
    expect(await post({ sessionId: 'one', mode: 'off' })).toMatchObject({ status: 500, body: { error: { message: expect.not.stringContaining('secret') as unknown } } })
    expect(host.log.join()).toContain('secret')
  })
})

describe('the channel of the page', () => {
  beforeEach(async () => {
    await host.ctx.plugin(connection as never, { trustedHosts: ['lan.example'] } as never)
  })

  const valueOf = (reply: Reply): unknown => (reply.body['result'] as { value?: unknown } | undefined)?.value

  it('R22 R24 has the same two operations, beside the routes', async () => {
    await host.type(agent, 'hello')
    expect(valueOf(await rpc('state', { sessionId: 'one' }))).toEqual((await state()).body)
    expect(valueOf(await rpc('mode', { sessionId: 'one', mode: 'turn' }))).toMatchObject({ mode: 'turn', pending: true })
    expect((await state()).body).toMatchObject({ mode: 'turn' })
  })

  it('R22 gives refusals in the words of the routes', async () => {
    expect(valueOf(await rpc('mode', { sessionId: 'one', mode: 'cron', cron: 'x' }))).toMatchObject({ error: { code: 'bad-cron', detail: expect.any(String) as unknown } })
    expect(valueOf(await rpc('mode', { sessionId: 'cold', mode: 'off' }))).toMatchObject({ error: { code: 'not-live' } })
    const wrong = { sessionId: 'one', mode: 'cron', cron: '61 * * * *' }
    expect(valueOf(await rpc('mode', wrong))).toEqual((await post(wrong)).body)
    for (const payload of [{}, null, 'one']) expect(valueOf(await rpc('state', payload))).toMatchObject({ error: { code: 'bad-request' } })
  })

  it('R22 T10 gives refusals in the language of the page', async () => {
    expect(valueOf(await rpc('mode', { sessionId: 'one', mode: 'cron', cron: '61 * * * *', language: 'zh' }))).toEqual({
      error: { code: 'bad-cron', message: 'cron 表达式无效，没有改动。', field: 'cron', detail: '分钟字段无法读取 "61"：可以写 0 到 59。' },
    })
    expect(valueOf(await rpc('mode', { sessionId: 'cold', mode: 'off', language: 'zh' }))).toEqual({ error: { code: 'not-live', message: '会话没有打开，请先打开它。' } })
  })

  it('R22 X5 knows no other endpoint, and is closed to other sites', async () => {
    expect((await rpc('reset', {})).body['result']).toMatchObject({ ok: false, error: { code: 'bad-request' } })
    expect((await rpc('mode', { sessionId: 'one', mode: 'off' }, { origin: 'http://evil.example' })).status).toBe(403)
    for (const other of ['evil.example', 'lan.example']) expect((await rpc('mode', { sessionId: 'one', mode: 'off' }, { host: other })).status).toBe(403)
    expect((await state()).body).toMatchObject({ mode: 'cron' })
  })
})

describe('hosts of other kinds', () => {
  it('R24 the clock runs without a page, and the routes come and go with it', async () => {
    await host.dispose()
    host = await mountClock({ root })
    agent = await host.create('two')
    await host.type(agent, 'hello')
    expect(reasons(agent)).toEqual(['first'])
    const page = host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    await page
    expect((await state('two')).status).toBe(200)
    await host.unload()
    expect((await state('two')).status).toBe(404)
  })

  it('R22 what a later host refuses by its own rules is refused here too', async () => {
    const provided = host.ctx.plugin({ apply: (ctx) => void ctx.provide('connection', { rpc: { handle: () => async () => undefined }, requestRejection: () => 401 } as never) })
    await provided
    expect((await state()).status).toBe(401)
  })
})
