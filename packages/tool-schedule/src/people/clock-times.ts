import { zhNumber } from './amounts.ts'
import type { Cursor } from './cursor.ts'

/** A time of day as written, or why it cannot be one. */
export type ClockTime =
  | { readonly kind: 'time'; readonly hour: number; readonly minute: number; readonly second: number }
  /** Morning or evening: `9`, `9点`, `12am`. */
  | { readonly kind: 'ambiguous'; readonly hour: number }
  /** No clock shows it: `25:00`, `13pm`. */
  | { readonly kind: 'impossible' }

/** Half of the day that a word names; it moves the hours of a twelve-hour clock. */
export type Part = 'early' | 'morning' | 'noon' | 'afternoon' | 'evening'

const PARTS: readonly (readonly [RegExp, Part])[] = [
  [/^凌晨/, 'early'],
  [/^(?:早|清晨|上午)/, 'morning'],
  [/^中午/, 'noon'],
  [/^下午/, 'afternoon'],
  [/^(?:傍晚|晚|夜)/, 'evening'],
]

const ZH_PART = /(?:凌晨|早上|早晨|清晨|上午|中午|下午|傍晚|晚上|夜里|[早晚](?=\s?[\d一二两三四五六七八九十]))\s?/y
const DIGITAL = /(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?(?![\d:])(?:\s?(?<half>[ap])\.?m\b\.?)?/iy
const HALF_DAY = /(?<hour>\d{1,2})\s?(?<half>[ap])\.?m\b\.?/iy
const ZH_NUMBER = String.raw`(?:\d{1,2}|[一二两三四五六七八九十]{1,3})`
const ZH_HOUR = new RegExp(String.raw`(?<hour>${ZH_NUMBER})\s?[点時时](?!间|候)(?:(?<words>半|一刻|三刻)|(?<minute>${ZH_NUMBER})分?|整|钟)?`, 'y')
const BARE_HOUR = /(?<hour>\d{1,2})(?![\d:./-])(?=\s|$)/y
const MINUTES: Readonly<Record<string, number>> = { 半: 30, 一刻: 15, 三刻: 45 }

/**
 * A time of day: `15:30`, `9:05:30`, `3:30 pm`, `9am`, `下午3点半`, `晚上8:15`. A colon without a half of the day means
 * the 24-hour clock.
 *
 * @param cursor - moved past it, or left alone where none stands.
 * @param said - a half of the day that was named before, as in `tonight` or `今晚`.
 * @param isTimeDue - nothing but a time can stand here, so that a bare number is an hour.
 */
export function takeClockTime(cursor: Cursor, said: Part | undefined, isTimeDue: boolean): ClockTime | undefined {
  const { place } = cursor
  const part = partOf(cursor.take(ZH_PART)?.('all')) ?? said
  const found = cursor.take(DIGITAL) ?? cursor.take(HALF_DAY) ?? cursor.take(ZH_HOUR) ?? (isTimeDue || part !== undefined ? cursor.take(BARE_HOUR) : undefined)
  if (found === undefined) {
    cursor.back(place)
    return undefined
  }
  // No clock shows 99: characters that make no number make no time either.
  const hour = zhNumber(found('hour')) ?? 99
  const minute = MINUTES[found('words')] ?? zhNumber(found('minute')) ?? 99
  const second = Number(found('second'))
  if (found('half') !== '') return halfDay(hour, minute, second, found('half').toLowerCase())
  return onClock(hour, minute, second, { part, isDigital: found('all').includes(':') })
}

function partOf(word: string | undefined): Part | undefined {
  return word === undefined ? undefined : PARTS.find(([pattern]) => pattern.test(word))?.[1]
}

function halfDay(hour: number, minute: number, second: number, half: string): ClockTime {
  if (hour < 1 || hour > 12) return { kind: 'impossible' }
  // Noon and midnight: half of the people who write them mean the other one.
  if (hour === 12) return { kind: 'ambiguous', hour: 0 }
  return time(half === 'p' ? hour + 12 : hour, minute, second)
}

interface Said {
  readonly part: Part | undefined
  readonly isDigital: boolean
}

function onClock(hour: number, minute: number, second: number, { part, isDigital }: Said): ClockTime {
  if (hour > 12 || (part === undefined && (isDigital || hour === 0))) return time(hour, minute, second)
  const shifted = part === undefined ? undefined : SHIFTS[part](hour)
  return shifted === undefined ? { kind: 'ambiguous', hour: hour % 12 } : time(shifted, minute, second)
}

/** What an hour of 12 or less means in each part of the day; `undefined` where people disagree. */
const SHIFTS: Readonly<Record<Part, (hour: number) => number | undefined>> = {
  early: (hour) => (hour <= 6 ? hour : undefined),
  morning: (hour) => (hour >= 1 && hour < 12 ? hour : undefined),
  noon: (hour) => (hour >= 11 ? hour : hour >= 1 && hour <= 2 ? hour + 12 : undefined),
  afternoon: (hour) => (hour === 12 ? 12 : hour >= 1 && hour <= 7 ? hour + 12 : undefined),
  evening: (hour) => (hour >= 5 && hour < 12 ? hour + 12 : undefined),
}

function time(hour: number, minute: number, second: number): ClockTime {
  return hour > 23 || minute > 59 || second > 59 ? { kind: 'impossible' } : { kind: 'time', hour, minute, second }
}
