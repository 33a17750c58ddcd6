import { describe, expect, it } from 'vitest'
import { act, afterRecord, atRecord, everyRecord, HOUR, Log, MINUTE, NOW, ourMessage, SECOND, typedMessage } from '../../tool-schedule/tests/events.ts'
import { framesOf, header, json, LATER, run, stored, textOf } from './harness.ts'

interface Report {
  readonly log: Record<string, unknown>
  readonly now: string
  readonly counts: Record<string, number>
  readonly active: readonly Record<string, unknown>[]
  readonly series: readonly Record<string, unknown>[]
  readonly queued: readonly Record<string, unknown>[]
  readonly timeline: readonly Record<string, unknown>[]
  readonly problems: readonly Record<string, unknown>[]
}

const report = (log: Log, more: object = {}): Promise<Report & { exit: number }> => json<Report>(['inspect', stored(textOf([header(more), ...log.events]))])
const lines = async (log: Log, ...argv: string[]): Promise<string> => (await run(['inspect', stored(textOf([header(), ...log.events])), ...argv])).out

/** A person in Shanghai asks, and reminders are set in that turn. */
const asked = (): Log => {
  const message = typedMessage()
  return new Log().queue({ ...message, source: { kind: 'user', rpcId: 'rpc-1', clientTimeZone: 'Asia/Shanghai' } as never }).open()
}

const kinds = ({ timeline }: Report): unknown[] => timeline.map(({ kind, id }) => `${String(kind)} ${String(id)}`)

