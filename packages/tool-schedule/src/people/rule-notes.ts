import type { Language } from './wire.ts'

/** What is noted about a calendar rule, in English and in Chinese; the numbers and times are taken over. */
const NOTES: readonly (readonly [RegExp, string])[] = [
  [/^(\S+) in the minute field fires at (.+) of each hour, not every (\d+) minutes\.$/, '分钟字段 $1 表示在每小时的 $2 触发，并不是每 $3 分钟一次。'],
  [/^(\S+) in the hour field fires in the hours (.+) of each day, not every (\d+) hours\.$/, '小时字段 $1 表示在每天的 $2 点触发，并不是每 $3 小时一次。'],
  [/^(\S+) in the day-of-month field starts again at day 1 of each month\.$/, '日期字段 $1 每月都从 1 号重新数起。'],
  [/^Day (.+) is skipped in months without it; L means the last day of every month\.$/, '没有 $1 号的月份会跳过；L 表示每月最后一天。'],
  [/^Day of month \((.+)\) and weekday \((.+)\) are both given: a date that matches either one counts\.$/, '日期（$1）和星期（$2）同时给出：符合其中一个就算。'],
  [/^Day of month \((.+)\) and weekday \((.+)\) must both match, because one of them starts with \*\.$/, '日期（$1）和星期（$2）必须同时符合，因为其中一个以 * 开头。'],
  [/^The clocks skip (.+) that day; it comes at the first time after the gap\.$/, '那一天时钟会跳过 $1，提醒改在跳过之后的第一个时刻。'],
]

/**
 * Notes on a rule in a person's language. One that is not known stays as it is: better read in English than not at all.
 *
 * @param notes - in English.
 * @param language - of the person.
 */
export function sayNotes(notes: readonly string[], language: Language): readonly string[] {
  if (language === 'en') return notes
  return notes.map((note) => {
    const known = NOTES.find(([pattern]) => pattern.test(note))
    return known === undefined ? note : note.replace(...known).replaceAll(' and ', '、').replaceAll(' or ', '、')
  })
}
