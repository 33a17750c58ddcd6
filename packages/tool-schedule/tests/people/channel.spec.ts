import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changes, delivered, foldAll, quiet, SessionId, until, value, type Agent } from '../harness.ts'
import { faultyPersistence } from '../../../session-host/tests/faulty-persistence.ts'
import type { CreateRequest, EditRequest, SnoozeRequest } from '../../src/people/wire.ts'
import { fakeClock, FRIDAY, mountPeople, only, told, type PeopleHost } from './desk-host.ts'

let host: PeopleHost
let agent: Agent

beforeEach(async () => {
  fakeClock()
  host = await mountPeople()
  agent = await host.create('one')
  await host.type(agent, 'hello')
})
afterEach(async () => {
  await host.dispose()
  vi.useRealTimers()
})

const at = (utc: string): { utc: string } => ({ utc })

describe('create and preview', () => {
  it('T11 S11 S13 creates from a text in the zone of the browser, stored and told in one line', async () => {
    const change = await host.change('create', { sessionId: 'one', text: 'tomorrow 9:00 call Ann', timeZone: 'Europe/Berlin' } satisfies CreateRequest)
    expect(change).toMatchObject({
      outcome: 'done',
      stored: true,
      notes: [],
      reminder: {
        id: 'r-1', occurrenceId: 'r-1', prompt: 'call Ann', state: 'scheduled', zone: 'Europe/Berlin', setBy: 'person', unattended: false, wake: false, next: [],
        due: { ms: Date.parse('2026-10-10T07:00:00Z'), utc: '2026-10-10T07:00:00.000Z', local: '2026-10-10T09:00:00+02:00' },
        created: at('2026-10-09T01:00:00.000Z'),
      },
    })
    expect(changes(agent)).toEqual([{ version: 1, operation: 'create', schedule: { id: 'r-1', kind: 'at', prompt: 'call Ann', scheduledAt: '2026-10-10T07:00:00.000Z' } }])
    expect(told(agent)).toHaveLength(1)
    expect((await host.state()).revision).toBe(change.revision)
  })

  it('T11 creates from the arguments of the tool, with all their options, and lists them', async () => {
    const reminder = { prompt: ' report ', cron: '0 9 * * 1-5', time_zone: 'Asia/Shanghai', until: '2026-10-14T09:00:00+08:00', count: 5, late_limit_seconds: 60, wake: true }
    const { reminder: made, notes } = await host.change('create', { sessionId: 'one', reminder })
    expect(made).toMatchObject({ id: 'r-1', occurrenceId: 'r-1.1', rule: { kind: 'cron', cron: '0 9 * * 1-5', zone: 'Asia/Shanghai' }, next: [at('2026-10-13T01:00:00.000Z'), at('2026-10-14T01:00:00.000Z')], until: at('2026-10-14T01:00:00.000Z'), count: 5, lateLimitSeconds: 60, wake: true })
    expect(notes).toEqual([])
    expect(await only(host)).toEqual({ ...made, delivered: 0 })
  })

  it('T11 a preview says what create would make, and writes nothing', async () => {
    const body = { sessionId: 'one', text: '每周五 9:30 周报', language: 'zh' }
    const before = agent.session.seq
    const { reminder, notes } = await host.preview(body)
    expect(agent.session.seq).toBe(before)
    const made = await host.change('create', body)
    expect({ ...made.reminder, created: undefined }).toEqual({ ...reminder, created: undefined })
    expect(notes).toEqual(made.notes)
    expect(await host.refusal('preview', { sessionId: 'one', text: '喝水', language: 'zh' })).toMatchObject({ code: 'not_understood', message: '没有认出时间。请先写时间，再写提醒内容。' })
    expect(await host.refusal('preview', { sessionId: 'one', reminder: { prompt: 'x', at: '2020-01-01T00:00:00Z' } })).toMatchObject({ code: 'not_future', field: 'at' })
  })

  it('T11 T3 what a rule really means is noted, in the language of the page', async () => {
    const reminder = { prompt: 'x', cron: '*/45 0-9/7 31 * 1', time_zone: 'UTC' }
    expect((await host.preview({ sessionId: 'one', reminder })).notes).toHaveLength(3)
    for (const note of (await host.preview({ sessionId: 'one', reminder, language: 'zh' })).notes) expect(note).toMatch(/\p{Script=Han}/u)
  })
})