describe('timekeeper inspect', () => {
  it('T14 a reminder that was on time: when it was set, by whom, due and delivered, in UTC and in its zone', async () => {
    const log = asked().create(afterRecord('r-1', 60)).plan('r-1', { zone: 'Europe/Berlin' }).close()
    act(log, NOW + 60 * SECOND + 4)
    const found = await report(log)
    expect(found).toMatchObject({
      log: { session: 's-1', cwd: '/work', createdAt: '2026-10-09T01:00:00Z', ownFrom: 0, events: log.events.length, zone: 'Asia/Shanghai' },
      now: '2026-10-09T04:00:00Z',
      counts: { active: 0, overdue: 0, delivered: 1, late: 0, missed: 0, problems: 0 },
      problems: [],
      exit: 0,
    })
    expect(found.timeline).toEqual([
      {
        kind: 'set',
        id: 'r-1',
        prompt: 'stretch',
        seq: 4,
        line: 6,
        at: '2026-10-09T01:00:00Z',
        local: '2026-10-09T03:00:00+02:00',
        due: '2026-10-09T01:01:00Z',
        dueLocal: '2026-10-09T03:01:00+02:00',
        zone: 'Europe/Berlin',
        setBy: 'model',
      },
      expect.objectContaining({ kind: 'delivered', id: 'r-1', at: '2026-10-09T01:01:00.004Z', due: '2026-10-09T01:01:00Z', lateMs: 0, reasons: [] }),
    ])
  })

  it('T14 the same log compressed gives the same answer', async () => {
    const log = asked().create(afterRecord('r-1', 60)).plan('r-1').close()
    const { log: plain, ...rest } = await report(log)
    const compressed = await json<Report>(['inspect', stored(Buffer.concat(framesOf([header(), ...log.events])), 'session.jsonl.zstd')])
    expect({ ...compressed, log: { ...compressed.log, path: plain['path'] } }).toEqual({ log: plain, ...rest })
  })

  it('T14 T6 a late delivery says how late and why', async () => {
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').close()
    log.now = NOW + 4 * MINUTE
    const facts = [{ fact: 'delivery', id: 'r-1', occurrenceAt: '2026-10-09T01:01:00.000Z', deliveredAt: '2026-10-09T01:04:00.000Z', reasons: ['busy', 'persistence'] }]
    log.queue(ourMessage(facts as never)).dispatch('r-1')
    expect((await report(log)).timeline.at(-1)).toMatchObject({ kind: 'delivered', lateMs: 3 * MINUTE, reasons: ['busy', 'persistence'] })
    expect((await report(log)).counts).toMatchObject({ delivered: 1, late: 1 })
    expect(await lines(log)).toContain('"stretch"\n      due 2026-10-09T01:01:00Z (2026-10-09T09:01:00+08:00 Asia/Shanghai), 3m late: the agent was busy and the log could not be confirmed as stored')
    expect(await lines(log, '--lang', 'zh')).toContain('迟到 3分钟：智能体正忙、当时无法确认日志已保存')
  })

  it('T14 a reason of a later version is shown as it is written', async () => {
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').close()
    const facts = [{ fact: 'delivery', id: 'r-1', occurrenceAt: '2026-10-09T01:01:00.000Z', deliveredAt: '2026-10-09T01:04:00.000Z', reasons: ['moon-phase'] }]
    log.queue(ourMessage(facts as never)).dispatch('r-1')
    expect(await lines(log)).toContain('3m late: moon-phase')
  })

  it('T14 T5 what was too late is missed, and the limit is shown where it was set', async () => {
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1', { lateLimitSeconds: 60 }).close()
    act(log, NOW + HOUR)
    expect(kinds(await report(log))).toEqual(['set r-1', 'missed r-1'])
    expect((await report(log)).timeline[0]).toMatchObject({ lateLimitSeconds: 60 })
    expect((await report(log)).counts).toMatchObject({ missed: 1, delivered: 0 })
    expect(await lines(log)).toContain('missed if more than 1m late')
    expect(await lines(log)).toMatch(/missed {5}r-1 {4}"stretch"\n {6}due .*, 59m late: no reason was recorded/)
  })

  it('T14 T7 a snooze is linked to what it delivers again', async () => {
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').delete('r-1').create(afterRecord('r-2', 600)).plan('r-2', { snoozeOf: 'r-1' as never }).close()
    expect(kinds(await report(log))).toEqual(['set r-1', 'replaced r-1', 'set r-2'])
    expect((await report(log)).timeline[2]).toMatchObject({ snoozeOf: 'r-1' })
    expect(await lines(log)).toContain('snooze of r-1')
  })

  it('T14 a reminder that a person edited is replaced, one that was taken back is cancelled', async () => {
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').delete('r-1').create(atRecord('r-2', NOW + HOUR)).plan('r-2', { replaces: 'r-1' as never, setBy: 'person' }).delete('r-2').close()
    log.create(atRecord('r-3', NOW + HOUR)).plan('r-3', { replaces: 'r-2' as never, setBy: 'person' })
    expect(kinds(await report(log))).toEqual(['set r-1', 'replaced r-1', 'set r-2', 'cancelled r-2', 'set r-3'])
    expect((await report(log)).counts).toMatchObject({ active: 1, cancelled: 1 })
    expect(await lines(log)).toContain('set by a person, in place of r-1')
  })

  it('T14 T8 unattended reminders, and those that open their session, are marked', async () => {
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1', { unattended: true, wake: true }).close()
    expect((await report(log)).active).toMatchObject([{ id: 'r-1', unattended: true, wake: true, state: 'overdue' }])
    expect(await lines(log)).toContain('set by the model, in a turn that no person started, opens the session by itself')
    expect(await lines(log)).toContain('It is delivered when the session is opened.')
  })

  it('T14 what waits is listed soonest first, as schedule_list shows it', async () => {
    const log = asked().create(atRecord('r-1', LATER + 2 * HOUR)).plan('r-1').create(atRecord('r-2', LATER + HOUR)).plan('r-2', { zone: 'Europe/Berlin' }).close()
    expect((await report(log)).active).toMatchObject([
      { id: 'r-2', state: 'scheduled', scheduledAt: '2026-10-09T05:00:00.000Z', local: '2026-10-09T07:00:00+02:00', zone: 'Europe/Berlin' },
      { id: 'r-1', state: 'scheduled', zone: 'Asia/Shanghai' },
    ])
    expect(await lines(log)).toContain('  r-2      scheduled  2026-10-09T05:00:00Z  2026-10-09T07:00:00+02:00 Europe/Berlin\n           "stretch", set by the model')
  })

  it('T14 a reminder of a plugin that says no more than version 1 is shown with what there is', async () => {
    const log = new Log().create(everyRecord('schedule-1', 600, NOW + 600 * SECOND)).accept('schedule-1', NOW + 1300 * SECOND)
    expect((await report(log)).timeline).toMatchObject([{ kind: 'set', id: 'schedule-1' }, { kind: 'delivered', due: '2026-10-09T01:20:00Z' }])
    expect((await report(log)).timeline[0]).not.toHaveProperty('setBy')
    expect(await lines(log)).toContain('"stretch", every 10m, no further details in the log')
    expect(await lines(log)).toContain('Zone      unavailable')
  })
})

