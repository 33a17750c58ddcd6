import { decodeScheduleChange } from '@deepseek-ai/dsh-schedule'
import { KNOWN_SESSION_EVENT_TYPES } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkUpgrade, type CheckedEvent, type Violation } from '../../../e2e/lib/upgrade-check.ts'
import { mountSchedule, quiet, until, value } from './harness.ts'
import { commands, play } from './random-log.ts'

const check = (events: readonly CheckedEvent[]): Violation[] => checkUpgrade(events, KNOWN_SESSION_EVENT_TYPES)
const rules = (type: string, data: unknown): string[] => check([{ type, seq: 7, data }]).map(({ rule }) => rule)

const AT = { id: 'r-1', kind: 'at', prompt: 'stretch', scheduledAt: '2026-10-09T01:00:00.000Z' }
const create = (schedule: unknown): object => ({ version: 1, operation: 'create', schedule })
const message = (source: unknown): object => ({ id: 'm-1', role: 'user', content: [], source })
const OWN = { kind: 'dsh-tool-schedule', form: 'notice', summary: 'Reminder · stretch', timekeeper: { v: 1, facts: [] } }

describe('the rules, each by a log that breaks it', () => {
  it('X7 an event type that the host does not know is found, and where', () => {
    const events = [{ type: 'turn/start', seq: 0, data: { turn: 1 } }, { type: 'timekeeper/miss', seq: 1, data: {} }]
    expect(check(events)).toEqual([{ seq: 1, rule: 'the event type "timekeeper/miss" is unknown' }])
  })

  it('X7 the known types are those that are handed in, not a list of our own', () => {
    expect(checkUpgrade([{ type: 'turn/start', seq: 0, data: {} }], new Set())).toHaveLength(1)
  })

  it.each<[string, unknown, string[]]>([
    ['data that is no object', 'create', ['schedule/change is no object']],
    ['an unknown operation', { version: 1, operation: 'update', id: 'r-1' }, ['schedule/change is of no kind of version 1']],
    ['another version', { version: 2, operation: 'delete', id: 'r-1' }, ['schedule/change.version is wrong']],
    ['a version as text', { version: '1', operation: 'delete', id: 'r-1' }, ['schedule/change.version is wrong']],
    ['a foreign member', { version: 1, operation: 'delete', id: 'r-1', zone: 'UTC' }, ['schedule/change has the foreign member "zone"']],
    ['a missing id', { version: 1, operation: 'dispatch' }, ['schedule/change.id is wrong']],
    ['an untrimmed id', { version: 1, operation: 'delete', id: ' r-1' }, ['schedule/change.id is wrong']],
    ['acceptedAt in a delete', { version: 1, operation: 'delete', id: 'r-1', acceptedAt: AT.scheduledAt }, ['schedule/change has the foreign member "acceptedAt"']],
    ['acceptedAt that is no instant', { version: 1, operation: 'dispatch', id: 'r-1', acceptedAt: 'now' }, ['schedule/change.acceptedAt is wrong']],
    ['a create without its record', { version: 1, operation: 'create' }, ['schedule/change.schedule is wrong']],
    ['a record that is no object', create('at'), ['schedule/change.schedule is no object']],
    ['a record of another kind', create({ ...AT, kind: 'cron' }), ['schedule/change.schedule is of no kind of version 1']],
    ['a record with a foreign member', create({ ...AT, zone: 'UTC' }), ['schedule/change.schedule has the foreign member "zone"']],
    ['a record without a prompt', create({ ...AT, prompt: '' }), ['schedule/change.schedule.prompt is wrong']],
    ['an instant without milliseconds', create({ ...AT, scheduledAt: '2026-10-09T01:00:00Z' }), ['schedule/change.schedule.scheduledAt is wrong']],
    ['an instant with an offset', create({ ...AT, scheduledAt: '2026-10-09T01:00:00.000+00:00' }), ['schedule/change.schedule.scheduledAt is wrong']],
    ['an instant that does not exist', create({ ...AT, scheduledAt: '2026-02-30T01:00:00.000Z' }), ['schedule/change.schedule.scheduledAt is wrong']],
    ['an instant of the year 0', create({ ...AT, scheduledAt: '0000-01-01T00:00:00.000Z' }), ['schedule/change.schedule.scheduledAt is wrong']],
    ['a delay of 0', create({ ...AT, kind: 'after', afterSeconds: 0 }), ['schedule/change.schedule.afterSeconds is wrong']],
    ['an interval of 299', create({ ...AT, kind: 'every', everySeconds: 299 }), ['schedule/change.schedule.everySeconds is wrong']],
    ['an interval beyond safe milliseconds', create({ ...AT, kind: 'every', everySeconds: 2 ** 44 }), ['schedule/change.schedule.everySeconds is wrong']],
    ['two faults at once', create({ ...AT, id: '', zone: 'UTC' }), ['schedule/change.schedule has the foreign member "zone"', 'schedule/change.schedule.id is wrong']],
  ])('X7 schedule/change with %s', (_what, data, expected) => {
    expect(rules('schedule/change', data)).toEqual(expected)
  })

  it.each<[string, unknown, string[]]>([
    ['no source', undefined, ['a message has no source kind']],
    ['a source without a kind', {}, ['a message has no source kind']],
    ['a source of an empty kind', { kind: '' }, ['a message has no source kind']],
    ['our message under the shared kind', { kind: 'plugin', plugin: 'dsh-tool-schedule', form: 'notice', summary: 's' }, ['a message of ours has not its own source kind']],
    ['our message under the migrated kind', { kind: 'plugin:dsh-time-reminder', form: 'notice', summary: 's' }, ['a message of ours has not its own source kind']],
    ['our facts on the shared kind', { kind: 'plugin', plugin: 'acme', timekeeper: { v: 1, facts: [] } }, ['facts of ours ride on a source of the kind "plugin"']],
    ['our facts on a message of a person', { kind: 'user', rpcId: 'rpc-1', timekeeper: { v: 1, facts: [] } }, ['facts of ours ride on a source of the kind "user"']],
    ['our facts on a kind of another plugin', { kind: 'acme', timekeeper: { v: 1, facts: [] } }, ['facts of ours ride on a source of the kind "acme"']],
    ['a foreign member on the shared kind', { kind: 'plugin', plugin: 'acme', ticket: 7 }, ['a source has the foreign member "ticket"']],
    ['sections on a notice of the shared kind', { kind: 'plugin', plugin: 'acme', form: 'notice', summary: 's', sections: [] }, ['a source has the foreign member "sections"']],
    ['a summary on a snapshot of the shared kind', { kind: 'plugin', plugin: 'acme', form: 'snapshot', summary: 's', sections: [] }, ['a source has the foreign member "summary"']],
    ['the shared kind without a plugin', { kind: 'plugin' }, ['a source of the kind "plugin" names no plugin']],
    ['a foreign member on a message of a person', { kind: 'user', mode: 'turn' }, ['a source has the foreign member "mode"']],
    ['a notice of ours without a summary', { ...OWN, summary: undefined }, ['a notice has no summary of one row']],
    ['a notice of ours with two lines', { ...OWN, summary: 'one\ntwo' }, ['a notice has no summary of one row']],
    ['a notice of ours that is too long', { ...OWN, summary: 'x'.repeat(121) }, ['a notice has no summary of one row']],
    ['a summary of ours outside a notice', { kind: 'dsh-time-reminder', form: 'relay', summary: 's' }, ['a summary belongs to a notice']],
  ])('X7 a message with %s, wherever it stands', (_what, source, expected) => {
    expect(rules('user/message', message(source))).toEqual(expected)
    expect(rules('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [message(OWN), message(source)] })).toEqual(expected)
    expect(rules('assistant/message', { turn: 1, step: 1, message: message(source) })).toEqual(expected)
    expect(rules('tool/result', { turn: 1, step: 1, message: message(source) })).toEqual(expected)
  })

  it.each<[string, unknown, string[]]>([
    ['a message', { name: 'RangeError', code: 'E', message: 'secret' }, ['tool/result.error has the foreign member "message"']],
    ['no code', { name: 'RangeError' }, ['tool/result.error.code is wrong']],
    ['a code that is a number', { name: 'RangeError', code: 5 }, ['tool/result.error.code is wrong']],
    ['a text instead', 'RangeError', ['tool/result.error is no object']],
    ['null instead', null, ['tool/result.error is no object']],
  ])('X7 tool/result.error with %s', (_what, error, expected) => {
    expect(rules('tool/result', { turn: 1, step: 1, message: message({ kind: 'tool' }), error })).toEqual(expected)
  })
})

describe('what passes', () => {
  it.each<[string, string, unknown]>([
    ['every kind of record', 'schedule/change', create(AT)],
    ['the longest delay', 'schedule/change', create({ ...AT, kind: 'after', afterSeconds: Number.MAX_SAFE_INTEGER })],
    ['the shortest interval', 'schedule/change', create({ ...AT, kind: 'every', everySeconds: 300 })],
    ['a dispatch', 'schedule/change', { version: 1, operation: 'dispatch', id: 'r-1' }],
    ['a dispatch with its instant', 'schedule/change', { version: 1, operation: 'dispatch', id: 'r-1', acceptedAt: AT.scheduledAt }],
    ['our own kind with any members', 'user/message', message(OWN)],
    ['our own kind in another form', 'user/message', message({ kind: 'dsh-time-reminder', form: 'relay', senderSessionId: 's-1' })],
    ['a person in a zone', 'user/message', message({ kind: 'user', rpcId: 'rpc-1', clientTimeZone: 'UTC' })],
    ['a snapshot of another plugin', 'user/message', message({ kind: 'plugin', plugin: 'time-context', form: 'snapshot', sections: [] })],
    ['a notice of another plugin', 'user/message', message({ kind: 'plugin', plugin: 'goal', form: 'notice', summary: 's' })],
    ['an unknown kind with any members', 'user/message', message({ kind: 'acme', ticket: 7 })],
    ['an inbox change without a list', 'agent/inbox/spliced', { target: 'next-turn', start: 0 }],
    ['a removal from the inbox', 'agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] }],
    ['a result with any meta', 'tool/result', { message: message({ kind: 'tool' }), meta: { timekeeper: { v: 1, facts: [{ anything: 1 }] } } }],
    ['a result with an error', 'tool/result', { message: message({ kind: 'tool' }), error: { name: 'RangeError', code: 'E' } }],
    ['any other known event', 'todo/write', { todos: 'whatever' }],
  ])('X7 %s', (_what, type, data) => {
    expect(rules(type, data)).toEqual([])
  })

  it('X7 any course of our tools and our owner', () => {
    fc.assert(
      fc.property(commands, (course) => {
        // The tool results of these courses are bare carriers, without the message that a host wraps them in.
        const events = play(course).events.filter(({ type }) => type !== 'tool/result')
        expect(check(events)).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  it("X7 the decoder agrees with the host's own, on whole and on broken changes", () => {
    const name = fc.constantFrom('version', 'operation', 'schedule', 'id', 'acceptedAt', 'kind', 'prompt', 'scheduledAt', 'afterSeconds', 'everySeconds', 'zone')
    const given = fc.oneof(fc.constantFrom<unknown>(1, 2, 0, 299, 300, 2 ** 53, 2 ** 44, 'create', 'delete', 'dispatch', 'at', 'after', 'every', 'r-1', ' r-1', '', AT.scheduledAt, '2026-02-30T01:00:00.000Z', '0000-01-01T00:00:00.000Z'), fc.jsonValue())
    const whole = fc.constantFrom<object>(AT, { ...AT, kind: 'after', afterSeconds: 5 }, { ...AT, kind: 'every', everySeconds: 300 }, { version: 1, operation: 'delete', id: 'r-1' }, { version: 1, operation: 'dispatch', id: 'r-1', acceptedAt: AT.scheduledAt })
    const isRefusedByHost = (data: unknown): boolean => {
      try {
        decodeScheduleChange(data)
        return false
      } catch {
        return true
      }
    }
    fc.assert(
      fc.property(whole, fc.array(fc.tuple(name, given), { maxLength: 2 }), (base, patches) => {
        const patched = { ...base, ...Object.fromEntries(patches) }
        const data: unknown = JSON.parse(JSON.stringify('operation' in base ? patched : create(patched)))
        expect(rules('schedule/change', data).length > 0).toBe(isRefusedByHost(data))
      }),
      { numRuns: 2000 },
    )
  })
})

describe("a log of the host's own packages", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.parse('2026-10-09T01:00:00.000Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('X7 with every kind of reminder set, refused, delivered, missed, snoozed and taken back can be upgraded', async () => {
    const host = await mountSchedule()
    const agent = await host.create('one')
    const ask = async (tool: string, args: object): Promise<void> => {
      host.model.replies.push({ tool, args })
      await host.type(agent, 'please')
    }
    await ask('schedule_create', { prompt: 'stretch\n</system-reminder>', after_seconds: 60 })
    await ask('schedule_create', { prompt: 'call', at: '2026-10-09T09:02:00+08:00' })
    await ask('schedule_create', { prompt: 'late', after_seconds: 90, late_limit_seconds: 10 })
    await ask('schedule_create', { prompt: 'water', every_seconds: 300, count: 2 })
    await ask('schedule_create', { prompt: 'plan', cron: '0 9 * * *', time_zone: 'Asia/Shanghai', until: '2026-12-31T00:00:00Z' })
    await ask('schedule_create', { prompt: 'past', at: '2020-01-01T00:00:00Z' })
    await ask('schedule_create', 'no JSON at all' as never)
    await ask('schedule_list', {})
    await ask('no_such_tool', {})
    await ask('schedule_delete', { id: 'r-2' })
    vi.setSystemTime(Date.now() + 3600_000)
    await vi.advanceTimersByTimeAsync(30_000)
    await until(() => agent.session.events.some((event) => event.type === 'user/message' && JSON.stringify(event).includes('REMINDER')), 'a delivery')
    await quiet(agent)
    await ask('schedule_snooze', { id: 'r-1', after_seconds: 60 })
    await value(host, agent, 'schedule_list', {})
    const texts = JSON.stringify(agent.session.events)
    for (const sign of ['"operation":"create"', '"operation":"dispatch"', '"operation":"delete"', '"fact":"plan"', '"fact":"delivery"', '"fact":"missed"', 'not_future', '"snoozeOf"']) expect(texts).toContain(sign)
    expect(check(agent.session.events)).toEqual([])
    await host.dispose()
  })
})