describe('edit', () => {
  it('T11 a new prompt keeps the instant: one transaction, linked, the old id is gone for ever', async () => {
    await host.change('create', { sessionId: 'one', text: '10m stretch' })
    const change = await host.change('edit', { sessionId: 'one', id: 'r-1', prompt: ' walk ' } satisfies EditRequest)
    expect(change).toMatchObject({ stored: true, removed: 'r-1', reminder: { id: 'r-2', prompt: 'walk', due: at('2026-10-09T01:10:00.000Z'), replaces: 'r-1' } })
    expect(changes(agent).map((one) => one['operation'])).toEqual(['create', 'delete', 'create'])
    expect(told(agent).at(-1)).toMatchObject({ removed: 'r-1', id: 'r-2', prompt: 'walk' })
    expect(await only(host)).toMatchObject({ id: 'r-2', replaces: 'r-1' })
  })

  it('T11 a new time, as text or as arguments, keeps the prompt and what else was asked for', async () => {
    await host.change('create', { sessionId: 'one', reminder: { prompt: 'stretch', after_seconds: 600, late_limit_seconds: 60, wake: true } })
    expect((await host.change('edit', { sessionId: 'one', id: 'r-1', text: '明天 9:00' })).reminder).toMatchObject({ prompt: 'stretch', due: at('2026-10-10T01:00:00.000Z'), lateLimitSeconds: 60, wake: true })
    expect((await host.change('edit', { sessionId: 'one', id: 'r-2', prompt: 'walk', time: { every_seconds: 3600, late_limit_seconds: 30 } })).reminder).toMatchObject({ id: 'r-3', occurrenceId: 'r-3.1', prompt: 'walk', rule: { everySeconds: 3600 }, lateLimitSeconds: 30, wake: true })
    await vi.advanceTimersByTimeAsync(3_600_000)
    await quiet(agent)
    expect(delivered(agent).filter((text) => text.startsWith('[SCHEDULE REMINDER]'))).toHaveLength(1)
  })

  it('T11 T1 T4 a series under a new prompt keeps its beat and what is left of its count', async () => {
    await host.change('create', { sessionId: 'one', reminder: { prompt: 'drink', every_seconds: 3600, count: 3 } })
    await vi.advanceTimersByTimeAsync(3_600_000 + 60_000)
    await quiet(agent)
    expect((await host.change('edit', { sessionId: 'one', id: 'r-1', prompt: 'tea' })).reminder).toMatchObject({ prompt: 'tea', due: at('2026-10-09T03:00:00.000Z'), count: 2, next: [at('2026-10-09T04:00:00.000Z')] })
    await vi.advanceTimersByTimeAsync(4 * 3_600_000)
    await quiet(agent)
    expect(delivered(agent).filter((text) => text.startsWith('[SCHEDULE REMINDER]'))).toHaveLength(3)
    expect((await host.state()).total).toBe(0)
  })

  it("T11 a reminder of the host's own plugin, which has no plan, can be edited too", async () => {
    const append = (schedule: object): void => (agent.session as unknown as { append(type: string, data: unknown): void }).append('schedule/change', { version: 1, operation: 'create', schedule })
    append({ id: 'theirs', kind: 'every', prompt: 'theirs', everySeconds: 600, scheduledAt: '2026-10-09T01:05:00.000Z' })
    expect(await only(host)).toMatchObject({ id: 'theirs', setBy: 'model', rule: { kind: 'every', everySeconds: 600 }, zone: 'Asia/Shanghai', next: [at('2026-10-09T01:15:00.000Z'), at('2026-10-09T01:25:00.000Z'), at('2026-10-09T01:35:00.000Z')] })
    expect((await host.change('edit', { sessionId: 'one', id: 'theirs', prompt: 'ours' })).reminder).toMatchObject({ prompt: 'ours', rule: { everySeconds: 600 }, due: at('2026-10-09T01:05:00.000Z') })
  })
})

