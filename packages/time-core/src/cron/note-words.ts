import { pad } from '../calendar.ts'
import { sayIn, type Language, type Sentences } from '../sentences.ts'
import type { CronNote } from './notes.ts'

const NOTES: Sentences<CronNote> = {
  en: {
    'minute-step': ({ field, step, minutes }) => `${field} in the minute field fires at ${listed(minutes.map(minuteMark), ' and ')} of each hour, not every ${step} minutes.`,
    'hour-step': ({ field, step, hours }) => `${field} in the hour field fires in the hours ${listed(hours.map(hourMark), ' and ')} of each day, not every ${step} hours.`,
    'day-step': ({ field }) => `${field} in the day-of-month field starts again at day 1 of each month.`,
    'short-months': ({ days }) => `Day ${listed(days.map(String), ' or ')} is skipped in months without it; L means the last day of every month.`,
    'either-day': ({ day, weekday }) => `Day of month (${day}) and weekday (${weekday}) are both given: a date that matches either one counts.`,
    'both-days': ({ day, weekday }) => `Day of month (${day}) and weekday (${weekday}) must both match, because one of them starts with *.`,
  },
  zh: {
    'minute-step': ({ field, step, minutes }) => `分钟字段 ${field} 表示在每小时的 ${minutes.map(minuteMark).join('、')} 触发，并不是每 ${step} 分钟一次。`,
    'hour-step': ({ field, step, hours }) => `小时字段 ${field} 表示在每天的 ${hours.map(hourMark).join('、')} 点触发，并不是每 ${step} 小时一次。`,
    'day-step': ({ field }) => `日期字段 ${field} 每月都从 1 号重新数起。`,
    'short-months': ({ days }) => `没有 ${days.join('、')} 号的月份会跳过；L 表示每月最后一天。`,
    'either-day': ({ day, weekday }) => `日期（${day}）和星期（${weekday}）同时给出：符合其中一个就算。`,
    'both-days': ({ day, weekday }) => `日期（${day}）和星期（${weekday}）必须同时符合，因为其中一个以 * 开头。`,
  },
}

/**
 * A note as one plain sentence.
 *
 * @param language - of whoever reads it; the model reads English.
 */
export function sayCronNote(note: CronNote, language: Language): string {
  return sayIn(NOTES, note, language)
}

function minuteMark(minute: number): string {
  return `:${pad(minute, 2)}`
}

function hourMark(hour: number): string {
  return pad(hour, 2)
}

/** A list as English writes it, with a word before the last one. */
function listed(items: readonly string[], word: string): string {
  return [items.slice(0, -1).join(', '), ...items.slice(-1)].filter(part => part !== '').join(word)
}
