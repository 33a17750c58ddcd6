import { describe, expect, it } from 'vitest'
import { wallSearch } from '../../src/cron/walls.ts'
import { at, cpuTime } from '../harness.ts'

describe('stepping through matching wall readings', () => {
  const noon = wallSearch('0 12 * * *', true)

  it.each([
    ['2026-06-01T11:59:59.999Z', '2026-06-01T12:00:00Z', '2026-05-31T12:00:00Z'],
    ['2026-06-01T12:00:00.000Z', '2026-06-02T12:00:00Z', '2026-05-31T12:00:00Z'],
    ['2026-06-01T12:00:00.001Z', '2026-06-02T12:00:00Z', '2026-06-01T12:00:00Z'],
    ['1999-12-31T23:59:00.000Z', '2000-01-01T12:00:00Z', '1999-12-31T12:00:00Z'],
    ['2400-01-01T00:00:00.000Z', '2400-01-01T12:00:00Z', '2399-12-31T12:00:00Z'],
    ['9999-12-31T12:00:00.000Z', '+010000-01-01T12:00:00Z', '9999-12-30T12:00:00Z'],
    ['0001-01-01T12:00:00.000Z', '0001-01-02T12:00:00Z', '0000-12-31T12:00:00Z'],
  ])('T2 from %s the next noon is %s and the last was %s', (from, next, previous) => {
    expect([noon.next(at(from)), noon.previous(at(from))]).toEqual([at(next), at(previous)])
  })

  it('B19 what never matches is Infinity both ways, and soon', () => {
    const never = wallSearch('0 0 30 2 *', true)
    expect([never.next(0), never.previous(0)]).toEqual([Infinity, -Infinity])
    expect(cpuTime(() => never.previous(0))).toBeLessThan(50)
  })

  it('B20 a leap day that is a Sunday is found forty years on, across a century without one', () => {
    const sundays = wallSearch('0 0 29 2 0', true)
    expect(sundays.next(at('2088-02-29T00:00:00Z'))).toBe(at('2128-02-29T00:00:00Z'))
  })
})
