import {
  createAfterScheduleRecord, createAtScheduleRecord, createEveryScheduleRecord, decodeScheduleChange, foldScheduleEvents, resolveEveryOccurrence, ScheduleId, ScheduleLogError,
  type ScheduleRecord as HostRecord,
} from '@deepseek-ai/dsh-schedule'
import fc from 'fast-check'
import { formatInstant, MAX_INSTANT } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import type { LedgerFold } from '../src/fold.ts'
import { CorruptLog, createChange, decodeChange, deleteChange, dispatchChange, type ScheduleRecord } from '../src/protocol.ts'
import { DAY, fail, foldOf, id, Log, NOW, SECOND } from './events.ts'
import { commands, play } from './random-log.ts'

const records = (ledger: LedgerFold): ScheduleRecord[] => [...ledger.active.values()].map(({ record }) => record)

interface Reading {
  readonly active: readonly unknown[]
  readonly dueAt: readonly number[]
  readonly used: readonly string[]
}

/** What the host's own fold says of a log; it throws where the log breaks version 1. */
function hostReading(log: Log): Reading {
  const { active, seenIds } = foldScheduleEvents(log.events)
  return { active, dueAt: active.map(({ scheduledAt }) => Date.parse(scheduledAt)), used: seenIds }
}

/** The same of ours. The ids of series are ours alone, so of those used only the host's are looked up. */
function ourReading(log: Log): Reading {
  const ours = foldOf(log.events)
  if (ours.corruption !== undefined) fail(ours.corruption.rule)
  const used = foldScheduleEvents(log.events).seenIds.filter((one) => ours.isUsed(id(one)))
  return { active: records(ours), dueAt: [...ours.active.values()].map(({ dueAt }) => dueAt), used }
}

describe('what we write, read by the host', () => {
  it("S6 any course of our tools and our owner folds without error in the host's own plugin, to the same reminders", () => {
    fc.assert(
      fc.property(commands, (course) => {
        const log = play(course)
        expect(ourReading(log)).toEqual(hostReading(log))
      }),
      { numRuns: 150 },
    )
  })

  it("S6 every change that we write is decoded by the host's own decoder to itself", () => {
    fc.assert(
      fc.property(commands, (course) => {
        const changes = play(course).events.filter((event) => (event.type as string) === 'schedule/change')
        for (const { data } of changes) expect(decodeScheduleChange(data)).toEqual(data)
      }),
      { numRuns: 50 },
    )
  })

  it('S5 from the start of a fork on, too', () => {
    fc.assert(
      fc.property(commands, commands, (parent, child) => {
        const prefix = play(parent).events
        const own = play(child).events
        const renumbered = own.map((event) => ({ ...event, seq: event.seq + prefix.length }))
        const host = foldScheduleEvents([...prefix, ...renumbered], prefix.length)
        expect(records(foldOf(renumbered))).toEqual(host.active)
      }),
      { numRuns: 50 },
    )
  })
})

type HostStep = readonly [kind: 'after' | 'at' | 'every' | 'delete' | 'dispatch', size: number, offset: number]

const hostSteps: fc.Arbitrary<HostStep[]> = fc.array(fc.tuple(fc.constantFrom('after', 'at', 'every', 'delete', 'dispatch', 'dispatch'), fc.nat(30), fc.nat(10 * DAY)), { maxLength: 40, size: 'max' })

/** A log that the host's own plugin could have written, with its own record builders. */
function hostLog(steps: readonly HostStep[]): Log {
  const log = new Log()
  for (const [index, step] of steps.entries()) {
    log.now += SECOND
    hostStep(log, `schedule-${index + 1}`, step)
  }
  return log
}

function hostStep(log: Log, name: string, [kind, size, offset]: HostStep): void {
  const create = (schedule: HostRecord): unknown => log.change({ version: 1, operation: 'create', schedule })
  const { active } = foldScheduleEvents(log.events)
  const chosen = active[size % Math.max(active.length, 1)]
  switch (kind) {
    case 'after':
      return void create(createAfterScheduleRecord(ScheduleId(name), ` prompt ${size} `, size * 60 + 1, log.now))
    case 'at':
      return void create(createAtScheduleRecord(ScheduleId(name), 'call\nAnn', formatInstant(log.now + offset + 1), log.now))
    case 'every':
      return void create(createEveryScheduleRecord(ScheduleId(name), 'stretch', 300 + size, log.now))
    case 'delete':
      return void (chosen !== undefined && log.change({ version: 1, operation: 'delete', id: chosen.id }))
    case 'dispatch':
      return void (chosen !== undefined && log.change(hostDispatch(chosen, offset)))
  }
}

function hostDispatch(record: HostRecord, offset: number): unknown {
  if (record.kind !== 'every') return { version: 1, operation: 'dispatch', id: record.id }
  return { version: 1, operation: 'dispatch', id: record.id, acceptedAt: formatInstant(Date.parse(record.scheduledAt) + offset) }
}

