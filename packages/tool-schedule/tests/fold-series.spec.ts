import { formatInstant } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import type { SeriesRule } from '../src/facts.ts'
import { decide } from '../src/decide.ts'
import type { Series } from '../src/ledger.ts'
import { act, atRecord, fail, HOUR, id, Log, MINUTE, NOW, ourMessage, planFact, POLICY, SECOND } from './events.ts'

const EVERY: SeriesRule = { kind: 'every', everySeconds: 300, anchor: formatInstant(NOW) }

const hourly = (more: { until?: string; count?: number } = {}): SeriesRule => ({ kind: 'every', everySeconds: 3600, anchor: formatInstant(NOW), ...more })

const seriesOf = (log: Log, name = 'r-1'): Series => log.ledger.series.get(id(name)) ?? fail(`no series ${name}`)

describe('a series in the log', () => {
  it('T2 is a plan and an ordinary record of its next occurrence', () => {
    const log = new Log().series('r-1', EVERY, NOW, { zone: 'Asia/Shanghai' })
    const plan = planFact('r-1', { series: EVERY, zone: 'Asia/Shanghai' })
    expect(seriesOf(log)).toEqual({ id: 'r-1', rule: EVERY, plan, prompt: 'stretch', createdAt: NOW, delivered: 0, unanswered: 0, number: 1, settledAt: undefined, activeId: 'r-1.1' })
    expect(log.reminder('r-1.1')).toMatchObject({ plan, series: seriesOf(log), dueAt: NOW })
  })

  it("S7 the id of a series counts as used, although only its occurrences are in version 1", () => {
    const log = new Log().series('r-1', EVERY, NOW)
    expect(log.ledger.isUsed(id('r-1'))).toBe(true)
    expect(log.ledger.setCount).toBe(1)
  })

  it('T2 without its plan the occurrence is a plain reminder', () => {
    const log = new Log().create(atRecord('r-1.1'))
    expect(log.reminder('r-1.1')).toMatchObject({ series: undefined, plan: undefined })
    expect(log.dispatch('r-1.1').ledger.series.size).toBe(0)
  })

  it('T2 a plan without its first occurrence makes no series', () => {
    expect(new Log().plan('r-1', { series: EVERY }).create(atRecord('r-1.1')).ledger.series.size).toBe(0)
    expect(new Log().create(atRecord('r-1.1')).delete('r-1.1').plan('r-1', { series: EVERY }).ledger.series.size).toBe(0)
  })

  it('T2 a second plan of the same series changes nothing', () => {
    const log = new Log().series('r-1', EVERY, NOW).plan('r-1', { series: hourly(), zone: 'UTC' })
    expect(seriesOf(log)).toMatchObject({ rule: EVERY, plan: planFact('r-1', { series: EVERY }) })
  })

  it('X3 T2 a plan that names an occurrence takes it out of nothing: the plan of its series stands', () => {
    const log = new Log().series('r-1', EVERY, NOW).plan('r-1.1', { lateLimitSeconds: 60 })
    expect(log.reminder('r-1.1').plan).toEqual(planFact('r-1', { series: EVERY }))
    const early = new Log().plan('r-1.1', { lateLimitSeconds: 60 }).series('r-1', EVERY, NOW)
    expect(early.reminder('r-1.1').plan).toEqual(planFact('r-1', { series: EVERY }))
  })

  it('T2 a record with the id of an occurrence and no series is none', () => {
    const log = new Log().series('r-1', EVERY, NOW).create(atRecord('r-2.2'))
    expect(log.reminder('r-2.2').series).toBeUndefined()
  })
})

