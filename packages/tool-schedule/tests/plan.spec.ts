import fc from 'fast-check'
import type { ZoneFacts } from 'dsh-session-host'
import { isInstant, MAX_INSTANT, type Instant } from 'dsh-time-core'
import { afterEach, describe, expect, it } from 'vitest'
import { inEnglish, isRefusal, type Refusal } from '../src/errors.ts'
import { instantOf, type SeriesRule } from '../src/facts.ts'
import { parseCreate } from '../src/input.ts'
import { planReminder, upcoming, type Planned, type Setting } from '../src/plan.ts'
import { createChange, decodeChange } from '../src/protocol.ts'
import { viewReminder } from '../src/view.ts'
import { DAY, fail, HOUR, id, MINUTE, NOW, POLICY, SECOND, utc, zone } from './events.ts'

const SHANGHAI = zone('Asia/Shanghai')
const ZONES: ZoneFacts = { request: { kind: 'one', zone: SHANGHAI }, session: SHANGHAI, isMarked: true }
const NO_ZONES: ZoneFacts = { request: { kind: 'unavailable' }, session: undefined, isMarked: false }

function plan(args: object, more: Partial<Setting> = {}): Planned | Refusal {
  const input = parseCreate({ prompt: 'stretch', ...args })
  if (isRefusal(input)) return fail(JSON.stringify(input))
  return planReminder(input, { id: id('r-1'), now: NOW, zones: ZONES, setBy: 'model', unattended: false, ...more })
}

function planned(args: object, more: Partial<Setting> = {}): Planned {
  const result = plan(args, more)
  return isRefusal(result) ? fail(JSON.stringify(result)) : result
}

/** As the model reads it. */
function refused(args: object, more: Partial<Setting> = {}): ReturnType<typeof inEnglish> {
  const result = plan(args, more)
  return isRefusal(result) ? inEnglish(result) : fail(JSON.stringify(result))
}

const local = (date: string, time: string, name?: string): object => ({ at: { date, time, ...(name !== undefined && { time_zone: name }) } })

