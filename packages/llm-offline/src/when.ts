import { findClockTime } from './clock-time.ts'
import type { ClockTime } from './clock-time.ts'
import { findDay } from './days.ts'
import type { NamedDay } from './days.ts'
import { findDelay, findInterval } from './durations.ts'
import { findRecurrence } from './recurrence.ts'
import type { CronDays } from './recurrence.ts'
import { findFirst } from './text.ts'
import type { Found, Span } from './text.ts'

/** When a reminder is wanted, as written: nothing here knows what time it is now. */
export type When =
  | { readonly kind: 'after'; readonly seconds: number }
  | { readonly kind: 'every'; readonly seconds: number }
  | { readonly kind: 'instant'; readonly instant: string }
  | { readonly kind: 'series'; readonly days: CronDays; readonly time: ClockTime; readonly zone: string | undefined }
  | { readonly kind: 'local'; readonly day: NamedDay | undefined; readonly time: ClockTime; readonly zone: string | undefined }

/** A {@link When} and every stretch of text it was read from. */
export interface FoundWhen {
  readonly when: When
  readonly spans: readonly Span[]
}

const DAY_SECONDS = 86_400

/** Hour of a day that is named without a time: nine in the morning. */
const DAY_START: ClockTime = { hour: 9, minute: 0, second: 0, nextDay: false }

/** `12/11` is the 12th of November here and the 11th of December there: such a day is asked for, never guessed. */
const DAY_OR_MONTH = /(?<![\d/])\d{1,2}\/\d{1,2}(?![\d/])/

const INSTANT = /(?:\bat\s+)?(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))/gi
const AREA = '(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)'
const ZONE = new RegExp(String.raw`(?:\bin\s+|\(\s*)?\b(${AREA}(?:\/[A-Z][A-Za-z0-9_+-]*)+|UTC)\b(?:\s*\)|\s+time\b|时间)?`, 'g')

const findInstant = (text: string): Found<string> | undefined => findFirst(text, INSTANT, match => match[1])
const findZone = (text: string): Found<string> | undefined => findFirst(text, ZONE, match => match[1])

const spansOf = (...finds: readonly (Span | undefined)[]): Span[] => finds.filter(find => find !== undefined)

function series(text: string, days: Found<CronDays>): FoundWhen {
  const time = findClockTime(text)
  const zone = findZone(text)
  return {
    when: { kind: 'series', days: days.value, time: time?.value ?? DAY_START, zone: zone?.value },
    spans: spansOf(days, zone, ...(time?.spans ?? [])),
  }
}

/** "in 3 days at 9:00" names a day and a time; "in 3 days" alone is a delay of 72 hours. */
function daysAhead(text: string, delay: Found<number>): FoundWhen | undefined {
  const time = findClockTime(text)
  if (delay.value % DAY_SECONDS !== 0 || time === undefined) return undefined
  const zone = findZone(text)
  const day: NamedDay = { kind: 'ahead', days: delay.value / DAY_SECONDS }
  return { when: { kind: 'local', day, time: time.value, zone: zone?.value }, spans: spansOf(delay, zone, ...time.spans) }
}

function local(text: string): FoundWhen | undefined {
  const time = findClockTime(text)
  const day = findDay(text)
  if ((time ?? day) === undefined || (day === undefined && DAY_OR_MONTH.test(text))) return undefined
  const zone = findZone(text)
  return {
    when: { kind: 'local', day: day?.value, time: time?.value ?? DAY_START, zone: zone?.value },
    spans: spansOf(day, zone, ...(time?.spans ?? [])),
  }
}

/**
 * When a text wants something to happen. An exact instant wins over a calendar series, that over an interval, that over
 * a delay, that over a day and time.
 *
 * @param text half-width text
 * @returns `undefined` when no time is written
 */
export function findWhen(text: string): FoundWhen | undefined {
  const instant = findInstant(text)
  if (instant !== undefined) return { when: { kind: 'instant', instant: instant.value }, spans: [instant] }
  const days = findRecurrence(text)
  if (days !== undefined) return series(text, days)
  const interval = findInterval(text)
  if (interval !== undefined) return { when: { kind: 'every', seconds: interval.value }, spans: [interval] }
  const delay = findDelay(text)
  if (delay !== undefined) {
    return daysAhead(text, delay) ?? { when: { kind: 'after', seconds: delay.value }, spans: [delay] }
  }
  return local(text)
}
