import { EN_WORD, numberOf, ZH_NUMERAL } from './numerals.ts'
import { earliest, findFirst, group } from './text.ts'
import type { Found } from './text.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** Longest wait the rules accept, seconds: a hundred years, beyond which a slip of the pen is more likely than a wish. */
export const LONGEST_SECONDS = 100 * 366 * DAY

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  s: 1, sec: 1, second: 1, m: MINUTE, min: MINUTE, minute: MINUTE, h: HOUR, hr: HOUR, hour: HOUR,
  d: DAY, day: DAY, w: WEEK, wk: WEEK, week: WEEK,
  秒: 1, 秒钟: 1, 分: MINUTE, 分钟: MINUTE, 刻钟: 15 * MINUTE, 小时: HOUR, 钟头: HOUR,
  天: DAY, 日: DAY, 周: WEEK, 星期: WEEK, 礼拜: WEEK,
}

const EN_LONG = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?)'
const EN_HALF = String.raw`(?:\s+and\s+a\s+half)`
const EN_COUNTED = String.raw`\d+(?:\.\d+)?\s?-?(?:${EN_LONG}|[smhdw])(?![a-z])|\d+${EN_HALF}\s+${EN_LONG}(?![a-z])`
const EN_SPELLED = String.raw`${EN_WORD}${EN_HALF}?[\s-]+${EN_LONG}(?![a-z])`
const EN_PART = `(?:${EN_COUNTED}|${EN_SPELLED})${EN_HALF}?`
const EN_FULL = String.raw`(?<![\w.:])${EN_PART}(?:\s*(?:,\s*)?(?:and\s+)?${EN_PART})*`

const ZH_UNIT = '(?:秒钟?|分钟?|小时|钟头|刻钟|天|日|周|星期|礼拜)'
const ZH_PART = String.raw`(?:(?:\d+(?:\.\d+)?|${ZH_NUMERAL})\s*个?半?\s*|半\s*个?)${ZH_UNIT}半?`
const ZH_FULL = String.raw`(?<![点:.\d零〇一二两三四五六七八九十百千]|[\d零〇一二两三四五六七八九十]时)${ZH_PART}(?:\s*[零又]?\s*${ZH_PART})*`

const EN_READ = new RegExp(
  String.raw`(?:(?<count>\d+(?:\.\d+)?)|(?<![a-z])(?<word>${EN_WORD})(?=[\s-]))(?<half>${EN_HALF})?`
  + String.raw`[\s-]*(?<unit>${EN_LONG}|[smhdw])(?![a-z])(?<more>${EN_HALF})?`,
  'gi',
)
const ZH_READ = new RegExp(String.raw`(?<count>\d+(?:\.\d+)?|${ZH_NUMERAL}|半)\s*个?(?<half>半)?\s*(?<unit>${ZH_UNIT})(?<more>半)?`, 'g')

const unitSeconds = (unit: string): number => Number(UNIT_SECONDS[unit.toLowerCase().replace(/(?<=.)s$/, '')])

/** Sum of the parts written in an already recognised duration; `undefined` outside 1 s … {@link LONGEST_SECONDS}. */
function secondsOf(written: string): number | undefined {
  let total = 0
  for (const pattern of [EN_READ, ZH_READ]) {
    for (const match of written.matchAll(pattern)) {
      const halves = group(match, 'half') + group(match, 'more') === '' ? 0 : 0.5
      total += (Number(numberOf(group(match, 'count') + group(match, 'word'))) + halves) * unitSeconds(group(match, 'unit'))
    }
  }
  const seconds = Math.round(total)
  return seconds >= 1 && seconds <= LONGEST_SECONDS ? seconds : undefined
}

const finder = (source: string) => {
  const pattern = new RegExp(source, 'gi')
  return (text: string): Found<number> | undefined => findFirst(text, pattern, match => secondsOf(match[0]))
}

const findEnglish = finder(EN_FULL)
const findChinese = finder(ZH_FULL)

/**
 * First length of time in a text, in seconds: `10 minutes`, `1h30m`, `an hour and a half`, `一个半小时`.
 *
 * @param text half-width text
 */
export const findDuration = (text: string): Found<number> | undefined =>
  earliest([findEnglish(text), findChinese(text)])

const AFTER = String.raw`\s*(?:之后|以后|过后|后(?!天))`
const DELAYS = [
  finder(String.raw`\b(?:in|after|within)\s+(?:(?:about|another|around|roughly|just|like|exactly)\s+)?${EN_FULL}(?:'s?\s+time)?`),
  finder(String.raw`${EN_FULL}\s+(?:from\s+now|later)\b`),
  finder(EN_FULL + AFTER),
  finder(String.raw`(?:再?过\s*|等\s*)?${ZH_FULL}${AFTER}`),
  finder(String.raw`再?过\s*(?:${ZH_FULL}|${EN_FULL})`),
]

/**
 * First delay from now, in seconds: `in 20 seconds`, `2 hours from now`, `十分钟后`, `再过半小时`.
 *
 * @param text half-width text
 */
export const findDelay = (text: string): Found<number> | undefined => earliest(DELAYS.map(find => find(text)))

const bareUnit = (source: string) => {
  const pattern = new RegExp(source, 'gi')
  return (text: string): Found<number> | undefined =>
    findFirst(text, pattern, match => unitSeconds(group(match, 1)))
}

const INTERVALS = [
  finder(String.raw`\b(?:every|each)\s+${EN_FULL}`),
  bareUnit(String.raw`\b(?:every|each)\s+(second|minute|hour|week)(?![a-z])`),
  bareUnit(String.raw`\b(hour|week)ly(?=\s*(?:reminder|alarm|[,:]|$))`),
  finder(String.raw`每隔?\s*${ZH_FULL}`),
  finder(String.raw`每隔?\s*${EN_FULL}`),
  bareUnit(String.raw`每一?个?(秒钟?|分钟|小时|钟头|周|星期|礼拜)(?![一二三四五六日天末])`),
]

/**
 * First fixed interval, in seconds: `every 2 hours`, `hourly`, `每隔半小时`. Days and weekdays with a time of day are
 * calendar rules and are not read here.
 *
 * @param text half-width text
 */
export const findInterval = (text: string): Found<number> | undefined => earliest(INTERVALS.map(find => find(text)))

/**
 * Shortest exact spelling in days, hours, minutes and seconds: `5400` is `1h30m`.
 *
 * @param seconds a whole number of seconds, at least 1
 */
export function compactDuration(seconds: number): string {
  let rest = seconds
  let text = ''
  for (const [unit, size] of [['d', DAY], ['h', HOUR], ['m', MINUTE], ['s', 1]] as const) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) text += `${count}${unit}`
  }
  return text
}
