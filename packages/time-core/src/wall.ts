import { DAY_MS, HOUR_MS, type Wall } from './calendar.ts'
import type { Instant } from './instant.ts'
import { offsetAt, type ZoneName } from './zone.ts'

/** A change of a zone's offset: the first instant under the new one, and what the wall clock shows on either side of it. */
export interface Seam {
  readonly at: Instant
  /** The reading the old offset would show at `at`. */
  readonly from: Wall
  /** The reading the new offset shows at `at`: later than `from` at a gap, earlier at an overlap. */
  readonly to: Wall
}

/** Where a wall reading lies on the time line: once, twice (`instant` is the earlier), or never. */
export type WallSpot =
  | { readonly kind: 'exact'; readonly instant: Instant }
  | { readonly kind: 'overlap'; readonly instant: Instant; readonly later: Instant }
  | { readonly kind: 'gap'; readonly seam: Seam }

/** No zone has ever been further from UTC (Manila until 1844: -15:56). */
const FURTHEST_OFFSET = 16 * HOUR_MS

/** No zone has changed its offset twice within a week (the nearest pair in the tz database is seven days apart). */
const SCAN_STEP = 6 * DAY_MS

/** What the wall clock of `zone` shows at `instant`. */
export function wallAt(zone: ZoneName, instant: Instant): Wall {
  return instant + offsetAt(zone, instant)
}

/** Finds the instants at which the wall clock of `zone` shows `wall`. */
export function locate(wall: Wall, zone: ZoneName): WallSpot {
  const before = offsetAt(zone, wall - FURTHEST_OFFSET)
  const after = offsetAt(zone, wall + FURTHEST_OFFSET)
  if (before === after) return { kind: 'exact', instant: wall - before }
  const early = wall - before
  const late = wall - after
  const earlyHolds = offsetAt(zone, early) === before
  const lateHolds = offsetAt(zone, late) === after
  if (earlyHolds && lateHolds) return { kind: 'overlap', instant: early, later: late }
  if (earlyHolds) return { kind: 'exact', instant: early }
  if (lateHolds) return { kind: 'exact', instant: late }
  return { kind: 'gap', seam: seamBetween(zone, late, early) }
}

/** The overlap in which the clock of `zone` shows `wall` at `instant`, if any, and whether it is the second time round. */
export function repeatOf(wall: Wall, instant: Instant, zone: ZoneName): { seam: Seam; second: boolean } | undefined {
  const spot = locate(wall, zone)
  if (spot.kind !== 'overlap') return undefined
  return { seam: seamBetween(zone, spot.instant, spot.later), second: instant === spot.later }
}

/** Every offset change after `from` and not after `until`, in order. Work grows with the span: about 60 probes a year. */
export function* seamsBetween(zone: ZoneName, from: Instant, until: Instant): Generator<Seam, void, undefined> {
  let before = offsetAt(zone, from)
  for (let low = from; low < until; low += SCAN_STEP) {
    const high = Math.min(low + SCAN_STEP, until)
    const after = offsetAt(zone, high)
    if (before !== after) yield seamBetween(zone, low, high)
    before = after
  }
}

/** The one offset change in (low, high], by bisection: every change there has ever been falls on a whole second. */
function seamBetween(zone: ZoneName, low: Instant, high: Instant): Seam {
  const before = offsetAt(zone, low)
  let outside = Math.floor(low / 1000)
  let inside = Math.floor(high / 1000)
  while (inside - outside > 1) {
    const middle = Math.floor((outside + inside) / 2)
    if (offsetAt(zone, middle * 1000) === before) outside = middle
    else inside = middle
  }
  const at = inside * 1000
  return { at, from: at + before, to: wallAt(zone, at) }
}
