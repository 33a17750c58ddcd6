import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT, nextFires, shortestGap } from '../../src/index.ts'
import { at, cron, zone } from '../harness.ts'

const from = at('2026-01-01T00:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('the smallest distance between two fires', () => {
  it.each([
    ['* * * * *', 'UTC', MINUTE],
    ['*/5 * * * *', 'UTC', 5 * MINUTE],
    ['*/45 * * * *', 'UTC', 15 * MINUTE],
    ['0,7,30 9 * * *', 'UTC', 7 * MINUTE],
    ['0 9 * * *', 'UTC', DAY],
    ['0 0,23 * * *', 'UTC', HOUR],
    ['0 0,23 * * 1', 'UTC', 23 * HOUR],
    ['0 0,23 * * 1,2', 'UTC', HOUR],
    ['0 9 * * 1', 'UTC', 7 * DAY],
    ['0 9 1 * *', 'UTC', 28 * DAY],
    ['0 9 L * *', 'UTC', 28 * DAY],
    ['0 9 1 * 1', 'UTC', DAY],
    ['0 9 31 * *', 'UTC', 31 * DAY],
    ['0 9 31,1 * *', 'UTC', DAY],
    ['0 0 29 2 *', 'UTC', 1461 * DAY],
    ['0 9 1 1 *', 'UTC', 365 * DAY],
  ])('T2 of %s in %s is reasoned from the fields', (text, name, gap) => {
    expect(shortestGap(cron(text), zone(name), from)).toBe(gap)
  })

  it.each([
    ['0 9 * * *', 'America/New_York', 23 * HOUR],
    ['0 9 * * *', 'Australia/Lord_Howe', 23.5 * HOUR],
    ['0 9 * * *', 'Asia/Shanghai', DAY],
    ['0 9 * 7 *', 'America/New_York', DAY],
    ['3 2,3 * * *', 'America/New_York', 3 * MINUTE],
    ['3 2,3 * * *', 'Asia/Shanghai', HOUR],
    ['3 2,3 * 7 *', 'America/New_York', HOUR],
    ['3 2,3 8 3 *', 'America/New_York', 3 * MINUTE],
    ['3 * * * *', 'America/New_York', HOUR],
    ['*/10 1-3 * * *', 'America/New_York', 10 * MINUTE],
    ['20,50 1 * * *', 'Australia/Lord_Howe', 30 * MINUTE],
    ['0 1-4/3 * * *', 'Europe/Berlin', 2 * HOUR],
    ['0 0 1 1 *', 'America/New_York', 365 * DAY],
  ])('T2 of %s in %s counts what clock changes do', (text, name, gap) => {
    expect(shortestGap(cron(text), zone(name), from)).toBe(gap)
  })

  it.each([
    ['3 2,3 8 3 *', '2026-04-01T00:00:00Z', 'eleven'],
    ['3 2,3 10 3 *', '2097-04-01T00:00:00Z', 'twelve'],
  ])('T2 of %s from %s counts the change that meets its date after %s years', (text, start) => {
    expect(shortestGap(cron(text), zone('America/New_York'), at(start))).toBe(3 * MINUTE)
  })

  it('T2 changes that are over count no more', () => {
    expect(shortestGap(cron('0 9 * * *'), zone('Asia/Shanghai'), at('1985-01-01T00:00:00Z'))).toBe(23 * HOUR)
    expect(shortestGap(cron('0 9 * * *'), zone('Asia/Shanghai'), at('1992-01-01T00:00:00Z'))).toBe(DAY)
  })

  it('T2 the first and the last years are no trap', () => {
    expect(shortestGap(cron('0 0 1 1 *'), zone('America/New_York'), MAX_INSTANT - 5 * 365 * DAY)).toBe(365 * DAY)
    expect(shortestGap(cron('0 0 1 1 *'), zone('America/New_York'), MIN_INSTANT)).toBe(365 * DAY)
    expect(shortestGap(cron('0 0 29 2 *'), zone('America/New_York'), MIN_INSTANT)).toBe(1461 * DAY)
  })

  it('T2 no two fires are ever nearer than it says', () => {
    const rules = fc.constantFrom('3 2,3 * * *', '*/25 * * * *', '0 9 * * 1-5', '10 1-4/2 * * *', '30 0,1,2 */3 * *', '45 1,2 * * 0', '7 */5 * * *')
    const zones = fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham', 'America/Santiago', 'Asia/Beirut')
    // Near the changes of spring and autumn, where distances bend.
    const starts = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(2, 3, 8, 9, 10), fc.integer({ min: 1, max: 28 }))
    fc.assert(
      fc.property(rules, zones, starts, (text, name, [years, month, day]) => {
        const fires = nextFires(cron(text), zone(name), Date.UTC(2026 + years, month, day), 12).map(fire => fire.instant)
        const gap = shortestGap(cron(text), zone(name), from)
        for (const [index, fire] of fires.slice(1).entries()) expect(fire - fires[index]!).toBeGreaterThanOrEqual(gap)
      }),
      { numRuns: 60 },
    )
  })
})
