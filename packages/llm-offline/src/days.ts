import { numberOf, ZH_NUMERAL } from './numerals.ts'
import { earliest, findFirst, group } from './text.ts'
import type { Found } from './text.ts'

/** A civil date in the proleptic Gregorian calendar; month 1–12, day 1–31. It may not exist: the tool decides. */
export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Which week a weekday is meant in: the nearest one, the nearest after today, this one, or so many weeks ahead. */
type Weeks = 'coming' | 'next' | 'this' | number

/** A day as people name it, before today is known. Weekday 0 is Sunday. */
export type NamedDay =
  | { readonly kind: 'date'; readonly date: CivilDate }
  | { readonly kind: 'ahead'; readonly days: number }
  | { readonly kind: 'weekday'; readonly weekday: number; readonly weeks: Weeks }
  | { readonly kind: 'of-year'; readonly month: number; readonly day: number }
  | { readonly kind: 'of-month'; readonly day: number; readonly next: boolean }

const EN_DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const EN_MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const FULL_DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const ANY_DAY = `(?:${FULL_DAY}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)`
const MONTH = '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const ON = String.raw`(?:\b(?:on|by|before)\s+)?`
const ORDINAL = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
const ZH_NUMBER = String.raw`(\d{1,2}|${ZH_NUMERAL})`

/**
 * Weekday number of a written name, 0 for Sunday.
 *
 * @param name an English name or abbreviation of at least three letters, or a Chinese numeral, 日, 天 or 末
 */
export function weekdayOf(name: string): number {
  const zh = '日一二三四五六'.indexOf(name.replace(/[天末]/, '日'))
  return zh === -1 ? EN_DAYS.indexOf(name.slice(0, 3).toLowerCase()) : zh
}

const monthOf = (name: string): number => EN_MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

const AHEAD: Readonly<Record<string, number>> = {
  'today': 0, 'tonight': 0, 'tomorrow': 1, 'the day after tomorrow': 2, 'day after tomorrow': 2,
  '今': 0, '明': 1, '后': 2, '大后': 3,
}

function ofYear(year: string, month: number, day: number): NamedDay | undefined {
  if (day < 1 || day > 31) return undefined
  return year === '' ? { kind: 'of-year', month, day } : { kind: 'date', date: { year: Number(year), month, day } }
}

type Reader = readonly [RegExp, (match: RegExpExecArray) => NamedDay | undefined]

const READERS: readonly Reader[] = [
  [/(?:\b(?:on|by|before)\s+)?(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])/gi, m => ofYear(group(m, 1), Number(m[2]), Number(m[3]))],
  [/(?<!\d)(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})[日号]?/g, m => ofYear(group(m, 1), Number(m[2]), Number(m[3]))],
  [new RegExp(String.raw`${ON}(?:\bthe\s+)?\b(${MONTH})\.?\s+(?:the\s+)?${ORDINAL}\b(?!:)(?:,?\s+(\d{4}))?`, 'gi'), m => ofYear(group(m, 3), monthOf(group(m, 1)), Number(m[2]))],
  [new RegExp(String.raw`${ON}(?:\bthe\s+)?\b${ORDINAL}\s+(?:of\s+)?(${MONTH})\b(?:,?\s+(\d{4}))?`, 'gi'), m => ofYear(group(m, 3), monthOf(group(m, 2)), Number(m[1]))],
  [new RegExp(`${ZH_NUMBER}月${ZH_NUMBER}[日号]`, 'g'), m => ofYear('', Number(numberOf(group(m, 1))), Number(numberOf(group(m, 2))))],
  [/\b(?:by\s+|before\s+)?(the day after tomorrow|day after tomorrow|tomorrow|today|tonight)\b/gi, m => ({ kind: 'ahead', days: Number(AHEAD[group(m, 1).toLowerCase()]) })],
  [/\bthis\s+(?:morning|afternoon|evening)\b/gi, () => ({ kind: 'ahead', days: 0 })],
  [/(大后|今|明|后)(?:天|日|(?=[早晚]))/g, m => ({ kind: 'ahead', days: Number(AHEAD[group(m, 1)]) })],
  [new RegExp(String.raw`${ON}(?:\b(?:this|coming)\s+)?\b(${FULL_DAY})\b(?!')`, 'gi'), m => ({ kind: 'weekday', weekday: weekdayOf(group(m, 1)), weeks: 'coming' })],
  [new RegExp(String.raw`\b(?:on|by|before|this|coming)\s+(${ANY_DAY})\b(?!')`, 'gi'), m => ({ kind: 'weekday', weekday: weekdayOf(group(m, 1)), weeks: 'coming' })],
  [new RegExp(String.raw`${ON}\bnext\s+(${ANY_DAY})\b(?!')`, 'gi'), m => ({ kind: 'weekday', weekday: weekdayOf(group(m, 1)), weeks: 'next' })],
  [/(下*|这个?|本)个?(?:周|星期|礼拜)([一二三四五六日天末])/g, m => ({ kind: 'weekday', weekday: weekdayOf(group(m, 2)), weeks: zhWeeks(group(m, 1)) })],
  [new RegExp(String.raw`(?<![\d月零〇一二两三四五六七八九十])${ZH_NUMBER}号(?!线|楼|门|院|店|机)`, 'g'), m => ofMonth(group(m, 1), false)],
  [new RegExp(`下个?月的?${ZH_NUMBER}[号日]`, 'g'), m => ofMonth(group(m, 1), true)],
  [/\b(?:on|by|before)\s+the\s+(\d{1,2})(?:st|nd|rd|th)\b/gi, m => ofMonth(group(m, 1), false)],
]

