import { DAY_MS } from 'dsh-time-core'
import type { Part } from './clock-times.ts'
import type { Cursor } from './cursor.ts'

/** A civil date, month 1 to 12. It may not exist: whoever resolves it finds out. */
export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A day as written, before today is known. Weekday 0 is Sunday. */
export type NamedDay =
  | { readonly kind: 'date'; readonly date: CivilDate }
  | { readonly kind: 'ahead'; readonly days: number; readonly part: Part | undefined }
  /** The next one that is not over; `weeks` counts weeks that begin on Monday instead. */
  | { readonly kind: 'weekday'; readonly weekday: number; readonly weeks: number | undefined }
  | { readonly kind: 'of-year'; readonly month: number; readonly day: number }
  /** `10/9`, `9.10.`, `next Friday`: people disagree. */
  | { readonly kind: 'ambiguous'; readonly text: string }

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY = String.raw`(?:sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?)(?![a-z'’])`
const ZH_WEEK = '(?:周|星期|礼拜)'

const ISO_DATE = /(?:on\s)?(?<year>\d{4})(?<sign>[-/])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})(?!\d)\s{0,3}/iy
const ZH_DATE = /(?:(?<year>\d{4})年\s?)?(?<month>\d{1,2})月\s?(?<day>\d{1,2})[日号]\s{0,3}/y
const EN_AHEAD = /(?<word>the day after tomorrow|day after tomorrow|tomorrow|today|tonight)(?![a-z'’])\s{0,3}/iy
const ZH_AHEAD = /(?<word>大后|今|明|后)(?:(?:天|日)|(?=[早晚]))\s{0,3}/y
const EN_WEEKDAY = new RegExp(String.raw`(?:on\s)?(?<next>next\s)?(?<name>${WEEKDAY})\s{0,3}`, 'iy')
const ZH_WEEKDAY = new RegExp(String.raw`(?<weeks>下{1,3}个?|这个?|本)?${ZH_WEEK}(?<name>[一二三四五六日天])\s{0,3}`, 'y')
const NUMERIC = /\d{1,2}[/.]\d{1,2}(?:[/.](?:\d{2,4})?)?(?=\s)/y

const AHEAD: Readonly<Record<string, number>> = { today: 0, tonight: 0, tomorrow: 1, 今: 0, 明: 1, 后: 2, 大后: 3 }
const EVENINGS: Readonly<Record<string, Part>> = { tonight: 'evening' }

/**
 * A day: `tomorrow`, `friday`, `2026-10-09`, `明天`, `下周三`, `10月9日`.
 *
 * @param cursor - moved past it, or left alone where none stands.
 */
export function takeDay(cursor: Cursor): NamedDay | undefined {
  const date = cursor.take(ISO_DATE) ?? cursor.take(ZH_DATE)
  if (date !== undefined) return dated(Number(date('year')), Number(date('month')), Number(date('day')))
  const ahead = cursor.take(EN_AHEAD) ?? cursor.take(ZH_AHEAD)
  if (ahead !== undefined) return aheadOf(ahead('word').toLowerCase())
  const english = cursor.take(EN_WEEKDAY)
  if (english !== undefined) {
    const weekday = weekdayNumber(english('name'))
    return english('next') === '' ? { kind: 'weekday', weekday, weeks: undefined } : { kind: 'ambiguous', text: english('all').trim() }
  }
  const chinese = cursor.take(ZH_WEEKDAY)
  if (chinese !== undefined) return { kind: 'weekday', weekday: weekdayNumber(chinese('name')), weeks: zhWeeks(chinese('weeks')) }
  const numeric = cursor.take(NUMERIC)
  return numeric === undefined ? undefined : { kind: 'ambiguous', text: numeric('all') }
}

function dated(year: number, month: number, day: number): NamedDay {
  return year === 0 ? { kind: 'of-year', month, day } : { kind: 'date', date: { year, month, day } }
}

function aheadOf(word: string): NamedDay {
  return { kind: 'ahead', days: AHEAD[word] ?? 2, part: EVENINGS[word] }
}

function zhWeeks(prefix: string): number | undefined {
  return prefix === '' ? undefined : prefix.replace('个', '').replace(/^[这本]$/, '').length
}

/**
 * Number of a weekday, 0 for Sunday.
 *
 * @param name - at least three English letters, or one Chinese numeral, 日 or 天.
 */
function weekdayNumber(name: string): number {
  const chinese = '日一二三四五六'.indexOf(name.replace('天', '日'))
  return chinese === -1 ? WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) : chinese
}

const EN_EVERY_DAY = /(?:(?:every|each)\s(?<days>day|weekday|workday)|(?<daily>daily))(?![a-z])\s{0,3}/iy
const EN_EVERY_WEEKDAY = new RegExp(String.raw`(?:every|each)\s(?<names>${WEEKDAY}(?:(?:\s?,\s?(?:and\s)?|\sand\s)${WEEKDAY}){0,6})\s{0,3}`, 'iy')
const ZH_EVERY_DAY = /每(?<days>天|日|个?工作日)\s{0,3}/y
const ZH_EVERY_WEEKDAY = new RegExp(String.raw`每个?${ZH_WEEK}(?<names>[一二三四五六日天](?:[、,和]?[一二三四五六日天]){0,6})(?![一二三四五六日天])\s{0,3}`, 'y')

/** What names a day in a list of days. */
const NAMES = /(?!and)[a-z]{3,}|[一二三四五六日天]/gi

/**
 * The days of a calendar rule: `every day`, `every weekday`, `every mon and fri`, `每天`, `每周一三五`, `每个工作日`.
 *
 * @param cursor - moved past it, or left alone.
 * @returns the day-of-week field of a cron expression.
 */
export function takeRepeatedDays(cursor: Cursor): string | undefined {
  const days = cursor.take(EN_EVERY_DAY) ?? cursor.take(ZH_EVERY_DAY)
  if (days !== undefined) return /^(?:weekday|workday|个?工作日)$/i.test(days('days')) ? '1-5' : '*'
  const names = cursor.take(EN_EVERY_WEEKDAY)?.('names').match(NAMES) ?? cursor.take(ZH_EVERY_WEEKDAY)?.('names').match(NAMES)
  if (names === undefined || names === null) return undefined
  return [...new Set(names.map(weekdayNumber))].toSorted((a, b) => a - b).join(',')
}

/**
 * The dates that a named day can mean, in the order in which they are tried: the first that is not over counts.
 *
 * @param day - as written, or `undefined` for a time without a day: today or tomorrow.
 * @param today - where the person is.
 */
export function datesOf(day: Exclude<NamedDay, { kind: 'ambiguous' }> | undefined, today: CivilDate): readonly CivilDate[] {
  switch (day?.kind) {
    case undefined:
      return [today, addDays(today, 1)]
    case 'date':
      return [day.date]
    case 'ahead':
      return [addDays(today, day.days)]
    case 'of-year':
      return [today.year, today.year + 1].map((year) => ({ year, month: day.month, day: day.day }))
    case 'weekday':
      return weekdayDates(today, day.weekday, day.weeks)
  }
}

function weekdayDates(today: CivilDate, weekday: number, weeks: number | undefined): readonly CivilDate[] {
  const now = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay()
  const ahead = (weekday - now + 7) % 7
  if (weeks === undefined) return [addDays(today, ahead), addDays(today, ahead + 7)]
  return [addDays(today, ((weekday + 6) % 7) - ((now + 6) % 7) + weeks * 7)]
}

function addDays({ year, month, day }: CivilDate, days: number): CivilDate {
  const moved = new Date(Date.UTC(year, month - 1, day) + days * DAY_MS)
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}
