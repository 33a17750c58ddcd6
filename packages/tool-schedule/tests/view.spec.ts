import { countTokens } from 'gpt-tokenizer'
import { formatInstant, type Instant } from 'dsh-time-core'
import { afterEach, describe, expect, it } from 'vitest'
import type { SeriesRule } from '../src/facts.ts'
import { DELIVERY_MODE, showInstant, viewReminder, type ReminderView } from '../src/view.ts'
import { act, afterRecord, atRecord, DAY, everyRecord, HOUR, id, Log, NOW, planFact, POLICY, SECOND, utc, zone } from './events.ts'

const EVERY: SeriesRule = { kind: 'every', everySeconds: 300, anchor: formatInstant(NOW) }
const cron = (text: string, name: string, more: { until?: string; count?: number } = {}): SeriesRule => ({ kind: 'cron', cron: text, zone: name, ...more })

const view = (log: Log, name = 'r-1', now: Instant = NOW): ReminderView => viewReminder(log.reminder(name), now, POLICY)

describe('one reminder', () => {
  it('S9 an after record of which only version 1 is known', () => {
    expect(view(new Log().create(afterRecord('r-1', 60)))).toEqual({ id: 'r-1', prompt: 'stretch', kind: 'after', afterSeconds: 60, scheduledAt: '2026-10-09T01:01:00.000Z', state: 'scheduled' })
  })

  it('T3 its zone is echoed as the local time with the offset, beside UTC', () => {
    const log = new Log().create(atRecord('r-1', NOW + HOUR)).plan('r-1', { zone: 'Asia/Shanghai' })
    expect(view(log)).toEqual({
      id: 'r-1', prompt: 'stretch', kind: 'at', scheduledAt: '2026-10-09T02:00:00.000Z', local: '2026-10-09T10:00:00+08:00', zone: 'Asia/Shanghai', state: 'scheduled',
    })
  })

  it('T3 an interval shows its length and the next three fires', () => {
    const log = new Log().series('r-1', { ...EVERY, until: '2026-12-31T00:00:00.000Z', count: 9 }, NOW, { zone: 'Asia/Shanghai' })
    expect(view(log, 'r-1.1', NOW - 1)).toEqual({
      id: 'r-1', prompt: 'stretch', kind: 'every', everySeconds: 300, scheduledAt: '2026-10-09T01:00:00.000Z', local: '2026-10-09T09:00:00+08:00', zone: 'Asia/Shanghai', state: 'scheduled',
      next: ['2026-10-09T09:05:00+08:00', '2026-10-09T09:10:00+08:00', '2026-10-09T09:15:00+08:00'], until: '2026-12-31T00:00:00.000Z', count: 9,
    })
  })

  it('B24 T3 a calendar rule shows its text, its zone and the next three fires', () => {
    const log = new Log().series('r-1', cron('0 0 1,15 * 5', 'Asia/Shanghai'), utc('2026-10-09T16:00:00Z'), { zone: 'Asia/Shanghai' })
    expect(view(log, 'r-1.1')).toMatchObject({
      kind: 'cron', cron: '0 0 1,15 * 5', zone: 'Asia/Shanghai', local: '2026-10-10T00:00:00+08:00',
      next: ['2026-10-15T00:00:00+08:00', '2026-10-16T00:00:00+08:00', '2026-10-23T00:00:00+08:00'],
    })
  })

  it("T1 T3 an interval of the host's own plugin shows its length and the next three fires", () => {
    expect(view(new Log().create(everyRecord('schedule-1', 400, NOW + HOUR)), 'schedule-1')).toMatchObject({
      id: 'schedule-1', kind: 'every', everySeconds: 400, state: 'scheduled', next: ['2026-10-09T02:06:40Z', '2026-10-09T02:13:20Z', '2026-10-09T02:20:00Z'],
    })
  })

  it('T3 without a zone the fires are in UTC', () => {
    expect(view(new Log().series('r-1', EVERY, NOW), 'r-1.1')).toMatchObject({ next: ['2026-10-09T01:05:00Z', '2026-10-09T01:10:00Z', '2026-10-09T01:15:00Z'] })
    expect(view(new Log().series('r-1', EVERY, NOW), 'r-1.1')).not.toHaveProperty('local')
  })

  it('B12 a zone that this machine does not know is not shown', () => {
    const shown = view(new Log().create(atRecord('r-1')).plan('r-1', { zone: 'Mars/Olympus' }))
    expect(shown).not.toHaveProperty('zone')
    expect(shown).not.toHaveProperty('local')
  })

  it('T5 T7 T8 T9 every option is shown, and those that are not set are absent', () => {
    const plan = planFact('r-1', { setBy: 'person', unattended: true, lateLimitSeconds: 60, wake: true, snoozeOf: id('r-0') })
    expect(view(new Log().create(atRecord('r-1')).result([plan]))).toMatchObject({ setBy: 'person', unattended: true, lateLimitSeconds: 60, wake: true, snoozeOf: 'r-0' })
    for (const name of ['setBy', 'unattended', 'lateLimitSeconds', 'wake', 'snoozeOf', 'until', 'count', 'next']) expect(view(new Log().create(atRecord('r-1')).plan('r-1'))).not.toHaveProperty(name)
  })

  it('T4 count shows the deliveries that the series still has', () => {
    const log = new Log().series('r-1', { ...EVERY, count: 3 }, NOW)
    act(log, NOW)
    expect(view(log, 'r-1.2')).toMatchObject({ next: ['2026-10-09T01:10:00Z'] })
  })

  it('T3 a reminder that is being set is shown under the id of its plan', () => {
    const plan = planFact('r-1', { series: EVERY })
    expect(viewReminder({ record: atRecord('r-1.1'), dueAt: NOW, plan, series: undefined }, NOW - 1, POLICY)).toMatchObject({ id: 'r-1', kind: 'every', next: expect.any(Array) as unknown })
  })

  it('T4 of a series that is being set no more fires are shown than it will have', () => {
    const plan = planFact('r-1', { series: { ...EVERY, count: 2 } })
    expect(viewReminder({ record: atRecord('r-1.1'), dueAt: NOW, plan, series: undefined }, NOW - 1, POLICY)).toMatchObject({ next: ['2026-10-09T01:05:00Z'] })
  })

  it('T3 the value is JSON without absent members', () => {
    const shown = view(new Log().series('r-1', cron('0 9 * * *', 'UTC'), NOW), 'r-1.1')
    expect(JSON.parse(JSON.stringify(shown))).toStrictEqual(shown)
  })
})

