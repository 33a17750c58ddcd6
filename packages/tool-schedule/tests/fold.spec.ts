import fc from 'fast-check'
import { ownStart } from 'dsh-session-host'
import { MAX_INSTANT } from 'dsh-time-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { carry } from '../src/facts.ts'
import { LedgerFold, occurrenceOf } from '../src/fold.ts'
import { OUTCOMES_KEPT } from '../src/ledger.ts'
import { afterRecord, atRecord, everyRecord, foldOf, HOUR, id, Log, MINUTE, NOW, planFact, SECOND, snapshot, typedMessage, utc } from './events.ts'
import { commands, play } from './random-log.ts'

const names = (log: Log): string[] => [...log.ledger.active.keys()]

describe('one-shots', () => {
  it('S7 a created reminder is active, due at its stored instant, and knows when it was created', () => {
    const record = afterRecord('r-1', 60)
    const log = new Log().create(record)
    expect(log.reminder('r-1')).toEqual({ record, dueAt: NOW + MINUTE, order: 0, createdAt: NOW, plan: undefined, series: undefined })
    expect(log.ledger.setCount).toBe(1)
  })

  it('S7 a dispatch and a delete are terminal, and the rest stays in creation order', () => {
    const log = new Log()
    for (const name of ['r-1', 'r-2', 'r-3', 'r-4']) log.create(atRecord(name))
    expect(names(log.delete('r-2').dispatch('r-3'))).toEqual(['r-1', 'r-4'])
  })

  it.each(['delete', 'dispatch'] as const)('S7 an id is never used again after its %s', (end) => {
    const log = new Log().create(atRecord('r-1'))[end]('r-1')
    expect(log.ledger.isUsed(id('r-1'))).toBe(true)
    expect(log.create(atRecord('r-1')).ledger.corruption).toEqual({ seq: 2, rule: 'id "r-1" is used twice' })
  })

  it('S7 an id that was never used is free', () => {
    expect(new Log().create(atRecord('r-1')).ledger.isUsed(id('r-2'))).toBe(false)
  })
})

describe('S8 a transition that version 1 does not allow', () => {
  it.each<[string, (log: Log) => Log, string]>([
    ['a delete of an unknown reminder', (log) => log.delete('r-9'), 'reminder "r-9" is not active'],
    ['a second delete', (log) => log.delete('r-1').delete('r-1'), 'reminder "r-1" is not active'],
    ['a dispatch after a delete', (log) => log.delete('r-1').dispatch('r-1'), 'reminder "r-1" is not active'],
    ['a second dispatch', (log) => log.dispatch('r-1').dispatch('r-1'), 'reminder "r-1" is not active'],
    ['an id used twice', (log) => log.create(afterRecord('r-1', 5)), 'id "r-1" is used twice'],
    ['acceptedAt for a one-shot', (log) => log.accept('r-1', NOW), 'acceptedAt belongs to every reminders and to no other'],
    ['no acceptedAt for a fixed interval', (log) => log.dispatch('schedule-1'), 'acceptedAt belongs to every reminders and to no other'],
    ['acceptedAt before the occurrence', (log) => log.accept('schedule-1', NOW - 1), 'acceptedAt lies before the occurrence'],
    ['an unknown version', (log) => log.change({ version: 2, operation: 'delete', id: 'r-1' }), 'version is not 1'],
    ['a foreign member', (log) => log.change({ version: 1, operation: 'delete', id: 'r-1', zone: 'UTC' }), 'member "zone" is not part of version 1'],
    ['data that is no object', (log) => log.change(null), 'schedule/change is not an object'],
  ])('%s is corrupt, at its seq and by its rule, and changes nothing', (_name, breakIt, rule) => {
    const log = new Log().create(atRecord('r-1')).create(everyRecord('schedule-1', 300))
    const broken = breakIt(log)
    const intact = foldOf(broken.events.slice(0, -1))
    expect(intact.corruption).toBeUndefined()
    expect(log.ledger.corruption).toEqual({ seq: broken.events.length - 1, rule })
    expect(snapshot(log.ledger)).toEqual({ ...(snapshot(intact) as object), corruption: log.ledger.corruption })
  })

  it('S8 ends all conclusions from later changes, and the first break is the one that is reported', () => {
    const log = new Log().create(atRecord('r-1')).delete('r-9').create(atRecord('r-2')).delete('r-1').change('broken')
    expect(names(log)).toEqual(['r-1'])
    expect(log.ledger.isUsed(id('r-2'))).toBe(false)
    expect(log.ledger.corruption?.seq).toBe(1)
  })

  it('X6 does not stop the other events from being folded', () => {
    const log = new Log().create(atRecord('r-1')).delete('r-9').queue(typedMessage()).open()
    expect(log.ledger.attended).toBe(true)
    expect(log.plan('r-1', { zone: 'UTC' }).reminder('r-1').plan?.zone).toBe('UTC')
  })

  it('S8 an error that is no break of the format is not taken for one', () => {
    const data = { version: 1, get operation(): string { throw new RangeError('a bug') } }
    const event = { type: 'schedule/change', seq: 0, time: NOW, data } as unknown as SessionEvent
    expect(() => new LedgerFold().apply(event)).toThrow(new RangeError('a bug'))
  })
})

