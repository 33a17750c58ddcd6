import { describe, expect, it } from 'vitest'
import { scheduleOf } from '../src/steps.ts'
import { shrink, simulate } from '../src/simulate.ts'
import { explain, simulateMany } from '../src/campaign.ts'

/** Seeds per lane; SIM_RUNS asks for more in all, as a nightly run does. */
const LANES = 4
const SEEDS = Math.ceil(Number(process.env['SIM_RUNS'] ?? 10_000) / LANES)

describe('random schedules', () => {
  it.each(Array.from({ length: LANES }, (_, lane) => [lane * SEEDS + 1]))('X1 nothing is lost, early, unordered or delivered twice, and nothing is left running, from seed %i on', async (first) => {
    const { failed, delivered, told, woken } = await simulateMany(first, SEEDS)
    expect(failed === undefined ? '' : explain(await shrink(failed))).toBe('')
    // Schedules in which nothing comes would prove nothing.
    expect(delivered).toBeGreaterThan(SEEDS)
    expect(told).toBeGreaterThan(SEEDS / 3)
    expect(woken).toBeGreaterThan(SEEDS / 10)
  })

  it('X1 a seed is the same run every time, so a failure can be repeated', async () => {
    expect(scheduleOf(7)).toEqual(scheduleOf(7))
    const [first, second] = [await simulate(4, { plant: 'no-recognition' }), await simulate(4, { plant: 'no-recognition' })]
    expect(second.violation).toBe(first.violation)
    expect(second.delivered).toBe(first.delivered)
  })

  it('X1 a failing schedule is told in one line that repeats it, and is made short', async () => {
    const { failed } = await simulateMany(1, 50, { plant: 'dispatch-first' })
    expect(failed).toBeDefined()
    if (failed === undefined) return
    const small = await shrink(failed, { plant: 'dispatch-first' })
    expect(small.steps.length).toBeLessThan(failed.steps.length)
    expect(explain(failed, { plant: 'dispatch-first' }).split('\n')[0]).toMatch(/^npm run sim -- --seed \d+ --runs 1 --plant dispatch-first {2}# .*S28/)
  })
})
