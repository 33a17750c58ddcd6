import { describe, expect, it } from 'vitest'
import { describeSkips } from '../../src/index.ts'
import { at, cron, zone } from '../harness.ts'

describe('what clock changes do to a rule', () => {
  const year = [at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z')] as const

  it('B02 a lost time is named with where it goes', () => {
    expect(describeSkips(cron('30 2 * * *'), zone('America/New_York'), ...year)).toEqual([
      'The clock in America/New_York jumps from 2026-03-08 02:00 to 2026-03-08 03:00: 02:30 does not exist, it fires at 03:00 instead.',
    ])
  })

  it('T3 a lost beat of an interval-like rule is named too', () => {
    expect(describeSkips(cron('30 * * * *'), zone('America/New_York'), ...year)).toEqual([
      'The clock in America/New_York jumps from 2026-03-08 02:00 to 2026-03-08 03:00: 02:30 does not exist, it is left out; the rule goes on at its next time.',
    ])
  })

  it('T3 a jump over a day names both dates', () => {
    expect(describeSkips(cron('0 12 * * *'), zone('Pacific/Apia'), at('2011-12-01T00:00:00Z'), at('2012-01-01T00:00:00Z'))).toEqual([
      'The clock in Pacific/Apia jumps from 2011-12-30 00:00 to 2011-12-31 00:00: 12:00 does not exist, it fires at 00:00 instead.',
    ])
  })

  it.each([
    ['0 3 * * *', 'America/New_York'],
    ['59 1 * * *', 'America/New_York'],
    ['30 1 * * *', 'America/New_York'],
    ['30 2 * * *', 'Asia/Shanghai'],
  ])('T3 %s in %s loses nothing in 2026', (text, name) => {
    expect(describeSkips(cron(text), zone(name), ...year)).toEqual([])
  })
})