describe('fixed intervals of the host', () => {
  it('T1 a dispatch moves the record to the next instant of its own rhythm, with its id and order', () => {
    const log = new Log().create(everyRecord('schedule-1', 300)).create(atRecord('r-1')).accept('schedule-1', NOW + SECOND)
    expect(log.reminder('schedule-1')).toMatchObject({ dueAt: NOW + 300 * SECOND, order: 0, record: { scheduledAt: '2026-10-09T01:05:00.000Z' } })
    expect(names(log)).toEqual(['schedule-1', 'r-1'])
  })

  it('B33 an acceptance a month later settles the newest occurrence and none of the 8639 before it', () => {
    const log = new Log().create(everyRecord('schedule-1', 300)).accept('schedule-1', NOW + 30 * 24 * HOUR + SECOND)
    expect(log.ledger.outcomes).toMatchObject([{ kind: 'delivered', occurrenceAt: NOW + 30 * 24 * HOUR }])
    expect(log.reminder('schedule-1').dueAt).toBe(NOW + 30 * 24 * HOUR + 300 * SECOND)
  })

  it('S21 a record whose next instant has no four-digit year is at its end', () => {
    const log = new Log().create(everyRecord('schedule-1', 300, MAX_INSTANT)).accept('schedule-1', MAX_INSTANT)
    expect(names(log)).toEqual([])
    expect(log.ledger.corruption).toBeUndefined()
  })
})

describe('forks', () => {
  it("S5 events before a child's own start are history, never work", () => {
    const parent = new Log().create(atRecord('r-1')).plan('r-1').human()
    const seedLength = parent.events.length
    const child = parent.create(atRecord('r-2')).events
    const own = foldOf(child.slice(ownStart({ header: { seedLength } } as never)))
    expect([...own.active.keys()]).toEqual(['r-2'])
    expect(own.isUsed(id('r-1'))).toBe(false)
  })

  it("S5 B57 a child may use its parent's ids again, and the parent keeps its reminder", () => {
    const parent = new Log().create(atRecord('r-1'))
    const child = foldOf(new Log().create(atRecord('r-1', NOW + HOUR)).events)
    expect(child.corruption).toBeUndefined()
    expect(child.active.get(id('r-1'))?.dueAt).toBe(NOW + HOUR)
    expect(parent.reminder('r-1').dueAt).toBe(NOW)
  })
})