describe('states', () => {
  it.each([
    [NOW - 1, 'scheduled'],
    [NOW, 'overdue'],
    [NOW + DAY, 'overdue'],
  ])('S9 at %i the state is %s', (now, state) => {
    expect(view(new Log().create(atRecord('r-1')), 'r-1', now)['state']).toBe(state)
  })

  it('T8 B68 a series that waits for a person is paused, whether it is due or not', () => {
    const log = new Log().series('r-1', EVERY, NOW)
    for (let n = 0; n < 10; n += 1) act(log, NOW + n * 300 * SECOND)
    expect(view(log, 'r-1.11', NOW)['state']).toBe('paused')
    expect(view(log, 'r-1.11', NOW + DAY)['state']).toBe('paused')
    expect(view(log.human(), 'r-1.11', NOW)['state']).toBe('scheduled')
  })
})

it('P7 the view of a one-shot is at most 80 tokens, that of a calendar rule at most 150', () => {
  const tokens = (shown: ReminderView): number => countTokens(JSON.stringify(shown))
  const oneShot = new Log().create(atRecord('r-12', NOW + HOUR)).plan('r-12', { zone: 'Asia/Shanghai' })
  const calendar = new Log().series('r-12', cron('0 9 * * 1-5', 'America/New_York'), utc('2026-10-09T13:00:00Z'), { zone: 'America/New_York' })
  expect(tokens(view(oneShot, 'r-12'))).toBeLessThanOrEqual(80)
  expect(tokens(view(calendar, 'r-12.1'))).toBeLessThanOrEqual(150)
})

describe('instants for reading', () => {
  it.each([
    [NOW, undefined, '2026-10-09T01:00:00Z'],
    [NOW + 999, undefined, '2026-10-09T01:00:00Z'],
    [NOW, 'Asia/Kathmandu', '2026-10-09T06:45:00+05:45'],
    [NOW + 999, 'America/New_York', '2026-10-08T21:00:00-04:00'],
    [utc('2026-01-01T00:30:00Z'), 'UTC', '2026-01-01T00:30:00+00:00'],
  ])('T3 B14 %i in %s is %s', (instant, name, shown) => {
    expect(showInstant(instant, name === undefined ? undefined : zone(name))).toBe(shown)
  })

  const processZone = process.env['TZ']
  afterEach(() => {
    if (processZone === undefined) delete process.env['TZ']
    else process.env['TZ'] = processZone
  })

  it('B10 every view prints the one stored instant, whatever the zone of the process is', () => {
    const log = new Log().series('r-1', cron('0 14 * * *', 'America/Chicago'), utc('2026-10-09T19:00:00Z'), { zone: 'America/Chicago' })
    const views = ['America/Chicago', 'UTC', 'Pacific/Kiritimati'].map((name) => {
      process.env['TZ'] = name
      return view(log, 'r-1.1')
    })
    expect(new Set(views.map((shown) => JSON.stringify(shown))).size).toBe(1)
    expect(views[0]).toMatchObject({ scheduledAt: '2026-10-09T19:00:00.000Z', local: '2026-10-09T14:00:00-05:00' })
  })
})

it('S3 the boundary of delivery is named session-local', () => {
  expect(DELIVERY_MODE).toBe('session-local')
})