describe('snooze, delete, undo', () => {
  it.each([
    [{ afterSeconds: 600 }, '2026-10-09T01:10:00.000Z'],
    [{ untilMs: FRIDAY + 3_600_000 }, '2026-10-09T02:00:00.000Z'],
    [{ text: 'tonight 20:00', timeZone: 'Europe/Berlin' }, '2026-10-09T18:00:00.000Z'],
    [{ text: '明天 9:00' }, '2026-10-10T01:00:00.000Z'],
  ])('T7 T11 snoozes by %j', async (delay, utc) => {
    await host.change('create', { sessionId: 'one', text: '5m stretch' })
    expect(await host.change('snooze', { sessionId: 'one', id: 'r-1', ...delay })).toMatchObject({ stored: true, removed: 'r-1', reminder: { id: 'r-2', prompt: 'stretch', snoozeOf: 'r-1', due: { utc } } })
    expect(await only(host)).toMatchObject({ id: 'r-2' })
  })

  it('T7 T11 a delivered reminder comes once more, and stays known as delivered', async () => {
    await host.change('create', { sessionId: 'one', text: '5m stretch' })
    await vi.advanceTimersByTimeAsync(300_000)
    await quiet(agent)
    const change = await host.change('snooze', { sessionId: 'one', id: 'r-1', afterSeconds: 600 } satisfies SnoozeRequest)
    expect(change.removed).toBeUndefined()
    expect((await host.state()).past).toMatchObject([{ outcome: 'delivered', id: 'r-1', occurrenceId: 'r-1', lateMs: 0, reasons: [] }])
  })

  it.each([
    [{ untilMs: FRIDAY }, 'not_future'],
    [{ afterSeconds: 2 ** 52 }, 'time_out_of_range'],
    [{ text: 'later' }, 'not_understood'],
  ])('T11 refuses to snooze by %j', async (delay, code) => {
    await host.change('create', { sessionId: 'one', text: '5m stretch' })
    expect(await host.refusal('snooze', { sessionId: 'one', id: 'r-1', ...delay })).toMatchObject({ code })
  })

  it('T11 undo brings back the last delete under a new id, once', async () => {
    await host.change('create', { sessionId: 'one', reminder: { prompt: 'stretch', after_seconds: 600, late_limit_seconds: 60, wake: true } })
    expect(await host.change('delete', { sessionId: 'one', id: 'r-1' })).toMatchObject({ stored: true, removed: 'r-1', notes: [] })
    expect(await host.state()).toMatchObject({ total: 0, undo: { id: 'r-1', prompt: 'stretch' } })
    expect(await host.change('undo', { sessionId: 'one' })).toMatchObject({ reminder: { id: 'r-2', replaces: 'r-1', due: at('2026-10-09T01:10:00.000Z'), lateLimitSeconds: 60, wake: true } })
    expect((await host.state()).undo).toBeUndefined()
    expect(await host.refusal('undo', { sessionId: 'one' })).toMatchObject({ code: 'nothing_to_undo' })
    expect(told(agent).at(-1)).toMatchObject({ removed: 'r-1', id: 'r-2' })
  })

  it('T11 undo of a snooze keeps its link, of a one-shot that has passed it is refused, of a series it gives the rest', async () => {
    await host.change('create', { sessionId: 'one', text: '5m stretch' })
    await host.change('snooze', { sessionId: 'one', id: 'r-1', afterSeconds: 60 })
    await host.change('delete', { sessionId: 'one', id: 'r-2' })
    expect((await host.change('undo', { sessionId: 'one' })).reminder).toMatchObject({ id: 'r-3', snoozeOf: 'r-1', replaces: 'r-2' })
    await host.change('delete', { sessionId: 'one', id: 'r-3' })
    vi.setSystemTime(FRIDAY + 120_000)
    expect(await host.refusal('undo', { sessionId: 'one' })).toMatchObject({ code: 'not_future' })
    await host.change('create', { sessionId: 'one', reminder: { prompt: 'drink', every_seconds: 3600, until: '2026-10-09T05:00:00Z' } })
    await host.change('delete', { sessionId: 'one', id: 'r-4' })
    expect((await host.state()).undo).toEqual({ id: 'r-4', prompt: 'drink' })
    vi.setSystemTime(FRIDAY + 2 * 3_600_000)
    expect((await host.change('undo', { sessionId: 'one' })).reminder).toMatchObject({ id: 'r-5', replaces: 'r-4', due: at('2026-10-09T03:02:00.000Z') })
    await host.change('delete', { sessionId: 'one', id: 'r-5' })
    vi.setSystemTime(FRIDAY + 86_400_000)
    expect(await host.refusal('undo', { sessionId: 'one' })).toMatchObject({ code: 'no_future_occurrence' })
  })
})