describe('how a series goes on', () => {
  it('T1 a dispatch counts and settles, and the next record carries the series on', () => {
    const log = new Log().series('r-1', hourly(), NOW).dispatch('r-1.1')
    expect(seriesOf(log)).toMatchObject({ delivered: 1, unanswered: 1, settledAt: NOW, activeId: undefined, number: 1 })
    log.create(atRecord('r-1.2', NOW + HOUR))
    expect(seriesOf(log)).toMatchObject({ delivered: 1, number: 2, activeId: 'r-1.2' })
    expect(log.reminder('r-1.2')).toMatchObject({ series: seriesOf(log), plan: seriesOf(log).plan })
  })

  it('T1 what a late delivery settles is the occurrence that it delivered, not the one that was stored', () => {
    const log = new Log().series('r-1', hourly(), NOW)
    act(log, NOW + 5 * HOUR + MINUTE)
    expect(seriesOf(log)).toMatchObject({ settledAt: NOW + 5 * HOUR, activeId: 'r-1.2' })
    expect(log.reminder('r-1.2').dueAt).toBe(NOW + 6 * HOUR)
  })

  it('T2 the plan holds for all its occurrences', () => {
    const log = new Log().series('r-1', hourly(), NOW, { lateLimitSeconds: 60 })
    act(log, NOW)
    expect(log.reminder('r-1.2').plan).toMatchObject({ id: 'r-1', lateLimitSeconds: 60 })
  })

  it('S13 a delete of its occurrence ends the series', () => {
    const log = new Log().series('r-1', hourly(), NOW)
    act(log, NOW)
    expect(log.delete('r-1.2').ledger.series.size).toBe(0)
    expect(decide(log.ledger, NOW + 9 * HOUR, POLICY)).toEqual({ kind: 'rest' })
    expect(log.ledger.isUsed(id('r-1'))).toBe(true)
  })

  it('T5 a miss does not end the series and is not counted as delivered', () => {
    const log = new Log().series('r-1', hourly(), NOW, { lateLimitSeconds: 60 })
    act(log, NOW + 30 * MINUTE)
    expect(log.ledger.outcomes).toMatchObject([{ kind: 'missed', id: 'r-1.1', occurrenceAt: NOW }])
    expect(seriesOf(log)).toMatchObject({ delivered: 0, unanswered: 0, settledAt: NOW, activeId: 'r-1.2' })
  })

  it('T4 the last delivery ends the series', () => {
    const log = new Log().series('r-1', hourly({ count: 2 }), NOW)
    act(log, NOW)
    expect(act(log, NOW + HOUR)).toMatchObject({ deliver: [{ nextAt: undefined }] })
    expect(log.ledger.series.size).toBe(0)
    expect(log.ledger.active.size).toBe(0)
  })

  it('T4 a miss of the last occurrence ends the series too', () => {
    const log = new Log().series('r-1', hourly({ until: formatInstant(NOW) }), NOW, { lateLimitSeconds: 60 })
    act(log, NOW + 30 * MINUTE)
    expect(log.ledger.series.size).toBe(0)
    expect(log.ledger.outcomes).toMatchObject([{ kind: 'missed', occurrenceAt: NOW }])
  })

  it('T4 a dispatch that says it was the last ends the series, also when it comes after a restart', () => {
    const log = new Log().series('r-1', hourly({ count: 1 }), NOW)
    log.queue(ourMessage([{ fact: 'delivery', id: id('r-1.1'), occurrenceAt: formatInstant(NOW), deliveredAt: formatInstant(NOW), reasons: [], last: true }]))
    expect(seriesOf(log).delivered).toBe(0)
    expect(act(log, NOW + HOUR)).toMatchObject({ settle: [{ id: 'r-1.1' }], deliver: [], renew: [] })
    expect(log.ledger.series.size).toBe(0)
  })

  it('B43 a crash between the dispatch and the next record leaves a series without an occurrence, not without a future', () => {
    const log = new Log().series('r-1', hourly(), NOW).dispatch('r-1.1')
    expect(seriesOf(log).activeId).toBeUndefined()
    expect(decide(log.ledger, NOW + MINUTE, POLICY)).toMatchObject({ kind: 'act', renew: [{ at: NOW + HOUR }] })
  })

  it("T4 a series that the host's own plugin dispatched to its count does not go on", () => {
    const log = new Log().series('r-1', hourly({ count: 1 }), NOW).dispatch('r-1.1')
    expect(decide(log.ledger, NOW + 9 * HOUR, POLICY)).toEqual({ kind: 'rest' })
  })
})

describe('unattended series', () => {
  it('T8 B68 deliveries are counted until a person writes', () => {
    const log = new Log().series('r-1', hourly(), NOW)
    for (let hour = 0; hour < 3; hour += 1) act(log, NOW + hour * HOUR)
    expect(seriesOf(log).unanswered).toBe(3)
    log.human()
    expect(seriesOf(log)).toMatchObject({ unanswered: 0, delivered: 3 })
    expect(log.reminder('r-1.4').series).toEqual(seriesOf(log))
  })

  it('T8 the message that delivers is no answer', () => {
    const log = new Log().series('r-1', hourly(), NOW)
    act(log, NOW)
    expect(seriesOf(log.turn()).unanswered).toBe(1)
  })

  it('T8 a human message resets every series, whatever turn it comes in', () => {
    const log = new Log().series('r-1', hourly(), NOW).series('r-2', EVERY, NOW)
    act(log, NOW)
    log.human()
    expect([seriesOf(log).unanswered, seriesOf(log, 'r-2').unanswered]).toEqual([0, 0])
  })

  it('T8 a series between two records is reset as well', () => {
    const log = new Log().series('r-1', hourly(), NOW).dispatch('r-1.1').human()
    expect(seriesOf(log)).toMatchObject({ unanswered: 0, activeId: undefined })
  })
})

