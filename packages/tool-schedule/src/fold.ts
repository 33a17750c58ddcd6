import type { SessionEvent, UserMessage } from '@deepseek-ai/dsh-session'
import { isSourceOf, type Follower } from 'dsh-session-host'
import { everyOccurrence, isInstant, type Instant } from 'dsh-time-core'
import { instantOf, readFacts, SOURCE_KIND, subCallFacts, type DeliveryFact, type Fact, type MissedFact, type PlanFact } from './facts.ts'
import { createInbox } from './inbox.ts'
import { OUTCOMES_KEPT, type Corruption, type Ledger, type Outcome, type Reminder, type Series, type Undispatched, type Unread } from './ledger.ts'
import { CorruptLog, decodeChange, type ReminderId, type ScheduleChange, type ScheduleRecord } from './protocol.ts'

interface Watched {
  readonly messageId: string
  readonly message: UserMessage
  readonly deliveries: readonly DeliveryFact[]
}

const OCCURRENCE_ID = /^(?<series>.+)\.(?<number>[1-9]\d*)$/

/**
 * A ledger that is advanced event by event (requirements S6 to S8, R25). It asks neither clock nor zone: the same
 * log gives the same ledger on every machine.
 */
export class LedgerFold implements Ledger, Follower {
  readonly active = new Map<ReminderId, Reminder>()
  readonly series = new Map<ReminderId, Series>()
  readonly undispatched = new Map<ReminderId, Undispatched>()
  readonly unread = new Map<string, Unread>()
  readonly outcomes: Outcome[] = []
  corruption: Corruption | undefined
  attended = false
  unattendedSets = 0
  setCount = 0
  readonly #used = new Set<ReminderId>()
  readonly #plans = new Map<ReminderId, PlanFact>()
  readonly #deliveries = new Map<ReminderId, DeliveryFact>()
  readonly #missed = new Map<ReminderId, MissedFact>()
  readonly #splice = createInbox((message) => watch(message))

  isUsed(id: ReminderId): boolean {
    return this.#used.has(id)
  }


  apply(event: SessionEvent): void {
    // Declared to the host by its own schedule plugin only, so its type is not among the known ones here.
    if ((event.type as string) === 'schedule/change') return this.#change(event)
    // A miss is noted and recorded in one go; what a crash cut off in between is decided anew.
    if (event.type !== 'agent/inbox/spliced') this.#missed.clear()
    switch (event.type) {
      case 'agent/inbox/spliced':
        return this.#inbox(event.data)
      case 'tool/result':
        return this.#facts(isFirst(event) ? readFacts(event.data.meta) : [])
      case 'tool/code-dispatch':
        return this.#facts(event.data.isError ? [] : subCallFacts(event.data.name, event.data.content))
      case 'user/message':
        return isFirst(event) ? this.#message(event.data) : undefined
      case 'turn/start':
        this.attended = false
        return
      case 'turn/end':
        return this.#endTurn(event.data.reason.kind)
      default:
    }
  }