describe('plans', () => {
  it('T3 a plan says what version 1 cannot, whether it comes before or after the record', () => {
    const plan = planFact('r-1', { zone: 'Asia/Shanghai', lateLimitSeconds: 60 })
    expect(new Log().create(atRecord('r-1')).result([plan]).reminder('r-1').plan).toEqual(plan)
    expect(new Log().result([plan]).create(atRecord('r-1')).reminder('r-1').plan).toEqual(plan)
  })

  it('S7 a plan of a reminder that is gone changes nothing', () => {
    const log = new Log().create(atRecord('r-1')).delete('r-1').plan('r-1')
    expect(names(log)).toEqual([])
  })

  it('T11 a plan may ride on a message of ours, as a person makes it in the page', () => {
    const log = new Log().create(atRecord('r-1'))
    log.queue({ ...typedMessage(), source: { kind: 'dsh-tool-schedule', timekeeper: { v: 1, facts: [planFact('r-1', { setBy: 'person' })] } } as never })
    expect(log.reminder('r-1').plan?.setBy).toBe('person')
  })

  it.each([
    [false, 'UTC'],
    [true, undefined],
  ])('T3 a plan that a program set is read from the logged value, unless the call failed: failed is %s', (isError, zone) => {
    const content = [{ type: 'text', text: JSON.stringify({ set: true, id: 'r-1', kind: 'at', zone: 'UTC' }) }]
    const log = new Log().create(atRecord('r-1')).add('tool/code-dispatch', { name: 'schedule_create', isError, content })
    expect(log.reminder('r-1').plan?.zone).toBe(zone)
  })

  it('T8 what a compaction appends once more in place of the first says nothing new', () => {
    const log = new Log().create(atRecord('r-1')).plan('r-1', { unattended: true })
    const again = (type: string, data: unknown, surfaceOp: unknown): void => log.ledger.apply({ type, seq: 99, time: NOW, data, surfaceOp } as unknown as SessionEvent)
    again('tool/result', { meta: carry([planFact('r-1', { unattended: true })]) }, { op: 'replace', start: 1, end: 1 })
    again('user/message', typedMessage(), { op: 'replace', start: 1, end: 1 })
    expect([log.ledger.unattendedSets, log.ledger.attended]).toEqual([1, false])
    again('tool/result', { meta: carry([planFact('r-1', { unattended: true })]) }, 'append')
    expect(log.ledger.unattendedSets).toBe(2)
    again('user/message', typedMessage(), 'append')
    expect([log.ledger.unattendedSets, log.ledger.attended]).toEqual([0, true])
  })

  it('X6 a tool result without facts says nothing', () => {
    expect(new Log().create(atRecord('r-1')).add('tool/result', { message: {} }).reminder('r-1').plan).toBeUndefined()
  })

  it.each<[string, object]>([
    ['another plugin', { kind: 'acme' }],
    ['a person', { kind: 'user', rpcId: 'rpc-1' }],
    ['the shared plugin kind of another plugin', { kind: 'plugin', plugin: 'acme' }],
  ])('X4 facts on a message of %s are not ours', (_name, source) => {
    const log = new Log().create(atRecord('r-1'))
    log.queue({ ...typedMessage(), source: { ...source, timekeeper: { v: 1, facts: [planFact('r-1')] } } as never })
    expect(log.reminder('r-1').plan).toBeUndefined()
  })

  it.each<[string, object]>([
    ['of a 0.1 host', { kind: 'plugin', plugin: 'dsh-tool-schedule' }],
    ['of a migrated log', { kind: 'plugin:dsh-tool-schedule' }],
  ])('X7 the spelling %s is read as ours', (_name, source) => {
    const log = new Log().create(atRecord('r-1'))
    log.queue({ ...typedMessage(), source: { ...source, timekeeper: { v: 1, facts: [planFact('r-1')] } } as never })
    expect(log.reminder('r-1').plan).toEqual(planFact('r-1'))
  })
})

describe('who is there', () => {
  it('T8 a turn is attended from a message of a person to its end', () => {
    const log = new Log()
    expect(log.ledger.attended).toBe(false)
    expect(log.queue(typedMessage()).open().ledger.attended).toBe(true)
    expect(log.close().ledger.attended).toBe(false)
  })

  it('T8 a turn that begins anew is not attended by the one before', () => {
    const log = new Log().queue(typedMessage()).open().add('turn/start', { turn: 2 })
    expect(log.ledger.attended).toBe(false)
  })

  it('T8 B67 a message of a timer or a goal is nobody', () => {
    const log = new Log()
    for (const kind of ['dsh-tool-schedule', 'goal', 'webhook']) log.queue({ ...typedMessage(), source: { kind } as never })
    expect(log.open().ledger.attended).toBe(false)
  })

  it('T8 B56 reminders set in unattended turns are counted until a person writes', () => {
    const log = new Log()
    for (const name of ['r-1', 'r-2', 'r-3']) log.create(atRecord(name)).plan(name, { unattended: true })
    log.create(atRecord('r-4')).plan('r-4')
    expect(log.ledger.unattendedSets).toBe(3)
    expect(log.human().ledger.unattendedSets).toBe(0)
  })
})

