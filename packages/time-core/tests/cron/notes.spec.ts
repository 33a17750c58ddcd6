import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cronNotes, parseCron, sayCronNote, type CronNote } from '../../src/index.ts'
import { cron } from '../harness.ts'

/** Expression, what is noted about it, and the same for a model and for a person who reads Chinese. */
const NOTED: readonly (readonly [number: string, text: string, notes: readonly CronNote[], en: readonly string[], zh: readonly string[]])[] = [
  [
    'B17', '*/45 * * * *',
    [{ code: 'minute-step', field: '*/45', step: 45, minutes: [0, 45] }],
    ['*/45 in the minute field fires at :00 and :45 of each hour, not every 45 minutes.'],
    ['分钟字段 */45 表示在每小时的 :00、:45 触发，并不是每 45 分钟一次。'],
  ],
  [
    'B17', '*/25 9 * * *',
    [{ code: 'minute-step', field: '*/25', step: 25, minutes: [0, 25, 50] }],
    ['*/25 in the minute field fires at :00, :25 and :50 of each hour, not every 25 minutes.'],
    ['分钟字段 */25 表示在每小时的 :00、:25、:50 触发，并不是每 25 分钟一次。'],
  ],
  [
    'B18', '0 */9 * * *',
    [{ code: 'hour-step', field: '*/9', step: 9, hours: [0, 9, 18] }],
    ['*/9 in the hour field fires in the hours 00, 09 and 18 of each day, not every 9 hours.'],
    ['小时字段 */9 表示在每天的 00、09、18 点触发，并不是每 9 小时一次。'],
  ],
  [
    'B25', '0 9 31 * *',
    [{ code: 'short-months', days: [31] }],
    ['Day 31 is skipped in months without it; L means the last day of every month.'],
    ['没有 31 号的月份会跳过；L 表示每月最后一天。'],
  ],
  [
    'B25', '0 9 29-31 2,3 *',
    [{ code: 'short-months', days: [29, 30, 31] }],
    ['Day 29, 30 or 31 is skipped in months without it; L means the last day of every month.'],
    ['没有 29、30、31 号的月份会跳过；L 表示每月最后一天。'],
  ],
  [
    'B20', '0 9 29 2 *',
    [{ code: 'short-months', days: [29] }],
    ['Day 29 is skipped in months without it; L means the last day of every month.'],
    ['没有 29 号的月份会跳过；L 表示每月最后一天。'],
  ],
  [
    'B15', '0 9 1 * 1',
    [{ code: 'either-day', day: '1', weekday: '1' }],
    ['Day of month (1) and weekday (1) are both given: a date that matches either one counts.'],
    ['日期（1）和星期（1）同时给出：符合其中一个就算。'],
  ],
  [
    'B16', '0 9 */2 * 1',
    [{ code: 'day-step', field: '*/2' }, { code: 'both-days', day: '*/2', weekday: '1' }],
    ['*/2 in the day-of-month field starts again at day 1 of each month.', 'Day of month (*/2) and weekday (1) must both match, because one of them starts with *.'],
    ['日期字段 */2 每月都从 1 号重新数起。', '日期（*/2）和星期（1）必须同时符合，因为其中一个以 * 开头。'],
  ],
  [
    'B16', '0 9 13 * */5',
    [{ code: 'both-days', day: '13', weekday: '*/5' }],
    ['Day of month (13) and weekday (*/5) must both match, because one of them starts with *.'],
    ['日期（13）和星期（*/5）必须同时符合，因为其中一个以 * 开头。'],
  ],
]

describe('notes on an expression', () => {
  it.each(NOTED)('%s %s', (_number, text, notes, en, zh) => {
    const found = cronNotes(cron(text))
    expect(found).toEqual(notes)
    expect(found.map(note => sayCronNote(note, 'en'))).toEqual(en)
    expect(found.map(note => sayCronNote(note, 'zh'))).toEqual(zh)
  })

  it.each(['* * * * *', '*/15 */6 * * *', '0 9 * * 1-5', '0 9 L * *', '0 9 28 * *', '0 9 30 4,6 *', '0 9 1-31 * *', '0-40/25 * * * *', '*/1 */1 */1 * *'])(
    'T3 %s means what it looks like: no note',
    text => {
      expect(cronNotes(cron(text))).toEqual([])
    },
  )

  it('T3 T10 no note is half in another language, whatever the rule', () => {
    const field = (...parts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom('*', ...parts)
    fc.assert(
      fc.property(field('0', '*/45', '*/7'), field('9', '*/7'), field('31', '*/2', '30,31'), field('2', '*/2'), field('1', '*/2', '1-5'), (...fields) => {
        const parsed = parseCron(fields.join(' '))
        if (!parsed.ok) return
        for (const note of cronNotes(parsed.cron)) {
          expect(sayCronNote(note, 'en')).toMatch(/^[ -~]+\.$/)
          expect(sayCronNote(note, 'zh')).toMatch(/^[^a-z]*(?:L[^a-z]*)?。$/)
        }
      }),
    )
  })
})
