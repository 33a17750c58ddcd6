import { parseField, type CronField, type FieldValues, type UnreadableItem } from './field.ts'
import { wallSearch, type WallSearch } from './walls.ts'

/** A checked five-field rule, without a zone. */
export interface Cron {
  /** The expression with single spaces and upper-case names: equal rules written alike have equal texts. */
  readonly text: string
  /** The five fields of `text`, as written. */
  readonly raw: RawFields
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** Days of the month; may be empty when `lastDay` is set. */
  readonly days: readonly number[]
  /** The last day of each month matches too (`L`). */
  readonly lastDay: boolean
  readonly months: readonly number[]
  /** 0 is Sunday, 6 is Saturday. */
  readonly weekdays: readonly number[]
  /** Day of month and weekday are both restricted: either matches. Decided by the raw text (B15, B16). */
  readonly eitherDay: boolean
  /** Minute or hour holds a `*` or a step: the rule keeps its beat through clock changes. */
  readonly intervalLike: boolean
  /** The rule's matches on a clock without a zone. */
  readonly walls: WallSearch
}

/**
 * Why there is no rule; `sayCronRefusal` puts it into words. Not five fields (B23): `no-text`: no text at all; `too-long`:
 * its length (UTF-16 code units) is above `MAX_CRON_LENGTH`; `foreign-sign`: the first character that is not printable
 * ASCII; `macro`: `@DAILY` and its like, in upper case; `field-count`: another number of fields, in the text as it was
 * written. `unreadable`: one item of one field. `never` (B19): no date can match, both fields in upper case. How often a
 * rule comes is for its caller to limit, see `shortestGap` (T2).
 */
export type CronRefusal =
  | { readonly code: 'no-text' }
  | { readonly code: 'too-long'; readonly length: number }
  | { readonly code: 'foreign-sign'; readonly codePoint: number }
  | { readonly code: 'macro'; readonly macro: string }
  | { readonly code: 'field-count'; readonly text: string; readonly count: number }
  | UnreadableItem
  | { readonly code: 'never'; readonly day: string; readonly month: string }

/** A rule, or why there is none. */
export type CronParse = { ok: true; cron: Cron } | { ok: false; refusal: CronRefusal }

/** The longest expression that is read at all. */
export const MAX_CRON_LENGTH = 128

/**
 * Reads a five-field cron expression in the Vixie dialect: numbers, month and weekday names, lists, ranges, steps, 0 and
 * 7 for Sunday, `L` for the last day of the month. Refused by name (B21, B22, B23): `?`, `W`, `#`, `5L`, macros, seconds,
 * years, dates. Never throws.
 */
export function parseCron(text: unknown): CronParse {
  const shape = splitFields(text)
  if (!shape.ok) return shape
  const { raw } = shape
  const minute = parseField('minute', raw.minute)
  if (!minute.ok) return minute
  const hour = parseField('hour', raw.hour)
  if (!hour.ok) return hour
  const day = parseField('day', raw.day)
  if (!day.ok) return day
  const month = parseField('month', raw.month)
  if (!month.ok) return month
  const weekday = parseField('weekday', raw.weekday)
  if (!weekday.ok) return weekday
  const fields = { minute: minute.values, hour: hour.values, day: day.values, month: month.values, weekday: weekday.values }
  if (canMatch(fields)) return { ok: true, cron: build(raw, fields) }
  return refuse({ code: 'never', day: raw.day, month: raw.month })
}

type RawFields = Readonly<Record<CronField, string>>
type Refused = { ok: false; refusal: CronRefusal }

function refuse(refusal: CronRefusal): Refused {
  return { ok: false, refusal }
}

/** Splits into the five texts, in upper case, or says why that cannot be. */
function splitFields(text: unknown): { ok: true; raw: RawFields } | Refused {
  if (typeof text !== 'string') return refuse({ code: 'no-text' })
  if (text.length > MAX_CRON_LENGTH) return refuse({ code: 'too-long', length: text.length })
  const codePoint = /[^\t\x20-\x7e]/u.exec(text)?.[0].codePointAt(0)
  if (codePoint !== undefined) return refuse({ code: 'foreign-sign', codePoint })
  const texts = text.toUpperCase().split(/[\t ]+/).filter(part => part !== '')
  if (texts[0]?.startsWith('@') === true) return refuse({ code: 'macro', macro: texts[0] })
  if (!isFive(texts)) return refuse({ code: 'field-count', text, count: texts.length })
  const [minute, hour, day, month, weekday] = texts
  return { ok: true, raw: { minute, hour, day, month, weekday } }
}

function isFive(texts: string[]): texts is [string, string, string, string, string] {
  return texts.length === 5
}

/** Days of each month in the year in which it is longest. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether any date matches (B19). In 400 years each date, 29 February too, falls on every weekday, so weekdays rule out none. */
function canMatch(fields: Record<CronField, FieldValues>): boolean {
  const { day, month } = fields
  return isEitherDay(fields) || day.last || LONGEST.some((days, index) => month.values.includes(index + 1) && day.values.some(value => value <= days))
}

/** Day of month and weekday are both restricted (B15, B16). */
function isEitherDay({ day, weekday }: Record<CronField, FieldValues>): boolean {
  return !day.star && !weekday.star
}

function build(raw: RawFields, fields: Record<CronField, FieldValues>): Cron {
  const { minute, hour, day, month, weekday } = fields
  const eitherDay = isEitherDay(fields)
  return Object.freeze({
    text: `${raw.minute} ${raw.hour} ${raw.day} ${raw.month} ${raw.weekday}`,
    raw,
    minutes: minute.values,
    hours: hour.values,
    days: day.values,
    lastDay: day.last,
    months: month.values,
    weekdays: weekday.values,
    eitherDay,
    intervalLike: minute.beat || hour.beat,
    walls: wallSearch(plainPattern(fields, eitherDay), !eitherDay),
  })
}

/** The rule for croner, in numbers only: our grammar, not croner's, decides what each field means. */
function plainPattern({ minute, hour, day, month, weekday }: Record<CronField, FieldValues>, eitherDay: boolean): string {
  const everyDay = day.values.length === 31
  const everyWeekday = weekday.values.length === 7
  // One full list makes "either" true on every day. croner must not see that as a star, which it would read as "both".
  const free = eitherDay && (everyDay || everyWeekday)
  const days = day.last ? [...day.values, 'L'] : day.values
  return [
    minute.values.join(','),
    hour.values.join(','),
    free || everyDay ? '*' : days.join(','),
    month.values.join(','),
    free || everyWeekday ? '*' : weekday.values.join(','),
  ].join(' ')
}
