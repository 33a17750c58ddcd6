import { beforeEach, describe, expect, it, vi } from 'vitest'
import { notice } from 'dsh-session-host'
import { changes, delivered, foldAll, quiet, SessionId, until, value, type Agent } from './harness.ts'
import { at, mounting, pass, rows, set, stored } from './series-harness.ts'

const mounted = mounting()
beforeEach(() => at('2026-10-09T01:00:00.000Z'))

describe('fixed intervals', () => {
  it('T1 B61 stay aligned to their first instant, whatever a delivery takes, before and after a restart', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'water', every_seconds: 600 })
    await pass(agent, 603_000)
    await pass(agent, 601_234)
    expect(stored(agent)).toEqual([
      'create r-1.1 2026-10-09T01:10:00.000Z',
      'dispatch r-1.1',
      'create r-1.2 2026-10-09T01:20:00.000Z',
      'dispatch r-1.2',
      'create r-1.3 2026-10-09T01:30:00.000Z',
    ])
    await host.ctx.sessions.flush(agent.session)
    const second = await mounted({ root: host.root })
    vi.setSystemTime(Date.parse('2026-10-09T02:07:00Z'))
    const again = await second.resume('one')
    await until(() => stored(again).at(-1) === 'create r-1.4 2026-10-09T02:10:00.000Z', 'the next aligned occurrence')
    await quiet(again)
    expect(rows(again).at(-1)).toMatchObject({ id: 'r-1', due: expect.stringContaining('T10:00:00+08:00'), skipped: 3 })
  })

  it('T1 B33 after a jump of thirty days one occurrence comes, and the next lies ahead', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'water', every_seconds: 300 })
    vi.setSystemTime(Date.now() + 30 * 86_400_000)
    await pass(agent, 30_000)
    expect(delivered(agent)).toHaveLength(1)
    expect(foldAll(agent).active.values().next().value?.dueAt).toBeGreaterThan(Date.now())
  })

  it('T1 overdue series of a session share one message after its one-shots, in the order of their targets', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'slow', every_seconds: 900 })
    await set(host, agent, { prompt: 'fast', every_seconds: 600 })
    await set(host, agent, { prompt: 'once', after_seconds: 850 })
    vi.setSystemTime(Date.now() + 1_000_000)
    await pass(agent, 30_000)
    expect(delivered(agent)).toHaveLength(1)
    expect(delivered(agent)[0]).toContain('[SCHEDULE REMINDER BATCH]')
    expect(rows(agent).map((row) => row['prompt'])).toEqual(['once', 'fast', 'slow'])
  })
})

describe('calendar series', () => {
  it('T2 T3 B24 B51 echoes local time, zone, UTC and the next fires, and comes at the exact instant', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    const made = await set(host, agent, { prompt: 'report', cron: '0 0 1,15 * 5', time_zone: 'Asia/Shanghai' })
    expect(made).toMatchObject({
      kind: 'cron',
      cron: '0 0 1,15 * 5',
      zone: 'Asia/Shanghai',
      scheduledAt: '2026-10-14T16:00:00.000Z',
      local: '2026-10-15T00:00:00+08:00',
      next: ['2026-10-16T00:00:00+08:00', '2026-10-23T00:00:00+08:00', '2026-10-30T00:00:00+08:00'],
    })
    expect(JSON.stringify(made['notes'])).toMatch(/either/i)
    await vi.advanceTimersByTimeAsync(Date.parse('2026-10-14T16:00:00.000Z') - Date.now())
    await until(() => delivered(agent).length === 1)
    await quiet(agent)
    expect(rows(agent)[0]).toMatchObject({ due: '2026-10-15T00:00:00+08:00', delivered: '2026-10-15T00:00:00+08:00' })
  })

  it('T2 B07 keeps its local time when the clocks change, with each next instant frozen in the log', async () => {
    at('2026-10-30T12:00:00Z')
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'stand-up', cron: '10 14 * * 1,3,5', time_zone: 'America/New_York' })
    await pass(agent, 8 * 3_600_000)
    expect(stored(agent)).toEqual(['create r-1.1 2026-10-30T18:10:00.000Z', 'dispatch r-1.1', 'create r-1.2 2026-11-02T19:10:00.000Z'])
  })

  it('T3 says which local time the clocks skip and where it comes instead', async () => {
    at('2027-03-13T12:00:00Z')
    const host = await mounted()
    const agent = await host.create('one')
    const made = await set(host, agent, { prompt: 'x', cron: '30 2 * * *', time_zone: 'America/New_York' })
    expect(made).toMatchObject({ scheduledAt: '2027-03-14T07:00:00.000Z', local: '2027-03-14T03:00:00-04:00' })
    expect(JSON.stringify(made['notes'])).toContain('02:30')
  })

  it.each([
    ['0 0 30 2 *', 'UTC', 'no_future_occurrence'],
    ['*/4 * * * *', 'UTC', 'frequency_too_high'],
    ['* * * * *', 'UTC', 'frequency_too_high'],
    ['0 9 * * *', undefined, 'invalid_time_zone'],
    ['0 9 * * *', 'CST', 'invalid_time_zone'],
    ['every day', 'UTC', 'invalid_rule'],
    ['0 0 9 * * *', 'UTC', 'invalid_rule'],
  ])('T2 B19 B23 refuses %s in %s as %s, and appends nothing', async (cron, zone, code) => {
    const host = await mounted()
    const agent = await host.create('one')
    expect(await value(host, agent, 'schedule_create', { prompt: 'x', cron, ...(zone !== undefined && { time_zone: zone }) })).toMatchObject({ code })
    expect(changes(agent)).toEqual([])
  })
})

