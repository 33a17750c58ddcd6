import { fromWall, isDate, isTimeOfDay, toWall, wallDate, type LocalDateTime, type Weekday } from './calendar.ts'
import { isInstant, type Instant } from './instant.ts'
import { locate, wallAt } from './wall.ts'
import type { ZoneName } from './zone.ts'

export type { LocalDateTime, Weekday } from './calendar.ts'

/** `shape`: not the characters of the profile. `calendar`: no such date (or the year 0000), or no such time of day. */
export type LocalParse = { ok: true; local: LocalDateTime } | { ok: false; field: 'date' | 'time'; reason: 'shape' | 'calendar' }

/**
 * What a local time means in a zone. `gap`: the clock skips it, `firstAfter` is the first instant after the skip.
 * `overlap`: it occurs twice, `instant` is the earlier. `range`: the instant lies outside the years 0001–9999.
 */
export type LocalResolution =
  | { kind: 'exact'; instant: Instant }
  | { kind: 'overlap'; instant: Instant; later: Instant }
  | { kind: 'gap'; firstAfter: Instant }
  | { kind: 'range' }

const DATE = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/
const TIME = /^(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,3}))?)?$/

/** Reads `YYYY-MM-DD` and `HH:mm`, `HH:mm:ss` or `HH:mm:ss.S{1,3}`; says which of the two is wrong, the date first (S9). */
export function parseLocal(date: string, time: string): LocalParse {
  const day = numbers(DATE.exec(date))
  if (day === undefined) return { ok: false, field: 'date', reason: 'shape' }
  const clock = numbers(TIME.exec(time))
  if (clock === undefined) return { ok: false, field: 'time', reason: 'shape' }
  const local = {
    year: day('year'),
    month: day('month'),
    day: day('day'),
    hour: clock('hour'),
    minute: clock('minute'),
    second: clock('second'),
    millisecond: clock('fraction', 3),
  }
  if (local.year === 0 || !isDate(local)) return { ok: false, field: 'date', reason: 'calendar' }
  if (!isTimeOfDay(local)) return { ok: false, field: 'time', reason: 'calendar' }
  return { ok: true, local }
}

/** A reader of one match's named digits; `width` reads them as the decimals after a point. */
function numbers(match: RegExpExecArray | null): ((name: string, width?: number) => number) | undefined {
  const groups = match?.groups
  return groups && ((name, width = 0) => Number((groups[name] ?? '').padEnd(width, '0')))
}

/**
 * Places a local time on the time line (S21). The fields must be valid, as `parseLocal` gives them. The policy is the
 * caller's: a one-shot refuses a `gap`, and takes `instant` of an `overlap`.
 *
 * @example
 * ```ts
 * import { parseLocal, parseZone, resolveLocal } from 'dsh-time-core'
 *
 * const zone = parseZone('America/New_York')
 * const read = parseLocal('2026-03-08', '02:30')
 * if (zone !== undefined && read.ok) console.log(resolveLocal(read.local, zone).kind) // gap: that night has no 02:30
 * ```
 */
export function resolveLocal(local: LocalDateTime, zone: ZoneName): LocalResolution {
  const spot = locate(toWall(local), zone)
  const instant = spot.kind === 'gap' ? spot.seam.at : spot.instant
  if (!isInstant(instant)) return { kind: 'range' }
  return spot.kind === 'gap' ? { kind: 'gap', firstAfter: instant } : spot
}

/** What the calendar and clock on the wall in `zone` show at `instant`. */
export function localFields(instant: Instant, zone: ZoneName): LocalDateTime & { weekday: Weekday } {
  return fromWall(wallAt(zone, instant))
}

/** The local calendar date as `YYYY-MM-DD`. */
export function localDate(instant: Instant, zone: ZoneName): string {
  return wallDate(wallAt(zone, instant))
}
