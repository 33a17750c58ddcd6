import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, formatZoned, localDate, localFields, MAX_INSTANT, MIN_INSTANT, parseLocal, resolveLocal } from '../src/index.ts'
import { at, zone } from './harness.ts'

/** The resolution of a valid local time as one readable text. */
function resolved(date: string, time: string, name: string): string {
  const parse = parseLocal(date, time)
  if (!parse.ok) throw new Error(`${parse.field}: ${parse.reason}`)
  const found = resolveLocal(parse.local, zone(name))
  if (found.kind === 'range') return 'range'
  if (found.kind === 'gap') return `gap until ${formatInstant(found.firstAfter)}`
  return found.kind === 'exact' ? formatInstant(found.instant) : `${formatInstant(found.instant)} or ${formatInstant(found.later)}`
}

describe('reading a local date and time', () => {
  it.each([
    ['09:05', { hour: 9, minute: 5, second: 0, millisecond: 0 }],
    ['09:05:07', { hour: 9, minute: 5, second: 7, millisecond: 0 }],
    ['23:59:59.9', { hour: 23, minute: 59, second: 59, millisecond: 900 }],
    ['00:00:00.01', { hour: 0, minute: 0, second: 0, millisecond: 10 }],
    ['00:00:00.007', { hour: 0, minute: 0, second: 0, millisecond: 7 }],
  ])('S9 %s is a time', (time, clock) => {
    expect(parseLocal('2024-02-29', time)).toEqual({ ok: true, local: { year: 2024, month: 2, day: 29, ...clock } })
  })

  it.each([
    ['2026-2-09', '09:00', 'date', 'shape'],
    ['2026-02-09T', '09:00', 'date', 'shape'],
    ['tomorrow', '9am', 'date', 'shape'],
    ['2026-02-30', '09:00', 'date', 'calendar'],
    ['2026-02-29', '25:00', 'date', 'calendar'],
    ['0000-01-01', '09:00', 'date', 'calendar'],
    ['2026-13-01', '09:00', 'date', 'calendar'],
    ['2026-02-09', '9:00', 'time', 'shape'],
    ['2026-02-09', '09:00Z', 'time', 'shape'],
    ['2026-02-09', '09:00:00.1234', 'time', 'shape'],
    ['2026-02-09', '09:00.5', 'time', 'shape'],
    ['2026-02-09', '25:00', 'time', 'calendar'],
    ['2026-02-09', '24:00', 'time', 'calendar'],
    ['2026-02-09', '09:60', 'time', 'calendar'],
    ['2026-02-09', '09:00:60', 'time', 'calendar'],
  ])('S21 %s %s is refused: %s %s', (date, time, field, reason) => {
    expect(parseLocal(date, time)).toEqual({ ok: false, field, reason })
  })
})