describe('state', () => {
  it('T11 says what is pending, past, missed, paused and by whom, with the clock and the limits of the host', async () => {
    await value(host, agent, 'schedule_create', { prompt: 'by the model', after_seconds: 60 })
    await host.change('create', { sessionId: 'one', reminder: { prompt: 'strict', after_seconds: 120, late_limit_seconds: 10 } })
    await host.change('create', { sessionId: 'one', text: '1h later' })
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    const turn = host.type(agent, 'long work')
    await vi.advanceTimersByTimeAsync(300_000)
    expect((await host.state()).pending.map(({ state }) => state)).toEqual(['overdue', 'overdue', 'scheduled'])
    gate.resolve()
    await turn
    await until(() => foldAll(agent).outcomes.length === 2)
    await quiet(agent)
    const state = await host.state('one', { timeZone: 'Asia/Shanghai' })
    expect(state).toMatchObject({
      sessionId: 'one', live: true, stored: true, total: 1, now: { ms: FRIDAY + 300_000, local: '2026-10-09T09:05:00+08:00' }, zones: { session: 'Asia/Shanghai', request: 'Asia/Shanghai' },
      limits: { maxUnanswered: 10, maxUnattendedChain: 50, maxPromptLength: 2000, maxTextLength: 2200, minEverySeconds: 300, shown: 500 },
    })
    expect(state.past).toMatchObject([
      { outcome: 'delivered', id: 'r-1', lateMs: 240_000 },
      { outcome: 'missed', id: 'r-2', lateMs: 180_000 },
    ])
    expect(state.past.find(({ id }) => id === 'r-1')?.reasons).toEqual(['busy'])
  })

  it('T8 T11 a series that waits for a person is shown as paused', async () => {
    await host.dispose()
    host = await mountPeople({ config: { maxUnanswered: 1 } })
    agent = await host.create('one')
    await host.change('create', { sessionId: 'one', text: 'every 1h drink', timeZone: 'UTC' })
    await vi.advanceTimersByTimeAsync(3_600_000)
    await quiet(agent)
    expect(await only(host)).toMatchObject({ state: 'paused', delivered: 1 })
    expect((await host.command(agent, '/reminders')).text).toContain('paused until you write a message')
    await host.type(agent, 'I am here')
    expect(await only(host)).toMatchObject({ state: 'scheduled' })
    expect((await host.command(agent, '/reminders')).text).toContain('every 1h')
  })

  it('S8 X6 T11 a broken log shows where it breaks and nothing else', async () => {
    await host.change('create', { sessionId: 'one', text: '10m x' })
    ;(agent.session as unknown as { append(type: string, data: unknown): void }).append('schedule/change', { version: 1, operation: 'delete', id: 'nobody' })
    expect(await host.state()).toMatchObject({ stored: true, pending: [], total: 0, corruption: { seq: agent.session.seq - 1, rule: expect.stringContaining('nobody') as string } })
    expect(await host.refusal('create', { sessionId: 'one', text: '10m x' })).toMatchObject({ code: 'corrupt_schedule_log' })
  })

  it('T11 a session without zones, and without a message, has none', async () => {
    await host.create('empty')
    const state = await host.state('empty')
    expect([state.zones, state.now.local]).toEqual([{}, undefined])
    await host.change('create', { sessionId: 'empty', text: '10m x' })
    expect(await only(host, 'empty')).toMatchObject({ due: { utc: '2026-10-09T01:10:00.000Z' } })
    const empty = host.ctx.agents.get(SessionId('empty'))!
    expect((await host.command(empty, '/reminders')).text).toContain('“x” · 2026-10-09 01:10:00Z · in 10m')
  })
})