describe('series in timekeeper inspect', () => {
  const cron = { kind: 'cron', cron: '0 9 * * *', zone: 'Europe/Berlin', count: 5, until: '2027-01-01T00:00:00.000Z' } as const

  it('T14 T4 a series shows its rule, its ends, its outcomes and its next fires', async () => {
    const log = asked().series('r-1', cron, Date.parse('2026-10-09T07:00:00Z'), { zone: 'Europe/Berlin' }).close()
    act(log, Date.parse('2026-10-09T07:00:00.010Z'))
    const file = stored(textOf([header(), ...log.events]))
    const found = await json<Report>(['inspect', file], { now: () => Date.parse('2026-10-09T08:00:00Z') })
    expect(found.series).toMatchObject([{ id: 'r-1', rule: cron, zone: 'Europe/Berlin', delivered: 1, missed: 0, unanswered: 1, state: 'active' }])
    expect(found.series[0]?.['next']).toEqual(['10', '11', '12', '13'].map((day) => ({ utc: `2026-10-${day}T07:00:00Z`, local: `2026-10-${day}T09:00:00+02:00` })))
    expect(kinds(found)).toEqual(['set r-1.1', 'delivered r-1.1', 'planned r-1.2'])
    const { out } = await run(['inspect', file])
    expect(out).toContain('r-1      cron 0 9 * * * (Europe/Berlin), until 2027-01-01T00:00:00.000Z, 5 times, active, 1 delivered, 1 unanswered')
    expect(out).toContain('next     2026-10-10T07:00:00Z  2026-10-10T09:00:00+02:00')
    expect(out).not.toContain('planned')
    expect(out).toMatch(/set {8}r-1 {4}"stretch"\n.*, cron 0 9 \* \* \* /)
    expect(out).toMatch(/delivered {2}r-1\.1 {2}"stretch"\n.*, on time$/m)
  })

  it('T14 T4 the last delivery ends a series and says so', async () => {
    const log = asked().series('r-1', { kind: 'every', everySeconds: 600, anchor: '2026-10-09T01:10:00.000Z', count: 1 }, NOW + 600 * SECOND).close()
    act(log, NOW + 600 * SECOND)
    expect((await report(log)).timeline.at(-1)).toMatchObject({ kind: 'delivered', last: true })
    expect((await report(log)).series).toMatchObject([{ state: 'ended', delivered: 1, unanswered: 0, next: [] }])
    expect(await lines(log)).toContain('every 10m, 1 time, ended, 1 delivered')
    expect(await lines(log)).toContain(', the last one')
  })

  it('T14 a series that was taken back is cancelled', async () => {
    const log = asked().series('r-1', cron, LATER + HOUR).delete('r-1.1').close()
    expect((await report(log)).series).toMatchObject([{ id: 'r-1', state: 'cancelled', next: [] }])
    expect(kinds(await report(log))).toEqual(['set r-1.1', 'cancelled r-1.1'])
  })

  it('T14 a series that a person edited is replaced', async () => {
    const log = asked().series('r-1', cron, LATER + HOUR).delete('r-1.1').series('r-2', cron, LATER + HOUR, { replaces: 'r-1' as never, setBy: 'person' }).close()
    expect((await report(log)).series).toMatchObject([{ id: 'r-1', state: 'cancelled' }, { id: 'r-2', state: 'active' }])
    expect(kinds(await report(log))).toEqual(['set r-1.1', 'replaced r-1.1', 'set r-2.1'])
  })

  it('T14 T5 missed occurrences of a series are counted', async () => {
    const log = asked().series('r-1', cron, NOW + MINUTE, { lateLimitSeconds: 60 }).close()
    act(log, NOW + HOUR)
    expect((await report(log)).series).toMatchObject([{ missed: 1, delivered: 0, state: 'active' }])
    expect(await lines(log)).toContain('1 missed')
  })

  it('T14 T8 a series that nobody answers is paused, and says what it waits for', async () => {
    const log = asked().series('r-1', { kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z' }, NOW + 300 * SECOND).close()
    for (let count = 1; count <= 10; count += 1) act(log, NOW + count * 300 * SECOND)
    expect(await report(log)).toMatchObject({ series: [{ state: 'paused', unanswered: 10 }], active: [{ state: 'paused' }], counts: { paused: 1 } })
    expect(await lines(log)).toContain('It goes on when a person writes in the session.')
  })

  it('T14 S30 after a crash before the next occurrence was written, the fires that will be written are shown', async () => {
    const log = asked().series('r-1', { kind: 'every', everySeconds: 3600, anchor: '2026-10-09T02:00:00.000Z' }, NOW + HOUR).close()
    log.now = NOW + HOUR
    log.dispatch('r-1.1')
    expect(await report(log)).toMatchObject({ active: [], series: [{ state: 'active' }] })
    expect((await report(log)).series[0]?.['next']).toMatchObject([{ utc: '2026-10-09T03:00:00Z' }, { utc: '2026-10-09T04:00:00Z' }, {}, {}])
  })

  it('T14 a series that a crash left at its end has no next fire', async () => {
    const log = asked().series('r-1', { kind: 'every', everySeconds: 3600, anchor: '2026-10-09T02:00:00.000Z', count: 1 }, NOW + HOUR).close()
    log.now = NOW + HOUR
    log.dispatch('r-1.1')
    expect((await report(log)).series).toMatchObject([{ delivered: 1, next: [] }])
  })

  it('T14 a series in no known zone has UTC fires only', async () => {
    const log = new Log().series('r-1', { kind: 'every', everySeconds: 3600, anchor: '2026-10-09T05:00:00.000Z' }, LATER + HOUR)
    expect((await report(log)).series[0]?.['next']).toContainEqual({ utc: '2026-10-09T05:00:00Z' })
  })
})

describe('crashes and forks in timekeeper inspect', () => {
  it('T14 S30 a delivery that is queued without its dispatch is shown, waiting or taken', async () => {
    const facts = [{ fact: 'delivery', id: 'r-1', occurrenceAt: '2026-10-09T01:01:00.000Z', deliveredAt: '2026-10-09T01:01:00.000Z', reasons: [] }]
    const message = ourMessage(facts as never)
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').create(atRecord('r-2', LATER)).close().queue(message)
    expect((await report(log)).queued).toEqual([{ id: 'r-1', prompt: 'stretch', due: '2026-10-09T01:01:00Z', messageId: message.id, waiting: true }])
    expect(await lines(log)).toContain('The message waits in the inbox')
    log.open()
    expect((await report(log)).queued).toMatchObject([{ waiting: false }])
    expect(await lines(log)).toContain('A turn has taken the message')
  })

  it('T14 S5 of a fork only its own part is counted, and its zone is inherited', async () => {
    const log = asked().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').close()
    const seedLength = log.events.length
    log.add('session/end-seed', {}).create(atRecord('r-1', NOW + HOUR, 'mine'))
    const found = await report(log, { parentSession: 's-0', seedLength })
    expect(found).toMatchObject({ log: { parentSession: 's-0', ownFrom: seedLength, zone: 'Asia/Shanghai' }, counts: { active: 1 }, problems: [], exit: 0 })
    expect(found.timeline).toMatchObject([{ kind: 'set', id: 'r-1', prompt: 'mine' }])
    const { out } = await run(['inspect', stored(textOf([header({ seedLength }), ...log.events]))])
    expect(out).toContain(`Fork      of ?; only its own part is counted, from event ${seedLength} on`)
  })

  it('T14 a session without reminders says so', async () => {
    expect(await lines(new Log().human())).toContain('No reminder was ever set in this session.')
    expect(await lines(new Log().human(), '--lang', 'zh')).toContain('这个会话从未设置过提醒。')
  })
})