describe('P1 the work of one event', () => {
  /** How many map and set operations, and how many steps over maps and sets, one act takes. */
  function counted(work: () => void): { calls: number; steps: number } {
    const found = { calls: 0, steps: 0 }
    const undo = [Map.prototype, Set.prototype].flatMap((prototype) => [...spyCalls(prototype, found), ...spySteps(prototype, found)])
    try {
      work()
    } finally {
      for (const restore of undo) restore()
    }
    return found
  }

  /** A session in which so many reminders came and went; three reminders and a series are active. */
  function longSession(creates: number): Log {
    const log = new Log()
    for (let n = 1; n <= creates; n += 1) log.create(atRecord(`old-${n}`)).plan(`old-${n}`).dispatch(`old-${n}`)
    return log.create(atRecord('r-1')).create(atRecord('r-2')).create(atRecord('r-3')).series('r-4', hourly(), NOW)
  }

  const events: [string, (log: Log) => Log][] = [
    ['a create', (log) => log.create(atRecord('r-9'))],
    ['a plan', (log) => log.plan('r-1', { zone: 'UTC' })],
    ['a dispatch', (log) => log.dispatch('r-1')],
    ['a delete', (log) => log.delete('r-2')],
    ['a dispatch in a series', (log) => log.dispatch('r-4.1')],
    ['a delivery', (log) => log.queue(ourMessage([{ fact: 'delivery', id: id('r-1'), occurrenceAt: formatInstant(NOW), deliveredAt: formatInstant(NOW), reasons: [] }]))],
    ['a human message', (log) => log.human()],
    ['a turn', (log) => log.turn()],
    ['an event of no interest', (log) => log.add('step/start', { turn: 1, step: 1 })],
  ]

  it.each(events)('%s costs the same after 10 creates and after 10,000', (_name, happen) => {
    const [short, long] = [longSession(10), longSession(10_000)]
    const few = counted(() => void happen(short))
    const many = counted(() => void happen(long))
    expect(many).toEqual(few)
    expect(few.calls + few.steps).toBeLessThan(40)
  })

  it('a decision steps over what is active, not over what ever was', () => {
    const [short, long] = [longSession(10), longSession(10_000)]
    const few = counted(() => void decide(short.ledger, NOW + SECOND, POLICY))
    const many = counted(() => void decide(long.ledger, NOW + SECOND, POLICY))
    expect(many).toEqual(few)
    expect(few.steps).toBeGreaterThan(0)
  })
})

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown

function replaced(prototype: object, name: string | symbol, wrap: (original: AnyMethod) => AnyMethod): () => void {
  const original = Reflect.get(prototype, name) as AnyMethod
  Reflect.set(prototype, name, wrap(original))
  return () => void Reflect.set(prototype, name, original)
}

function spyCalls(prototype: object, found: { calls: number }): (() => void)[] {
  const names = ['get', 'set', 'has', 'add', 'delete'].filter((name) => Reflect.has(prototype, name))
  return names.map((name) =>
    replaced(prototype, name, (original) => function (this: unknown, ...args) {
      found.calls += 1
      return original.apply(this, args)
    }),
  )
}

/** Every way to walk over a map or a set. */
function spySteps(prototype: object, found: { steps: number }): (() => void)[] {
  return ['keys', 'values', 'entries', Symbol.iterator].map((name) =>
    replaced(prototype, name, (original) => function* (this: unknown, ...args) {
      for (const item of original.apply(this, args) as Iterable<unknown>) {
        found.steps += 1
        yield item
      }
    }),
  )
}

it('B48 X6 one plan that cannot be read, between two good ones, takes nothing away from them and stays in the log', () => {
  const log = new Log().create(atRecord('r-1')).create(atRecord('r-2')).create(atRecord('r-3'))
  const good = (name: string) => ({ ...planFact(name), lateLimitSeconds: 60 })
  log.result([good('r-1'), { ...good('r-2'), lateLimitSeconds: -1 }, good('r-3')])
  expect([...log.ledger.active.values()].map(({ plan }) => plan?.lateLimitSeconds)).toEqual([60, undefined, 60])
  expect(act(log, NOW)).toMatchObject({ deliver: [{ reminder: { record: { id: 'r-1' } } }, { reminder: { record: { id: 'r-2' } } }, { reminder: { record: { id: 'r-3' } } }] })
  expect(JSON.stringify(log.events)).toContain('"lateLimitSeconds":-1')
})
