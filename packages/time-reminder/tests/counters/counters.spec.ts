import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../src/config.ts'
import { HOUR, MINUTE, mountClock, readings, THURSDAY, value, type Agent, type ClockHost, type SessionEvent } from '../harness.ts'

let host: ClockHost

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(THURSDAY - 12 * HOUR) // 11:50 in Shanghai
})
afterEach(async () => {
  await host.dispose()
  vi.useRealTimers()
})

const later = (ms: number): unknown => vi.setSystemTime(Date.now() + ms)

/** Let the model of a session call a tool, so that the call and its result are in the log. */
async function call(agent: Agent, args: Record<string, unknown>): Promise<void> {
  host.model.replies.push({ tool: 'time_counter', args }, { text: 'ok' })
  await host.type(agent, 'go on')
}

type Meta = Record<string, unknown>
const child = (parentSession: string, more: Meta = {}): { meta: Meta } => ({ meta: { parentSession, origin: 'subagent', delegationDepth: 1, ...more } })

/** Relays that are in the inbox of an agent, or were. */
function relays(agent: Agent): { text: string; source: Record<string, unknown> }[] {
  return agent.session.events.flatMap((event: SessionEvent) => {
    const inserted = event.type === 'agent/inbox/spliced' ? event.data.inserted : []
    return inserted
      .filter(({ source }) => (source as { form?: string }).form === 'relay')
      .map(({ content, source }) => ({ text: content.map((block) => ('text' in block ? block.text : '')).join('').split('\n')[1] ?? '', source: source as never }))
  })
}
const news = (agent: Agent): string[] => relays(agent).map(({ text }) => text)
const names = async (agent: Agent): Promise<unknown[]> => ((await value(host, agent, 'time_counter', { action: 'list' }))['counters'] as { name: string }[]).map(({ name }) => name)

async function mount(config: Partial<Config> = {}): Promise<void> {
  host = await mountClock({ config: { defaultMode: 'off', ...config } })
}

describe('time_counter', () => {
  it('R8 starts, tells, notes, scopes, resets and removes a counter', async () => {
    await mount()
    const agent = await host.create('one')
    await host.type(agent, 'hello')
    expect(await value(host, agent, 'time_counter', { action: 'start', name: 'build', note: 'all of it' })).toEqual({
      set: true,
      action: 'start',
      name: 'build',
      since: '2026-10-08T11:50:00+08:00',
      note: 'all of it',
      inject: false,
      toChildren: true,
      toParents: false,
      depth: 2,
    })
    await call(agent, { action: 'start', name: 'build', note: 'all of it' })
    later(20 * MINUTE + 43_000)
    expect(await value(host, agent, 'time_counter', { action: 'lapse', name: 'build' })).toEqual({ name: 'build', lapse: '20m43s', since: '2026-10-08T11:50:00+08:00', note: 'all of it' })
    await call(agent, { action: 'note', name: 'build', note: 'half of it' })
    await call(agent, { action: 'scope', name: 'build', toParents: true, depth: 1 })
    expect(await value(host, agent, 'time_counter', { action: 'list' })).toEqual({
      total: 1,
      counters: [{ name: 'build', lapse: '20m43s', since: '2026-10-08T11:50:00+08:00', note: 'half of it', toParents: true, depth: 1 }],
    })
    expect(await value(host, agent, 'time_counter', { action: 'reset', name: 'build' })).toMatchObject({ set: true, before: '20m43s', since: '2026-10-08T12:10:43+08:00', note: 'half of it', toParents: true })
    await call(agent, { action: 'reset', name: 'build' })
    later(MINUTE)
    await call(agent, { action: 'note', name: 'build', note: '' })
    expect(await value(host, agent, 'time_counter', { action: 'lapse', name: 'build' })).toEqual({ name: 'build', lapse: '1m', since: '2026-10-08T12:10:43+08:00', toParents: true, depth: 1 })
    await call(agent, { action: 'remove', name: 'build' })
    expect(await value(host, agent, 'time_counter', { action: 'lapse', name: 'build' })).toMatchObject({ code: 'no-such-counter', field: 'name' })
  })

  it('R8 a counter that is started anew counts from zero and keeps what is not said', async () => {
    await mount()
    const agent = await host.create('one')
    await call(agent, { action: 'start', name: 'build', note: 'x', depth: 3 })
    later(MINUTE)
    expect(await value(host, agent, 'time_counter', { action: 'start', name: 'build', inject: true })).toMatchObject({ before: '1m', note: 'x', depth: 3, inject: true, toChildren: true })
    expect(await value(host, agent, 'time_counter', { action: 'remove', name: 'build' })).toEqual({ set: true, action: 'remove', name: 'build', lapse: '1m' })
    expect(await value(host, agent, 'time_counter', { action: 'note', name: 'other', note: 'x' })).toMatchObject({ code: 'no-such-counter' })
  })

  it('R8 a hundred counters are enough for one session', async () => {
    await mount()
    const agent = await host.create('one')
    host.model.replies.push(...Array.from({ length: 100 }, (_, n) => ({ tool: 'time_counter', args: { action: 'start', name: `c${n}` } })), { text: 'ok' })
    await host.type(agent, 'count')
    expect(await value(host, agent, 'time_counter', { action: 'start', name: 'one-more' })).toMatchObject({ code: 'too-many' })
    expect(await value(host, agent, 'time_counter', { action: 'start', name: 'c7' })).toMatchObject({ set: true })
    const list = await value(host, agent, 'time_counter', { action: 'list' })
    expect(list['total']).toBe(100)
    expect(list['counters']).toHaveLength(50)
  })

  it('R11 counts from when the call was logged, and only what succeeded counts', async () => {
    await mount()
    const agent = await host.create('one')
    const slow = agent.ctx.on('tools/execute', async (_execution, next) => {
      later(3000)
      return next()
    })
    await call(agent, { action: 'start', name: 'build' })
    slow()
    const logged = agent.session.events.find(({ type }) => type === 'tool/call')?.time ?? 0
    expect(Date.now()).toBe(logged + 3000)
    expect(await value(host, agent, 'time_counter', { action: 'lapse', name: 'build' })).toMatchObject({ lapse: '3s' })
    const blocked = agent.ctx.on('tools/post-execute', async () => ({ kind: 'block' as const, content: [{ type: 'text' as const, text: 'not here' }] }) as never)
    await call(agent, { action: 'remove', name: 'build' })
    await call(agent, { action: 'start', name: 'other' })
    blocked()
    await call(agent, { action: 'start', name: '' })
    expect(await names(agent)).toEqual(['build'])
  })

  it('R9 R25 counters are those of the log after a resume, and a fork does not have its own copies', async () => {
    await mount()
    const agent = await host.create('one')
    await call(agent, { action: 'start', name: 'build', note: '构建' })
    later(MINUTE)
    const seed = agent.session.events
    const fork = await host.create('fork', { seed, meta: { parentSession: 'one', seedLength: seed.length } })
    expect(await value(host, fork, 'time_counter', { action: 'list' })).toMatchObject({ counters: [{ name: 'build', of: 'parent', session: 'one' }] })
    const { root } = host
    await host.ctx.sessions.flush(agent.session)
    const again = await mountClock({ root, config: { defaultMode: 'off' } })
    try {
      const resumed = await again.resume('one')
      expect(await value(again, resumed, 'time_counter', { action: 'lapse', name: 'build' })).toMatchObject({ lapse: '1m', note: '构建' })
    } finally {
      await again.dispose()
    }
  })
})

