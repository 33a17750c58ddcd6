import type { CivilDate } from './days.ts'
import { group } from './text.ts'

/** A time reading found in the conversation: what the local clock of `zone` showed. */
export interface Reading {
  readonly date: CivilDate
  /** Seconds since local midnight, 0–86399. */
  readonly secondOfDay: number
  /** `Z` or `±HH:MM`, as written. */
  readonly offset: string
  /** IANA name in the brackets. */
  readonly zone: string
}

/** RFC 3339 date-time followed by an IANA zone in brackets (RFC 9557), as the host's and our own readings write it. */
const STAMP = new RegExp(
  String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?`
  + String.raw`(?<offset>Z|[+-]\d{2}:\d{2})\[(?<zone>[A-Za-z][\w.+/-]*)\]`,
)

/**
 * The first stamped instant of a text, which in a reading is the sampled one.
 *
 * @param text the text of one context message
 */
export function readingIn(text: string): Reading | undefined {
  const match = STAMP.exec(text)
  if (match === null) return undefined
  const number = (name: string): number => Number(group(match, name))
  return {
    date: { year: number('year'), month: number('month'), day: number('day') },
    secondOfDay: (number('hour') * 60 + number('minute')) * 60 + number('second'),
    offset: group(match, 'offset'),
    zone: group(match, 'zone'),
  }
}

const two = (value: number): string => String(value).padStart(2, '0')

/**
 * `YYYY-MM-DD`.
 *
 * @param date a civil date, year 0–9999
 */
export const dateText = (date: CivilDate): string => `${String(date.year).padStart(4, '0')}-${two(date.month)}-${two(date.day)}`

/**
 * `HH:mm:ss`.
 *
 * @param secondOfDay seconds since midnight, 0–86399
 */
export const timeText = (secondOfDay: number): string =>
  [Math.floor(secondOfDay / 3600), Math.floor(secondOfDay / 60) % 60, secondOfDay % 60].map(two).join(':')