  #change(event: SessionEvent): void {
    if (this.corruption !== undefined) return
    try {
      this.#step(decodeChange(event.data), event)
    } catch (error) {
      if (!(error instanceof CorruptLog)) throw error
      this.corruption = { seq: event.seq, rule: error.message }
    }
  }

  #step(change: ScheduleChange, event: SessionEvent): void {
    switch (change.operation) {
      case 'create':
        return this.#create(change.schedule, event)
      case 'delete':
        return this.#delete(this.#mustBeActive(change.id), event)
      case 'dispatch':
        return this.#dispatch(this.#mustBeActive(change.id), change.acceptedAt, event)
    }
  }

  #mustBeActive(id: ReminderId): Reminder {
    const reminder = this.active.get(id)
    if (reminder === undefined) throw new CorruptLog(`reminder ${JSON.stringify(id)} is not active`)
    return reminder
  }

  #create(record: ScheduleRecord, event: SessionEvent): void {
    if (this.#used.has(record.id)) throw new CorruptLog(`id ${JSON.stringify(record.id)} is used twice`)
    this.#used.add(record.id)
    const [seriesId, number] = occurrenceOf(record.id)
    const series = this.series.get(seriesId)
    if (series === undefined) this.setCount += 1
    else this.series.set(seriesId, { ...series, number, activeId: record.id })
    this.active.set(record.id, {
      record,
      dueAt: instantOf(record.scheduledAt),
      order: event.seq,
      createdAt: event.time,
      plan: series?.plan ?? this.#plans.get(record.id),
      series: this.series.get(seriesId),
    })
  }

  #delete(reminder: Reminder, event: SessionEvent): void {
    const missed = this.#missed.get(reminder.record.id)
    this.#retire(reminder)
    // Taken back, it is not to be queued again either.
    this.unread.delete(this.undispatched.get(reminder.record.id)?.messageId ?? '')
    this.#forgetDelivery(reminder.record.id)
    if (missed !== undefined) this.#outcome('missed', reminder, missed.occurrenceAt, instantOf(missed.decidedAt), missed.reasons, event)
    if (missed === undefined || missed.last === true) this.#endSeries(reminder)
    else this.#advanceSeries(reminder.series?.id, (series) => ({ ...series, settledAt: instantOf(missed.occurrenceAt), activeId: undefined }))
  }

  #dispatch(reminder: Reminder, acceptedAt: string | undefined, event: SessionEvent): void {
    const { record } = reminder
    if ((record.kind === 'every') !== (acceptedAt !== undefined)) throw new CorruptLog('acceptedAt belongs to every reminders and to no other')
    const delivery = this.#deliveries.get(record.id)
    const occurrenceAt = record.kind === 'every' ? this.#advanceEvery(reminder, record.everySeconds, acceptedAt) : this.#retire(reminder)
    const settled = delivery?.occurrenceAt ?? occurrenceAt
    this.#forgetDelivery(record.id)
    this.#outcome('delivered', reminder, settled, delivery === undefined ? event.time : instantOf(delivery.deliveredAt), delivery?.reasons ?? [], event)
    if (delivery?.last === true) return this.#endSeries(reminder)
    this.#advanceSeries(reminder.series?.id, (series) => ({
      ...series,
      delivered: series.delivered + 1,
      unanswered: series.unanswered + 1,
      settledAt: instantOf(settled),
      activeId: undefined,
    }))
  }

  /** Taken back or at its end: nothing of it comes again, and its id stays used. */
  #endSeries(reminder: Reminder): void {
    if (reminder.series !== undefined) this.series.delete(reminder.series.id)
  }

  /** @returns the instant that the record was due at. */
  #retire(reminder: Reminder): string {
    this.active.delete(reminder.record.id)
    this.#plans.delete(reminder.record.id)
    this.#missed.delete(reminder.record.id)
    return reminder.record.scheduledAt
  }

  /** @returns the occurrence that was accepted: the newest one that was due (requirement T1). */
  #advanceEvery(reminder: Reminder, everySeconds: number, acceptedAt: string | undefined): string {
    const { latest, next } = everyOccurrence(reminder.dueAt, everySeconds * 1000, instantOf(acceptedAt as string))
    if (latest === undefined) throw new CorruptLog('acceptedAt lies before the occurrence')
    if (isInstant(next)) this.active.set(reminder.record.id, moved(reminder, next))
    else this.#retire(reminder)
    return new Date(latest).toISOString()
  }

  #inbox(splice: Extract<SessionEvent, { type: 'agent/inbox/spliced' }>['data']): void {
    const change = this.#splice(splice)
    // An edit of a waiting message takes it out and puts it in again with one splice.
    for (const { messageId, deliveries } of change.canceled) {
      this.#setUnread(messageId, 'lost')
      // Not dispatched: owed as a reminder, not as a message.
      if (deliveries.some(({ id }) => this.undispatched.has(id))) this.unread.delete(messageId)
      for (const { id } of deliveries) this.#forgetDelivery(id)
    }
    for (const message of splice.inserted) this.#facts(readFacts(isOurs(message.source) ? message.source : undefined))
    for (const { messageId, message, deliveries } of change.queued) {
      this.unread.set(messageId, { message, state: 'waiting', wakeAt: this.#wakeAt(deliveries) ?? this.unread.get(messageId)?.wakeAt })
      for (const delivery of deliveries) this.#queue(messageId, delivery)
    }
    for (const { messageId, deliveries } of change.claimed) {
      this.#setUnread(messageId, 'taken')
      for (const { id } of deliveries) {
        const undispatched = this.undispatched.get(id)
        if (undispatched !== undefined) this.undispatched.set(id, { ...undispatched, waiting: false })
      }
    }
  }

  #setUnread(messageId: string, state: Unread['state']): void {
    const unread = this.unread.get(messageId)
    if (unread !== undefined) this.unread.set(messageId, { ...unread, state })
  }

  #wakeAt(deliveries: readonly DeliveryFact[]): Instant | undefined {
    return deliveries.map(({ id }) => this.active.get(id)).find((reminder) => reminder?.plan?.wake === true)?.dueAt
  }

  /** A turn that was broken off, by a person or by the end of the process, may have taken a message that nobody read. */
  #endTurn(reason: string): void {
    this.attended = false
    const isBroken = reason === 'aborted' || reason === 'interrupted'
    for (const [messageId, { state }] of this.unread) {
      if (state === 'taken' && isBroken) this.#setUnread(messageId, 'lost')
      // Refused by the host or failed for another reason: sent again it would come to the same, without end.
      else if (state === 'taken') this.unread.delete(messageId)
    }
  }

  /** The reminder that a delivery is of. One that is queued once more after its dispatch, as steering does, owes nothing. */
  #owed({ id, occurrenceAt }: DeliveryFact): Reminder | undefined {
    const reminder = this.active.get(id)
    return reminder !== undefined && instantOf(occurrenceAt) >= reminder.dueAt ? reminder : undefined
  }

  #queue(messageId: string, delivery: DeliveryFact): void {
    const reminder = this.#owed(delivery)
    if (reminder === undefined) return
    const { id, deliveredAt } = delivery
    this.undispatched.set(id, { id, reminder, messageId, waiting: true, deliveredAt: instantOf(deliveredAt) })
  }

  #forgetDelivery(id: ReminderId): void {
    this.undispatched.delete(id)
    this.#deliveries.delete(id)
  }

  #message({ id, source }: UserMessage): void {
    this.unread.delete(id)
    if ((source as { kind?: unknown } | null | undefined)?.kind !== 'user') return
    this.attended = true
    this.unattendedSets = 0
    for (const series of this.series.values()) this.#advanceSeries(series.id, (one) => ({ ...one, unanswered: 0 }))
  }

  #facts(facts: readonly Fact[]): void {
    for (const fact of facts) {
      switch (fact.fact) {
        case 'plan':
          this.#plan(fact)
          break
        case 'delivery':
          if (this.#owed(fact) !== undefined) this.#deliveries.set(fact.id, fact)
          break
        case 'missed':
          if (this.active.has(fact.id)) this.#missed.set(fact.id, fact)
          break
      }
    }
  }

  #plan(plan: PlanFact): void {
    if (plan.unattended === true) this.unattendedSets += 1
    if (plan.series === undefined) {
      const reminder = this.active.get(plan.id)
      if (reminder === undefined) this.#plans.set(plan.id, plan)
      // An occurrence stands under the plan of its series, whatever else claims to plan it.
      else if (reminder.series === undefined) this.active.set(plan.id, { ...reminder, plan })
      return
    }
    const first = this.active.get(`${plan.id}.1` as ReminderId)
    if (first === undefined || this.series.has(plan.id)) return
    this.#used.add(plan.id)
    this.series.set(plan.id, {
      id: plan.id,
      rule: plan.series,
      plan,
      prompt: first.record.prompt,
      createdAt: first.createdAt,
      delivered: 0,
      unanswered: 0,
      number: 1,
      settledAt: undefined,
      activeId: undefined,
    })
    this.#advanceSeries(plan.id, (series) => ({ ...series, activeId: first.record.id }))
  }

  #advanceSeries(id: ReminderId | undefined, next: (series: Series) => Series): void {
    const before = id === undefined ? undefined : this.series.get(id)
    if (before === undefined) return
    const series = next(before)
    this.series.set(series.id, series)
    const reminder = series.activeId === undefined ? undefined : this.active.get(series.activeId)
    if (reminder !== undefined) this.active.set(reminder.record.id, { ...reminder, series, plan: series.plan })
  }

  #outcome(kind: Outcome['kind'], reminder: Reminder, occurrenceAt: string, decidedAt: Instant, reasons: readonly string[], event: SessionEvent): void {
    const { id, prompt } = reminder.record
    this.outcomes.push({ kind, id, prompt, occurrenceAt: instantOf(occurrenceAt), decidedAt, reasons, seq: event.seq })
    if (this.outcomes.length > OUTCOMES_KEPT) this.outcomes.shift()
  }
}

/**
 * The series that an occurrence id belongs to, and its number in it.
 *
 * @param id - any reminder id; one that is no occurrence belongs to itself.
 */
export function occurrenceOf(id: ReminderId): readonly [series: ReminderId, number: number] {
  const groups = OCCURRENCE_ID.exec(id)?.groups
  return groups === undefined ? [id, 1] : [groups['series'] as ReminderId, Number(groups['number'])]
}

/** A compaction or a pruning appends a message once more, in place of the first one: it says nothing new. */
function isFirst(event: { readonly surfaceOp?: unknown }): boolean {
  return event.surfaceOp === undefined || event.surfaceOp === 'append'
}

function moved(reminder: Reminder, dueAt: Instant): Reminder {
  return { ...reminder, dueAt, record: { ...reminder.record, scheduledAt: new Date(dueAt).toISOString() } }
}

function isOurs(source: unknown): boolean {
  return isSourceOf(source, SOURCE_KIND)
}

function watch(message: UserMessage): Watched | undefined {
  if (!isOurs(message.source)) return undefined
  const deliveries = readFacts(message.source).filter((fact) => fact.fact === 'delivery')
  return deliveries.length === 0 ? undefined : { messageId: message.id, message, deliveries }
}