describe('ends', () => {
  it('T4 B60 a count ends the series, its last delivery says so, and its id is not given again', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    expect(await set(host, agent, { prompt: 'pill', every_seconds: 300, count: 2 })).toMatchObject({ count: 2 })
    await pass(agent, 300_000)
    await pass(agent, 300_000)
    await pass(agent, 3_600_000)
    expect(rows(agent).map((row) => row['last'])).toEqual([undefined, true])
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 0 })
    expect(await value(host, agent, 'schedule_create', { prompt: 'y', after_seconds: 5 })).not.toMatchObject({ id: 'r-1' })
  })

  it('T4 an instant ends the series, and one without any occurrence before it is refused', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'x', every_seconds: 3600, until: '2026-10-09T10:30:00+08:00' })
    await pass(agent, 3_600_000)
    expect(rows(agent)).toMatchObject([{ last: true }])
    expect(await value(host, agent, 'schedule_create', { prompt: 'x', every_seconds: 3600, until: '2026-10-09T10:30:00+08:00' })).toMatchObject({ code: 'no_future_occurrence', field: 'until' })
  })

  it('deleting a series by its own id, or by that of its occurrence, ends it', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    for (const id of ['r-1', 'r-2.1']) {
      const made = await set(host, agent, { prompt: 'x', every_seconds: 300 })
      expect(await value(host, agent, 'schedule_delete', { id })).toMatchObject({ deleted: true })
      expect(made['id']).toBe(id.split('.')[0])
    }
    await pass(agent, 3_600_000)
    expect(delivered(agent)).toEqual([])
  })
})

describe('lateness', () => {
  it('T5 B36 beyond its limit an occurrence is recorded as missed with the reason, and not delivered', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'check', at: '2026-10-09T03:00:00Z', late_limit_seconds: 1800 })
    await set(host, agent, { prompt: 'daily', cron: '0 11 * * *', time_zone: 'Asia/Shanghai', late_limit_seconds: 1800 })
    await host.ctx.sessions.flush(agent.session)
    vi.setSystemTime(Date.parse('2026-10-09T14:10:00Z'))
    const second = await mounted({ root: host.root })
    const again = await second.resume('one')
    await until(() => foldAll(again).outcomes.length === 2)
    await quiet(again)
    expect(delivered(again)).toEqual([])
    expect(foldAll(again).outcomes.map(({ kind, reasons }) => [kind, reasons])).toEqual([['missed', ['host-down']], ['missed', ['host-down']]])
    expect(stored(again).slice(2)).toEqual(['delete r-1', 'delete r-2.1', 'create r-2.2 2026-10-10T03:00:00.000Z'])
    await second.type(again, 'hello') // the note is read with the next turn, and wakes nobody before
    expect(delivered(again)[0]).toContain('[SCHEDULE REMINDER MISSED]')
    const third = await mounted({ root: host.root })
    await second.ctx.sessions.flush(again.session)
    const last = await third.resume('one')
    await quiet(last)
    expect(foldAll(last).outcomes).toHaveLength(2)
    expect(foldAll(last).active.size).toBe(1)
  })

  it('T5 B35 without a limit, one late delivery with the reason; recurring and one-shot alike', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'once', at: '2026-10-09T03:00:00Z' })
    await set(host, agent, { prompt: 'daily', cron: '0 11 * * *', time_zone: 'Asia/Shanghai' })
    await host.ctx.sessions.flush(agent.session)
    vi.setSystemTime(Date.parse('2026-10-12T14:10:00Z'))
    const second = await mounted({ root: host.root })
    const again = await second.resume('one')
    await until(() => delivered(again).length === 1)
    await quiet(again)
    expect(rows(again)).toMatchObject([
      { prompt: 'once', late: '3d 11h', why: 'host-down' },
      { prompt: 'daily', due: '2026-10-12T11:00:00+08:00', late: '11h 10m', why: 'host-down' },
    ])
  })

  it('T6 every delivery says when it was due, when it came, and when and by whom it was set', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'x', after_seconds: 60 })
    await pass(agent, 60_000)
    expect(rows(agent)[0]).toEqual({
      id: 'r-1',
      prompt: 'x',
      due: '2026-10-09T09:01:00+08:00',
      delivered: '2026-10-09T09:01:00+08:00',
      set: '2026-10-09T09:00:00+08:00 by model',
    })
  })
})

