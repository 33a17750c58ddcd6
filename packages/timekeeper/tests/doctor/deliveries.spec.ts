import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holder } from '../../../session-host/tests/wake-index/holders.ts'
import { thisHolder } from '../../../session-host/src/wake-index/holder.ts'
import { act, atRecord, HOUR, Log, MINUTE, NOW, ourMessage, SECOND } from '../../../tool-schedule/tests/events.ts'
import { header, LATER, run, write } from '../harness.ts'
import { codes, diagnose, indexOf, installed, store, typed, OUR_ROWS } from './homes.ts'

const rows = (log: Log, more: object = {}): unknown[] => [header({ id: 's-1', ...more }), ...log.events]

/** A wish for a countdown, as the tool leaves it. */
const countdown = (name: string, dueAt: number, onFire: 'wake' | 'inject' = 'wake'): Log =>
  new Log().add('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [{ id: 'm-1', role: 'user', content: [], source: { kind: 'dsh-time-reminder', form: 'notice', summary: 'x', countdownSet: { fact: 'countdown', action: 'start', name, dueAt: new Date(dueAt).toISOString(), onFire } } }] })

describe('the logs', () => {
  it('X6 T14 what inspect says of a log is said with its session, line and event', async () => {
    const home = installed()
    store(home, 's-1', rows(new Log().create(atRecord('r-1', LATER + HOUR)).create(atRecord('r-1', LATER + HOUR))))
    write(join(home, 'sessions/--work--/s-2/session.jsonl'), 'garbage\n')
    const whole = store(home, 's-3', [header({ id: 's-3' }), ...new Log().create(atRecord('r-1', LATER + HOUR)).create(atRecord('r-2', LATER + HOUR)).events])
    write(whole.replace('s-3', 's-4'), `${JSON.stringify(header({ id: 's-4' }))}\n{}\n{}\n{}\n`)
    writeFileSync(whole, `${JSON.stringify(header({ id: 's-3' }))}\n{"type":`)
    const { findings, exit, sessions } = await diagnose(home)
    expect([exit, sessions]).toEqual([1, 4])
    expect(findings).toMatchObject([
      { level: 'problem', code: 'corrupt_schedule_log', session: 's-1', line: 3, seq: 1, advice: 'Look at it closely with: timekeeper inspect s-1' },
      { level: 'problem', code: 'not_a_session_log', session: 's-2' },
      { level: 'problem', code: 'bad_line', session: 's-4', line: 2, found: expect.stringContaining('(2 lines after it not read)') as unknown },
      { level: 'note', code: 'torn_tail', session: 's-3' },
    ])
    expect((await run(['doctor', '--home', home])).out).toContain('! problem [corrupt_schedule_log]\n  session s-1, line 3, event 1: The reminder events break their format')
  })

  it('T14 X6 times that go back, a clock behind the log, and a zone that only the browser knows', async () => {
    const home = installed()
    const log = new Log()
    log.add('user/message', typed('Mars/Olympus'))
    log.now += HOUR
    log.add('turn/start', { turn: 1 })
    log.now -= 90 * SECOND
    log.add('turn/end', { turn: 1, reason: { kind: 'completed' } })
    store(home, 's-1', rows(log))
    store(home, 's-2', [header({ id: 's-2' }), ...new Log().add('user/message', typed('Mars/Olympus')).add('user/message', typed('Asia/Shanghai')).events])
    expect((await diagnose(home)).findings).toMatchObject([
      { code: 'zone_unknown', detail: ['Mars/Olympus', '2026a'], session: 's-1', times: 2 },
      { code: 'time_went_back', level: 'note', detail: ['1', '1m 30s'], session: 's-1' },
    ])
    expect((await run(['doctor', '--home', home])).out).toContain('(2 times)')
    expect(await codes(home, { now: () => NOW })).toContain('clock_behind_log')
  })

  it('T14 a log that a newer host goes on with is a note, without a line', async () => {
    const home = installed()
    write(store(home, 's-1', [header()]).replace('session.jsonl', 'session.v4.jsonl'), '')
    expect(await diagnose(home)).toMatchObject({ exit: 0, findings: [{ level: 'note', code: 'newer_log', session: 's-1' }] })
    expect((await run(['doctor', '--home', home])).out).toContain('- note [newer_log]\n  session s-1: A newer DSH')
  })

  it('T14 on a terminal it is shown how far it is', async () => {
    const home = installed()
    for (const id of ['s-1', 's-2']) store(home, id, [header({ id })])
    const shown: string[] = []
    await run(['doctor', '--home', home], { status: (text) => void shown.push(text) })
    expect(shown).toEqual(['reading logs: 0 of 2', 'reading logs: 1 of 2', ''])
  })
})

describe('why a reminder did not fire', () => {
  const overdue = (more: object = {}): string => {
    const home = installed()
    store(home, 's-1', rows(new Log().create(atRecord('r-1', NOW + MINUTE)).plan('r-1', more), {}))
    return home
  }
  const wake = { wake: true }

  it('T14 its session is closed, and it does not ask to open it', async () => {
    expect((await diagnose(overdue())).findings).toMatchObject([{ level: 'problem', code: 'overdue_closed', session: 's-1', detail: ['r-1', '2026-10-09T01:01:00Z', 'stretch'], advice: expect.stringContaining('wake: true') as unknown }])
  })

  it('T14 it is not overdue before thirty seconds have passed', async () => {
    expect(await codes(overdue(), { now: () => NOW + MINUTE + 29 * SECOND })).toEqual([])
    expect(await codes(overdue(), { now: () => NOW + MINUTE + 30 * SECOND })).toEqual(['overdue_closed'])
  })

  it('T14 it asks to open its session, and no host runs', async () => {
    const home = overdue(wake)
    expect(await codes(home)).toEqual(['overdue_no_host', '(index_missing)'])
  })

  it('T14 R20 a host runs and has not opened it; or has it open', async () => {
    const home = overdue(wake)
    const index = indexOf(home)
    index.put('s-1', 'reminder', NOW + MINUTE, undefined)
    index.take('other', thisHolder({}), LATER, undefined)
    expect(await codes(home)).toEqual(['overdue_not_woken'])
    index.take('s-1', thisHolder({}), LATER, undefined)
    expect(await codes(home)).toEqual(['overdue_held'])
    index.close()
  })

  it('T14 R18 a countdown, with and without the wish to wake', async () => {
    const home = installed()
    store(home, 's-1', rows(countdown('tea', NOW + MINUTE)))
    expect(await codes(home)).toEqual(['overdue_no_host', '(index_missing)'])
    store(home, 's-1', rows(countdown('tea', NOW + MINUTE, 'inject')))
    expect(await codes(home)).toEqual(['overdue_closed'])
    store(home, 's-1', rows(countdown('tea', NOW + MINUTE), { seedLength: 1 }))
    expect(await codes(home)).toEqual([])
    store(home, 's-1', rows(countdown('tea', NOW + MINUTE), { origin: 'subagent', delegationDepth: 1 }))
    expect(await codes(home)).toEqual(['overdue_no_host'])
  })

  it('T14 T8 a series is paused, with as many deliveries as the row allows', async () => {
    const home = installed({ patch: '- id: timekeeper-schedule\n  config:\n    maxUnanswered: 2\n' })
    const log = new Log().series('r-1', { kind: 'every', everySeconds: 300, anchor: '2026-10-09T01:05:00.000Z' }, NOW + 5 * MINUTE)
    for (const number of [1, 2]) log.dispatch(`r-1.${number}`).create(atRecord(`r-1.${number + 1}`, NOW + HOUR))
    store(home, 's-1', rows(log))
    expect(await diagnose(home)).toMatchObject({ exit: 0, findings: [{ level: 'note', code: 'paused', detail: ['r-1', '2', 'stretch'] }] })
  })

  it('T14 T5 occurrences that were later than their limit', async () => {
    const home = installed()
    const log = new Log().create(atRecord('r-1', NOW + MINUTE)).plan('r-1', { lateLimitSeconds: 60 }).create(atRecord('r-2', NOW)).plan('r-2', { lateLimitSeconds: 60 })
    act(log, NOW + HOUR)
    store(home, 's-1', rows(log))
    expect(await diagnose(home)).toMatchObject({ exit: 0, findings: [{ level: 'note', code: 'missed', detail: ['2', '2026-10-09T01:01:00Z'] }] })
  })

  it('T14 S30 a delivery that is queued without its dispatch is not overdue', async () => {
    const home = installed()
    const log = new Log().create(atRecord('r-1', NOW + MINUTE)).plan('r-1')
    log.splice('next-turn', 0, 0, [ourMessage([{ fact: 'delivery', id: 'r-1', occurrenceAt: '2026-10-09T01:01:00.000Z', deliveredAt: '2026-10-09T01:01:00.000Z', reasons: [] } as never])])
    store(home, 's-1', rows(log))
    expect(await diagnose(home)).toMatchObject({ exit: 0, findings: [{ level: 'note', code: 'undispatched', detail: ['r-1', '2026-10-09T01:01:00Z', 'stretch'] }] })
  })

  it('T14 S8 of a log that breaks its format nothing is concluded', async () => {
    const home = installed()
    store(home, 's-1', rows(new Log().create(atRecord('r-1', NOW + MINUTE)).create(atRecord('r-1', NOW + MINUTE))))
    expect(await codes(home)).toEqual(['corrupt_schedule_log'])
  })
})

describe('the wake index against the logs', () => {
  /** Two sessions that owe a wake in an hour; the index is left to the test. */
  const owing = (patch = '[]\n', rowsOfBundle = OUR_ROWS): string => {
    const home = installed({ patch, rows: rowsOfBundle })
    for (const id of ['s-1', 's-2']) store(home, id, [header({ id }), ...new Log().create(atRecord('r-1', LATER + HOUR)).plan('r-1', { wake: true }).events])
    return home
  }

  it('T14 R17 what is owed and not indexed, indexed at another instant, not owed, and of no session', async () => {
    const home = owing()
    const index = indexOf(home)
    index.put('s-2', 'reminder', LATER + MINUTE, undefined)
    index.put('s-2', 'countdown', LATER + MINUTE, undefined)
    index.put('gone', 'reminder', LATER + MINUTE, undefined)
    index.put('gone', 'other-plugin', LATER + MINUTE, undefined)
    index.close()
    expect(await diagnose(home)).toMatchObject({
      index: { owed: 4, leases: 0, left: 0 },
      findings: [
        { level: 'problem', code: 'owed_not_indexed', session: 's-1', detail: ['reminder', '2026-10-09T05:00:00Z'] },
        { level: 'problem', code: 'owed_other_instant', session: 's-2', detail: ['reminder', '2026-10-09T05:00:00Z', '2026-10-09T04:01:00Z'] },
        { level: 'problem', code: 'indexed_not_owed', session: 's-2', detail: ['countdown', '2026-10-09T04:01:00Z'] },
        { level: 'problem', code: 'indexed_without_log', session: 'gone', detail: ['reminder', '2026-10-09T04:01:00Z'] },
      ],
    })
    expect((await run(['doctor', '--home', home, '--lang', 'zh'])).out).toContain('有一个提醒应在')
  })

  it('T14 R20 while a host that runs holds the session, a difference is a note; one that has ended is counted', async () => {
    const home = owing()
    const index = indexOf(home)
    for (const id of ['s-1', 's-2']) index.put(id, 'reminder', LATER + HOUR + (id === 's-1' ? 1 : 0), undefined)
    index.take('s-1', thisHolder({}), LATER, undefined)
    index.take('s-2', { ...thisHolder({}), ...holder('dead', { pid: 2 ** 30 }), machine: thisHolder({}).machine, boot: thisHolder({}).boot, space: thisHolder({}).space }, LATER, undefined)
    index.close()
    expect(await diagnose(home)).toMatchObject({ exit: 0, index: { leases: 2, left: 1 }, findings: [{ level: 'note', code: 'owed_other_instant', session: 's-1' }] })
    expect((await run(['doctor', '--home', home])).out).toContain('index: 2 owed, 2 leases, 1 of hosts that have ended')
  })

  it('T14 without an index it is said once, unless nothing is owed or the rows do not use it', async () => {
    expect(await codes(owing())).toEqual(['(index_missing)'])
    expect(await codes(owing('- id: timekeeper-schedule\n  config:\n    wakeIndex: false\n'))).toEqual([])
    expect(await codes(owing('- id: timekeeper-schedule\n  disabled: true\n'))).toEqual(['(row_disabled)'])
    expect(await codes(installed())).toEqual([])
  })

  it('T14 B46 one that cannot be used is named with the reason', async () => {
    const home = owing()
    write(join(home, 'timekeeper/wake.sqlite'), 'x'.repeat(5000))
    expect((await diagnose(home)).findings).toMatchObject([{ code: 'index_unusable', detail: [join(home, 'timekeeper/wake.sqlite'), 'corrupt'] }])
  })

  it('T14 the file that a row names is the one that is read', async () => {
    const home = owing()
    const other = owing(`- id: timekeeper-clock\n  config:\n    pendingPath: ${join(home, 'timekeeper/wake.sqlite')}\n`)
    const index = indexOf(home)
    for (const id of ['s-1', 's-2']) index.put(id, 'reminder', LATER + HOUR, undefined)
    index.close()
    expect(await codes(other)).toEqual([])
    rmSync(join(home, 'timekeeper'), { recursive: true })
    expect(await codes(other)).toEqual(['(index_missing)'])
  })

  it('T14 X6 of a log that cannot be read the index is not called wrong', async () => {
    const home = owing()
    const index = indexOf(home)
    for (const id of ['s-1', 's-2']) index.put(id, 'reminder', LATER + HOUR, undefined)
    index.close()
    write(join(home, 'sessions/--work--/s-1/session.jsonl'), 'garbage\n')
    expect(await codes(home)).toEqual(['not_a_session_log'])
  })
})
