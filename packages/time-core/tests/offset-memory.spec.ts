import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { afterEach, expect, it, vi } from 'vitest'
import { offsetAt } from '../src/index.ts'
import { temporalOffset } from '../src/temporal.ts'
import { at, zone } from './harness.ts'

afterEach(() => void vi.restoreAllMocks())

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Zones with changes by an hour, by half an hour, over midnight, by a whole day, none at all, and odd seconds long ago. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'Africa/Casablanca', 'Asia/Shanghai', 'UTC'].map(zone)

it('P2 S21 a remembered offset is the one that Temporal gives, in whatever order it is asked for', () => {
  const walk = fc.array(fc.oneof(fc.integer({ min: -2 * HOUR, max: 2 * HOUR }), fc.integer({ min: -9 * DAY, max: 9 * DAY }), fc.integer({ min: -400 * DAY, max: 400 * DAY })), { maxLength: 40 })
  const start = fc.integer({ min: at('1880-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') })
  fc.assert(
    fc.property(start, walk, fc.array(fc.constantFrom(...ZONES), { minLength: 40, maxLength: 40 }), (from, deltas, zones) => {
      let instant = from
      return deltas.every((delta, index) => {
        instant += delta
        const place = zones[index] ?? ZONES[0]!
        return offsetAt(place, instant) === temporalOffset(place, instant)
      })
    }),
    { numRuns: 300 },
  )
})

it.each([
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['America/St_Johns', '2006-10-29T02:31:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
])('P2 B01 in %s it changes exactly at %s, walked up to from both sides', (name, iso) => {
  const [place, seam] = [zone(name), at(iso)]
  const [before, after] = [temporalOffset(place, seam - 1), temporalOffset(place, seam)]
  expect(before).not.toBe(after)
  for (let days = -10; days < 0; days += 0.25) expect(offsetAt(place, seam + days * DAY)).toBe(before)
  expect([offsetAt(place, seam - 1), offsetAt(place, seam)]).toEqual([before, after])
  for (let days = 10; days >= 0; days -= 0.25) expect(offsetAt(place, seam + days * DAY)).toBe(after)
  expect([offsetAt(place, seam), offsetAt(place, seam - 1)]).toEqual([after, before])
})

it('P2 a thousand questions within an hour ask Temporal at most four times', () => {
  const [place, noon] = [zone('Asia/Tokyo'), at('2026-10-08T12:00:00Z')]
  const asked = vi.spyOn(Temporal.ZonedDateTime.prototype, 'offsetNanoseconds', 'get')
  for (let second = 0; second < 1000; second += 1) offsetAt(place, noon + second * 3600)
  expect(asked.mock.calls.length).toBeLessThanOrEqual(4)
})

it('a fraction is refused also where the offset is known', () => {
  const [place, noon] = [zone('Asia/Tokyo'), at('2026-10-08T12:00:00Z')]
  offsetAt(place, noon - 1)
  offsetAt(place, noon + 1)
  expect(() => offsetAt(place, noon + 0.5)).toThrow(RangeError)
})
