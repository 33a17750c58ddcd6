import { parseField, quote, type CronField, type FieldValues } from './field.ts'
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
 * `shape`: not five fields. `field`: one field is wrong, see `field`. `never`: no date can match (B19). How
 * often a rule comes is for its caller to limit, see `shortestGap` (T2).
 */
export type CronRefusal = 'shape' | 'field' | 'never'

/** A rule, or why there is none; `detail` is one plain English sentence that names what was wrong. */
export type CronParse = { ok: true; cron: Cron } | { ok: false; reason: CronRefusal; field?: CronField; detail: string }

/** The longest expression that is read at all. */
export const MAX_CRON_LENGTH = 128

const FIELD_NAMES = 'minute, hour, day of month, month, weekday'

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
  const detail = `The day-of-month field ${quote(raw.day)} never occurs in month ${quote(raw.month)}.`
  return { ok: false, reason: 'never', field: 'day', detail }
}

type RawFields = Readonly<Record<CronField, string>>
type Split = { ok: true; raw: RawFields } | { ok: false; reason: 'shape'; detail: string }

function refuse(detail: string): Split {
  return { ok: false, reason: 'shape', detail }
}

/** Splits into the five texts, in upper case, or says why that cannot be. */
function splitFields(text: unknown): Split {
  if (typeof text !== 'string') return refuse(`A cron expression is a text of five fields: ${FIELD_NAMES}.`)
  if (text.length > MAX_CRON_LENGTH) {
    return refuse(`A cron expression has at most ${String(MAX_CRON_LENGTH)} characters; this one has ${String(text.length)}.`)
  }
  const foreign = /[^\t\x20-\x7e]/u.exec(text)?.[0].codePointAt(0)
  if (foreign !== undefined) {
    return refuse(`A cron expression is one line of plain ASCII; U+${foreign.toString(16).toUpperCase().padStart(4, '0')} is not.`)
  }
  const texts = text.toUpperCase().split(/[\t ]+/).filter(part => part !== '')
  if (texts[0]?.startsWith('@') === true) return refuse(`The macro ${quote(texts[0])} is not supported; write five fields.`)
  if (isFive(texts)) {
    const [minute, hour, day, month, weekday] = texts
    return { ok: true, raw: { minute, hour, day, month, weekday } }
  }
  const extra = texts.length > 5 ? ': seconds, years and anything after the weekday are not supported' : ''
  return refuse(`A cron expression has five fields (${FIELD_NAMES}); ${quote(text)} has ${String(texts.length)}${extra}.`)
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
