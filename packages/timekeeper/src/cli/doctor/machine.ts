import { MINUTE_MS, offsetAt, parseZone, type Instant } from 'dsh-time-core'
import { instantText } from '../instants.ts'
import { note, problem, type Finding } from './finding.ts'

/** The machine as this program sees it. */
export interface Machine {
  /** Version of Node, such as `24.21.0`. */
  readonly node: string
  /** Version of its time zone data, such as `2026c`. */
  readonly tz: string
  readonly icu: string
  /** Zone in which this process runs. */
  readonly zone: string
  /** What `TZ` is set to. */
  readonly tzVariable: string | undefined
}

/** Offset of a zone at an instant in minutes; `undefined` for a zone that is not known. */
export type OffsetOf = (zone: string, instant: Instant) => number | undefined

/** The offsets of this process's own time zone data. */
export const ownOffset: OffsetOf = (name, instant) => {
  const zone = parseZone(name)
  return zone === undefined ? undefined : offsetAt(zone, instant) / MINUTE_MS
}

/** What the law says of a zone, with the release of the time zone database that was the first to know it. */
type Law = readonly [zone: string, at: string, minutes: number, release: string]

/**
 * What the law has said since the release of the time zone database that is named: zone, an instant after the change,
 * minutes east of UTC. Only laws that are in force for good; the old answer differs in each.
 */
export const LAWS: readonly Law[] = [
  ['Europe/Kyiv', '2023-07-01T00:00:00Z', 180, '2022b'],
  ['Asia/Amman', '2023-01-01T00:00:00Z', 180, '2022e'],
  ['Asia/Damascus', '2023-01-01T00:00:00Z', 180, '2022e'],
  ['America/Mexico_City', '2023-07-01T00:00:00Z', -360, '2022f'],
  ['America/Ciudad_Juarez', '2023-07-01T00:00:00Z', -360, '2022g'],
  ['Africa/Cairo', '2023-07-01T00:00:00Z', 180, '2023c'],
  ['America/Nuuk', '2024-01-15T00:00:00Z', -120, '2023d'],
  ['Asia/Almaty', '2024-07-01T00:00:00Z', 300, '2024a'],
  ['America/Asuncion', '2025-07-01T00:00:00Z', -180, '2025a'],
  ['America/Coyhaique', '2025-07-01T00:00:00Z', -180, '2025b'],
]

/** Years in which a clock can be right: this version was made in the first of them. */
const FIRST_YEAR = 2025
const LAST_YEAR = 2099

/** How far a log may be ahead of the clock: two machines that write one home need not agree to the second. */
const AHEAD_MS = 5000

/**
 * What is wrong with the machine.
 *
 * @param machine - as seen.
 * @param now - the system clock.
 * @param newest - time of the newest event of all logs, if there is any.
 * @param offsetOf - the time zone data.
 */
export function judgeMachine(machine: Machine, now: Instant, newest: Instant | undefined, offsetOf: OffsetOf = ownOffset): Finding[] {
  const { node, tz, tzVariable } = machine
  const outdated = unknownLaws(offsetOf)
  const year = new Date(now).getUTCFullYear()
  const isPlausible = year >= FIRST_YEAR && year <= LAST_YEAR
  return [
    ...(isSupportedNode(node) ? [] : [problem('node_unsupported', [node])]),
    ...(outdated.length === 0 ? [] : [problem('tz_outdated', [tz, outdated.map(([zone, , , release]) => `${zone} (${release})`).join(', ')])]),
    ...(isZoneVariable(tzVariable) ? [] : [note('process_zone', [String(tzVariable)])]),
    ...(isPlausible ? [] : [problem('clock_implausible', [instantText(now)])]),
    ...(newest !== undefined && newest - now > AHEAD_MS ? [problem('clock_behind_log', [instantText(now), instantText(newest)])] : []),
  ]
}

/**
 * The laws that time zone data do not know.
 *
 * @param offsetOf - the data.
 */
export function unknownLaws(offsetOf: OffsetOf): readonly Law[] {
  return LAWS.filter(([zone, at, minutes]) => offsetOf(zone, Date.parse(at)) !== minutes)
}

/** The host's own `engines`, read in 0.1.0-rc.8 and 0.2: `^22.19.0 || >=24.0.0`. */
function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}

/** A leading colon is what POSIX allows, and a name of a file is what it may then be. */
function isZoneVariable(value: string | undefined): boolean {
  return value === undefined || value === '' || parseZone(value.replace(/^:/, '')) !== undefined
}
