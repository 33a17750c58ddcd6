import { DAY_MS } from './calendar.ts'
import type { Instant } from './instant.ts'
import { temporalOffset, temporalZoneName, temporalZonesEqual } from './temporal.ts'

declare const zoneBrand: unique symbol

/** A validated zone name in its canonical letter case; only `parseZone` makes one. Compare with `sameZone`, not `===`. */
export type ZoneName = string & { readonly [zoneBrand]: 'ZoneName' }

/** The tz database's areas, with those of its `backward` file that still name places. */
const PLACE = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US)\/[A-Za-z]/i

/** `Etc/GMT+8` is eight hours *west* of UTC, the opposite of what people mean by it, so no `Etc/GMT±N` is taken (B12). */
const UTC = /^(?:UTC|Etc\/(?:UTC|UCT|GMT|Greenwich|Universal|Zulu))$/i

/** Longer than every name of the tz database (32 letters in 2026). */
const MAX_NAME_LENGTH = 64

/**
 * A zone by name: `UTC`, or an IANA `Area/Location` known to this machine's tz data. Letter case is repaired
 * (`asia/shanghai`), aliases stay as given (`Asia/Calcutta`, B13). Refused: abbreviations (`CST`, which `Intl` would
 * take), offsets, padded names, `Etc/GMT±N` and everything that is not a string (B12, S19).
 */
export function parseZone(name: unknown): ZoneName | undefined {
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !hasZoneShape(name)) return undefined
  // Lower case first: Temporal remembers each spelling it has seen, and a caller could send very many.
  const known = temporalZoneName(name.toLowerCase())
  return known !== undefined && hasZoneShape(known) ? known : undefined
}

function hasZoneShape(name: string): name is ZoneName {
  return PLACE.test(name) || UTC.test(name)
}

/** True when both names mean one zone: `Asia/Kolkata` and `Asia/Calcutta` do (B13). */
export function sameZone(a: ZoneName, b: ZoneName): boolean {
  return a === b || temporalZonesEqual(a, b)
}

/** A stretch of the time line, both ends included, on which a zone keeps one offset. */
interface Stretch {
  from: Instant
  until: Instant
  readonly offset: number
}

/**
 * Two instants at most this far apart that have the same offset have no change between them: no zone has changed its
 * offset twice within a week (see `wall.ts`).
 */
const JOINABLE_MS = 6 * DAY_MS

/** What is known of each zone, around the instants that were last asked for. There are only so many zones. */
const stretches = new Map<ZoneName, Stretch>()

/**
 * Milliseconds east of UTC in force at `instant`: 28,800,000 in Asia/Shanghai. Temporal needs some ten microseconds for
 * an answer, so what follows from the last answers is not asked again (P2).
 * @throws RangeError when `instant` is not an integer.
 */
export function offsetAt(zone: ZoneName, instant: Instant): number {
  const known = stretches.get(zone)
  if (known !== undefined && instant >= known.from && instant <= known.until && Number.isInteger(instant)) return known.offset
  const offset = temporalOffset(zone, instant)
  if (known?.offset === offset && instant >= known.from - JOINABLE_MS && instant <= known.until + JOINABLE_MS) widen(known, zone, instant)
  else stretches.set(zone, { from: instant, until: instant, offset })
  return offset
}

/** Time goes on, so the next question lies a little further the same way. */
function widen(known: Stretch, zone: ZoneName, instant: Instant): void {
  const further = instant > known.until ? instant + JOINABLE_MS : instant - JOINABLE_MS
  const edge = temporalOffset(zone, further) === known.offset ? further : instant
  known.from = Math.min(known.from, edge)
  known.until = Math.max(known.until, edge)
}
