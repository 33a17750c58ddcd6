import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stripOf } from '../../../src/client/panel/strip.ts'
import { HOUR, moment, NOON, past, pending } from './reminders.ts'

const every = (hours: number) => ({ kind: 'every', everySeconds: hours * 3600, anchor: moment(NOON) }) as const

describe('the picture', () => {
  it('T11 shows six hours back and eighteen ahead, or two days and five', () => {
    const [day, week] = [stripOf(NOON, 'day', [], []), stripOf(NOON, 'week', [], [])]
    expect([day.now, NOON - day.from, day.to - NOON]).toEqual([0.25, 6 * HOUR, 18 * HOUR])
    expect([NOON - week.from, week.to - NOON]).toEqual([48 * HOUR, 120 * HOUR])
  })

  it('T11 has a tick at every sixth local hour of a day, and at every local midnight of a week', () => {
    expect(stripOf(NOON, 'day', [], []).ticks.map(({ ms }) => new Date(ms).getHours())).toEqual([6, 12, 18, 0, 6])
    expect(stripOf(NOON, 'week', [], []).ticks.map(({ ms }) => new Date(ms).getDate())).toEqual([8, 9, 10, 11, 12, 13, 14])
  })

  it('T11 marks what was delivered, what was missed and what comes, and leaves out what lies outside', () => {
    const strip = stripOf(NOON, 'day', [pending(NOON + HOUR), pending(NOON + 40 * HOUR)], [past(NOON - HOUR), past(NOON - 2 * HOUR, { outcome: 'missed' }), past(NOON - 7 * HOUR)])
    expect(strip.marks.map(({ kind, ms }) => [kind, (ms - NOON) / HOUR])).toEqual([['missed', -2], ['delivered', -1], ['coming', 1]])
    expect(strip.counts).toEqual({ delivered: 1, missed: 1, coming: 1 })
  })

  it('T11 counts on the fires of an interval, up to its end or its number', () => {
    const coming = (more: object): number => stripOf(NOON, 'day', [pending(NOON + HOUR, { rule: every(2), next: [moment(NOON + 3 * HOUR)], ...more })], []).counts.coming
    expect([coming({}), coming({ until: moment(NOON + 5 * HOUR) }), coming({ count: 5, delivered: 3 }), coming({ count: 2 }), coming({ state: 'paused' }), coming({ next: [] })]).toEqual([9, 3, 2, 2, 0, 9])
  })

  it('T11 shows only the named fires of a calendar rule', () => {
    const daily = pending(NOON + HOUR, { rule: { kind: 'cron', cron: '0 13 * * *', zone: 'UTC' }, next: [moment(NOON + 25 * HOUR), moment(NOON + 49 * HOUR)] })
    expect(stripOf(NOON, 'week', [daily], []).counts.coming).toBe(3)
  })

  it('T11 what is overdue comes now', () => {
    expect(stripOf(NOON, 'day', [pending(NOON - HOUR)], []).marks).toMatchObject([{ kind: 'coming', ms: NOON }])
  })

  it('T11 never draws outside or loses one, and what lies on one spot is one mark', () => {
    const offsets = fc.array(fc.integer({ min: -7 * HOUR, max: 19 * HOUR }), { maxLength: 600 })
    fc.assert(
      fc.property(offsets, offsets, (ahead, behind) => {
        const strip = stripOf(NOON, 'day', ahead.map((ms) => pending(NOON + ms)), behind.map((ms) => past(NOON + ms)))
        const total = strip.marks.reduce((sum, { count }) => sum + count, 0)
        expect(total).toBe(strip.counts.coming + strip.counts.delivered)
        expect(strip.marks.every(({ at }) => at >= 0 && at <= 1)).toBe(true)
        expect(strip.marks.length).toBeLessThanOrEqual(120)
      }),
    )
  })
})
