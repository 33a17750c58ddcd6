import { countTokens } from 'gpt-tokenizer'
import { formatInstant, type Instant } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import type { PlanFact, SeriesRule } from '../src/facts.ts'
import { LIST_LIMIT, viewList, type ReminderList, type SeriesEntry } from '../src/overview.ts'
import { act, atRecord, everyRecord, fail, HOUR, Log, MINUTE, NOW, POLICY, SECOND, utc } from './events.ts'

const every = (seconds: number, more: { count?: number; anchor?: string } = {}): SeriesRule => ({ kind: 'every', everySeconds: seconds, anchor: formatInstant(NOW), ...more })
const cron = (text: string, name: string): SeriesRule => ({ kind: 'cron', cron: text, zone: name })

const list = (log: Log, now: Instant = NOW - 1): ReminderList => viewList(log.ledger, now, POLICY)
const oneShot = (log: Log, name: string, at: Instant, plan?: Partial<PlanFact>): Log => log.create(atRecord(name, at)).plan(name, plan)
const inShanghai = { zone: 'Asia/Shanghai' }

describe('lists', () => {
  it('S9 the soonest comes first, then the one that was created first, and the total counts all', () => {
    const log = new Log().create(atRecord('late', NOW + HOUR)).create(atRecord('b', NOW)).create(atRecord('a', NOW)).create(atRecord('gone')).delete('gone')
    expect(list(log, NOW)).toMatchObject({ total: 3, reminders: [{ id: 'b', state: 'overdue' }, { id: 'a' }, { id: 'late', state: 'scheduled' }] })
  })

  it('S9 an empty session has an empty list', () => {
    expect(list(new Log())).toEqual({ total: 0, reminders: [] })
  })

  it('T2 a series is one row, under its own id', () => {
    const log = new Log().series('r-1', every(300), NOW)
    act(log, NOW)
    expect(list(log)).toMatchObject({ total: 1, reminders: [{ id: 'r-1', due: '2026-10-09T01:05:00Z' }], series: [{ id: 'r-1' }] })
  })

  it('P7 of 1000 reminders the soonest 50 are shown, and the total counts them all', () => {
    const log = new Log()
    for (let n = 1; n <= 1000; n += 1) log.create(atRecord(`r-${n}`, NOW + (1001 - n) * MINUTE))
    const { total, reminders } = list(log)
    expect(total).toBe(1000)
    expect([reminders.length, LIST_LIMIT]).toEqual([50, 50])
    expect(reminders[0]).toMatchObject({ id: 'r-1000' })
    expect(reminders.at(-1)).toMatchObject({ id: 'r-951' })
  })

  it('P7 of a series beyond the 50 rows nothing is said', () => {
    const log = new Log()
    for (let n = 1; n <= LIST_LIMIT; n += 1) log.create(atRecord(`r-${n}`, NOW))
    expect(list(log.series('far', every(300), NOW + HOUR))).not.toHaveProperty('series')
  })

  it('T3 a row says the local time with its offset, and the zone stands once for all rows', () => {
    const log = oneShot(oneShot(new Log(), 'r-1', NOW, inShanghai), 'r-2', NOW + HOUR, { ...inShanghai, wake: true, lateLimitSeconds: 60 })
    expect(list(log)).toEqual({
      total: 2,
      zone: 'Asia/Shanghai',
      reminders: [
        { id: 'r-1', prompt: 'stretch', due: '2026-10-09T09:00:00+08:00', state: 'scheduled' },
        { id: 'r-2', prompt: 'stretch', due: '2026-10-09T10:00:00+08:00', state: 'scheduled' },
      ],
    })
  })

  it('T3 the zone of most rows stands above them, another one is named in its row, and without a zone it is UTC', () => {
    const log = oneShot(new Log(), 'r-1', NOW, { zone: 'America/New_York' })
    for (const name of ['r-2', 'r-3']) oneShot(log, name, NOW + MINUTE, inShanghai)
    oneShot(log, 'r-4', NOW + HOUR)
    expect(list(log)).toMatchObject({
      zone: 'Asia/Shanghai',
      reminders: [{ due: '2026-10-08T21:00:00-04:00[America/New_York]' }, { due: '2026-10-09T09:01:00+08:00' }, { due: '2026-10-09T09:01:00+08:00' }, { due: '2026-10-09T02:00:00Z' }],
    })
  })

  it('T3 of two zones that are used as often, that of the soonest reminder stands above', () => {
    expect(list(oneShot(oneShot(new Log(), 'r-1', NOW + HOUR, inShanghai), 'r-2', NOW, { zone: 'UTC' }))).toMatchObject({
      zone: 'UTC',
      reminders: [{ due: '2026-10-09T01:00:00+00:00' }, { due: '2026-10-09T10:00:00+08:00[Asia/Shanghai]' }],
    })
  })

  it('B12 a zone that this machine does not know is not shown', () => {
    expect(list(oneShot(new Log(), 'r-1', NOW, { zone: 'Mars/Olympus' }))).toEqual({ total: 1, reminders: [{ id: 'r-1', prompt: 'stretch', due: '2026-10-09T01:00:00Z', state: 'scheduled' }] })
  })

  it('T3 the value is JSON without absent members', () => {
    const shown = list(new Log().series('r-1', cron('0 9 * * *', 'UTC'), NOW))
    expect(JSON.parse(JSON.stringify(shown))).toStrictEqual(shown)
  })
})

