import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { formatOffset, formatZoned, MAX_INSTANT, MIN_INSTANT } from '../src/index.ts'
import { at, zone } from './harness.ts'

describe('an instant in its zone', () => {
  it.each([
    ['2026-10-08T17:23:45.999Z', 'Asia/Shanghai', '2026-10-09T01:23:45+08:00[Asia/Shanghai]'],
    ['2026-10-08T17:23:45.000Z', 'UTC', '2026-10-08T17:23:45+00:00[UTC]'],
    ['2026-11-01T05:30:00.000Z', 'America/New_York', '2026-11-01T01:30:00-04:00[America/New_York]'],
    ['2026-11-01T06:30:00.000Z', 'America/New_York', '2026-11-01T01:30:00-05:00[America/New_York]'],
    ['1969-12-31T23:59:59.999Z', 'UTC', '1969-12-31T23:59:59+00:00[UTC]'],
  ])('R3 %s in %s prints as %s', (iso, name, text) => {
    expect(formatZoned(at(iso), zone(name))).toBe(text)
  })

  it('B14 half past midnight is 00:30 of the new day', () => {
    expect(formatZoned(at('2026-01-01T05:30:00Z'), zone('America/New_York'))).toBe('2026-01-01T00:30:00-05:00[America/New_York]')
  })

  it('the outermost instants keep a readable date in every zone', () => {
    expect(formatZoned(MIN_INSTANT, zone('America/New_York'))).toBe('0000-12-31T19:03:58-04:56[America/New_York]')
    expect(formatZoned(MAX_INSTANT, zone('Asia/Shanghai'))).toBe('+010000-01-01T07:59:59+08:00[Asia/Shanghai]')
  })
})

describe('stamps one after the other', () => {
  it('R3 P2 in whatever order, each is the one that a Date gives', () => {
    const day = fc.integer({ min: -3, max: 3 }).map(days => at('2026-03-01T00:00:00Z') + days * 86_400_000)
    const instant = fc.oneof(fc.integer({ min: MIN_INSTANT, max: MAX_INSTANT }), fc.tuple(day, fc.integer({ min: -2000, max: 2000 })).map(([midnight, ms]) => midnight + ms))
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1, maxLength: 12 }), instants => {
        for (const one of instants) expect(formatZoned(one, zone('UTC'))).toBe(`${new Date(one).toISOString().replace(/\.\d{3}Z$/, '')}+00:00[UTC]`)
      }),
    )
  })

  it('P2 those of one day write its date once', () => {
    const writes = vi.spyOn(Date.prototype, 'toISOString')
    const noon = at('2031-05-06T12:00:00Z')
    for (let second = 0; second < 1000; second += 1) formatZoned(noon + second * 1000, zone('Europe/Berlin'))
    expect(writes).toHaveBeenCalledTimes(1)
    formatZoned(at('2031-05-06T22:00:00Z'), zone('Europe/Berlin'))
    expect(writes).toHaveBeenCalledTimes(2)
    writes.mockRestore()
  })
})

it.each([
  [8 * 3_600_000, '+08:00'],
  [0, '+00:00'],
  [-12_600_000, '-03:30'],
  [20_700_000, '+05:45'],
  [-17_762_000, '-04:56'],
  [50_400_000, '+14:00'],
])('an offset of %i ms prints as %s', (ms, text) => {
  expect(formatOffset(ms)).toBe(text)
})
