import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import * as connection from '@deepseek-ai/dsh-client-connection'
import WebServer from '@deepseek-ai/dsh-host-webserver'
import { checkpoints, type Checkpoints } from 'dsh-session-host'
import { afterEach, describe, expect, it } from 'vitest'
import { faultyPersistence } from '../../session-host/tests/faulty-persistence.ts'
import { mountHost, SessionId, type HostOptions, type Session, type TestHost } from '../../session-host/tests/harness.ts'
import * as plugin from '../src/index.ts'
import { readPush, type CursorPush } from '../src/protocol.ts'
import { create, dispatch } from './events.ts'

const scenes: Scene[] = []
afterEach(async () => {
  for (const one of scenes.splice(0)) await one.host.dispose()
})

interface Scene {
  readonly host: TestHost
  readonly barrier: Checkpoints
  unload(): Promise<void>
}

async function scene(options: HostOptions = {}, hasPage = true): Promise<Scene> {
  const host = await mountHost(options)
  if (hasPage) {
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    await host.ctx.plugin(connection, {})
  }
  let barrier: Checkpoints | undefined
  await host.ctx.plugin({ inject: ['sessions'], apply: (ctx) => void (barrier = checkpoints(ctx)) })
  const fiber = await host.ctx.plugin(plugin, undefined)
  const made = { host, barrier: barrier!, unload: () => fiber.dispose() }
  scenes.push(made)
  return made
}