describe('what is stored', () => {
  it('S7 S22 a delay is stored as its length and one instant of UTC', () => {
    expect(planned({ after_seconds: 90 }).record).toEqual({ id: 'r-1', kind: 'after', prompt: 'stretch', afterSeconds: 90, scheduledAt: '2026-10-09T01:01:30.000Z' })
  })

  it('S22 of an instant with an offset and of a local time only UTC is stored: no offset, no local fields, no zone', () => {
    const stored = { id: 'r-1', kind: 'at', prompt: 'stretch', scheduledAt: '2026-10-10T01:00:00.000Z' }
    expect(planned({ at: '2026-10-10T09:00:00+08:00' }).record).toEqual(stored)
    expect(planned(local('2026-10-10', '09:00')).record).toEqual(stored)
    expect(planned(local('2026-10-09', '21:00', 'America/New_York')).record).toEqual(stored)
  })

  it('T2 of a series version 1 holds only the first occurrence, under an id of its own', () => {
    expect(planned({ every_seconds: 300 })).toEqual({
      record: { id: 'r-1.1', kind: 'at', prompt: 'stretch', scheduledAt: '2026-10-09T01:05:00.000Z' },
      plan: { fact: 'plan', id: 'r-1', setBy: 'model', zone: 'Asia/Shanghai', series: { kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z' } },
    })
    expect(planned({ cron: '0 9 * * mon', time_zone: 'Europe/Berlin' })).toEqual({
      record: { id: 'r-1.1', kind: 'at', prompt: 'stretch', scheduledAt: '2026-10-12T07:00:00.000Z' },
      plan: { fact: 'plan', id: 'r-1', setBy: 'model', zone: 'Europe/Berlin', series: { kind: 'cron', cron: '0 9 * * MON', zone: 'Europe/Berlin' } },
    })
  })

  it('T1 T4 T5 T8 T9 every option is in the plan, and those that are not given are absent', () => {
    const options = { until: '2026-12-31T23:59:59+01:00', count: 3, late_limit_seconds: 60, wake: true }
    expect(planned({ every_seconds: 300, ...options }, { setBy: 'person', unattended: true }).plan).toEqual({
      fact: 'plan', id: 'r-1', setBy: 'person', unattended: true, zone: 'Asia/Shanghai', lateLimitSeconds: 60, wake: true,
      series: { kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z', until: '2026-12-31T22:59:59.000Z', count: 3 },
    })
    expect(planned({ after_seconds: 5 }, { zones: NO_ZONES }).plan).toEqual({ fact: 'plan', id: 'r-1', setBy: 'model' })
  })

  it('T3 the zone of the plan is that of the rule, else of the request, else of the session', () => {
    const berlin = zone('Europe/Berlin')
    const mixed: ZoneFacts = { request: { kind: 'mixed', zones: [berlin, SHANGHAI] }, session: berlin, isMarked: true }
    expect(planned(local('2026-10-10', '09:00', 'America/New_York')).plan.zone).toBe('America/New_York')
    expect(planned({ after_seconds: 5 }, { zones: { ...ZONES, session: berlin } }).plan.zone).toBe('Asia/Shanghai')
    expect(planned({ at: '2026-10-10T09:00:00Z' }, { zones: mixed }).plan.zone).toBe('Europe/Berlin')
    expect(planned({ every_seconds: 300 }, { zones: mixed }).plan.zone).toBe('Europe/Berlin')
  })
})

describe('S19 S16 S20 a local time without a zone', () => {
  const implicit = local('2026-10-10', '09:00')
  const kolkata = zone('Asia/Kolkata')

  it('S19 is taken in the zone that the request and the session agree on', () => {
    expect(planned(implicit)).toMatchObject({ record: { scheduledAt: '2026-10-10T01:00:00.000Z' }, plan: { zone: 'Asia/Shanghai' } })
  })

  it('B13 agreement is of zones, not of names', () => {
    const zones: ZoneFacts = { request: { kind: 'one', zone: zone('Asia/Calcutta') }, session: kolkata, isMarked: true }
    expect(planned(implicit, { zones })).toMatchObject({ record: { scheduledAt: '2026-10-10T03:30:00.000Z' }, plan: { zone: 'Asia/Kolkata' } })
  })

  it.each<[string, ZoneFacts, string]>([
    ['no reading of the time in this turn', { ...ZONES, isMarked: false }, 'This request: Asia/Shanghai. This session: Asia/Shanghai. No time reading in this turn.'],
    ['another zone than the session', { ...ZONES, request: { kind: 'one', zone: kolkata } }, 'This request: Asia/Kolkata. This session: Asia/Shanghai.'],
    ['two zones in one turn', { ...ZONES, request: { kind: 'mixed', zones: [kolkata, SHANGHAI] } }, 'This request: Asia/Kolkata and Asia/Shanghai. This session: Asia/Shanghai.'],
    ['no zone in the request', { ...ZONES, request: { kind: 'unavailable' } }, 'This request: unavailable. This session: Asia/Shanghai.'],
    ['no zone of the session', { ...ZONES, session: undefined }, 'This request: Asia/Shanghai. This session: unavailable.'],
    ['nothing at all', NO_ZONES, 'This request: unavailable. This session: unavailable. No time reading in this turn.'],
  ])('S19 B11 with %s is not guessed, and the known zones are named', (_what, zones, detail) => {
    expect(refused(implicit, { zones })).toMatchObject({ code: 'timezone_confirmation_required', field: 'at.time_zone', detail })
  })

  it('S19 an explicit zone needs no agreement and no reading', () => {
    expect(planned(local('2026-10-10', '09:00', 'Asia/Kolkata'), { zones: NO_ZONES }).record.scheduledAt).toBe('2026-10-10T03:30:00.000Z')
  })
})

describe('S21 local times that are not exactly one instant', () => {
  it.each([
    ['2027-03-14', '02:30', 'America/New_York', '2027-03-14T03:00:00-04:00[America/New_York]'],
    ['2027-03-14', '02:00', 'America/Los_Angeles', '2027-03-14T03:00:00-07:00[America/Los_Angeles]'],
    ['2027-03-28', '02:00:00', 'Europe/Berlin', '2027-03-28T03:00:00+02:00[Europe/Berlin]'],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-04T02:30:00+11:00[Australia/Lord_Howe]'],
  ])('S21 B01 B02 the gap at %s %s in %s is refused, and its end is named', (date, time, name, end) => {
    const refusal = refused(local(date, time, name), { now: utc('2026-09-01T00:00:00Z') })
    expect(refusal).toMatchObject({ code: 'invalid_rule', field: 'at', detail: `The clocks in ${name} skip this time; the first time after the gap is ${end}.` })
  })

  it('B06 midnight that does not exist is refused, never moved to the day before', () => {
    expect(refused(local('2018-11-04', '00:00', 'America/Sao_Paulo'), { now: utc('2018-11-01T00:00:00Z') }).detail).toContain('2018-11-04T01:00:00-02:00')
  })

  it.each([
    ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ])('S21 of %s %s in %s, which is there twice, the earlier instant is taken', (date, time, name, scheduledAt) => {
    expect(planned(local(date, time, name)).record.scheduledAt).toBe(scheduledAt)
  })

  it('S21 a local time whose instant has no four-digit year is out of range', () => {
    expect(refused(local('9999-12-31', '23:59', 'America/New_York'))).toMatchObject({ code: 'time_out_of_range', field: 'at' })
    expect(refused(local('0001-01-01', '00:00', 'Asia/Shanghai'))).toMatchObject({ code: 'time_out_of_range', field: 'at' })
  })
})

describe('the future', () => {
  it.each([
    ['a day ago', NOW - DAY],
    ['now exactly', NOW],
    ['a millisecond ago', NOW - 1],
  ])('B27 at %s is not in the future, and the present is named', (_what, instant) => {
    expect(refused({ at: new Date(instant).toISOString() })).toMatchObject({ code: 'not_future', field: 'at', detail: 'Now is 2026-10-09T01:00:00.000Z.' })
  })

  it('B27 a millisecond ahead is', () => {
    expect(planned({ at: '2026-10-09T01:00:00.001Z' }).record.scheduledAt).toBe('2026-10-09T01:00:00.001Z')
  })

  it('B27 a local time that has passed is refused as well', () => {
    expect(refused(local('2026-10-09', '08:59'))).toMatchObject({ code: 'not_future', field: 'at' })
  })

  it('B28 next year is next year', () => {
    expect(planned({ at: '2027-09-12T09:00:00Z' }, { now: utc('2026-01-15T00:00:00Z') }).record).toMatchObject({ kind: 'at', scheduledAt: '2027-09-12T09:00:00.000Z' })
  })

  it('B29 today at 02:17:03 in Santiago is today', () => {
    const result = planned(local('2026-08-01', '02:17:03', 'America/Santiago'), { now: utc('2026-08-01T06:09:06Z') })
    expect(result).toMatchObject({ record: { scheduledAt: '2026-08-01T06:17:03.000Z' }, plan: { zone: 'America/Santiago' } })
  })

  it('B08 07:00 in Chicago is noon in UTC, whatever zone the process is in', () => {
    expect(planned({ cron: '0 7 * * *', time_zone: 'America/Chicago' }, { now: utc('2026-06-09T00:00:00Z') }).record.scheduledAt).toBe('2026-06-09T12:00:00.000Z')
  })

  it.each([Math.floor((MAX_INSTANT - NOW) / SECOND) + 1, Number.MAX_SAFE_INTEGER])('S21 a delay of %i seconds ends after the year 9999', (seconds) => {
    expect(refused({ after_seconds: seconds })).toMatchObject({ code: 'time_out_of_range', field: 'after_seconds', detail: 'Choose a time before the year 10000.' })
    expect(refused({ every_seconds: seconds })).toMatchObject({ code: 'time_out_of_range', field: 'every_seconds' })
  })

  it('S21 the longest delay ends in the last second of the year 9999', () => {
    expect(planned({ after_seconds: Math.floor((MAX_INSTANT - NOW) / SECOND) }).record.scheduledAt).toBe('9999-12-31T23:59:59.000Z')
  })
})

describe('T2 T4 series that never come', () => {
  it('T4 an end before the first occurrence is named', () => {
    expect(refused({ every_seconds: 300, until: '2026-10-09T01:04:59Z' })).toMatchObject({ code: 'no_future_occurrence', field: 'until' })
    expect(refused({ cron: '0 9 * * *', time_zone: 'Asia/Shanghai', until: '2026-10-09T23:00:00Z' })).toMatchObject({ code: 'no_future_occurrence', field: 'until' })
  })

  it('T4 an end at the first occurrence leaves one', () => {
    expect(planned({ every_seconds: 300, until: '2026-10-09T01:05:00Z' }).record.scheduledAt).toBe('2026-10-09T01:05:00.000Z')
  })

  it('T2 a rule that comes no more before the year 10000 is refused', () => {
    expect(refused({ cron: '0 9 * * *', time_zone: 'UTC' }, { now: MAX_INSTANT - HOUR })).toMatchObject({ code: 'no_future_occurrence', field: 'cron' })
  })

  it('T2 B51 the next full hour is the next full hour: there is no jitter', () => {
    expect(planned({ cron: '0 * * * *', time_zone: 'UTC' }, { now: utc('2026-10-09T14:16:00Z') }).record.scheduledAt).toBe('2026-10-09T15:00:00.000Z')
  })
})

describe('T3 what comes next', () => {
  const shown = (rule: SeriesRule, first: string, count = 4, delivered = 0): string[] => upcoming(rule, delivered, utc(first), count).map((instant) => new Date(instant).toISOString())

  it('B24 the next fires of a calendar rule are told, so that a wrong translation is seen', () => {
    expect(shown({ kind: 'cron', cron: '0 0 1,15 * 5', zone: 'Asia/Shanghai' }, '2026-10-09T16:00:00.000Z')).toEqual([
      '2026-10-09T16:00:00.000Z', '2026-10-14T16:00:00.000Z', '2026-10-15T16:00:00.000Z', '2026-10-22T16:00:00.000Z',
    ])
  })

  it('T1 the next occurrences of an interval are a whole number of intervals away', () => {
    expect(shown({ kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z' }, '2026-10-09T01:05:00.000Z')).toEqual([
      '2026-10-09T01:05:00.000Z', '2026-10-09T01:10:00.000Z', '2026-10-09T01:15:00.000Z', '2026-10-09T01:20:00.000Z',
    ])
  })

  it('T4 they stop at the end of the series, by count and by until', () => {
    const rule: SeriesRule = { kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z' }
    expect(shown({ ...rule, count: 2 }, '2026-10-09T01:05:00.000Z')).toHaveLength(2)
    expect(shown({ ...rule, count: 5 }, '2026-10-09T01:05:00.000Z', 4, 3)).toHaveLength(2)
    expect(shown({ ...rule, until: '2026-10-09T01:12:00.000Z' }, '2026-10-09T01:05:00.000Z')).toHaveLength(2)
    expect(shown(rule, '2026-10-09T01:05:00.000Z', 1)).toHaveLength(1)
  })
})

describe('laws', () => {
  const processZone = process.env['TZ']
  afterEach(() => {
    if (processZone === undefined) delete process.env['TZ']
    else process.env['TZ'] = processZone
  })

  const two = (most: number): fc.Arbitrary<string> => fc.nat(most).map((value) => String(value).padStart(2, '0'))
  const date = fc.tuple(fc.constantFrom('2026', '2027', '2030', '9999'), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 })).map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`)
  const name = fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC')
  const request = fc.oneof(
    fc.record({ after_seconds: fc.integer({ min: 1, max: 300_000_000_000 }) }),
    fc.record({ every_seconds: fc.oneof(fc.integer({ min: 300, max: 100_000 }), fc.integer({ min: 300, max: 300_000_000_000 })) }),
    fc.record({ every_seconds: fc.integer({ min: 300, max: 100_000 }), count: fc.integer({ min: 1, max: 4 }), until: fc.constantFrom('2026-10-09T02:00:00Z', '2027-01-01T00:00:00Z') }),
    fc.record({ at: fc.record({ date, time: fc.tuple(two(23), two(59)).map((parts) => parts.join(':')), time_zone: name }) }),
    fc.record({ at: fc.tuple(date, two(23), two(59), fc.constantFrom('Z', '+08:00', '-09:30')).map(([day, hour, minute, offset]) => `${day}T${hour}:${minute}:00${offset}`) }),
    fc.record({ cron: fc.constantFrom('0 9 * * 1-5', '30 2 * * *', '*/30 * * * *', '0 0 L * *', '0 9 29 2 *'), time_zone: name }),
  )

  it('S7 whatever is planned is a record of version 1 in the future, in any zone of the process', () => {
    fc.assert(
      fc.property(request, fc.constantFrom('America/St_Johns', 'Asia/Kathmandu'), fc.integer({ min: NOW, max: NOW + 400 * DAY }), (args, processName, now) => {
        const first = plan(args, { now })
        process.env['TZ'] = processName
        const again = plan(args, { now })
        expect(again).toEqual(first)
        if (isRefusal(first)) return
        expect(decodeChange(createChange(first.record))).toEqual(createChange(first.record))
        expect(instantOf(first.record.scheduledAt)).toBeGreaterThan(now)
      }),
      { numRuns: 300 },
    )
  })

  it('T3 whatever is planned can be shown, with the fires that follow', () => {
    fc.assert(
      fc.property(request, (args) => {
        const result = plan(args)
        if (isRefusal(result)) return
        const dueAt: Instant = instantOf(result.record.scheduledAt)
        expect(viewReminder({ ...result, dueAt, series: undefined }, NOW, POLICY)).toMatchObject({ id: 'r-1', scheduledAt: result.record.scheduledAt })
        if (result.plan.series === undefined) return
        const fires = upcoming(result.plan.series, 0, dueAt, 4)
        for (const [index, fire] of fires.entries()) {
          expect(isInstant(fire)).toBe(true)
          expect(fire).toBeGreaterThan(fires[index - 1] ?? NOW)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('S21 a time in an overlap is never the later one, and a gap is never moved', () => {
    const minutes = fc.nat(4 * 60)
    fc.assert(
      fc.property(minutes, (minute) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
        const spring = plan(local('2027-03-14', time, 'America/New_York'))
        expect(isRefusal(spring)).toBe(minute >= 120 && minute < 180)
        const autumn = planned(local('2026-11-01', time, 'America/New_York')).record.scheduledAt
        const expected = utc('2026-11-01T04:00:00Z') + minute * MINUTE + (minute >= 120 ? HOUR : 0)
        expect(utc(autumn)).toBe(expected)
      }),
    )
  })
})
