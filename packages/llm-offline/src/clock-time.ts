import { EN_HOUR, numberOf, ZH_NUMERAL } from './numerals.ts'
import { findFirst, group } from './text.ts'
import type { Found, Span } from './text.ts'

/** A time of day on the 24-hour clock. `nextDay` marks the midnight that ends the named day (晚上12点). */
export interface ClockTime {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nextDay: boolean
}

type Half = 'morning' | 'noon' | 'afternoon' | 'evening' | 'unsaid'

/** Hours meant by a part of the day alone; stated to the person in every answer, so a wrong guess is seen. */
const HOURS: Readonly<Record<Half, number>> = { morning: 9, noon: 12, afternoon: 15, evening: 20, unsaid: 9 }

const PARTS: ReadonlyMap<string, Half> = new Map([
  ['am', 'morning'], ['pm', 'afternoon'], ['morning', 'morning'], ['afternoon', 'afternoon'], ['evening', 'evening'],
  ['night', 'evening'], ['tonight', 'evening'], ['noon', 'noon'], ['midday', 'noon'],
  ['凌晨', 'morning'], ['清晨', 'morning'], ['早上', 'morning'], ['早晨', 'morning'], ['上午', 'morning'], ['早', 'morning'],
  ['中午', 'noon'], ['正午', 'noon'], ['下午', 'afternoon'], ['午后', 'afternoon'], ['傍晚', 'evening'], ['晚上', 'evening'],
  ['晚间', 'evening'], ['夜里', 'evening'], ['晚', 'evening'],
])

function onClock(hour: number, minute: number, second: number, half: Half): ClockTime | undefined {
  if (hour > 24 || minute > 59 || second > 59 || !Number.isInteger(hour)) return undefined
  if (hour === 24) return minute + second === 0 ? { hour: 0, minute, second, nextDay: true } : undefined
  if (hour === 12 && half === 'evening') return { hour: 0, minute, second, nextDay: true }
  const late = half === 'afternoon' || half === 'evening' || (half === 'noon' && hour < 6)
  const shifted = late && hour < 12 ? hour + 12 : hour
  return { hour: shifted === 12 && half === 'morning' ? 0 : shifted, minute, second, nextDay: false }
}

const AT = String.raw`(?<at>\b(?:at|by|around)\s+|@\s*)`
const MERIDIEM = String.raw`\s*(?<half>[ap]\.?m\b\.?|in\s+the\s+(?:morning|afternoon|evening)|tonight\b|at\s+night\b)`
const CLOCK = String.raw`(?<![\d:.\-/])(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?!:?\d)`
const ZH_PART = String.raw`(?<part>凌晨|清晨|早上|早晨|上午|早|中午|正午|下午|午后|傍晚|晚上|晚间|夜里|晚)`
const ZH_NUMBER = String.raw`(?:\d{1,2}|${ZH_NUMERAL})`
const ZH_MINUTE = String.raw`(?:\s*(?<zhMinute>半|[一三]刻|${ZH_NUMBER}(?!个|小时|秒|天))分?钟?)?`
/** 一点 also means "a little": alone it is a time only where a minute, a verb of reminding or a pause follows. */
const ZH_LITTLE = String.raw`(?!一点(?!半|钟|整|[零〇一二三四五十\d]|提醒|叫|喊|通知|告诉|[\s,。.!]|$))`

const STATED = [
  new RegExp(`${AT}?${ZH_PART}?\\s*${CLOCK}(?:${MERIDIEM})?`, 'gi'),
  new RegExp(String.raw`${AT}?(?<![\d:.\-/])(?<hour>\d{1,2})${MERIDIEM}`, 'gi'),
  new RegExp(String.raw`${AT}?(?<past>half past|quarter past|quarter to)\s+(?<hour>\d{1,2}|${EN_HOUR})\b(?:${MERIDIEM})?`, 'gi'),
  new RegExp(String.raw`${AT}?\b(?<hour>\d{1,2}|${EN_HOUR})\s*o'?clock(?:${MERIDIEM})?`, 'gi'),
  new RegExp(String.raw`${AT}(?<hour>\d{1,2})(?![\w:/%-]|\.\d|\s*(?:%|percent\b))(?:${MERIDIEM})?`, 'gi'),
  new RegExp(String.raw`${AT}(?<hour>${EN_HOUR})(?:${MERIDIEM}|(?=\s*(?:$|[,.;:!?]|(?:to|today|tomorrow|on|in|remind|please|sharp)\b)))`, 'gi'),
  new RegExp(String.raw`${ZH_LITTLE}${ZH_PART}?\s*的?${ZH_LITTLE}(?<hour>${ZH_NUMBER})\s*(?:点|时(?![候间段长]))[钟整]?${ZH_MINUTE}(?:之?前|左右|的时候)?`, 'g'),
]