describe('bodies', () => {
  it.each([
    ['state', 'one', 'body'],
    ['state', [], 'body'],
    ['state', { sessionId: 'one', limit: 5 }, 'limit'],
    ['state', {}, 'sessionId'],
    ['state', { sessionId: ' ' }, 'sessionId'],
    ['state', { sessionId: 'x'.repeat(201) }, 'sessionId'],
    ['state', { sessionId: 'one', language: 'fr' }, 'language'],
    ['state', { sessionId: 'one', timeZone: 'CST' }, 'timeZone'],
    ['undo', { sessionId: 'one', timeZone: 'UTC' }, 'timeZone'],
    ['create', { sessionId: 'one' }, 'text'],
    ['create', { sessionId: 'one', text: '10m x', reminder: {} }, 'text'],
    ['create', { sessionId: 'one', text: 10 }, 'text'],
    ['create', { sessionId: 'one', text: 'x'.repeat(2201) }, 'text'],
    ['create', { sessionId: 'one', text: '10m' }, 'text'],
    ['create', { sessionId: 'one', reminder: 'x' }, 'reminder'],
    ['create', { sessionId: 'one', reminder: { prompt: 'x', after_seconds: 5, colour: 'red' } }, 'reminder.colour'],
    ['create', { sessionId: 'one', reminder: { prompt: 'x', at: { date: '2026-10-10', time: '9' } } }, 'reminder.at.time'],
    ['edit', { sessionId: 'one', id: 'r-1' }, 'prompt'],
    ['edit', { sessionId: 'one', id: 'r-1', prompt: ' ' }, 'prompt'],
    ['edit', { sessionId: 'one', id: 'r-1', prompt: 5 }, 'prompt'],
    ['edit', { sessionId: 'one', id: 'r-1', prompt: 'x'.repeat(2001) }, 'prompt'],
    ['edit', { sessionId: 'one', id: 'r-1', text: '10m', time: {} }, 'time'],
    ['edit', { sessionId: 'one', id: 'r-1', text: 5 }, 'text'],
    ['edit', { sessionId: 'one', id: 'r-1', text: 'soon' }, 'text'],
    ['edit', { sessionId: 'one', id: 'r-1', text: '10m stretch' }, 'text'],
    ['edit', { sessionId: 'one', id: 'r-1', time: 5 }, 'time'],
    ['edit', { sessionId: 'one', id: 'r-1', time: { prompt: 'x', after_seconds: 5 } }, 'time'],
    ['edit', { sessionId: 'one', id: 'r-1', time: { after_seconds: 0 } }, 'time.after_seconds'],
    ['edit', { sessionId: 'one', id: 'r-1', time: { at: '2026-01-01T00:00:00Z' } }, 'at'],
    ['edit', { sessionId: 'one', id: 'r-9', prompt: 'x' }, 'id'],
    ['snooze', { sessionId: 'one', id: 'r-1' }, 'afterSeconds'],
    ['snooze', { sessionId: 'one', id: 'r-1', afterSeconds: 5, text: '10m' }, 'afterSeconds'],
    ['snooze', { sessionId: 'one', id: 'r-1', afterSeconds: 0.5 }, 'afterSeconds'],
    ['snooze', { sessionId: 'one', id: 'r-1', untilMs: 'x' }, 'untilMs'],
    ['snooze', { sessionId: 'one', id: 'r-1', text: [] }, 'text'],
    ['snooze', { sessionId: 'one', id: 'r-9', afterSeconds: 5 }, 'id'],
    ['delete', { sessionId: 'one' }, 'id'],
    ['delete', { sessionId: 'one', id: 5 }, 'id'],
    ['delete', { sessionId: 'one', id: 'r-9' }, 'id'],
  ])('X5 T11 %s refuses %j and names the member', async (endpoint, body, field) => {
    await host.change('create', { sessionId: 'one', text: '10m x' })
    const before = agent.session.seq
    expect(await host.refusal(endpoint, body)).toMatchObject({ field })
    expect(agent.session.seq).toBe(before)
  })

  it('X5 an endpoint that does not exist is refused with those that do', async () => {
    expect(await host.rpc('drop', {})).toMatchObject({ code: 'bad-request', message: 'The endpoints are state, create, preview, edit, snooze, delete, undo.' })
  })

  it.each([
    [{ origin: 'http://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
  ])('X5 R22 a request with %j does not reach the reminders', async (headers, status) => {
    const body = { type: 'client-request', rpcId: 'x', method: 'create', payload: { sessionId: 'one', text: '10m x' } }
    expect((await host.post('create', body, headers as Record<string, string>)).status).toBe(status)
    expect(changes(agent)).toEqual([])
  })
})

describe('who is served', () => {
  it('X5 only this machine: another name is refused, also one that the deployment trusts for its page', async () => {
    const body = { sessionId: 'one', text: '10m x' }
    for (const name of ['evil.example', 'trusted.example']) expect(await host.statusUnder(name, 'create', body)).toBe(403)
    expect(changes(agent)).toEqual([])
    expect(await host.statusUnder('localhost', 'create', body)).toBe(200)
  })
})

describe('sessions that are not live', () => {
  let root: string
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'timekeeper-people-'))
    await host.dispose()
    host = await mountPeople({ root })
    agent = await host.create('one')
    await host.type(agent, 'hello')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  async function restarted(): Promise<void> {
    await host.ctx.get('sessions')!.flush(agent.session)
    await host.dispose()
    host = await mountPeople({ root })
  }

  it('T11 S2 a stored session is told from its log, as it was, and stays closed', async () => {
    await host.change('create', { sessionId: 'one', text: 'every 2h drink', timeZone: 'Europe/Berlin' })
    await host.change('create', { sessionId: 'one', text: '10m stretch' })
    const before = await host.state()
    await restarted()
    expect(await host.state()).toEqual({ ...before, live: false })
    expect(await host.state('one', { timeZone: 'UTC' })).toMatchObject({ now: { local: '2026-10-09T01:00:00+00:00' } })
    expect((await host.preview({ sessionId: 'one', text: '15:30 call' })).reminder.zone).toBe('Asia/Shanghai')
    expect((await host.preview({ sessionId: 'nobody', text: '10m call' })).reminder.zone).toBeUndefined()
    expect(host.ctx.agents.list()).toEqual([])
    expect(await host.refusal('state', { sessionId: 'nobody' })).toMatchObject({ code: 'session_not_found' })
  })

  it('T11 S17 a stored session whose newest message came without a zone is told in its own', async () => {
    await host.type(agent, 'from a script', null)
    await restarted()
    expect(await host.state()).toMatchObject({ zones: { session: 'Asia/Shanghai' }, now: { local: '2026-10-09T09:00:00+08:00' } })
  })

  it('T11 a log is read again only when it has changed, and few are kept', async () => {
    for (let n = 0; n < 9; n += 1) await host.type(await host.create(`more-${n}`), 'hello')
    await restarted()
    const read = vi.spyOn(host.ctx.get('sessionPersistence')!, 'readFrom')
    for (let n = 0; n < 3; n += 1) await host.state('one')
    expect(read).toHaveBeenCalledTimes(1)
    for (let n = 0; n < 8; n += 1) await host.state(`more-${n}`)
    await host.state('more-7')
    expect(read).toHaveBeenCalledTimes(9)
    await host.state('one')
    expect(read).toHaveBeenCalledTimes(10)
    read.mockRejectedValueOnce(new Error('disk'))
    expect(await host.refusal('state', { sessionId: 'more-8' })).toMatchObject({ code: 'session_not_found' })
    expect(host.log.join()).toContain('session more-8 cannot be read')
  })

  it('T11 a change opens the session first, because a person asked for it', async () => {
    await host.change('create', { sessionId: 'one', text: '10m stretch' })
    await restarted()
    host.ctx.root.provide('sessionController' as never, { resolveAgent: async (id: string) => ({ agent: await host.resume(id) }) } as never)
    expect(await host.change('delete', { sessionId: 'one', id: 'r-1' })).toMatchObject({ stored: true, removed: 'r-1' })
    expect(await host.state()).toMatchObject({ live: true, total: 0 })
  })

  it.each([
    [{ error: { code: 'session/not-found' } }, 'session_not_found'],
    [{ error: { code: 'session/agent-busy' } }, 'reminders_unavailable'],
    [{ error: { code: 'session/writer-held' } }, 'session_unavailable'],
  ])('T11 a session that cannot be opened is refused with what to do: %j', async (answer, code) => {
    await restarted()
    host.ctx.root.provide('sessionController' as never, { resolveAgent: async () => answer } as never)
    expect(await host.refusal('undo', { sessionId: 'one' })).toMatchObject({ code, field: 'sessionId' })
    expect(host.log).toEqual(code === 'session_not_found' ? [] : [expect.stringContaining('session one cannot be opened')])
  })

  it('T11 a host that cannot open sessions says so, and a session without reminders too', async () => {
    await restarted()
    expect(await host.refusal('delete', { sessionId: 'one', id: 'r-1', language: 'zh' })).toMatchObject({ code: 'session_unavailable', message: expect.stringContaining('会话已关闭') as string })
    await host.create('child', { meta: { parentSession: SessionId('one'), origin: 'subagent', delegationDepth: 1 } })
    expect(await host.refusal('undo', { sessionId: 'child' })).toMatchObject({ code: 'reminders_unavailable' })
  })

  it('T11 S5 a fork owns nothing of its parent', async () => {
    await host.change('create', { sessionId: 'one', text: '1h of the parent' })
    const seed = agent.session.events.slice(0, agent.session.seq)
    const child = await host.create('child', { seed, meta: { parentSession: agent.id, seedLength: seed.length } })
    expect((await host.state('child')).total).toBe(0)
    await host.ctx.get('sessions')!.flush(child.session)
    await restarted()
    expect(await host.state('child')).toMatchObject({ live: false, total: 0, zones: { session: 'Asia/Shanghai' } })
  })
})