describe('placing a local time on the time line', () => {
  it.each([
    ['2026-10-09', '09:00', 'Asia/Shanghai', '2026-10-09T01:00:00.000Z'],
    ['2026-06-01', '12:00', 'Asia/Kathmandu', '2026-06-01T06:15:00.000Z'],
    ['1991-07-01', '12:00', 'Asia/Shanghai', '1991-07-01T03:00:00.000Z'],
    ['2026-03-08', '01:59:59.999', 'America/New_York', '2026-03-08T06:59:59.999Z'],
    ['2026-03-08', '03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2018-11-04', '01:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2011-12-29', '23:59:59', 'Pacific/Apia', '2011-12-30T09:59:59.000Z'],
    ['2011-12-31', '00:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['0001-01-01', '12:00', 'America/New_York', '0001-01-01T16:56:02.000Z'],
    ['9999-12-31', '12:00', 'Asia/Shanghai', '9999-12-31T04:00:00.000Z'],
  ])('S21 %s %s in %s is %s', (date, time, name, instant) => {
    expect(resolved(date, time, name)).toBe(instant)
  })

  it.each([
    ['2026-03-08', '02:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-03-08', '02:59:59.999', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['2018-11-04', '00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2011-12-30', '00:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-30', '23:59', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['1986-01-01', '00:07', 'Asia/Kathmandu', '1985-12-31T18:30:00.000Z'],
  ])('S21 %s %s in %s does not exist; the first instant after the gap is %s', (date, time, name, instant) => {
    expect(resolved(date, time, name)).toBe(`gap until ${instant}`)
  })

  it.each([
    ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z or 2026-11-01T06:30:00.000Z'],
    ['2026-11-01', '01:00', 'America/New_York', '2026-11-01T05:00:00.000Z or 2026-11-01T06:00:00.000Z'],
    ['2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z or 2026-04-04T15:15:00.000Z'],
    ['2018-02-17', '23:30', 'America/Sao_Paulo', '2018-02-18T01:30:00.000Z or 2018-02-18T02:30:00.000Z'],
    ['2026-10-25', '01:30', 'Europe/Dublin', '2026-10-25T00:30:00.000Z or 2026-10-25T01:30:00.000Z'],
    ['1991-09-15', '01:30', 'Asia/Shanghai', '1991-09-14T16:30:00.000Z or 1991-09-14T17:30:00.000Z'],
  ])('S21 %s %s in %s occurs twice: %s', (date, time, name, instants) => {
    expect(resolved(date, time, name)).toBe(instants)
  })

  it.each([
    ['0001-01-01', '00:00', 'Asia/Shanghai'],
    ['9999-12-31', '23:59', 'America/New_York'],
  ])('S21 %s %s in %s lies outside the four-digit years', (date, time, name) => {
    expect(resolved(date, time, name)).toBe('range')
  })

  it('B29 today at 02:17:03 in Santiago is this year and is echoed in full', () => {
    const now = at('2026-08-01T06:09:06Z')
    const name = zone('America/Santiago')
    const parse = parseLocal(localDate(now, name), '02:17:03')
    const found = parse.ok && resolveLocal(parse.local, name)
    expect(found).toEqual({ kind: 'exact', instant: at('2026-08-01T06:17:03Z') })
    expect(formatZoned(at('2026-08-01T06:17:03Z'), name)).toBe('2026-08-01T02:17:03-04:00[America/Santiago]')
  })
})

describe('what the wall shows', () => {
  it.each([
    ['2026-10-09T01:23:45.678Z', 'Asia/Shanghai', { year: 2026, month: 10, day: 9, hour: 9, minute: 23, second: 45, millisecond: 678, weekday: 5 }],
    ['2026-10-11T12:00:00.000Z', 'UTC', { year: 2026, month: 10, day: 11, hour: 12, minute: 0, second: 0, millisecond: 0, weekday: 7 }],
    ['2026-10-12T03:00:00.000Z', 'America/New_York', { year: 2026, month: 10, day: 11, hour: 23, minute: 0, second: 0, millisecond: 0, weekday: 7 }],
  ])('%s in %s is %o', (iso, name, fields) => {
    expect(localFields(at(iso), zone(name))).toEqual(fields)
  })

  it.each([
    ['2026-10-08T16:00:00Z', 'Asia/Shanghai', '2026-10-09'],
    ['2026-10-08T15:59:59Z', 'Asia/Shanghai', '2026-10-08'],
    ['0050-06-01T12:00:00Z', 'UTC', '0050-06-01'],
  ])('the date at %s in %s is %s', (iso, name, date) => {
    expect(localDate(at(iso), zone(name))).toBe(date)
  })

  it('S21 every instant is among the resolutions of its own local fields', () => {
    const names = fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Europe/Dublin', 'Asia/Kathmandu', 'UTC')
    fc.assert(
      fc.property(names, fc.integer({ min: MIN_INSTANT + 86_400_000, max: MAX_INSTANT - 86_400_000 }), (name, instant) => {
        const found = resolveLocal(localFields(instant, zone(name)), zone(name))
        expect(found.kind === 'overlap' ? [found.instant, found.later] : [found.kind === 'exact' && found.instant]).toContain(instant)
      }),
    )
  })
})