it('B52 what comes due while the session compacts is delivered right after it, and the list is unchanged by it', async () => {
  const host = await mounted()
  const agent = await host.create('one')
  await set(host, agent, { prompt: 'x', after_seconds: 60 })
  await set(host, agent, { prompt: 'later', after_seconds: 7200 })
  const compaction = Promise.withResolvers<void>()
  const task = agent.runMaintenance(() => compaction.promise)
  await vi.advanceTimersByTimeAsync(240_000)
  expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 2, reminders: [{ state: 'overdue' }, { state: 'scheduled' }] })
  expect(delivered(agent)).toEqual([])
  compaction.resolve()
  await task
  await until(() => delivered(agent).length === 1)
  await quiet(agent)
  expect(rows(agent)[0]).toMatchObject({ prompt: 'x', why: 'busy' })
  expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 1 })
})

describe('snooze', () => {
  it('T7 B63 is one extra delivery, the series untouched and not counted', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'weekly', cron: '0 10 * * 5', time_zone: 'Asia/Shanghai', count: 2 })
    await pass(agent, 3_600_000)
    expect(await set(host, agent, { id: 'r-1', after_seconds: 1800 }, 'schedule_snooze')).toMatchObject({ set: true, snoozeOf: 'r-1', scheduledAt: '2026-10-09T02:30:00.000Z' })
    await pass(agent, 1_800_000)
    expect(rows(agent).map((row) => row['snooze_of'])).toEqual([undefined, 'r-1'])
    expect(foldAll(agent).series.get('r-1' as never)).toMatchObject({ delivered: 1 })
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 1, reminders: [{ id: 'r-1', due: '2026-10-16T10:00:00+08:00' }] })
  })

  it('T7 moves a reminder that has not come yet instead of doubling it', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'x', after_seconds: 60 })
    await value(host, agent, 'schedule_snooze', { id: 'r-1', after_seconds: 600 })
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 1, reminders: [{ due: '2026-10-09T01:10:00Z' }] })
  })

  it('T7 refuses what was never there, and a time beyond the year 9999', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    expect(await value(host, agent, 'schedule_snooze', { id: 'r-9', after_seconds: 60 })).toMatchObject({ code: 'schedule_not_found' })
    await set(host, agent, { prompt: 'x', after_seconds: 60 })
    expect(await value(host, agent, 'schedule_snooze', { id: 'r-1', after_seconds: 2 ** 50 })).toMatchObject({ code: 'time_out_of_range' })
    expect(await value(host, agent, 'schedule_snooze', { id: 'r-1' })).toMatchObject({ code: 'invalid_rule', field: 'after_seconds' })
  })

  it('T7 a one-shot that was delivered comes again', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'x', after_seconds: 60 })
    await pass(agent, 60_000)
    await value(host, agent, 'schedule_snooze', { id: 'r-1', after_seconds: 60 })
    await pass(agent, 60_000)
    expect(rows(agent).map((row) => row['prompt'])).toEqual(['x', 'x'])
  })
})