describe('a host that stores nothing, or fails to', () => {
  it('S12 T11 without persistence nothing is confirmed, and no cold session is known', async () => {
    await host.dispose()
    host = await mountPeople({ persistence: false })
    agent = await host.create('one')
    expect(await host.state()).toMatchObject({ stored: false, total: 0 })
    expect(await host.refusal('create', { sessionId: 'one', text: '10m x' })).toMatchObject({ code: 'persistence_uncertain' })
    expect((await host.command(agent, '/reminders')).text).toContain('Not confirmed as stored')
    expect(await host.refusal('state', { sessionId: 'nobody' })).toMatchObject({ code: 'session_not_found' })
  })

  it('S12 S13 S14 T11 a change whose barrier fails is done but not confirmed, and the next look confirms it', async () => {
    await host.dispose()
    const disk = faultyPersistence()
    host = await mountPeople({ persistence: disk.Persistence, checkpoints: false })
    agent = await host.create('one')
    await host.type(agent, 'hello')
    await host.ctx.get('sessions')!.flush(agent.session)
    disk.faults.push('reject-before')
    expect(await host.change('create', { sessionId: 'one', text: '10m x' })).toMatchObject({ stored: false, reminder: { id: 'r-1' } })
    expect(await host.state()).toMatchObject({ stored: true, total: 1 })
    await host.ctx.get('sessions')!.flush(agent.session)
    // The command's own event waits to be written, so its preflight is the first of two writes.
    disk.faults.push('reject-before')
    expect((await host.command(agent, '/remind 20m y')).text).toContain('It is not confirmed that the session log is stored')
    const hung = host.ctx.get('sessions')!.flush(agent.session)
    await hung
    const answer = host.command(agent, '/remind 30m z')
    await until(() => changes(agent).length === 1)
    expect((await answer).kind).toBe('success')
  })

  it('S28 T11 a failure of the host is an internal error: named, logged, and not told in its words', async () => {
    agent.inject = () => {
      throw new Error('secret of the host')
    }
    expect(await host.refusal('create', { sessionId: 'one', text: '10m x' })).toEqual({ code: 'internal_error', message: expect.any(String) as string })
    expect(host.log.join()).toContain('secret of the host')
  })
})