function zhWeeks(prefix: string): Weeks {
  if (prefix.startsWith('下')) return prefix.length
  return prefix === '' ? 'coming' : 'this'
}

function ofMonth(written: string, next: boolean): NamedDay | undefined {
  const day = Number(numberOf(written))
  return day < 1 || day > 31 ? undefined : { kind: 'of-month', day, next }
}

/**
 * The earliest day a text names: `tomorrow`, `on Friday`, `2026-12-24`, `December 24th`, `后天`, `下周三`, `3月5日`, `15号`.
 * A possessive weekday ("Monday's report") is not a day.
 *
 * @param text half-width text
 */
export const findDay = (text: string): Found<NamedDay> | undefined =>
  earliest(READERS.map(([pattern, read]) => findFirst(text, pattern, read)))

const DAY_MS = 86_400_000

/**
 * The date some days later.
 *
 * @param date a date that exists
 * @param days a whole number of days, may be negative
 */
export function addDays(date: CivilDate, days: number): CivilDate {
  const moved = new Date(Date.UTC(date.year, date.month - 1, date.day) + days * DAY_MS)
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

/**
 * Weekday of a date, 0 for Sunday.
 *
 * @param date a date that exists
 */
export const weekdayOn = (date: CivilDate): number => new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay()

const orderOf = (date: CivilDate): number => (date.year * 100 + date.month) * 100 + date.day

/** Days from today to a named weekday; weeks start on Monday, a plain weekday is today at the earliest. */
function weekdayDistance(today: CivilDate, weekday: number, weeks: Weeks): number {
  const now = weekdayOn(today)
  const ahead = (weekday - now + 7) % 7
  if (weeks === 'coming') return ahead
  if (weeks === 'next') return ahead === 0 ? 7 : ahead
  const monday = -((now + 6) % 7)
  return monday + ((weekday + 6) % 7) + (weeks === 'this' ? 0 : weeks * 7)
}

function dayOfMonth(today: CivilDate, day: number, next: boolean): CivilDate {
  if (day >= today.day && !next) return { ...today, day }
  return today.month === 12 ? { year: today.year + 1, month: 1, day } : { year: today.year, month: today.month + 1, day }
}

/**
 * The date a named day means, the nearest one that is not over.
 *
 * @param named the day as written
 * @param today the date of the newest time reading
 */
export function dateOf(named: NamedDay, today: CivilDate): CivilDate {
  switch (named.kind) {
    case 'date': return named.date
    case 'ahead': return addDays(today, named.days)
    case 'weekday': return addDays(today, weekdayDistance(today, named.weekday, named.weeks))
    case 'of-month': return dayOfMonth(today, named.day, named.next)
    case 'of-year': break
  }
  const date = { year: today.year, month: named.month, day: named.day }
  return orderOf(date) < orderOf(today) ? { ...date, year: today.year + 1 } : date
}