describe('nobody there', () => {
  it('T8 B68 a series pauses after so many deliveries without a person, says so, and goes on when one writes', async () => {
    const host = await mounted({ config: { maxUnanswered: 3 } })
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'x', every_seconds: 300 })
    for (let n = 0; n < 10; n += 1) await pass(agent, 300_000)
    expect(rows(agent).map((row) => row['paused'])).toEqual([undefined, undefined, 'until the person writes'])
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ reminders: [{ state: 'paused' }] })
    await host.type(agent, 'I am back')
    await until(() => delivered(agent).length === 4)
    await pass(agent, 300_000)
    expect(delivered(agent)).toHaveLength(5)
  })

  it('T8 B56 B67 a chain of turns that no person started cannot set reminders without end, and marks those it sets', async () => {
    const host = await mounted({ config: { maxUnattendedChain: 3 } })
    const agent = await host.create('one')
    const again = { tool: 'schedule_create', args: { prompt: 'again', after_seconds: 60 } }
    host.model.replies.push(again)
    await host.type(agent, 'start')
    for (let n = 0; n < 6; n += 1) {
      host.model.replies.push(again)
      await pass(agent, 60_000)
    }
    expect(rows(agent).map((row) => String(row['set']).includes('unattended'))).toEqual([false, true, true, true])
    const refusal = agent.session.events.findLast((event) => event.type === 'tool/result')
    expect(JSON.stringify(refusal)).toContain('unattended_limit')
    host.model.replies.length = 0
    host.model.replies.push(again)
    await host.type(agent, 'go on')
    expect(foldAll(agent).active.size).toBe(1)
  })
})

it('T8 B56 snoozing counts into the chain of turns that no person started', async () => {
  const host = await mounted({ config: { maxUnattendedChain: 3 } })
  const agent = await host.create('one')
  await set(host, agent, { prompt: 'again', after_seconds: 60 })
  const snooze = { tool: 'schedule_snooze', args: { id: 'r-1', after_seconds: 60 } }
  for (let n = 0; n < 6; n += 1) {
    host.model.replies.push(snooze)
    await pass(agent, 60_000)
  }
  expect(rows(agent)).toHaveLength(4)
  expect(JSON.stringify(agent.session.events.findLast((event) => event.type === 'tool/result'))).toContain('unattended_limit')
})

describe('local times', () => {
  const local = { prompt: 'x', at: { date: '2026-10-09', time: '15:00' } }
  const clock = () => notice('dsh-time-reminder', 'reading', 'it is nine', {})

  it('S19 S20 are taken without a zone only where the model knows the time and all zones agree', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await host.type(agent, 'hello')
    agent.inject(clock())
    expect(await set(host, agent, local)).toMatchObject({ scheduledAt: '2026-10-09T07:00:00.000Z', zone: 'Asia/Shanghai' })
    expect(await set(host, agent, local)).toMatchObject({ code: 'timezone_confirmation_required', detail: expect.stringContaining('No time reading') })
    expect(changes(agent)).toHaveLength(1)
  })

  it('S19 a request from another zone than the session\'s has to be confirmed, and an explicit zone passes', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await host.type(agent, 'hello', 'Asia/Shanghai')
    agent.inject(clock())
    host.model.replies.push({ tool: 'schedule_create', args: local })
    await host.type(agent, 'from Berlin', 'Europe/Berlin')
    const answer = JSON.stringify(agent.session.events.findLast((event) => event.type === 'tool/result'))
    expect(answer).toContain('timezone_confirmation_required')
    expect(answer).toContain('Europe/Berlin')
    expect(answer).toContain('Asia/Shanghai')
    expect(await set(host, agent, { prompt: 'x', at: { ...local.at, time_zone: 'Europe/Berlin' } })).toMatchObject({ scheduledAt: '2026-10-09T13:00:00.000Z' })
  })

  it('S21 a time that the clocks skip is refused, naming the first time after the gap', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    expect(await set(host, agent, { prompt: 'x', at: { date: '2027-03-28', time: '02:30', time_zone: 'Europe/Berlin' } })).toMatchObject({ code: 'invalid_rule', detail: expect.stringContaining('2027-03-28T03:00:00+02:00') })
  })
})