describe('what the host writes, read by us', () => {
  it('S6 any log of its own record builders and dispatches folds in ours to the same reminders', () => {
    fc.assert(
      fc.property(hostSteps, (steps) => {
        const log = hostLog(steps)
        expect(ourReading(log)).toEqual(hostReading(log))
      }),
      { numRuns: 150 },
    )
  })

  it('T1 an accepted interval settles the occurrence that the host says, and goes on where it goes on', () => {
    const scheduledAt = fc.integer({ min: NOW - 400 * DAY, max: NOW })
    const everySeconds = fc.integer({ min: 300, max: 1_000_000 })
    fc.assert(
      fc.property(scheduledAt, everySeconds, fc.nat(1000 * DAY), (instant, seconds, offset) => {
        const record = createEveryScheduleRecord(ScheduleId('schedule-1'), 'stretch', seconds, instant - seconds * SECOND)
        const log = new Log().change({ version: 1, operation: 'create', schedule: record }).accept('schedule-1', instant + offset)
        const said = resolveEveryOccurrence(record, instant + offset)
        expect(formatInstant(log.ledger.outcomes[0]?.occurrenceAt ?? fail('no outcome'))).toBe(said.occurrenceAt)
        expect(log.reminder('schedule-1').record.scheduledAt).toBe(said.nextScheduledAt)
      }),
    )
  })

  it('T1 an interval at the end of time ends in both', () => {
    const log = new Log()
    const record = createEveryScheduleRecord(ScheduleId('schedule-1'), 'stretch', 300, MAX_INSTANT - 400 * SECOND)
    log.change({ version: 1, operation: 'create', schedule: record }).accept('schedule-1', MAX_INSTANT)
    expect(ourReading(log)).toEqual(hostReading(log))
    expect(log.ledger.active.size).toBe(0)
  })
})

describe('what both refuse', () => {
  const patches = fc.array(fc.tuple(fc.constantFrom('version', 'operation', 'schedule', 'id', 'acceptedAt', 'kind', 'prompt', 'scheduledAt', 'afterSeconds', 'everySeconds', 'zone'), fc.oneof(fc.constantFrom<unknown>(1, 2, 0, 299, 300, 2 ** 53, 'create', 'delete', 'dispatch', 'at', 'after', 'every', 'r-1', ' r-1', '2026-10-09T01:00:00.000Z', '2026-02-30T01:00:00.000Z', '2026-10-09T01:00:00Z'), fc.jsonValue())), { maxLength: 3 })
  const whole = fc.constantFrom<object & { schedule?: object }>(
    ...[{ kind: 'at' }, { kind: 'after', afterSeconds: 60 }, { kind: 'every', everySeconds: 300 }].map((rule) => createChange({ id: id('r-1'), prompt: 'x', scheduledAt: formatInstant(NOW), ...rule } as ScheduleRecord) ),
    { ...deleteChange(id('r-1')) },
    { ...dispatchChange({ id: id('r-1'), kind: 'every', prompt: 'x', everySeconds: 300, scheduledAt: formatInstant(NOW) }, NOW) },
  )

  const outcome = (decode: (data: unknown) => unknown, refusal: new (message: string) => Error, data: unknown): unknown => {
    try {
      return decode(data)
    } catch (error) {
      if (error instanceof refusal) return 'refused'
      throw error
    }
  }

  it('S8 the two decoders accept and refuse the same data', () => {
    fc.assert(
      fc.property(whole, patches, fc.boolean(), (change, patched, inside) => {
        const patch = Object.fromEntries(patched)
        const data: unknown = JSON.parse(JSON.stringify(inside && change.schedule !== undefined ? { ...change, schedule: { ...change.schedule, ...patch } } : { ...change, ...patch }))
        expect(outcome(decodeChange, CorruptLog, data)).toEqual(outcome(decodeScheduleChange, ScheduleLogError, data))
      }),
      { numRuns: 2000 },
    )
  })

  it('S8 a log with one transition that is not allowed is corrupt in both', () => {
    const name = fc.constantFrom('r-1', 'r-2', 'r-3')
    const step = fc.oneof(
      name.map((one) => createChange({ id: id(one), kind: 'at', prompt: 'x', scheduledAt: formatInstant(NOW) })),
      name.map((one) => createChange({ id: id(one), kind: 'every', prompt: 'x', everySeconds: 300, scheduledAt: formatInstant(NOW) })),
      name.map((one) => deleteChange(id(one))),
      name.map((one) => ({ version: 1, operation: 'dispatch', id: one })),
      fc.tuple(name, fc.integer({ min: -1000, max: 1_000_000 })).map(([one, offset]) => ({ version: 1, operation: 'dispatch', id: one, acceptedAt: formatInstant(NOW + offset) })),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const log = new Log()
        for (const one of steps) log.change(one)
        const host = outcome(() => foldScheduleEvents(log.events).active, ScheduleLogError, undefined)
        expect(log.ledger.corruption === undefined ? records(log.ledger) : 'refused').toEqual(host)
      }),
      { numRuns: 500 },
    )
  })
})
