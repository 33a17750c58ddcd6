import { formatInstant } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import type { SeriesRule } from '../src/facts.ts'
import { ruleNotes, sayRuleNotes, type RuleNote } from '../src/rule-notes.ts'
import { NOW, planFact, utc } from './events.ts'

const cron = (text: string, zone: string): SeriesRule => ({ kind: 'cron', cron: text, zone })
const notes = (rule: SeriesRule, first: string): readonly RuleNote[] => ruleNotes(planFact('r-1', { series: rule }), utc(first))

describe('notes on a rule', () => {
  it('B17 a step that is no even interval is explained', () => {
    expect(notes(cron('*/45 * * * *', 'UTC'), '2026-10-09T01:45:00Z')).toEqual([{ code: 'minute-step', field: '*/45', step: 45, minutes: [0, 45] }])
  })

  it('B25 a day that some months do not have is explained', () => {
    expect(notes(cron('0 9 31 * *', 'UTC'), '2026-10-31T09:00:00Z')).toEqual([{ code: 'short-months', days: [31] }])
  })

  it('B15 day and weekday together are explained', () => {
    expect(notes(cron('0 9 1 * 1', 'UTC'), '2026-10-12T09:00:00Z')).toEqual([{ code: 'either-day', day: '1', weekday: '1' }])
  })

  it('T3 B01 a first occurrence that the clocks moved says so', () => {
    expect(notes(cron('30 2 * * *', 'America/New_York'), '2026-03-08T07:00:00Z')).toEqual([{ code: 'clocks-skip', from: '02:30', on: '2026-03-08' }])
    expect(notes(cron('30 2 * * *', 'America/New_York'), '2026-03-09T06:30:00Z')).toEqual([])
  })

  it('T3 a fire among the next three that the clocks moved says so too', () => {
    expect(notes(cron('30 2 * * *', 'America/New_York'), '2026-03-05T07:30:00Z')).toHaveLength(1)
    expect(notes(cron('30 2 * * *', 'America/New_York'), '2026-03-04T07:30:00Z')).toEqual([])
  })

  it('T3 one-shots, intervals and rules that cannot be read have no notes', () => {
    expect(ruleNotes(planFact('r-1'), NOW)).toEqual([])
    expect(notes({ kind: 'every', everySeconds: 300, anchor: formatInstant(NOW) }, '2026-10-09T01:00:00Z')).toEqual([])
    expect(notes(cron('0 9 1W * *', 'UTC'), '2026-10-09T01:00:00Z')).toEqual([])
    expect(notes(cron('*/45 * * * *', 'Mars/Olympus'), '2026-10-09T01:00:00Z')).toEqual([])
  })

  it.each([
    ['en', ['Day 31 is skipped in months without it; L means the last day of every month.', 'The clocks skip 02:30 on 2027-03-14; it comes at the first time after the gap.']],
    ['zh', ['没有 31 号的月份会跳过；L 表示每月最后一天。', '2027-03-14 的时钟会跳过 02:30，提醒改在跳过之后的第一个时刻。']],
  ] as const)('T3 T10 B01 B25 are said in %s', (language, words) => {
    expect(sayRuleNotes(notes(cron('30 2 14,31 * *', 'America/New_York'), '2027-03-14T07:00:00Z'), language)).toEqual(words)
  })
})