describe('the lineage', () => {
  it('R9 depth says through how many generations children see a counter, and parents do not', async () => {
    await mount()
    const root = await host.create('root')
    const background = await host.create('background', child('root'))
    const nested = await host.create('nested', child('background', { delegationDepth: 2, agentPreset: 'other' }))
    const deepest = await host.create('deepest', child('nested', { delegationDepth: 3 }))
    const stranger = await host.create('stranger')
    await call(root, { action: 'start', name: 'two' })
    await call(root, { action: 'start', name: 'one', depth: 1 })
    await call(root, { action: 'start', name: 'none', toChildren: false })
    await call(nested, { action: 'start', name: 'up', toParents: true, toChildren: false, depth: 1 })
    expect(await names(root)).toEqual(['two', 'one', 'none'])
    expect(await names(background)).toEqual(['two', 'one', 'up'])
    expect(await names(nested)).toEqual(['up', 'two'])
    expect(await names(deepest)).toEqual([])
    expect(await names(stranger)).toEqual([])
    expect(await value(host, nested, 'time_counter', { action: 'lapse', name: 'two' })).toMatchObject({ of: 'grandparent', session: 'root' })
    expect(await value(host, background, 'time_counter', { action: 'lapse', name: 'up' })).toMatchObject({ of: 'child', session: 'nested' })
    expect(await value(host, background, 'time_counter', { action: 'reset', name: 'up' })).toMatchObject({ code: 'no-such-counter' })
  })

  it('R9 a session that ends is seen no more, and breaks the line', async () => {
    await mount()
    const root = await host.create('root')
    const handle = await host.ctx.agents.create({ sessionId: 'middle' as never, agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/', parentSession: 'root', origin: 'subagent' } as never })
    const low = await host.create('low', child('middle'))
    await call(root, { action: 'start', name: 'build' })
    expect(await names(low)).toEqual(['build'])
    await handle.dispose()
    expect(await names(low)).toEqual([])
  })

  it('R3 R9 readings tell the counters that opted in, own and seen', async () => {
    await mount({ defaultMode: 'fine' })
    const root = await host.create('root')
    const sub = await host.create('sub', child('root'))
    await call(root, { action: 'start', name: 'deploy', note: '开始部署', inject: true })
    await call(root, { action: 'start', name: 'silent' })
    await call(sub, { action: 'start', name: 'step', inject: true })
    later(20 * MINUTE + 43_000)
    await host.type(root, 'hello')
    await host.type(sub, 'hello')
    expect(readings(root).at(-1)?.lines.slice(-2)).toEqual(['[counters] deploy=20m43s (开始部署)', '</system-reminder>'])
    expect(readings(sub).at(-1)?.lines.slice(-2)).toEqual(['[counters] step=20m43s, deploy@parent=20m43s (开始部署)', '</system-reminder>'])
  })
})

describe('what others are told', () => {
  it('R10 everyone who could see a counter before or after is told, once, by a relay that is no reading', async () => {
    await mount()
    const root = await host.create('root')
    const sub = await host.create('sub', child('root'))
    const low = await host.create('low', child('sub'))
    await call(root, { action: 'start', name: 'build', note: 'x' })
    later(MINUTE)
    await call(root, { action: 'note', name: 'build', note: 'y' })
    await call(root, { action: 'lapse', name: 'build' })
    await call(root, { action: 'list' })
    await call(root, { action: 'scope', name: 'build', depth: 1 })
    await call(root, { action: 'reset', name: 'build' })
    await call(root, { action: 'remove', name: 'build' })
    expect(news(sub)).toEqual([
      'Counter build of the parent session was started: build=0s (x).',
      'Counter build of the parent session got another note: build=1m (y).',
      'Counter build of the parent session can be seen here: build=1m (y).',
      'Counter build of the parent session was reset: build=0s (y).',
      'Counter build of the parent session was removed.',
    ])
    expect(news(low)).toEqual([
      'Counter build of the grandparent session was started: build=0s (x).',
      'Counter build of the grandparent session got another note: build=1m (y).',
      'Counter build of the grandparent session can no longer be seen here.',
    ])
    expect(news(root)).toEqual([])
    expect(relays(sub)[0]?.source).toEqual({ kind: 'dsh-time-reminder', form: 'relay', senderSessionId: 'root', counter: { name: 'build', action: 'start' } })
  })

  it('R7 R10 a relay waits for the next step, wakes nobody, and does not count for the rhythm', async () => {
    await mount({ defaultMode: 'cron' })
    const root = await host.create('root')
    const sub = await host.create('sub', child('root'))
    await host.type(sub, 'hello')
    const seq = sub.session.seq
    await call(root, { action: 'start', name: 'build' })
    await sub.whenIdle()
    expect(sub.session.events.slice(seq).map(({ type }) => type)).toEqual(['agent/inbox/spliced'])
    later(HOUR)
    await host.type(sub, 'again')
    expect(readings(sub).map(({ source }) => source['why'])).toEqual(['first', 'pause'])
    expect(JSON.stringify(host.model.requests.at(-1)?.messages)).toContain('Counter build of the parent session was started')
  })

  it('R10 a child that shares upwards tells its parents', async () => {
    await mount()
    const root = await host.create('root')
    const sub = await host.create('sub', child('root'))
    await call(sub, { action: 'start', name: 'tests', toParents: true })
    expect(news(root)).toEqual(['Counter tests of the child session was started: tests=0s.'])
  })

  it('R10 counterNotice steer wakes those who are told, off tells nobody', async () => {
    await mount({ counterNotice: 'steer' })
    const root = await host.create('root')
    const sub = await host.create('sub', child('root'))
    await call(root, { action: 'start', name: 'build' })
    await sub.whenIdle()
    expect(sub.session.events.filter(({ type }) => type === 'turn/end')).toHaveLength(1)
    await host.unload()
    await host.mount({ defaultMode: 'off', counterNotice: 'off' })
    await call(root, { action: 'reset', name: 'build' })
    expect(news(sub)).toHaveLength(1)
  })

  it('R10 a session that cannot be told does not keep the others from knowing', async () => {
    await mount()
    const root = await host.create('root')
    const broken = await host.create('broken', child('root'))
    const sub = await host.create('sub', child('root'))
    vi.spyOn(broken, 'inject').mockImplementation(() => {
      throw new Error('closing')
    })
    await call(root, { action: 'start', name: 'build' })
    expect(news(sub)).toHaveLength(1)
    expect(host.log.join('\n')).toContain('session broken could not be told of a counter')
  })

  it('R10 a session that was not there sees the state when it is back, and is not told of the past', async () => {
    await mount()
    const root = await host.create('root')
    await call(root, { action: 'start', name: 'build' })
    const sub = await host.create('sub', child('root'))
    expect(news(sub)).toEqual([])
    expect(await names(sub)).toEqual(['build'])
  })
})
