import { weekdayOf } from './days.ts'
import { numberOf, ZH_NUMERAL } from './numerals.ts'
import { earliest, findFirst, group } from './text.ts'
import type { Found } from './text.ts'

/** The calendar days of a series as the last three fields of a cron expression: day of month, month, day of week. */
export type CronDays = string

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const DAYS = String.raw`${DAY}(?:\s*(?:,|and|&)\s*(?:and\s+)?(?:every\s+)?${DAY})*`
const ZH_WEEK = '(?:周|星期|礼拜)'
const ZH_LIST = `[一二三四五六日天](?:[、,和及跟]?${ZH_WEEK}?[一二三四五六日天])*`
const PART_OF_DAY = '(?:morning|afternoon|evening|night)'

const weekdays = (names: Iterable<string>): CronDays => {
  const days = new Set([...names].map(name => weekdayOf(name)))
  return `* * ${[...days].toSorted((a, b) => a - b).join(',')}`
}

function weekdayRange(from: string, to: string): CronDays {
  const [first, last] = [weekdayOf(from), weekdayOf(to)]
  return `* * ${first}-${last === 0 && first > 0 ? 7 : last}`
}

const monthDay = (day: number): CronDays | undefined => (day < 1 || day > 31 ? undefined : `${day} * *`)

type Reader = readonly [RegExp, (match: RegExpExecArray) => CronDays | undefined]

const READERS: readonly Reader[] = [
  [/\b(?:every|each|on)\s+(?:week|work|working\s+)days?\b|\bweekdays\b/gi, () => '* * 1-5'],
  [/\b(?:every|each)\s+weekend\b|\b(?:on\s+)?weekends\b/gi, () => '* * 0,6'],
  [new RegExp(String.raw`\b(?:every|each)\s+(?:single\s+)?(?:day\b|(?=${PART_OF_DAY}))|\bdaily(?=\s*(?:reminder|alarm|at\b|[\d,:]|$))`, 'gi'), () => '* * *'],
  [new RegExp(String.raw`\b(?:every|each)\s+(${DAYS})\b`, 'gi'), m => weekdays(group(m, 1).split(/\s*(?:,|and|&)\s*(?:and\s+)?(?:every\s+)?/i))],
  [new RegExp(String.raw`\bon\s+((?:mon|tues|wednes|thurs|fri|satur|sun)days)\b`, 'gi'), m => weekdays([group(m, 1)])],
  [/\b(?:on\s+)?(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:day\s+)?of\s+(?:every|each)\s+month\b/gi, m => monthDay(Number(m[1]))],
  [/\b(?:(?:every|each)\s+month|monthly)\s+on\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b/gi, m => monthDay(Number(m[1]))],
  [/(?:每(?:一?个)?|(?<![\d个]))(?:工作日|上班日)(?:的?每天)?/g, () => '* * 1-5'],
  [new RegExp(`每(?:一?个)?(?:${ZH_WEEK}末)`, 'g'), () => '* * 0,6'],
  [new RegExp(`每(?:一?个)?${ZH_WEEK}([一二三四五六日天])(?:到|至|-|~)${ZH_WEEK}?([一二三四五六日天])`, 'g'), m => weekdayRange(group(m, 1), group(m, 2))],
  [new RegExp(`每(?:一?个)?${ZH_WEEK}(${ZH_LIST})(?!到|至)`, 'g'), m => weekdays(group(m, 1).replaceAll(/[^一二三四五六日天]/g, '').split(''))],
  [new RegExp(`每(?:一?个)?月的?(\\d{1,2}|${ZH_NUMERAL})[号日]`, 'g'), m => monthDay(Number(numberOf(group(m, 1))))],
  [/每一?[天日]|每(?=[早晚])|天天/g, () => '* * *'],
]

/**
 * First calendar series a text names, as cron days: `every weekday` is `* * 1-5`, `每周一、三` is `* * 1,3`,
 * `on the 15th of every month` is `15 * *`. The time of day is read apart.
 *
 * @param text half-width text
 */
export const findRecurrence = (text: string): Found<CronDays> | undefined =>
  earliest(READERS.map(([pattern, read]) => findFirst(text, pattern, read)))
