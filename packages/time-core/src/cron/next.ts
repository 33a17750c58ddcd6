import { HOUR_MS, wallMinute, type Wall } from '../calendar.ts'
import { isInstant, type Instant } from '../instant.ts'
import { locate, repeatOf, wallAt, type Seam, type WallSpot } from '../wall.ts'
import type { ZoneName } from '../zone.ts'
import type { Cron } from './parse.ts'

/** One firing of a rule. */
export interface Fire {
  readonly instant: Instant
  /** The rule's local time does not exist that day; it fires at the first instant after the gap instead. */
  readonly moved?: { readonly from: string }
  /** This local time occurs twice: a fixed-time rule fires in the earlier pass only, an interval-like rule in both. */
  readonly repeated?: true
}

/** 1 looks later, -1 looks earlier. */
type Direction = 1 | -1

/**
 * The first fire strictly after `after`; `undefined` when there is none up to `MAX_INSTANT`. Work does not grow with the
 * distance. Clock changes follow the policy table in the README (B01–B06).
 * @throws RangeError when `after` is not an integer.
 *
 * @example
 * ```ts
 * import { formatZoned, nextFire, parseCron, parseZone } from 'dsh-time-core'
 *
 * const rule = parseCron('0 9 * * 1-5')
 * const zone = parseZone('Europe/Berlin')
 * if (rule.ok && zone !== undefined) {
 *   const fire = nextFire(rule.cron, zone, Date.now())
 *   if (fire !== undefined) console.log(formatZoned(fire.instant, zone))
 * }
 * ```
 */
export function nextFire(cron: Cron, zone: ZoneName, after: Instant): Fire | undefined {
  return nearestFire(cron, zone, after, 1)
}

/**
 * The last fire strictly before `before`; `undefined` when there is none down to `MIN_INSTANT`. `previousFire(…, now + 1)`
 * includes `now`. The exact mirror of `nextFire`.
 * @throws RangeError when `before` is not an integer.
 */
export function previousFire(cron: Cron, zone: ZoneName, before: Instant): Fire | undefined {
  return nearestFire(cron, zone, before, -1)
}

/** Up to `count` fires after `after`, in order (B24, T3). */
export function nextFires(cron: Cron, zone: ZoneName, after: Instant, count: number): Fire[] {
  const fires: Fire[] = []
  let cursor = after
  while (fires.length < count) {
    const fire = nextFire(cron, zone, cursor)
    if (fire === undefined) break
    fires.push(fire)
    cursor = fire.instant
  }
  return fires
}

/**
 * What a rule does at the end of a gap that swallowed some of its times: a fire of its own (`moved` unset when the rule
 * names that very time anyway), or nothing.
 *
 * A fixed-time rule always makes up for what it lost (first valid instant after the gap, once, however many times fell
 * in). An interval-like rule that beats again within the hour simply goes on, as in Vixie cron: a make-up fire would put
 * an hourly rule two beats a few minutes apart. Where its next beat is further away it makes up too, so that no day is
 * lost (B02).
 */
export function gapFire(cron: Cron, seam: Seam): Fire | undefined {
  const resumes = cron.walls.next(seam.to - 1)
  if (resumes === seam.to) return { instant: seam.at }
  if (cron.intervalLike && resumes - seam.to < HOUR_MS) return undefined
  return { instant: seam.at, moved: { from: wallMinute(cron.walls.next(seam.from - 1)) } }
}

/** The fire nearest to `pivot` in one direction, not at it. */
function nearestFire(cron: Cron, zone: ZoneName, pivot: Instant, direction: Direction): Fire | undefined {
  const beyond = (fire: Fire): boolean => (fire.instant - pivot) * direction > 0
  let nearest: Fire | undefined
  for (const start of startWalls(cron, zone, pivot, direction)) {
    const fire = firesFrom(cron, zone, start, direction).find(beyond)
    if (fire && (nearest === undefined || (nearest.instant - fire.instant) * direction > 0)) nearest = fire
  }
  return nearest && isInstant(nearest.instant) ? nearest : undefined
}

/**
 * Where to start on the wall clock. One reading is enough, except inside an overlap, where the readings up to its end lie
 * on both sides of the pivot: a fixed-time rule, which lives in the first pass only, leaves the second pass by its end; an
 * interval-like rule also looks through the whole overlap from its far edge.
 */
function startWalls(cron: Cron, zone: ZoneName, pivot: Instant, direction: Direction): readonly Wall[] {
  const ahead = direction === 1
  // Looking back starts inside the stretch before the pivot: the pivot itself may already be across a clock change.
  const inside = ahead ? pivot : pivot - 1
  const wall = wallAt(zone, inside)
  const here = ahead ? wall : wall + 1
  const repeat = repeatOf(wall, inside, zone)
  if (repeat === undefined) return [here]
  const { from, to } = repeat.seam
  if (cron.intervalLike) return [here, ahead ? to - 1 : from]
  return [repeat.second ? from - (ahead ? 1 : 0) : here]
}

/** The fires of the first matching reading beyond `start` that fires at all, nearest first. */
function firesFrom(cron: Cron, zone: ZoneName, start: Wall, direction: Direction): readonly Fire[] {
  const ahead = direction === 1
  let cursor = start
  for (;;) {
    const spot = locate(ahead ? cron.walls.next(cursor) : cron.walls.previous(cursor), zone)
    if (spot.kind !== 'gap') return ahead ? passes(cron, spot) : passes(cron, spot).toReversed()
    const fire = gapFire(cron, spot.seam)
    if (fire) return [fire]
    cursor = ahead ? spot.seam.to : spot.seam.from
  }
}

/** The fires of a reading that exists, earliest first. */
function passes(cron: Cron, spot: Exclude<WallSpot, { kind: 'gap' }>): readonly Fire[] {
  if (spot.kind === 'exact') return [{ instant: spot.instant }]
  const earlier: Fire = { instant: spot.instant, repeated: true }
  return cron.intervalLike ? [earlier, { instant: spot.later, repeated: true }] : [earlier]
}
