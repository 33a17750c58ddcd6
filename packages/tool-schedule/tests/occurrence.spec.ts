import fc from 'fast-check'
import { formatInstant, MAX_INSTANT, nextFires, parseCron, type Instant } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import type { SeriesRule } from '../src/facts.ts'
import type { Reminder } from '../src/ledger.ts'
import { dueOccurrence, nextOccurrence } from '../src/occurrence.ts'
import { afterRecord, atRecord, cpuMsOf, DAY, everyRecord, fail, HOUR, id, Log, MINUTE, NOW, SECOND, utc, zone } from './events.ts'

const cron = (text: string, timeZone: string, more: { until?: string; count?: number } = {}): SeriesRule => ({ kind: 'cron', cron: text, zone: timeZone, ...more })
const every = (seconds: number, anchor: Instant, more: { until?: string; count?: number } = {}): SeriesRule => ({ kind: 'every', everySeconds: seconds, anchor: formatInstant(anchor), ...more })

const next = (rule: SeriesRule, after: Instant, delivered = 0): Instant | undefined => nextOccurrence({ rule, delivered }, after)
const text = (instant: Instant | undefined): string | undefined => (instant === undefined ? undefined : formatInstant(instant).replace('.000Z', 'Z'))

/** The next instants of a rule, as text. */
function fires(rule: SeriesRule, after: string, count: number): (string | undefined)[] {
  const found: (string | undefined)[] = []
  for (let last: Instant | undefined = utc(after); found.length < count && last !== undefined; ) {
    last = next(rule, last, found.length)
    found.push(text(last))
  }
  return found
}

/** An active occurrence of a series. */
function occurrenceOf(rule: SeriesRule, dueAt: Instant): Reminder {
  return new Log().series('r-1', rule, dueAt).reminder('r-1.1')
}

describe('fixed intervals', () => {
  it('T1 the anchor is the first occurrence', () => {
    expect(next(every(300, NOW), NOW - DAY)).toBe(NOW)
    expect(next(every(300, NOW), NOW - 1)).toBe(NOW)
    expect(next(every(300, NOW), NOW)).toBe(NOW + 300 * SECOND)
  })

  it('T1 B61 every occurrence is the anchor plus a whole number of intervals, wherever one looks from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 40_000_000 }), fc.integer({ min: -DAY, max: 5000 * DAY }), (seconds, offset) => {
        const instant = next(every(seconds, NOW), NOW + offset) ?? fail('no occurrence')
        expect((instant - NOW) % (seconds * SECOND)).toBe(0)
        expect(instant).toBeGreaterThan(NOW + offset)
        expect(instant - seconds * SECOND).toBeLessThanOrEqual(Math.max(NOW + offset, NOW - 1))
      }),
    )
  })

  it('T1 an interval has no occurrence that four digits of a year cannot write', () => {
    expect(next(every(300, MAX_INSTANT - SECOND), MAX_INSTANT - 1)).toBeUndefined()
    expect(next(every(100_000_000_000, NOW + 100_000_000_000 * SECOND), NOW + 200_000_000_000 * SECOND)).toBeUndefined()
  })

  it('T1 of several that are due only the latest counts, and the others are told', () => {
    const reminder = occurrenceOf(every(300, NOW), NOW)
    expect(dueOccurrence(reminder, NOW)).toEqual({ occurrenceAt: NOW, passedOver: 0 })
    expect(dueOccurrence(reminder, NOW + 299 * SECOND)).toEqual({ occurrenceAt: NOW, passedOver: 0 })
    expect(dueOccurrence(reminder, NOW + 900 * SECOND)).toEqual({ occurrenceAt: NOW + 900 * SECOND, passedOver: 3 })
  })

  it('B33 a clock that jumps a month makes one occurrence due, and the next lies ahead', () => {
    const now = NOW + 30 * DAY + SECOND
    expect(dueOccurrence(occurrenceOf(every(300, NOW), NOW), now)).toEqual({ occurrenceAt: NOW + 30 * DAY, passedOver: 8640 })
    expect(next(every(300, NOW), now)).toBe(NOW + 30 * DAY + 300 * SECOND)
  })

  it('B33 a clock that jumps eight thousand years is answered at once', () => {
    expect(cpuMsOf(() => expect(dueOccurrence(occurrenceOf(every(300, NOW), NOW), MAX_INSTANT).passedOver).toBeGreaterThan(800_000_000))).toBeLessThan(50)
  })

  it("T1 an interval of the host's own plugin keeps its own rhythm", () => {
    const reminder = new Log().create(everyRecord('schedule-1', 400)).reminder('schedule-1')
    expect(dueOccurrence(reminder, NOW + 1000 * SECOND)).toEqual({ occurrenceAt: NOW + 800 * SECOND, passedOver: 2 })
  })

  it('T1 before its instant it is the stored one', () => {
    expect(dueOccurrence(occurrenceOf(every(300, NOW), NOW), NOW - 1)).toEqual({ occurrenceAt: NOW, passedOver: 0 })
  })
})