async function rpc(host: TestHost, endpoint: string, payload: unknown): Promise<{ ok: boolean; value: Record<string, unknown> }> {
  const { port } = host.ctx.get('webServer')!
  const body = JSON.stringify({ type: 'client-request', rpcId: 'x', method: endpoint, payload })
  const response = await fetch(`http://127.0.0.1:${port}/dsh-receipts/${endpoint}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { result: { ok: boolean; value: Record<string, unknown> } }).result
}

const through = async (host: TestHost, sessionId: string): Promise<unknown> => (await rpc(host, 'cursor', { sessionId })).value['throughSeq']

const append = (session: Session, { type, data }: { type: string; data: unknown }): number => {
  const raw = session as unknown as { append(type: string, data: unknown): void }
  raw.append(type, data)
  return session.seq
}

/** A session with a stored create and a stored dispatch; resolves with the end of its log. */
async function delivered({ host, barrier }: Scene, id = 'one'): Promise<{ session: Session; end: number }> {
  const { session } = await host.create(id)
  append(session, create(0, 'r-1', 'stretch'))
  const end = append(session, dispatch(1, 'r-1'))
  await barrier.confirm(session)
  return { session, end }
}

/** Opens the stream of pushes. */
async function listen(host: TestHost, headers: Record<string, string> = {}): Promise<{ status: number; pushes: CursorPush[]; response: IncomingMessage }> {
  const { port } = host.ctx.get('webServer')!
  const pushes: CursorPush[] = []
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/dsh-receipts/events', headers: { host: `localhost:${port}`, ...headers } }, resolve).on('error', reject)
  })
  response.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) pushes.push(...[readPush(line.replace(/^data: /, ''))].filter((push) => push !== undefined))
  })
  await new Promise((resolve) => response.once('data', resolve))
  return { status: response.statusCode ?? 0, pushes, response }
}

const fileOf = (host: TestHost): string => {
  const path = readdirSync(host.root, { recursive: true }).map(String).find((name) => name.endsWith('session.jsonl'))
  return join(host.root, path!)
}

async function until(fact: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 5000
  while (!(await fact())) {
    if (performance.now() > limit) throw new Error('waited in vain')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('commit cursor on the host', () => {
  it('S23 S32 an append proves nothing, an acknowledged checkpoint is pushed to the page that asked', async () => {
    const one = await scene()
    const { session, end } = await delivered(one)
    const { pushes } = await listen(one.host)
    expect(await through(one.host, 'one')).toBe(end)
    append(session, create(2, 'r-2'))
    const later = append(session, dispatch(3, 'r-2'))
    expect(pushes).toEqual([])
    await one.barrier.confirm(session)
    await until(() => pushes.length > 0)
    expect(pushes).toMatchObject([{ sessionId: 'one', throughSeq: later, seedLength: 0 }])
  })

  it('S23 S32 a write that fails proves nothing, and the receipt comes when a later turn stores it', async () => {
    const { Persistence, faults } = faultyPersistence()
    const one = await scene({ persistence: Persistence })
    const { session, end } = await delivered(one)
    const agent = one.host.ctx.agents.get(SessionId('one'))!
    append(session, create(2, 'r-2'))
    const later = append(session, dispatch(3, 'r-2'))
    faults.push('reject-before')
    await expect(one.barrier.confirm(session)).rejects.toThrow('not confirmed')
    expect(await through(one.host, 'one')).toBe(end)
    const { pushes } = await listen(one.host)
    await one.host.type(agent, 'hello')
    await until(() => pushes.some(({ throughSeq }) => throughSeq >= later))
    expect(await through(one.host, 'one')).toBeGreaterThanOrEqual(later)
  })

  it('S32 a resumed session is confirmed once by itself', async () => {
    const first = await scene()
    const { session, end } = await delivered(first)
    expect(first.barrier.storedThrough(session)).toBe(end)
    const { agent, dispose } = await first.host.ctx.agents.create({ sessionId: SessionId('two'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    append(agent.session, create(0, 'r-1'))
    await first.barrier.confirm(agent.session)
    await dispose()
    const again = await first.host.resume('two')
    await until(() => first.barrier.storedThrough(again.session) > 0)
    expect(first.barrier.storedThrough(again.session)).toBe(again.session.seq)
  })

  it('S5 S33 a fork proves what it inherited once its own storage holds it, and says where its own work begins', async () => {
    const one = await scene()
    const { session, end } = await delivered(one)
    const fork = one.host.ctx.sessions.fork(session, undefined, SessionId('child'))
    await until(() => one.barrier.storedThrough(fork) > 0)
    const { value } = await rpc(one.host, 'cursor', { sessionId: 'child' })
    expect(value['seedLength']).toBe(fork.header.seedLength)
    expect(value['throughSeq']).toBeGreaterThanOrEqual(end)
  })
})

describe('attached history', () => {
  it('S33 a stored log that diverges has no receipts, though every checkpoint is acknowledged', async () => {
    const one = await scene()
    const { session } = await delivered(one)
    const file = fileOf(one.host)
    writeFileSync(file, readFileSync(file, 'utf8').replace('stretch', 'strutch'))
    expect(await through(one.host, 'one')).toBe(0)
    append(session, dispatch(2, 'r-9'))
    await one.barrier.confirm(session)
    expect(await through(one.host, 'one')).toBe(0)
  })

  it('S33 a long log is proven to its end', async () => {
    const one = await scene()
    const { session } = await delivered(one)
    for (let turn = 1; turn <= 2100; turn += 1) append(session, { type: 'turn/start', data: { turn } })
    await one.barrier.confirm(session)
    expect(await through(one.host, 'one')).toBe(session.seq)
  })

  it('S33 a stored log that is longer has no receipts', async () => {
    const one = await scene()
    const { end } = await delivered(one)
    appendFileSync(fileOf(one.host), `${JSON.stringify(dispatch(end, 'r-1'))}\n`)
    expect(await through(one.host, 'one')).toBe(0)
  })

  it('S33 a stored log that is gone has no receipts, and the session lives on', async () => {
    const one = await scene()
    const { session } = await delivered(one)
    rmSync(fileOf(one.host))
    expect(await through(one.host, 'one')).toBe(0)
    expect(one.host.ctx.sessions.get(session.id)).toBe(session)
  })

  it('S12 S33 without persistence nothing is ever proven', async () => {
    const one = await scene({ persistence: false })
    const { session } = await one.host.create('one')
    append(session, dispatch(0, 'r-1'))
    expect(await through(one.host, 'one')).toBe(0)
    expect(await through(one.host, 'nobody')).toBe(0)
    one.host.ctx.sessions.fork(session, undefined, SessionId('child'))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(await through(one.host, 'child')).toBe(0)
  })
})

describe('detached history', () => {
  it('S2 S33 is proven as it is stored, and reading it brings no session to life', async () => {
    const one = await scene()
    const { agent, dispose } = await one.host.ctx.agents.create({ sessionId: SessionId('cold'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    append(agent.session, create(0, 'r-1', 'stretch'))
    const end = append(agent.session, dispatch(1, 'r-1'))
    await one.barrier.confirm(agent.session)
    await dispose()
    expect(await through(one.host, 'cold')).toBe(end)
    const { value } = await rpc(one.host, 'creates', { sessionId: 'cold', dispatchSeq: end - 1 })
    expect(value['events']).toMatchObject([{ data: { schedule: { prompt: 'stretch' } } }])
    expect(one.host.ctx.sessions.get(SessionId('cold'))).toBeUndefined()
    expect(one.host.ctx.agents.list()).toEqual([])
  })
})

describe('channel and stream', () => {
  it.each([
    ['cursor', {}],
    ['cursor', { sessionId: '' }],
    ['cursor', { sessionId: 'x'.repeat(201) }],
    ['creates', { sessionId: 'one', dispatchSeq: '1' }],
    ['other', { sessionId: 'one' }],
  ])('X5 refuses %s with %j', async (endpoint, payload) => {
    expect(await rpc((await scene()).host, endpoint, payload)).toMatchObject({ ok: false, error: { code: 'bad-request' } })
  })

  it('X5 the stream is behind the fence', async () => {
    const one = await scene()
    expect((await listen(one.host, { host: 'evil.example' })).status).toBe(403)
    expect((await listen(one.host, { origin: 'https://evil.example' })).status).toBe(403)
  })

  it('a page that leaves is forgotten, and the plugin ends every stream when it is unloaded', async () => {
    const one = await scene()
    const { session } = await delivered(one)
    await through(one.host, 'one')
    const left = await listen(one.host)
    left.response.destroy()
    const stays = await listen(one.host)
    const ended = new Promise((resolve) => stays.response.once('end', resolve))
    append(session, dispatch(2, 'r-1'))
    await one.barrier.confirm(session)
    await until(() => stays.pushes.length === 1)
    await one.unload()
    expect(await ended).toBeUndefined()
    expect(left.pushes).toEqual([])
  })

  it('S29 nothing that was put off runs after the plugin is unloaded', async () => {
    const one = await scene({}, false)
    const { session } = await delivered(one)
    const flushes: string[] = []
    const flush = one.host.ctx.sessions.flush.bind(one.host.ctx.sessions)
    one.host.ctx.sessions.flush = async (which) => {
      flushes.push(which.id)
      return flush(which)
    }
    one.host.ctx.sessions.fork(session, undefined, SessionId('child'))
    await one.unload()
    expect(flushes).toEqual([])
  })

  it('a session that is gone before its confirmation is left alone', async () => {
    const one = await scene({}, false)
    const { agent, dispose } = await one.host.ctx.agents.create({ sessionId: SessionId('brief'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' }, seed: [] })
    append(agent.session, create(0, 'r-1'))
    await one.barrier.confirm(agent.session)
    await dispose()
    const again = await one.host.ctx.agents.resume({ resumeSessionId: SessionId('brief'), agentOptions: { provider: 'scripted', model: 'scripted' } })
    await again.dispose()
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(one.barrier.storedThrough(again.agent.session)).toBe(0)
  })
})
