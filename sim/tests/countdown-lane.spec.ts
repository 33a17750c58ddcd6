import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Agent } from '../../packages/session-host/tests/harness.ts'
import { mountClock } from '../../packages/time-reminder/tests/harness.ts'
import { rested } from '../../packages/tool-schedule/tests/harness.ts'
import { randomOf, type Random } from '../src/random.ts'
import { happenRandomly, RealHome, type Mounted, type Wish } from './real-host.ts'

/** Seeds over the host's own packages; SIM_HOST_RUNS asks for more, as a nightly run does. */
const RUNS = Math.ceil(Number(process.env['SIM_HOST_RUNS'] ?? 200) / 4)
const START = Date.parse('2026-10-09T01:00:00.000Z')

const COUNTDOWNS: Mounted = {
  mount: mountClock,
  async rest(agent) {
    for (let n = 0; n < 2; n += 1) {
      await agent.whenIdle()
      await rested()
    }
    await agent.whenIdle()
  },
}

const homes: RealHome[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START }))
afterEach(async () => {
  for (const home of homes.splice(0)) await home.end()
  vi.useRealTimers()
})

let names = 0

function wish(random: Random): Wish {
  const known = `c${1 + random.below(Math.max(names, 1))}`
  const span = random.pick(['1s', '20s', '1m', '10m'])
  return random.pick<Wish>([
    ['time_countdown', { action: 'start', name: `c${(names += 1)}`, in: span, onFire: random.pick(['wake', 'inject']) }],
    ['time_countdown', { action: 'start', name: `c${(names += 1)}`, in: span }],
    ['time_countdown', { action: 'snooze', name: known, in: span }],
    ['time_countdown', { action: 'cancel', name: known }],
    ['time_countdown', { action: 'list' }],
  ])
}

interface Change {
  readonly fact?: string
  readonly action: string
  readonly name: string
  readonly dueAt: string
}

/** What the log says, read with nothing of the plugin: every countdown that was set last comes once, and not early. */
function findings(id: string, { session }: Agent): readonly string[] {
  const last = new Map<string, Change>()
  const heard = new Map<string, number>()
  const found: string[] = []
  for (const { type, data, time } of session.events) {
    const { meta, source } = data as { meta?: { timekeeper?: { facts: readonly Change[] } }; source?: { countdown?: readonly Change[] } }
    for (const fact of type === 'tool/result' ? (meta?.timekeeper?.facts ?? []) : []) if (fact.fact === 'countdown') last.set(fact.name, fact)
    for (const { name, dueAt } of type === 'user/message' ? (source?.countdown ?? []) : []) {
      const key = `${name} at ${dueAt}`
      heard.set(key, (heard.get(key) ?? 0) + 1)
      if (heard.get(key) === 2) found.push(`${id}: R15 ${key} came twice`)
      if (time < Date.parse(dueAt)) found.push(`${id}: S25 ${key} came early`)
    }
  }
  const lacking = [...last.values()].filter(({ action, name, dueAt }) => action !== 'cancel' && !heard.has(`${name} at ${dueAt}`))
  return [...found, ...lacking.map(({ name, dueAt }) => `${id}: R15 ${name} at ${dueAt} never came`)]
}

describe('countdowns over the published host', () => {
  // At 4 and 5 the turn has taken the notice out of the inbox and not put it into the conversation yet.
  it.each([1, 2, 3, 4, 5, 6])('X1 R15 a process that dies at append %i of a notice tells it once, in all', async (appends) => {
    const home = new RealHome(COUNTDOWNS)
    homes.push(home)
    await home.boot()
    await home.ask('one', 'time_countdown', { action: 'start', name: 'tea', in: '1m' })
    await home.crashIn(() => home.pass(61_000), appends)
    const agents = await home.finish()
    expect([...agents].flatMap(([id, agent]) => findings(id, agent))).toEqual([])
  })

  it(`X1 R15 crashes, faults and clock steps lose no countdown and double none, ${RUNS} seeds`, async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      vi.setSystemTime(START)
      names = 0
      const home = new RealHome(COUNTDOWNS)
      homes.push(home)
      await home.boot()
      const random = randomOf(seed)
      for (let left = 4 + random.below(6); left > 0; left -= 1) await happenRandomly(home, random, wish)
      const agents = await home.finish()
      expect([seed, ...[...agents].flatMap(([id, agent]) => findings(id, agent))]).toEqual([seed])
      await homes.pop()?.end()
    }
  })
})
