import { describe, expect, it } from 'vitest'
import { cronNotes, describeSkips } from '../../src/index.ts'
import { at, cron, zone } from '../harness.ts'

describe('notes on an expression', () => {
  it.each([
    ['B17', '*/45 * * * *', ['*/45 in the minute field fires at :00 and :45 of each hour, not every 45 minutes.']],
    ['B17', '*/25 9 * * *', ['*/25 in the minute field fires at :00, :25 and :50 of each hour, not every 25 minutes.']],
    ['B18', '0 */9 * * *', ['*/9 in the hour field fires in the hours 00, 09 and 18 of each day, not every 9 hours.']],
    ['B25', '0 9 31 * *', ['Day 31 is skipped in months without it; L means the last day of every month.']],
    ['B25', '0 9 29-31 2,3 *', ['Day 29, 30 or 31 is skipped in months without it; L means the last day of every month.']],
    ['B20', '0 9 29 2 *', ['Day 29 is skipped in months without it; L means the last day of every month.']],
    ['B15', '0 9 1 * 1', ['Day of month (1) and weekday (1) are both given: a date that matches either one counts.']],
    [
      'B16',
      '0 9 */2 * 1',
      [
        '*/2 in the day-of-month field starts again at day 1 of each month.',
        'Day of month (*/2) and weekday (1) must both match, because one of them starts with *.',
      ],
    ],
    ['B16', '0 9 13 * */5', ['Day of month (13) and weekday (*/5) must both match, because one of them starts with *.']],
  ])('%s %s', (_, text, notes) => {
    expect(cronNotes(cron(text))).toEqual(notes)
  })

  it.each(['* * * * *', '*/15 */6 * * *', '0 9 * * 1-5', '0 9 L * *', '0 9 28 * *', '0 9 30 4,6 *', '0 9 1-31 * *', '0-40/25 * * * *', '*/1 */1 */1 * *'])(
    'T3 %s means what it looks like: no note',
    text => {
      expect(cronNotes(cron(text))).toEqual([])
    },
  )
})

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
