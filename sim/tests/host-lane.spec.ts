import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { randomOf } from '../src/random.ts'
import { happenRandomly, RealHome } from './real-host.ts'

/** Seeds over the host's own packages; SIM_HOST_RUNS asks for more, as a nightly run does. */
const RUNS = Number(process.env['SIM_HOST_RUNS'] ?? 200)
const LANES = 4
const EACH = Math.ceil(RUNS / LANES)
const START = Date.parse('2026-10-09T01:00:00.000Z')
/** As `QUIET_CONFIG` of the reminders' tests sets it. */
const MAX_UNANSWERED = 10

const homes: RealHome[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START }))
afterEach(async () => {
  for (const home of homes.splice(0)) await home.end()
  vi.useRealTimers()
})

describe('the same rules over the published host', () => {
  it.each(Array.from({ length: LANES }, (_, lane) => [lane * EACH + 1]))('X1 crashes, faults and clock steps lose nothing and double nothing, from seed %i on', async (first) => {
    let [delivered, crashes] = [0, 0]
    for (let seed = first; seed < first + EACH; seed += 1) {
      vi.setSystemTime(START)
      const home = new RealHome()
      homes.push(home)
      await home.boot()
      const random = randomOf(seed)
      for (let left = 4 + random.below(8); left > 0; left -= 1) await happenRandomly(home, random)
      expect([seed, await home.verdict(MAX_UNANSWERED)]).toEqual([seed, []])
      delivered += home.delivered
      crashes += home.crashes
      await homes.pop()?.end()
    }
    expect(delivered).toBeGreaterThan(EACH)
    expect(crashes).toBeGreaterThan(EACH)
  })
})
