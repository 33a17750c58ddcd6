import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countTokens } from 'gpt-tokenizer'
import { delivered, mountSchedule, quiet, rested, SessionId, until, value, type Agent, type Session, type SessionEvent } from './harness.ts'

type Host = Awaited<ReturnType<typeof mountSchedule>>
let host: Host

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.parse('2026-10-09T01:00:00.000Z') })
  host = await mountSchedule({ checkpoints: false })
})
afterEach(async () => {
  await host.dispose()
  vi.useRealTimers()
})

/** Counts what reads the whole log: each use of `events` copies it after an append. */
function meter(session: Session): { copies: number; slots: number } {
  const count = { copies: 0, slots: 0 }
  const real = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(session), 'events')!.get!
  Object.defineProperty(session, 'events', {
    configurable: true,
    get() {
      count.copies += 1
      count.slots += session.seq
      return real.call(session) as readonly SessionEvent[]
    },
  })
  return count
}

/** A session whose log is as long as asked, made of the events that a real log is mostly made of. */
async function longSession(length: number): Promise<Agent> {
  const seed: SessionEvent[] = [{ type: 'turn/start', seq: 0, time: Date.now(), data: { turn: 1 } }, { type: 'step/start', seq: 1, time: Date.now(), data: { turn: 1, step: 1 } }]
  while (seed.length < length - 2) {
    seed.push({ type: 'assistant/chunk', seq: seed.length, time: Date.now(), data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'x' } } })
  }
  seed.push({ type: 'step/end', seq: seed.length, time: Date.now(), data: { turn: 1, step: 1 } })
  seed.push({ type: 'turn/end', seq: seed.length, time: Date.now(), data: { turn: 1, reason: { kind: 'completed' } } })
  return host.create(`long-${length}`, { seed })
}

describe('work per operation', () => {
  it.each([1000, 500_000])('P1 create, list, delete, snooze and delivery read no slot of a log of %i events', async (length) => {
    const agent = await longSession(length)
    const count = meter(agent.session)
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
    await value(host, agent, 'schedule_create', { prompt: 'y', every_seconds: 300 })
    await value(host, agent, 'schedule_list', {})
    await value(host, agent, 'schedule_snooze', { id: 'r-1', after_seconds: 120 })
    await value(host, agent, 'schedule_delete', { id: 'r-2' })
    expect(count).toEqual({ copies: 0, slots: 0 })
    await vi.advanceTimersByTimeAsync(120_000)
    await quiet(agent)
    delete (agent.session as { events?: unknown }).events
    expect(delivered(agent)).toHaveLength(1)
  })

  it('P1 a session without a reminder pays nothing per turn: no timer, no flush, no read', async () => {
    const agent = await host.create('plain')
    let flushes = 0
    const flush = host.ctx.sessions.flush.bind(host.ctx.sessions)
    host.ctx.sessions.flush = (session) => {
      flushes += 1
      return flush(session)
    }
    const count = meter(agent.session)
    await host.type(agent, 'hello')
    expect([flushes, count.copies]).toEqual([0, 0])
  })

  it('P3 P6 a delivery calls two flushes, to an idle agent and behind a turn in which it came due', async () => {
    const agent = await host.create('one')
    const flush = vi.spyOn(host.ctx.sessions, 'flush')
    const flushes = async (job: () => Promise<void>): Promise<number> => {
      await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
      const [before, count] = [flush.mock.calls.length, delivered(agent).length + 1]
      await job()
      await until(() => delivered(agent).length === count)
      await agent.whenIdle()
      await rested()
      return flush.mock.calls.length - before
    }
    expect(await flushes(async () => void (await vi.advanceTimersByTimeAsync(60_000)))).toBe(2)
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    expect(await flushes(async () => {
      const turn = host.type(agent, 'long work')
      await vi.advanceTimersByTimeAsync(60_000)
      host.model.gate = undefined
      gate.resolve()
      await turn
    })).toBe(2)
  })

  it('P3 one timer serves fifty sessions with four reminders each', async () => {
    const before = vi.getTimerCount()
    for (let n = 0; n < 50; n += 1) {
      const agent = await host.create(`s${n}`)
      for (let m = 1; m <= 4; m += 1) await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 3600 * m + n })
    }
    await vi.advanceTimersByTimeAsync(1000) // the host's own write-behind timers run out
    expect(vi.getTimerCount() - before).toBe(1)
  })
})

it('S29 a thousand sessions come and go without leaving a timer, a listener or a tool behind', async () => {
  const census = (): unknown => ({ effects: host.ctx.fiber.getEffects(), tools: host.ctx.get('tools')!.schemas().length })
  const before = census()
  for (let n = 0; n < 1000; n += 1) {
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId(`s${n}`), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    if (n % 50 === 0) await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
    await dispose()
  }
  expect(census()).toEqual(before)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(vi.getTimerCount()).toBe(0)
}, 60_000)

it('P5 S2 a session takes one effect and a registration per tool in its own scope, and shares the tools with every other', async () => {
  const effects = (agent: Agent): string[] => agent.ctx.fiber.getEffects().map(({ label }) => label).toSorted()
  const tool = (name: string, agent: Agent): unknown => host.ctx.get('tools')!.get(name, agent)
  const [one, two] = [await host.create('one'), await host.create('two')]
  const mine = effects(one)
  for (const name of ['schedule_create', 'schedule_list', 'schedule_delete', 'schedule_snooze']) {
    expect(tool(name, one)).toBeDefined()
    expect(tool(name, two)).toBe(tool(name, one))
  }
  await host.unload()
  const bare = effects(await host.create('bare'))
  expect(effects(one)).toEqual(bare)
  expect(mine).toEqual([...bare, 'tool-schedule session', ...Array.from({ length: 4 }, () => 'tools.register()')].toSorted())
})

describe('tokens (o200k)', () => {
  it('P7 the four tools cost at most 500 tokens together', async () => {
    const agent = await host.create('one')
    const tools = host.ctx.get('tools')!.schemas(agent)
    const tokens = countTokens(JSON.stringify(tools.map(({ name, description, parameters }) => ({ name, description, parameters }))))
    expect(tokens).toBeLessThanOrEqual(500)
  })

  it('P7 a wake with its drift costs at most 120 tokens, a row of a list at most 40', async () => {
    const agent = await host.create('one')
    await host.type(agent, 'hello')
    host.model.replies.push({ tool: 'schedule_create', args: { prompt: 'stretch your back', after_seconds: 60 } })
    await host.type(agent, 'remind me')
    await vi.advanceTimersByTimeAsync(10)
    await quiet(agent)
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    const turn = host.type(agent, 'long work')
    // In many steps, so that a busy machine has seen the reminder wait long before the turn ends.
    for (let minute = 0; minute < 11; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000)
      await rested()
    }
    host.model.gate = undefined
    gate.resolve()
    await turn
    await quiet(agent)
    expect(delivered(agent)[0]).toContain('busy')
    expect(countTokens(delivered(agent)[0]!)).toBeLessThanOrEqual(120)
    for (let n = 0; n < 1000; n += 1) await value(host, agent, 'schedule_create', { prompt: 'stretch your back', after_seconds: 3600 + n })
    const list = await value(host, agent, 'schedule_list', {})
    expect(list).toMatchObject({ total: 1000 })
    expect(list['reminders']).toHaveLength(50)
    expect(countTokens(JSON.stringify(list)) / 50).toBeLessThanOrEqual(40)
  })
})
