import type { Cursor } from './cursor.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Longest delay or interval that is taken (seconds): 36,500 days. */
const MOST_SECONDS = 36_500 * DAY

/** By the first character of a unit. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|秒)/i, 1],
  [/^(?:m|分)/i, MINUTE],
  [/^刻/, 15 * MINUTE],
  [/^(?:h|小|钟)/i, HOUR],
  [/^(?:w|周|星)/i, 7 * DAY],
]

const EN_UNIT = '(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])'
const ZH_UNIT = '(?:秒钟?|分钟?|刻钟|小时|钟头|天|周|星期)'
const EN_PART = new RegExp(String.raw`(?<count>\d{1,6}(?:\.\d{1,2})?)\s{0,2}(?<unit>${EN_UNIT})\s{0,2}`, 'iy')
const EN_WORDS = new RegExp(String.raw`(?<half>half\s)?\s?(?:an?|one)\s(?<unit>${EN_UNIT})\s?`, 'iy')
const ZH_PART = new RegExp(String.raw`(?<count>\d{1,6}(?:\.\d{1,2})?|[一二两三四五六七八九十]{1,3}|半)\s?个?(?<half>半)?(?<unit>${ZH_UNIT})(?<more>半)?\s?`, 'y')
const ZH_AFTER = /(?:之后|以后|过后|后)(?!天)\s?/y

/**
 * A number in Chinese characters from 1 to 99.
 *
 * @param text - digits, or numerals such as `两`, `十`, `二十五`.
 * @returns 0 for the empty text, `undefined` for characters that make no number.
 */
export function zhNumber(text: string): number | undefined {
  if (/^\d/.test(text)) return Number(text)
  if (!/^(?:[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])?$/.test(text)) return undefined
  const ones = digit(text.slice(text.indexOf('十') + 1))
  if (!text.includes('十')) return ones
  return (text.startsWith('十') ? 1 : digit(text.slice(0, 1))) * 10 + ones
}

function digit(char: string): number {
  return char === '' ? 0 : '零一二三四五六七八九'.indexOf(char === '两' ? '二' : char)
}

/** A stretch of time as written. */
export interface Amount {
  /** Whole seconds, 1 or more. */
  readonly seconds: number
  /** Whether it is said to lie ahead (`in …`, `…后`), so that nothing else can be meant. */
  readonly isDelay: boolean
}

/**
 * A stretch of time: `10m`, `1h30m`, `in 90 minutes`, `in half an hour`, `10分钟后`, `一个半小时后`.
 *
 * @param cursor - moved past it, or left alone.
 * @param isAlone - only a stretch of time can stand here, so that `两小时` needs no `后`.
 * @returns `undefined` where none stands, and for less than a second, parts of a second and more than 36,500 days.
 */
export function takeAmount(cursor: Cursor, isAlone: boolean): Amount | undefined {
  const { place } = cursor
  const amount = english(cursor) ?? chinese(cursor, isAlone)
  if (amount !== undefined && Number.isSafeInteger(amount.seconds) && amount.seconds >= 1 && amount.seconds <= MOST_SECONDS) return amount
  cursor.back(place)
  return undefined
}

function english(cursor: Cursor): Amount | undefined {
  const { place } = cursor
  const isDelay = cursor.take(/(?:in|after)\s{1,3}/iy) !== undefined
  const words = isDelay ? cursor.take(EN_WORDS) : undefined
  let seconds = words === undefined ? 0 : unit(words('unit')) * (words('half') === '' ? 1 : 0.5)
  for (let part = cursor.take(EN_PART); part !== undefined; part = cursor.take(EN_PART)) seconds += Number(part('count')) * unit(part('unit'))
  if (seconds > 0) return { seconds: exact(seconds), isDelay }
  cursor.back(place)
  return undefined
}

function chinese(cursor: Cursor, isAlone: boolean): Amount | undefined {
  cursor.take(/(?:再?过|等)\s?/y)
  let seconds = 0
  let isSpelled = false
  for (let part = cursor.take(ZH_PART); part !== undefined; part = cursor.take(ZH_PART)) {
    const count = part('count')
    const halves = Number(part('half') !== '') + Number(part('more') !== '')
    isSpelled ||= !/^\d/.test(count)
    seconds += ((count === '半' ? 0.5 : (zhNumber(count) ?? Number.NaN)) + halves / 2) * unit(part('unit'))
  }
  if (seconds === 0) return undefined
  const isDelay = cursor.take(ZH_AFTER) !== undefined
  // 十分重要 and 一天到晚 begin like a stretch of time and are none.
  return isDelay || isAlone || !isSpelled || cursor.rest === '' ? { seconds: exact(seconds), isDelay } : undefined
}

/** Hundredths of a unit are taken; what binary fractions add to them is not. */
function exact(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/** Days, unless it is a smaller unit or a week: the patterns let no other through. */
function unit(text: string): number {
  return UNITS.find(([pattern]) => pattern.test(text))?.[1] ?? DAY
}

const EN_EVERY = /(?:every|each)\s{1,3}/iy
const ZH_EVERY = /每隔?\s?/y
const EN_ONE_UNIT = /(?:hour)(?![a-z])\s?/iy
const ZH_ONE_UNIT = /个?(?:小时|钟头)\s?/y

/**
 * A fixed interval: `every 45 minutes`, `every hour`, `每2小时`. Days and weekdays are a calendar's business.
 *
 * @param cursor - moved past it, or left alone.
 * @returns whole seconds.
 */
export function takeInterval(cursor: Cursor): number | undefined {
  const { place } = cursor
  const isEnglish = cursor.take(EN_EVERY) !== undefined
  if (!isEnglish && cursor.take(ZH_EVERY) === undefined) return undefined
  if (cursor.take(isEnglish ? EN_ONE_UNIT : ZH_ONE_UNIT) !== undefined) return HOUR
  const amount = takeAmount(cursor, true)
  if (amount !== undefined && !amount.isDelay) return amount.seconds
  cursor.back(place)
  return undefined
}
