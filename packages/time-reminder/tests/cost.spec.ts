import { Session } from '@deepseek-ai/dsh-session'
import { ZoneFold } from 'dsh-session-host'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ClockFold } from '../src/fold.ts'
import { mountHost, type TestHost } from '../../session-host/tests/harness.ts'
import { mountClock, places, steps, type Agent, type SessionEvent } from './harness.ts'

let host: TestHost
afterEach(async () => {
  vi.restoreAllMocks()
  await host.dispose()
})

/** A conversation that is already so long. */
function longLog(length: number): SessionEvent[] {
  const chunk = { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'x' } }
  return Array.from({ length }, (_, seq) => ({ type: 'assistant/chunk', seq, time: 1_700_000_000_000 + seq, data: chunk })) as unknown as SessionEvent[]
}

interface Work {
  /** Copies of the whole log. */
  readonly copies: number
  /** Events that our folds looked at. */
  readonly folded: number
  /** Events that were appended meanwhile. */
  readonly appended: number
}

/** What one turn of eight steps costs. */
async function turnWork(agent: Agent): Promise<Work> {
  const copies = vi.spyOn(Session.prototype, 'events', 'get')
  const folds = [ClockFold, ZoneFold].map((fold) => vi.spyOn(fold.prototype, 'apply'))
  const before = agent.session.seq
  steps(host, 8)
  await host.type(agent, 'go on')
  const work = { copies: copies.mock.calls.length, folded: folds.reduce((sum, { mock }) => sum + mock.calls.length, 0), appended: agent.session.seq - before }
  vi.restoreAllMocks()
  return work
}

describe.each(['cron', 'fine'] as const)('a turn of eight steps in mode %s', (defaultMode) => {
  it('P2 costs the same after 1,000 and after 500,000 events: no copy of the log, two looks at each new event', async () => {
    host = await mountHost({ persistence: false })
    const bare = await turnWork(await host.create('bare', { seed: longLog(1000) }))
    await host.dispose()
    host = await mountClock({ persistence: false, config: { defaultMode } })
    const seen: Work[] = []
    for (const length of [1000, 500_000]) {
      const agent = await host.create(`after-${length}`, { seed: longLog(length) })
      seen.push(await turnWork(agent))
      expect(places(agent)).toHaveLength(defaultMode === 'fine' ? 8 : 1)
    }
    const [short, long] = seen
    expect(long).toEqual(short)
    expect(short?.copies).toBe(bare.copies)
    expect(short?.folded).toBe(2 * (short?.appended ?? 0))
  }, 60_000)
})

it('P5 R2 a session takes one effect and a registration per tool in its own scope, and shares the tools with every other', async () => {
  const clocked = await mountClock({ persistence: false })
  host = clocked
  const effects = (agent: Agent): string[] => agent.ctx.fiber.getEffects().map(({ label }) => label).toSorted()
  const tool = (name: string, agent: Agent): unknown => host.ctx.get('tools')!.get(name, agent)
  const [one, two] = [await host.create('one'), await host.create('two')]
  const mine = effects(one)
  for (const name of ['time_mode', 'time_counter', 'time_countdown']) {
    expect(tool(name, one)).toBeDefined()
    expect(tool(name, two)).toBe(tool(name, one))
  }
  await clocked.unload()
  const bare = effects(await host.create('bare'))
  expect(effects(one)).toEqual(bare)
  expect(mine).toEqual([...bare, 'time-reminder session', ...Array.from({ length: 3 }, () => 'tools.register()')].toSorted())
})