/** A part of the day beside a day: it also moves an hour written elsewhere, as in "tomorrow evening at 8". */
const PART_PHRASE = new RegExp(
  String.raw`\b(?:in\s+the|this|today|tomorrow|every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\s+`
  + String.raw`(?<part>morning|afternoon|evening|night)\b(?!')|\b(?<half>tonight)\b(?!')`,
  'gi',
)

const ALONE = [
  /(?:\bat\s+)?\b(?<part>noon|midday)\b/gi,
  /(?:\bat\s+)?\b(?<midnight>midnight)\b/gi,
  PART_PHRASE,
  new RegExp(String.raw`(?:(?<=[今明每后]|[天日]的?)|(?=早上|早晨|上午|中午|正午|下午|傍晚|晚上))${ZH_PART}(?!上?好)`, 'g'),
]

/** Minutes after the hour in words; those of `quarter to` belong to the hour before. */
const MINUTES: ReadonlyMap<string, number> = new Map([
  ['半', 30], ['一刻', 15], ['三刻', 45], ['half past', 30], ['quarter past', 15], ['quarter to', 45],
])

function halfOf(match: RegExpExecArray): Half {
  const written = group(match, 'half') + group(match, 'part')
  const word = written.toLowerCase().replaceAll('.', '').trim().replace(/^(?:in\s+the|at)\s+/, '')
  return PARTS.get(word) ?? 'unsaid'
}

const minuteOf = (written: string): number => (written === '' ? 0 : (MINUTES.get(written.toLowerCase()) ?? Number(numberOf(written))))

function readStated(match: RegExpExecArray, part: Half): ClockTime | undefined {
  const past = group(match, 'past')
  const written = Number(numberOf(group(match, 'hour')))
  const hour = past.toLowerCase() === 'quarter to' ? (written + 23) % 24 : written
  const minute = minuteOf(past + group(match, 'minute') + group(match, 'zhMinute'))
  const half = halfOf(match)
  return onClock(hour, minute, Number(group(match, 'second')), half === 'unsaid' ? part : half)
}

interface Stated extends Found<ClockTime> {
  readonly at: boolean
}

function statedTimes(text: string, part: Half): Stated[] {
  const found: Stated[] = []
  for (const pattern of STATED) {
    for (const match of text.matchAll(pattern)) {
      const value = readStated(match, part)
      if (value === undefined) continue
      found.push({ value, at: group(match, 'at') !== '', start: match.index, end: match.index + match[0].length })
    }
  }
  return found
}

const readAlone = (match: RegExpExecArray): ClockTime => {
  const nextDay = group(match, 'midnight') !== ''
  return { hour: nextDay ? 0 : HOURS[halfOf(match)], minute: 0, second: 0, nextDay }
}

/** A time of day and the stretches of text that say it. */
export interface FoundTime {
  readonly value: ClockTime
  readonly spans: readonly Span[]
}

/**
 * The time of day a text names. A time written with "at", "by", "around" or "@" wins over a bare one (the 16:00 train),
 * then the earliest, then the longest; a part of the day alone counts only when no hour is written.
 * The 24-hour clock is taken as written: `at 5` is 05:00.
 *
 * @param text half-width text
 */
export function findClockTime(text: string): FoundTime | undefined {
  const part = findFirst(text, PART_PHRASE, halfOf)
  const [best] = statedTimes(text, part?.value ?? 'unsaid').toSorted(
    (a, b) => Number(b.at) - Number(a.at) || a.start - b.start || b.end - a.end,
  )
  if (best !== undefined) return { value: best.value, spans: part === undefined ? [best] : [best, part] }
  for (const pattern of ALONE) {
    const found = findFirst(text, pattern, readAlone)
    if (found !== undefined) return { value: found.value, spans: [found] }
  }
  return undefined
}