describe('the same call again', () => {
  it.each([
    ['an instant', { prompt: 'x', at: '2026-10-09T03:00:00Z' }],
    ['an interval', { prompt: 'x', every_seconds: 300 }],
    ['a calendar rule', { prompt: 'x', cron: '0 9 * * *', time_zone: 'Europe/Berlin' }],
  ])('B40 B41 for %s answers that it exists, and it is armed, also after a restart', async (_name, args) => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, args)
    for (let wake = 0; wake < 4; wake += 1) expect(await set(host, agent, args)).toMatchObject({ exists: true, id: 'r-1' })
    expect(foldAll(agent).active.size).toBe(1)
    await host.ctx.sessions.flush(agent.session)
    const second = await mounted({ root: host.root })
    const again = await second.resume('one')
    expect(await set(second, again, args)).toMatchObject({ exists: true, id: 'r-1' })
    await vi.advanceTimersByTimeAsync(86_400_000)
    await until(() => delivered(again).length > 0)
  })

  it('B40 another prompt, another instant, or a delay asked for again is another reminder', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await set(host, agent, { prompt: 'x', every_seconds: 300 })
    await set(host, agent, { prompt: 'y', every_seconds: 300 })
    await set(host, agent, { prompt: 'x', every_seconds: 300, count: 3 })
    await set(host, agent, { prompt: 'x', after_seconds: 300 })
    await set(host, agent, { prompt: 'x', after_seconds: 300 })
    await set(host, agent, { prompt: 'x', at: '2026-10-09T03:00:00Z' })
    await set(host, agent, { prompt: 'x', at: '2026-10-09T03:00:01Z' })
    expect(foldAll(agent).active.size).toBe(7)
  })
})

describe('code mode', () => {
  /** What the host logs when a program calls our tool: the value as text, and no meta. */
  function dispatch(agent: Agent, name: string, text: string, isError = false): void {
    agent.session.append('tool/code-dispatch', { rootCallId: 'c', parentCallId: 'c', subCallId: 'c:code:1', name, arguments: {}, isError, content: [{ type: 'text', text }] } as never)
  }

  it('T2 a series that a program set is read from the logged value', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    const made = await value(host, agent, 'schedule_create', { prompt: 'water', every_seconds: 300, count: 5 })
    expect(foldAll(agent).series.size).toBe(0)
    dispatch(agent, 'schedule_create', JSON.stringify(made))
    expect(foldAll(agent).series.get('r-1' as never)?.rule).toMatchObject({ kind: 'every', everySeconds: 300, count: 5 })
    await pass(agent, 300_000)
    expect(stored(agent).at(-1)).toBe('create r-1.2 2026-10-09T01:10:00.000Z')
  })

  it.each([
    ['another tool', 'web_fetch', false, (json: string) => json],
    ['a failed call', 'schedule_create', true, (json: string) => json],
    ['a text that was cut', 'schedule_create', false, (json: string) => json.slice(0, -5)],
  ])('X4 nothing is read from %s', async (_name, tool, isError, change) => {
    const host = await mounted()
    const agent = await host.create('one')
    const made = await value(host, agent, 'schedule_create', { prompt: 'water', every_seconds: 300 })
    dispatch(agent, tool, change(JSON.stringify(made)), isError)
    expect(foldAll(agent).series.size).toBe(0)
  })
})

it('S30 a crash between the queue and the dispatch delivers once: recognised, recorded and woken after the restart', async () => {
  const host = await mounted()
  const agent = await host.create('one')
  await set(host, agent, { prompt: 'x', after_seconds: 60 })
  await host.ctx.sessions.flush(agent.session)
  const before = agent.session.events
  await pass(agent, 60_000)
  const queued = agent.session.events.findIndex((event, seq) => seq >= before.length && event.type === 'agent/inbox/spliced')
  const log = agent.session.events.slice(0, queued + 1)
  const second = await mounted()
  const crashed = await second.create('one', { seed: log })
  await until(() => delivered(crashed).length === 1)
  await quiet(crashed)
  expect(stored(crashed).filter((line) => line.startsWith('dispatch'))).toEqual(['dispatch r-1'])
  expect(delivered(crashed)).toHaveLength(1)
})

it('S30 a message that the host dropped with its agent is owed again', async () => {
  const host = await mounted()
  const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId('one'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
  await set(host, agent, { prompt: 'x', after_seconds: 60 })
  const fact = { fact: 'delivery', id: 'r-1', occurrenceAt: '2026-10-09T01:01:00.000Z', deliveredAt: '2026-10-09T01:01:00.000Z', reasons: [] }
  agent.inject(notice('dsh-tool-schedule', 's', 't', { timekeeper: { v: 1, facts: [fact] } }))
  expect(foldAll(agent).undispatched.size).toBe(1)
  await dispose()
  vi.setSystemTime(Date.parse('2026-10-09T01:05:00Z'))
  const again = await host.resume('one')
  await until(() => delivered(again).length === 1)
  expect(stored(again).filter((line) => line.startsWith('dispatch'))).toEqual(['dispatch r-1'])
})
