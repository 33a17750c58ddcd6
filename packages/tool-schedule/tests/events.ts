import { createUserMessage, type UserMessage } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { drift, formatInstant, parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import { decide, isPaused, type DeliveryPolicy, type Due, type Next } from '../src/decide.ts'
import { carry, SOURCE_KIND, type Fact, type PlanFact, type SeriesRule } from '../src/facts.ts'
import { LedgerFold } from '../src/fold.ts'
import { deliveryMessage, missedMessage, type Observed } from '../src/frame.ts'
import type { Reminder } from '../src/ledger.ts'
import { createChange, deleteChange, dispatchChange, type AfterRecord, type AtRecord, type EveryRecord, type ReminderId, type ScheduleRecord } from '../src/protocol.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** 2026-10-09T01:00:00Z, 09:00 in Shanghai: where the tests begin. */
export const NOW: Instant = Date.parse('2026-10-09T01:00:00.000Z')

export const POLICY: DeliveryPolicy = { maxUnanswered: 10 }

export const id = (text: string): ReminderId => text as ReminderId

/** A zone that exists on every machine. */
export const zone = (name: string): ZoneName => parseZone(name) ?? fail(`no zone ${name}`)

/** An instant by its text. */
export const utc = (text: string): Instant => Date.parse(text)

export function fail(message: string): never {
  throw new Error(message)
}

export function atRecord(name: string, instant: Instant = NOW, prompt = 'stretch'): AtRecord {
  return { id: id(name), kind: 'at', prompt, scheduledAt: formatInstant(instant) }
}

export function afterRecord(name: string, seconds: number, now: Instant = NOW, prompt = 'stretch'): AfterRecord {
  return { id: id(name), kind: 'after', prompt, afterSeconds: seconds, scheduledAt: formatInstant(now + seconds * SECOND) }
}

/** As the host's own plugin writes it. */
export function everyRecord(name: string, seconds: number, instant: Instant = NOW, prompt = 'stretch'): EveryRecord {
  return { id: id(name), kind: 'every', prompt, everySeconds: seconds, scheduledAt: formatInstant(instant) }
}

export function planFact(name: string, more: Partial<PlanFact> = {}): PlanFact {
  return { fact: 'plan', id: id(name), setBy: 'model', ...more }
}

/** A message of ours that waits to be read. */
export function ourMessage(facts: readonly Fact[], text = 'text'): UserMessage {
  return createUserMessage({ content: [{ type: 'text', text }], source: { kind: SOURCE_KIND, form: 'notice', summary: 'a reminder', ...carry(facts) } as never })
}

/** A message that a person typed. */
export function typedMessage(text = 'hello'): UserMessage {
  return createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user', rpcId: 'rpc-1' } as never })
}

type Target = 'next-turn' | 'next-step'

/** A session's log that a test writes, with the ledger that follows it event by event. */
export class Log {
  readonly events: SessionEvent[] = []
  readonly ledger = new LedgerFold()
  /** Time of the next event. */
  now: Instant
  readonly #waiting: Record<Target, UserMessage[]> = { 'next-turn': [], 'next-step': [] }

  constructor(now: Instant = NOW) {
    this.now = now
  }

  add(type: string, data: unknown): this {
    // Through JSON, as every event of a real log has come.
    const event = { type, seq: this.events.length, time: this.now, data: JSON.parse(JSON.stringify(data)) as unknown } as unknown as SessionEvent
    this.events.push(event)
    this.ledger.apply(event)
    return this
  }

  change(data: unknown): this {
    return this.add('schedule/change', data)
  }

  create(record: ScheduleRecord): this {
    return this.change(createChange(record))
  }

  delete(name: string): this {
    return this.change(deleteChange(id(name)))
  }

  dispatch(name: string): this {
    return this.change({ version: 1, operation: 'dispatch', id: name })
  }

  accept(name: string, acceptedAt: Instant): this {
    return this.change({ version: 1, operation: 'dispatch', id: name, acceptedAt: formatInstant(acceptedAt) })
  }

  /** What a tool of ours leaves behind. */
  result(facts: readonly Fact[]): this {
    return this.add('tool/result', { turn: 1, step: 1, message: {}, meta: carry(facts) })
  }

  plan(name: string, more: Partial<PlanFact> = {}): this {
    return this.result([planFact(name, more)])
  }

  /** A series and its first occurrence, as `schedule_create` leaves them. */
  series(name: string, rule: SeriesRule, first: Instant, more: Partial<PlanFact> = {}): this {
    return this.create(atRecord(`${name}.1`, first)).plan(name, { series: rule, ...more })
  }

  splice(target: Target, start: number, removedCount: number, inserted: readonly UserMessage[], outcome?: 'canceled'): this {
    this.#waiting[target].splice(start, removedCount, ...inserted)
    return this.add('agent/inbox/spliced', { target, start, ...(removedCount > 0 && { removedCount }), inserted, ...(outcome && { outcome }) })
  }

  queue(message: UserMessage, target: Target = 'next-turn'): this {
    return this.splice(target, this.#waiting[target].length, 0, [message])
  }

  /** What disposing an agent does to all that waits. */
  cancel(target: Target = 'next-turn'): this {
    return this.splice(target, 0, this.#waiting[target].length, [], 'canceled')
  }

  /** A turn begins, takes everything that waits, and stays open. */
  open(): this {
    this.add('turn/start', { turn: 1 })
    for (const target of ['next-step', 'next-turn'] as const) {
      const taken = [...this.#waiting[target]]
      if (taken.length > 0) this.splice(target, 0, taken.length, [])
      for (const message of taken) this.add('user/message', message)
    }
    return this
  }

  close(): this {
    return this.add('turn/end', { turn: 1, reason: { kind: 'completed' } })
  }

  turn(): this {
    return this.open().close()
  }

  /** A person writes, and the turn ends. */
  human(): this {
    return this.queue(typedMessage()).turn()
  }

  reminder(name: string): Reminder {
    return this.ledger.active.get(id(name)) ?? fail(`${name} is not active`)
  }
}

/** The same events folded into a ledger of its own. */
export function foldOf(events: readonly SessionEvent[]): LedgerFold {
  const ledger = new LedgerFold()
  for (const event of events) ledger.apply(event)
  return ledger
}

/** Everything that a ledger says, as plain data. */
export function snapshot(ledger: LedgerFold): unknown {
  const { active, series, undispatched, outcomes, corruption, attended, unattendedSets, setCount } = ledger
  return structuredClone({ active: [...active], series: [...series], undispatched: [...undispatched], outcomes, corruption, attended, unattendedSets, setCount })
}

export function observed(due: Due, now: Instant, policy: DeliveryPolicy = POLICY): Observed {
  const { series } = due.reminder
  const pauses = due.nextAt !== undefined && series !== undefined && isPaused({ ...series, unanswered: series.unanswered + 1 }, policy)
  return { due, drift: drift(due.occurrenceAt, now, []), pauses }
}

/**
 * What an owner does with one decision, on the log alone and with no host around it.
 *
 * @returns the decision; `false` when there was nothing to do.
 */
export function act(log: Log, now: Instant, policy: DeliveryPolicy = POLICY): Extract<Next, { kind: 'act' }> | false {
  log.now = now
  const next = decide(log.ledger, now, policy)
  if (next.kind !== 'act') return false
  if (next.miss.length > 0) log.queue(missedMessage(next.miss.map((due) => observed(due, now, policy))), 'next-step')
  for (const { message } of next.again) log.queue(message)
  if (next.deliver.length > 0) log.queue(deliveryMessage(next.deliver.map((due) => observed(due, now, policy))))
  for (const { reminder: { record } } of next.miss) log.change(record.kind === 'every' ? dispatchChange(record, now) : deleteChange(record.id))
  for (const one of next.settle) {
    const reminder = log.ledger.active.get(one.id)
    // Its message went out at or after its instant, whatever the clock says by now.
    if (reminder !== undefined) log.change(dispatchChange(reminder.record, Math.max(now, reminder.dueAt)))
  }
  for (const due of next.deliver) log.change(dispatchChange(due.reminder.record, now))
  const goOn = [...next.miss, ...next.deliver].flatMap(({ reminder: { series }, nextAt }) => (series && nextAt !== undefined ? [{ series, at: nextAt }] : []))
  for (const { series, at } of [...goOn, ...next.renew]) log.create(atRecord(`${series.id}.${series.number + 1}`, at, series.prompt))
  return next
}

/** Instants of what a decision delivers, as text. */
export function deliveredAt(next: Next | false): string[] {
  return next === false || next.kind !== 'act' ? [] : next.deliver.map((due) => formatInstant(due.occurrenceAt))
}

/** Processor time of a job in milliseconds: what else the machine does is not counted. */
export function cpuMsOf(job: () => void): number {
  const started = process.threadCpuUsage()
  job()
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / 1000
}