describe('one-shots', () => {
  it.each([atRecord('r-1'), afterRecord('r-1', 1, NOW - SECOND)])('S25 $kind is due at its own instant, however late it is', (record) => {
    expect(dueOccurrence(new Log().create(record).reminder('r-1'), NOW + 900 * DAY)).toEqual({ occurrenceAt: NOW, passedOver: 0 })
  })
})

describe('B01 B02 B03 B04 B05 B06 B07 B08 B09 B20 B25 B34 calendar rules over clock changes', () => {
  it.each<[string, SeriesRule, string, string[]]>([
    ['B01 02:30 in New York, where the clock skips it, fires at the first instant after the gap', cron('30 2 * * *', 'America/New_York'), '2026-03-08T06:30:00Z', ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z']],
    ['B02 02:00 in Los Angeles is not lost on the day that skips it', cron('0 2 * * *', 'America/Los_Angeles'), '2025-03-08T10:00:01Z', ['2025-03-09T10:00:00Z', '2025-03-10T09:00:00Z']],
    ['B03 01:30 in New York fires once on the day that has it twice, in the earlier pass', cron('30 1 * * *', 'America/New_York'), '2026-10-31T06:00:00Z', ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z']],
    ['B04 every half hour in Melbourne goes on through both passes', cron('*/30 * * * *', 'Australia/Melbourne'), '2024-04-06T14:30:00Z', ['2024-04-06T15:00:00Z', '2024-04-06T15:30:00Z', '2024-04-06T16:00:00Z', '2024-04-06T16:30:00Z', '2024-04-06T17:00:00Z']],
    ['B06 midnight in São Paulo, where the day began at 01:00, fires then and never the day before', cron('0 0 * * *', 'America/Sao_Paulo'), '2018-11-03T12:00:00Z', ['2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z']],
    ['B07 14:10 in New York keeps its local time over the change', cron('10 14 * * 1,3,5', 'America/New_York'), '2026-10-30T18:10:00Z', ['2026-11-02T19:10:00Z', '2026-11-04T19:10:00Z']],
    ['B08 07:00 in Chicago is 12:00 in UTC', cron('0 7 * * *', 'America/Chicago'), '2026-06-09T00:00:00Z', ['2026-06-09T12:00:00Z']],
    ['B09 09:00 in Vienna fires once a day', cron('0 9 * * *', 'Europe/Vienna'), '2026-06-05T00:00:00Z', ['2026-06-05T07:00:00Z', '2026-06-06T07:00:00Z']],
    ['B20 29 February comes in leap years, and 2100 is none', cron('0 9 29 2 *', 'UTC'), '2096-03-01T00:00:00Z', ['2104-02-29T09:00:00Z']],
    ['B25 day 31 skips the months without it', cron('0 9 31 * *', 'UTC'), '2026-01-31T09:00:00Z', ['2026-03-31T09:00:00Z', '2026-05-31T09:00:00Z']],
    ['B25 the last day of the month is there every month', cron('0 9 L * *', 'UTC'), '2026-01-31T09:00:00Z', ['2026-02-28T09:00:00Z', '2026-03-31T09:00:00Z']],
    ['B34 a fire at 13:24:59.999 is before the slot, so the slot comes next', cron('25 13 * * *', 'UTC'), '2026-10-09T13:24:59.999Z', ['2026-10-09T13:25:00Z', '2026-10-10T13:25:00Z']],
  ])('%s', (_title, rule, after, expected) => {
    expect(fires(rule, after, expected.length)).toEqual(expected)
  })

  it('B05 a walk through the repeated hour of Vienna is strictly forward and ends', () => {
    const rule = cron('* * * * *', 'Europe/Vienna')
    const walk = fires(rule, '2025-10-26T00:58:00Z', 130).map((fire) => utc(fire ?? ''))
    expect(walk[0]).toBe(utc('2025-10-26T00:59:00Z'))
    expect(walk.every((instant, index) => index === 0 || instant - (walk[index - 1] ?? 0) === MINUTE)).toBe(true)
    expect(walk.at(-1)).toBe(utc('2025-10-26T03:08:00Z'))
  })

  it('T1 the latest due occurrence of a calendar rule is found without walking there', () => {
    const reminder = occurrenceOf(cron('0 9 * * 1-5', 'Asia/Shanghai'), NOW)
    expect(cpuMsOf(() => expect(dueOccurrence(reminder, utc('2126-10-14T08:00:00Z'))).toEqual({ occurrenceAt: utc('2126-10-14T01:00:00Z'), passedOver: undefined }))).toBeLessThan(50)
  })

  it('T1 the occurrence that is due this very moment counts', () => {
    expect(dueOccurrence(occurrenceOf(cron('0 9 * * *', 'Asia/Shanghai'), NOW), NOW)).toEqual({ occurrenceAt: NOW, passedOver: 0 })
    expect(dueOccurrence(occurrenceOf(cron('0 9 * * *', 'Asia/Shanghai'), NOW), NOW + DAY).occurrenceAt).toBe(NOW + DAY)
  })

  it('T2 the stored instant is the least: zone data that change later never move it back', () => {
    // Frozen as 09:30 under other zone data, while the rule of today says 09:00.
    const reminder = occurrenceOf(cron('0 9 * * *', 'Asia/Shanghai'), NOW + 30 * MINUTE)
    expect(dueOccurrence(reminder, NOW + HOUR)).toEqual({ occurrenceAt: NOW + 30 * MINUTE, passedOver: 0 })
  })

  it.each([
    ['B22 a rule that this version cannot read', cron('0 9 1W * *', 'UTC')],
    ['B12 a zone that this machine does not know', cron('0 9 * * *', 'Mars/Olympus')],
  ])('X6 %s is due as stored and has no next occurrence', (_name, rule) => {
    expect(dueOccurrence(occurrenceOf(rule, NOW), NOW + 9 * DAY)).toEqual({ occurrenceAt: NOW, passedOver: 0 })
    expect(next(rule, NOW)).toBeUndefined()
  })

  it('T2 agrees with the calendar itself, rule by rule and zone by zone', () => {
    const rules = fc.constantFrom('0 9 * * 1-5', '*/30 * * * *', '30 2 * * *', '0 0 L * *', '15 8,20 1,15 * 5', '0 */2 * * *')
    const zones = fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/Santiago', 'Pacific/Chatham', 'Asia/Kathmandu', 'UTC')
    fc.assert(
      fc.property(rules, zones, fc.integer({ min: utc('2020-01-01'), max: utc('2030-01-01') }), (rule, name, after) => {
        const parsed = parseCron(rule)
        if (!parsed.ok) return fail(rule)
        const [first, second] = nextFires(parsed.cron, zone(name), after, 2)
        expect(next(cron(rule, name), after)).toBe(first?.instant)
        const due = dueOccurrence(occurrenceOf(cron(rule, name), first?.instant ?? 0), (second?.instant ?? 0) - 1)
        expect(due.occurrenceAt).toBe(first?.instant)
      }),
      { numRuns: 200 },
    )
  })
})

describe('T4 ends', () => {
  it('count: a series is over after so many deliveries, however many occurrences were passed over', () => {
    const rule = every(300, NOW, { count: 3 })
    expect(next(rule, NOW + 9 * HOUR, 2)).toBe(NOW + 9 * HOUR + 300 * SECOND)
    expect(next(rule, NOW + 9 * HOUR, 3)).toBeUndefined()
    expect(next(rule, NOW + 9 * HOUR, 4)).toBeUndefined()
  })

  it('until: an occurrence at the last instant itself still comes, none after it', () => {
    const rule = every(300, NOW, { until: formatInstant(NOW + 600 * SECOND) })
    expect(next(rule, NOW + 300 * SECOND)).toBe(NOW + 600 * SECOND)
    expect(next(rule, NOW + 600 * SECOND)).toBeUndefined()
    expect(next(every(300, NOW, { until: formatInstant(NOW - 1) }), NOW - DAY)).toBeUndefined()
  })

  it('until: ends a calendar rule as well', () => {
    const rule = cron('0 9 * * *', 'Asia/Shanghai', { until: formatInstant(NOW + DAY) })
    expect(fires(rule, '2026-10-08T02:00:00Z', 5)).toEqual(['2026-10-09T01:00:00Z', '2026-10-10T01:00:00Z', undefined])
  })

  it('until: what is due after a long absence is the last occurrence before the end, never one after it', () => {
    const end = formatInstant(NOW + 12 * MINUTE)
    expect(dueOccurrence(occurrenceOf(every(300, NOW, { until: end }), NOW), NOW + DAY)).toEqual({ occurrenceAt: NOW + 10 * MINUTE, passedOver: 2 })
    const daily = occurrenceOf(cron('0 9 * * *', 'Asia/Shanghai', { until: formatInstant(NOW + 2 * DAY) }), NOW)
    expect(dueOccurrence(daily, NOW + 30 * DAY).occurrenceAt).toBe(NOW + 2 * DAY)
  })
})

it('T2 the ids of series and occurrences tell nothing about when they are due', () => {
  const log = new Log().series('x.7', every(300, NOW), NOW)
  expect(log.ledger.series.get(id('x.7'))?.activeId).toBe('x.7.1')
  expect(dueOccurrence(log.reminder('x.7.1'), NOW).occurrenceAt).toBe(NOW)
})
