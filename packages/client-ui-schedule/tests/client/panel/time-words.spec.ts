import { describe, expect, it } from 'vitest'
import { durationWords } from '../../../src/client/durations.ts'
import { leftWords, nextWords, ruleWords, timeWords, whyWords } from '../../../src/client/panel/time-words.ts'
import { en, zh } from '../../../src/client/panel/words.ts'
import { HOUR, moment, NOON, past, pending, t } from './reminders.ts'

describe('time in words', () => {
  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [1000, '1 s'],
    [61_000, '1 min 1 s'],
    [HOUR, '1 h'],
    [26 * HOUR + 59_000, '1 d 2 h'],
    [24 * HOUR + 60_000, '1 d'],
  ])('T11 %i ms are %s', (ms, words) => {
    expect(durationWords(ms, t)).toBe(words)
  })

  it('T11 an instant is shown in the zone of the person', () => {
    const ms = Date.parse('2026-10-09T01:00:00Z')
    expect(timeWords(ms, t, 'Asia/Shanghai')).toBe('Fri, Oct 9, 09:00')
    expect(timeWords(ms, (key) => zh[key], 'Asia/Shanghai')).toBe('10月9日周五 09:00')
  })

  it.each([
    [65_000, 'scheduled', 'in 1 min 5 s'],
    [500, 'scheduled', 'now'],
    [-65_000, 'overdue', 'overdue by 1 min 5 s'],
    [65_000, 'paused', 'paused until you write'],
  ] as const)('T11 what is due in %i ms and %s reads %s', (ms, state, words) => {
    expect(leftWords(pending(NOON + ms, { state }), NOON, t)).toBe(words)
  })

  it('T11 a series says its rule, a single reminder none', () => {
    expect(ruleWords(pending(NOON), t)).toBeUndefined()
    expect(ruleWords(pending(NOON, { rule: { kind: 'every', everySeconds: 7200, anchor: moment(NOON) } }), t)).toBe('every 2 h')
    expect(ruleWords(pending(NOON, { rule: { kind: 'cron', cron: '0 9 * * *', zone: 'UTC' } }), t)).toBe('cron 0 9 * * * · UTC')
  })

  it('T11 the next fires say only what tells them apart', () => {
    const due = Date.parse('2026-10-09T01:00:00Z')
    const next = (...hours: number[]): string | undefined => nextWords({ due: moment(due), next: hours.map((ahead) => moment(due + ahead * HOUR)) }, t, 'Asia/Shanghai')
    expect([next(), next(2, 24), next(7 * 24)]).toEqual([undefined, 'then 11:00, Sat 09:00', 'then Fri, Oct 16, 09:00'])
  })

  it.each([
    [past(NOON, { lateMs: 1999 }), undefined],
    [past(NOON, { lateMs: 2000 }), '2 s late'],
    [past(NOON, { lateMs: 61_000, reasons: ['host-down', 'from-a-later-version'] }), '1 min 1 s late: the host was not running, from-a-later-version'],
    [past(NOON, { outcome: 'missed', reasons: ['not-open'] }), 'not delivered: the session was not open'],
    [past(NOON, { outcome: 'missed', lateMs: HOUR }), '1 h late'],
  ])('T11 S3 says why it was late: %#', (reminder, words) => {
    expect(whyWords(reminder, t)).toBe(words)
  })

  it('T11 both languages have every text, with the same places for values', () => {
    const places = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted())
    for (const [key, text] of Object.entries(en)) expect([key, places((zh as Readonly<Record<string, string>>)[key]!)]).toEqual([key, places(text)])
  })
})
