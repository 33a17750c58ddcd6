import { parseZone, seamsBetween, type Instant, type ZoneName } from 'dsh-time-core'
import { LAWS } from '../machine.ts'

/** A zone, and the instants at which its offset is asked for, in order. */
export interface Question {
  readonly zone: ZoneName
  readonly instants: readonly Instant[]
}

/** What is asked about begins with the month a year ago, and ends with the one in three years. */
const MONTHS_BACK = 12
const MONTHS_AHEAD = 36

/**
 * What to ask a browser of its time zone data: of each zone the offset at the first instant of every month, on both sides
 * of every change that this Node knows, and where a law of its own has come into force. The zones of these laws are always
 * among those asked about.
 *
 * @param names - zones that matter; what this Node does not know is left out.
 * @param now - the system clock.
 */
export function questionsOf(names: readonly string[], now: Instant): readonly Question[] {
  const zones = new Set([...names, ...LAWS.map(([zone]) => zone)].flatMap((name) => parseZone(name) ?? []))
  const months = monthsAround(now)
  return [...zones].map((zone) => ({ zone, instants: instantsOf(zone, months) }))
}

function monthsAround(now: Instant): readonly Instant[] {
  const date = new Date(now)
  return Array.from({ length: MONTHS_BACK + MONTHS_AHEAD + 1 }, (_, month) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS_BACK + month))
}

function instantsOf(zone: ZoneName, months: readonly Instant[]): readonly Instant[] {
  const changes = [...seamsBetween(zone, Math.min(...months), Math.max(...months))].flatMap(({ at }) => [at - 1, at])
  const laws = LAWS.flatMap(([name, at]) => (name === zone ? [Date.parse(at)] : []))
  return [...new Set([...laws, ...months, ...changes])].toSorted((a, b) => a - b)
}