describe('the coming fires of a series in a list', () => {
  const entry = (rule: SeriesRule, first: Instant, zone?: string): SeriesEntry =>
    list(new Log().series('r-1', rule, first, zone === undefined ? {} : { zone })).series?.[0] ?? fail('no entry')

  it('B24 T3 at the same time of day only the dates are said', () => {
    expect(entry(cron('0 0 1,15 * 5', 'Asia/Shanghai'), utc('2026-10-09T16:00:00Z'), 'Asia/Shanghai')).toEqual({ id: 'r-1', cron: '0 0 1,15 * 5', next: ['2026-10-15', '2026-10-16', '2026-10-23'] })
  })

  it('T3 on the same day only the times are said, in local time', () => {
    expect(entry(every(2700), NOW, 'Asia/Shanghai')).toEqual({ id: 'r-1', everySeconds: 2700, next: ['09:45', '10:30', '11:15'] })
  })

  it('T3 seconds are said where there are some', () => {
    expect(entry(every(400, { anchor: '2026-10-09T01:00:05.000Z' }), NOW + 5 * SECOND)).toEqual({ id: 'r-1', everySeconds: 400, next: ['01:06:45', '01:13:25', '01:20:05'] })
  })

  it('T3 on another day at another time both are said', () => {
    expect(entry(cron('0 9,18 * * *', 'UTC'), utc('2026-12-31T18:00:00Z'))).toMatchObject({ next: ['2027-01-01T09:00', '2027-01-01', '2027-01-02T09:00'] })
  })

  it('T3 B01 behind a change of the clocks all is said, with the new offset', () => {
    expect(entry(cron('0 9 * * *', 'America/New_York'), utc('2026-10-30T13:00:00Z'), 'America/New_York')).toMatchObject({
      next: ['2026-10-31', '2026-11-01T09:00:00-05:00', '2026-11-02T09:00:00-05:00'],
    })
  })

  it('B04 T3 the second pass of a repeated hour is not mistaken for the first', () => {
    expect(entry(cron('*/30 * * * *', 'America/New_York'), utc('2026-11-01T05:30:00Z'), 'America/New_York')).toMatchObject({
      next: ['2026-11-01T01:00:00-05:00', '2026-11-01T01:30:00-05:00', '2026-11-01T02:00:00-05:00'],
    })
  })

  it("T1 an interval of the host's own plugin has them too", () => {
    expect(list(new Log().create(everyRecord('schedule-1', 3600, NOW))).series).toEqual([{ id: 'schedule-1', everySeconds: 3600, next: ['02:00', '03:00', '04:00'] }])
  })

  it('T4 a series that is at its end has none', () => {
    expect(entry(every(300, { count: 1 }), NOW)).toMatchObject({ next: [] })
  })
})

describe('P7 what a list costs (o200k tokens)', () => {
  const tokens = (shown: unknown): number => countTokens(JSON.stringify(shown))
  const ZONES = ['Asia/Shanghai', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Argentina/Buenos_Aires', undefined]
  const planned = (zone: string | undefined): Partial<PlanFact> => ({ ...(zone !== undefined && { zone }), wake: true, lateLimitSeconds: 3600 })
  const only = ({ reminders }: ReminderList): unknown => reminders[0]

  it.each(ZONES)('P7 a row of a one-shot in %s is at most 40 tokens', (zone) => {
    expect(tokens(only(list(oneShot(new Log(), 'r-12', NOW + HOUR + SECOND, planned(zone)))))).toBeLessThanOrEqual(40)
  })

  it.each(ZONES)('P7 a row of a series in %s is at most 40 tokens', (zone) => {
    expect(tokens(only(list(new Log().series('r-12', every(86_400), NOW, planned(zone)))))).toBeLessThanOrEqual(40)
  })

  it('P7 a row in a zone of its own is at most 47 tokens', () => {
    const log = oneShot(oneShot(new Log(), 'r-1', NOW, inShanghai), 'r-12', NOW + HOUR + SECOND, { zone: 'America/Argentina/Buenos_Aires' })
    expect(tokens(list(log).reminders[1])).toBeLessThanOrEqual(47)
  })

  it.each<[SeriesRule]>([[cron('0 9 * * 1-5', 'Asia/Shanghai')], [cron('*/30 * * * *', 'Asia/Shanghai')], [every(300)], [every(86_400)]])('P7 the entry of %j is at most 45 tokens', (rule) => {
    expect(tokens(list(new Log().series('r-12', rule, NOW, inShanghai)).series?.[0])).toBeLessThanOrEqual(45)
  })

  it('P7 fifty rows and what stands around them are at most 40 tokens a row', () => {
    const log = new Log()
    for (let n = 1; n <= 1000; n += 1) oneShot(log, `r-${n}`, NOW + n * 1500, inShanghai)
    expect(tokens(list(log)) / LIST_LIMIT).toBeLessThanOrEqual(40)
  })
})
