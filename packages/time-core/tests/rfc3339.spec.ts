import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, MAX_INSTANT, MIN_INSTANT, parseOffsetInstant } from '../src/index.ts'
import { at } from './harness.ts'

describe('an offset date-time in the narrow profile', () => {
  it.each([
    ['2026-10-09T01:23:45Z', '2026-10-09T01:23:45.000Z'],
    ['2026-10-09T01:23:45.1Z', '2026-10-09T01:23:45.100Z'],
    ['2026-10-09T01:23:45.12Z', '2026-10-09T01:23:45.120Z'],
    ['2026-10-09T01:23:45.123Z', '2026-10-09T01:23:45.123Z'],
    ['2026-10-09T01:23:45.007Z', '2026-10-09T01:23:45.007Z'],
    ['2026-10-09T01:23:45+08:00', '2026-10-08T17:23:45.000Z'],
    ['2026-10-09T01:23:45.5-03:30', '2026-10-09T04:53:45.500Z'],
    ['2026-10-09T01:23:45+00:00', '2026-10-09T01:23:45.000Z'],
    ['2026-10-09T01:23:45+23:59', '2026-10-08T01:24:45.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2400-02-29T00:00:00Z', '2400-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2027-09-12T09:00:00Z', '2027-09-12T09:00:00.000Z'],
  ])('S21 %s is %s', (text, instant) => {
    expect(parseOffsetInstant(text)).toEqual({ ok: true, instant: at(instant) })
  })

  it.each([
    ['2026-10-09T01:23:45.1234Z', 'shape'],
    ['2026-10-09T01:23:45.Z', 'shape'],
    ['2026-10-09 01:23:45Z', 'shape'],
    ['2026-10-09T01:23:45', 'shape'],
    ['2026-10-09T01:23Z', 'shape'],
    ['2026-10-09T01:23:45+08', 'shape'],
    ['2026-10-09T01:23:45+0800', 'shape'],
    ['2026-10-09T01:23:45\u221208:00', 'shape'],
    ['2026-10-09T01:23:45,123Z', 'shape'],
    ['2026-10-09T01:23:45Z[Asia/Shanghai]', 'shape'],
    ['2026-10-09t01:23:45z', 'shape'],
    ['20261009T012345Z', 'shape'],
    ['2026-W41-5T00:00:00Z', 'shape'],
    ['+002026-10-09T01:23:45Z', 'shape'],
    ['\uff12026-10-09T01:23:45Z', 'shape'],
    [' 2026-10-09T01:23:45Z', 'shape'],
    ['2026-10-09T01:23:45Z\n', 'shape'],
    ['2026-10-09', 'shape'],
    ['', 'shape'],
    ['1', 'shape'],
    ['Fri, 09 Oct 2026 01:23:45 GMT', 'shape'],
    ['2026-02-29T00:00:00Z', 'calendar'],
    ['2026-02-30T00:00:00Z', 'calendar'],
    ['2100-02-29T00:00:00Z', 'calendar'],
    ['2026-04-31T00:00:00Z', 'calendar'],
    ['2026-13-01T00:00:00Z', 'calendar'],
    ['2026-00-01T00:00:00Z', 'calendar'],
    ['2026-10-00T00:00:00Z', 'calendar'],
    ['2026-10-09T24:00:00Z', 'calendar'],
    ['2026-10-09T23:60:00Z', 'calendar'],
    ['2016-12-31T23:59:60Z', 'calendar'],
    ['2026-10-09T01:23:45+24:00', 'offset'],
    ['2026-10-09T01:23:45+08:60', 'offset'],
    ['2026-10-09T01:23:45-00:00', 'offset'],
    ['0000-06-01T00:00:00Z', 'range'],
    ['0000-12-31T23:30:00-01:00', 'range'],
    ['0001-01-01T00:00:00+00:01', 'range'],
    ['9999-12-31T23:59:59-00:01', 'range'],
  ])('S21 %j is refused: %s', (text, reason) => {
    expect(parseOffsetInstant(text)).toEqual({ ok: false, reason })
  })

  it('S21 every instant is read back from every offset it is written with', () => {
    const offset = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 })
    fc.assert(
      fc.property(fc.integer({ min: MIN_INSTANT + 86_400_000, max: MAX_INSTANT - 86_400_000 }), offset, (instant, minutes) => {
        const local = formatInstant(instant + minutes * 60_000).slice(0, -1)
        const clock = `${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
        expect(parseOffsetInstant(`${local}${minutes < 0 ? '-' : '+'}${clock}`)).toEqual({ ok: true, instant })
      }),
    )
  })

  it('B27 a past instant is read as the past: it never turns into a later one', () => {
    const now = at('2026-06-10T12:00:00Z')
    const parse = parseOffsetInstant('2026-06-09T12:00:00Z')
    expect(parse.ok && parse.instant < now).toBe(true)
  })

  it('B28 the year that was asked for is the year of the instant', () => {
    const parse = parseOffsetInstant('2027-09-12T09:00:00Z')
    expect(parse.ok && formatInstant(parse.instant)).toBe('2027-09-12T09:00:00.000Z')
  })
})
