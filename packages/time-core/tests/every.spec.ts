import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyOccurrence } from '../src/index.ts'
import { at } from './harness.ts'

const anchor = at('2026-01-01T00:00:00Z')

describe('a fixed-interval series', () => {
  it.each([
    [-1, { latest: undefined, next: anchor, missed: 0 }],
    [0, { latest: anchor, next: anchor + 300_000, missed: 0 }],
    [299_999, { latest: anchor, next: anchor + 300_000, missed: 0 }],
    [300_000, { latest: anchor + 300_000, next: anchor + 600_000, missed: 1 }],
    [1_000_000, { latest: anchor + 900_000, next: anchor + 1_200_000, missed: 3 }],
  ])('T1 %i ms after its anchor a 300 s series stands where the grid says', (elapsed, state) => {
    expect(everyOccurrence(anchor, 300_000, anchor + elapsed)).toEqual(state)
  })

  it('B33 a clock that jumps 30 days yields one latest occurrence and a future target, counted and not looped over', () => {
    const now = anchor + 30 * 86_400_000
    expect(everyOccurrence(anchor, 300_000, now)).toEqual({ latest: now, next: now + 300_000, missed: 8640 })
  })

  it('B61 slow deliveries do not bend the grid, before or after a restart', () => {
    let target = anchor
    for (let delivery = 0; delivery < 100; delivery += 1) target = everyOccurrence(anchor, 60_000, target + 3000).next
    expect(target).toBe(anchor + 100 * 60_000)
  })

  it.each([
    ['45 minutes', 'B17', 2_700_000],
    ['90 minutes', 'B18', 5_400_000],
    ['150 minutes', 'B18', 9_000_000],
  ])('every %s stays exactly that far apart (%s)', (_, __, everyMs) => {
    const first = everyOccurrence(anchor, everyMs, anchor).next
    expect([first, everyOccurrence(anchor, everyMs, first).next]).toEqual([anchor + everyMs, anchor + 2 * everyMs])
  })

  it.each([0, -5, 0.5, NaN, Infinity])('B23 an interval of %s is a RangeError', everyMs => {
    expect(() => everyOccurrence(anchor, everyMs, anchor)).toThrow(RangeError)
  })

  it('T1 latest ≤ now < next, one interval apart, both on the grid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e10 }), fc.integer({ min: 0, max: 1e14 }), (everyMs, elapsed) => {
        const { latest, next, missed } = everyOccurrence(anchor, everyMs, anchor + elapsed)
        expect(latest).toBe(anchor + missed * everyMs)
        expect(latest!).toBeLessThanOrEqual(anchor + elapsed)
        expect(next).toBeGreaterThan(anchor + elapsed)
        expect(next).toBe(latest! + everyMs)
      }),
    )
  })
})