describe('outcomes', () => {
  it('T6 a delivery without facts counts as delivered at its dispatch', () => {
    const log = new Log().create(atRecord('r-1'))
    log.now = NOW + MINUTE
    log.dispatch('r-1')
    expect(log.ledger.outcomes).toEqual([{ kind: 'delivered', id: 'r-1', prompt: 'stretch', occurrenceAt: NOW, decidedAt: NOW + MINUTE, reasons: [], seq: 1 }])
  })

  it('S7 a reminder that was taken back leaves no outcome', () => {
    expect(new Log().create(atRecord('r-1')).delete('r-1').ledger.outcomes).toEqual([])
  })

  it('P5 only the newest outcomes are kept', () => {
    const log = new Log()
    for (let n = 1; n <= OUTCOMES_KEPT + 5; n += 1) log.create(atRecord(`r-${n}`)).dispatch(`r-${n}`)
    expect(log.ledger.outcomes).toHaveLength(OUTCOMES_KEPT)
    expect(log.ledger.outcomes[0]?.id).toBe('r-6')
    expect(log.ledger.outcomes.at(-1)?.id).toBe(`r-${OUTCOMES_KEPT + 5}`)
  })
})

describe('occurrence ids', () => {
  it.each([
    ['r-1', 'r-1', 1],
    ['r-1.1', 'r-1', 1],
    ['r-1.12', 'r-1', 12],
    ['r-1.2.3', 'r-1.2', 3],
    ['r-1.0', 'r-1.0', 1],
    ['r-1.01', 'r-1.01', 1],
    ['.1', '.1', 1],
    ['r-1.', 'r-1.', 1],
    ['r-1.x', 'r-1.x', 1],
  ])('T2 %s belongs to %s as number %i', (name, series, number) => {
    expect(occurrenceOf(id(name))).toEqual([series, number])
  })
})

describe('laws', () => {
  const processZone = process.env['TZ']
  afterEach(() => {
    vi.useRealTimers()
    if (processZone === undefined) delete process.env['TZ']
    else process.env['TZ'] = processZone
  })

  it('S8 no log that our own tools and owner write is ever corrupt', () => {
    fc.assert(
      fc.property(commands, (course) => {
        expect(play(course).ledger.corruption).toBeUndefined()
      }),
      { numRuns: 150 },
    )
  })

  it('R25 the same log gives the same ledger, step by step or in one go, in any zone and at any time', () => {
    fc.assert(
      fc.property(commands, fc.constantFrom('Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'), fc.nat(), (course, zone, cut) => {
        const { events, ledger } = play(course)
        process.env['TZ'] = zone
        vi.useFakeTimers({ now: utc('2031-03-30T01:30:00.000Z'), toFake: ['Date'] })
        const again = foldOf(events)
        expect(snapshot(again)).toEqual(snapshot(ledger))
        const part = foldOf(events.slice(0, cut % (events.length + 1)))
        for (const event of events.slice(cut % (events.length + 1))) part.apply(event)
        expect(snapshot(part)).toEqual(snapshot(ledger))
        vi.useRealTimers()
      }),
      { numRuns: 60 },
    )
  })

  it('T2 a series has at most one active occurrence, and both know each other', () => {
    fc.assert(
      fc.property(commands, (course) => {
        const { active, series } = play(course).ledger
        for (const one of series.values()) {
          const members = [...active.values()].filter((reminder) => reminder.series?.id === one.id)
          expect(members.map((reminder) => reminder.record.id)).toEqual(one.activeId === undefined ? [] : [one.activeId])
          for (const member of members) expect(member).toMatchObject({ series: one, plan: one.plan })
        }
      }),
      { numRuns: 100 },
    )
  })

  it('S30 what is undispatched is active', () => {
    fc.assert(
      fc.property(commands, (course) => {
        const { active, undispatched } = play(course).ledger
        for (const name of undispatched.keys()) expect([...active.keys()]).toContain(name)
      }),
      { numRuns: 100 },
    )
  })
})
