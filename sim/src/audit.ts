import type { SessionEvent } from '../../packages/session-host/tests/harness.ts'

/** Most reminders that one message may hold (bug B42). */
const MOST_IN_A_MESSAGE = 20

type Json = Readonly<Record<string, unknown>>

interface Created {
  readonly dueAt: number
  readonly everySeconds: number | undefined
  readonly seq: number
  isActive: boolean
}

interface Fact {
  readonly fact: string
  readonly id: string
  readonly occurrenceAt: string
  readonly deliveredAt: string
  readonly decidedAt: string
  readonly reasons: readonly string[]
  readonly lateLimitSeconds?: number
  readonly wake?: true
  readonly series?: { readonly kind: 'every' | 'cron'; readonly everySeconds?: number; readonly anchor?: string; readonly until?: string; readonly count?: number; readonly cron?: string }
}

interface Message {
  readonly id: string
  readonly source: { readonly kind: string; readonly timekeeper?: { readonly facts: readonly Fact[] } }
}

/** What the auditor asks the simulation. */
export interface AuditPort {
  /** Whether somebody has asked for this reminder to be taken back. */
  wasTakenBack(id: string): boolean
  isStored(seq: number): boolean
  /** The events are read from the disk; they come from a process that is gone. */
  isReplay(): boolean
  violation(rule: string): void
}

/**
 * Reads a session's log event by event and knows nothing of how the plugin reads it: what version 1, the facts and the
 * requirements say, written down a second time, so that the two cannot be wrong in the same way.
 */
export class LogAudit {
  readonly created = new Map<string, Created>()
  readonly plans = new Map<string, Fact>()
  /** Deliveries of a series since a person wrote. */
  readonly unanswered = new Map<string, number>()
  readonly #port: AuditPort
  readonly #lists: Record<string, Message[]> = { 'next-turn': [], 'next-step': [] }
  readonly #waiting = new Map<string, string>()
  readonly #read = new Set<string>()
  readonly #messageStates = new Map<string, { readonly ids: readonly string[]; readonly state: 'waiting' | 'claimed' | 'canceled' }>()
  readonly #messages = new Set<string>()
  readonly #delivered = new Set<string>()
  /** By id: whether the message was queued by this very process. */
  readonly #queued = new Map<string, boolean>()
  readonly #missed = new Map<string, Fact>()
  readonly #settled = new Map<string, number>()
  readonly #counts = new Map<string, number>()

  constructor(port: AuditPort) {
    this.#port = port
  }

  apply({ type, seq, time, data }: SessionEvent): void {
    const json = data as unknown as Json
    switch (type as string) {
      case 'schedule/change':
        return this.#change(json, seq)
      case 'agent/inbox/spliced':
        return this.#splice(json, time)
      case 'tool/result':
        for (const fact of factsOf((json['meta'] ?? {}) as Message['source'])) if (fact.fact === 'plan') this.plans.set(fact.id, fact)
        return
      case 'user/message':
        return this.#message(json as unknown as Message)
    }
  }

  /** Reminders that are due and neither delivered nor missed nor taken back. */
  overdue(now: number, maxUnanswered: number): string[] {
    return [...this.created].filter(([id, one]) => one.isActive && one.dueAt <= now && (this.unanswered.get(seriesOf(id)) ?? 0) < maxUnanswered).map(([id]) => id)
  }

  /**
   * Deliveries whose dispatch stands and that never entered the conversation.
   *
   * @param state - `waiting` in the inbox, or `claimed` by a turn that ended before it had put them there.
   */
  unheard(state: 'waiting' | 'claimed'): string[] {
    return [...this.#messageStates.values()].filter((one) => one.state === state).flatMap(({ ids }) => ids.filter((id) => !this.#queued.has(id)))
  }

  planOf(id: string): Fact | undefined {
    return this.plans.get(id) ?? this.#seriesPlan(id)
  }

  #seriesPlan(id: string): Fact | undefined {
    const plan = this.plans.get(seriesOf(id))
    return plan?.series === undefined ? undefined : plan
  }

  #change(change: Json, seq: number): void {
    if (change['operation'] === 'create') return this.#create(change['schedule'] as Json, seq)
    const id = String(change['id'])
    const one = this.created.get(id)
    if (one?.isActive !== true) return this.#port.violation(`S8 ${String(change['operation'])} of ${id}, which is not active`)
    if (change['operation'] === 'delete') {
      if (!this.#port.wasTakenBack(id) && !this.#missed.has(id)) this.#port.violation(`T5 ${id} was deleted; nobody asked for it, and no note says why`)
      one.isActive = false
      this.#missed.delete(id)
      return
    }
    if (!this.#queued.delete(id)) this.#port.violation(`S28 the dispatch of ${id} stands before its message is queued`)
    if (this.#seriesPlan(id) !== undefined) this.unanswered.set(seriesOf(id), (this.unanswered.get(seriesOf(id)) ?? 0) + 1)
    if (one.everySeconds === undefined) one.isActive = false
    else {
      const step = one.everySeconds * 1000
      const accepted = Date.parse(String(change['acceptedAt']))
      this.created.set(id, { ...one, dueAt: one.dueAt + (Math.floor((accepted - one.dueAt) / step) + 1) * step })
    }
  }

  #create(record: Json, seq: number): void {
    const id = String(record['id'])
    const dueAt = Date.parse(String(record['scheduledAt']))
    if (this.created.has(id)) this.#port.violation(`S7 id ${id} is used twice`)
    this.created.set(id, { dueAt, seq, isActive: true, everySeconds: record['kind'] === 'every' ? Number(record['everySeconds']) : undefined })
    const plan = this.#seriesPlan(id)
    const last = this.#settled.get(seriesOf(id))
    const grid = plan === undefined ? undefined : gridOf(plan)
    if (grid === undefined || last === undefined) return
    if (dueAt !== last + grid.step) this.#port.violation(`T2 ${id} comes at ${new Date(dueAt).toISOString()}, not one step of ${grid.step} ms after ${new Date(last).toISOString()}`)
  }

  #message({ id: messageId, source }: Message): void {
    this.#messageStates.delete(messageId)
    if (source.kind === 'user') this.unanswered.clear()
    for (const fact of deliveriesOf(source)) {
      const key = `${fact.id} at ${fact.occurrenceAt}`
      if (this.#read.has(key)) this.#port.violation(`S30 ${key} is twice in the conversation`)
      this.#read.add(key)
    }
  }

  #splice(splice: Json, time: number): void {
    const inserted = splice['inserted'] as readonly Message[]
    const removed = this.#lists[String(splice['target'])]?.splice(Number(splice['start']), Number(splice['removedCount'] ?? 0), ...inserted) ?? []
    for (const message of removed) {
      this.#follow(message, splice['outcome'] === 'canceled' ? 'canceled' : 'claimed')
      for (const fact of deliveriesOf(message.source)) {
        this.#waiting.delete(`${fact.id} at ${fact.occurrenceAt}`)
        if (splice['outcome'] === 'canceled') this.#queued.delete(fact.id)
        // What a crash has left may be read first; its dispatch follows.
        else if (this.#queued.get(fact.id) === true) this.#port.violation(`S30 a turn reads ${fact.id} before its dispatch is in the log`)
      }
    }
    for (const message of inserted) {
      this.#follow(message, 'waiting')
      this.#insert(message, time)
    }
  }

  #follow({ id, source }: Message, state: 'waiting' | 'claimed' | 'canceled'): void {
    const ids = deliveriesOf(source).map((fact) => fact.id)
    if (ids.length > 0) this.#messageStates.set(id, { ids, state })
  }

  #insert({ id: messageId, source }: Message, time: number): void {
    const deliveries = deliveriesOf(source)
    if (deliveries.length > MOST_IN_A_MESSAGE) this.#port.violation(`B42 ${deliveries.length} reminders in one message`)
    // Queued once more, it is as it was; what of it is settled has moved on.
    if (!this.#messages.has(messageId)) this.#checkOrder(deliveries)
    this.#messages.add(messageId)
    for (const fact of deliveries) this.#deliver(fact, messageId, time)
    for (const fact of factsOf(source)) if (fact.fact === 'missed') this.#miss(fact)
  }

  #checkOrder(deliveries: readonly Fact[]): void {
    const keys = deliveries.map(({ id }) => ({ rank: this.#seriesPlan(id) !== undefined || this.created.get(id)?.everySeconds !== undefined ? 1 : 0, dueAt: this.created.get(id)?.dueAt ?? 0 }))
    const isOrdered = keys.every((key, at) => {
      const before = keys[at - 1]
      return before === undefined || before.rank < key.rank || (before.rank === key.rank && before.dueAt <= key.dueAt)
    })
    if (!isOrdered) this.#port.violation(`T1 a message holds reminders out of order: ${deliveries.map(({ id }) => id).join(', ')}`)
  }

  #deliver(fact: Fact, messageId: string, time: number): void {
    const { id } = fact
    const key = `${id} at ${fact.occurrenceAt}`
    const [occurrenceAt, deliveredAt] = [Date.parse(fact.occurrenceAt), Date.parse(fact.deliveredAt)]
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined && waiting !== messageId) this.#port.violation(`S30 ${key} waits in two messages`)
    if (this.#read.has(key)) this.#port.violation(`S30 ${key} is queued again after it was read`)
    const isAgain = this.#delivered.has(`${key} in ${messageId}`)
    this.#waiting.set(key, messageId)
    this.#delivered.add(`${key} in ${messageId}`)
    const one = this.created.get(id)
    // A message that was lost after its dispatch and is queued once more owes none; its reminder may have moved on.
    if (one?.isActive === true && occurrenceAt >= one.dueAt) this.#queued.set(id, !this.#port.isReplay())
    if (isAgain) return
    if (one?.isActive !== true) return this.#port.violation(`S5 ${id} is delivered and is no active reminder of this session`)
    if (time < occurrenceAt || deliveredAt < occurrenceAt || occurrenceAt < one.dueAt) this.#port.violation(`S25 ${id} is delivered early: due ${fact.occurrenceAt}, by the clock ${new Date(time).toISOString()}`)
    if (!this.#port.isStored(one.seq)) this.#port.violation(`S26 ${id} is delivered before its create is stored`)
    this.#checkPlan(fact, one, occurrenceAt, deliveredAt)
  }

  #checkPlan({ id }: Fact, one: Created, occurrenceAt: number, deliveredAt: number): void {
    const plan = this.planOf(id)
    const limit = plan?.lateLimitSeconds
    if (limit !== undefined && deliveredAt - occurrenceAt > limit * 1000) this.#port.violation(`T5 ${id} is delivered ${deliveredAt - occurrenceAt} ms late, its limit is ${limit} s`)
    const grid = plan === undefined ? undefined : gridOf(plan)
    const step = grid?.step ?? (one.everySeconds ?? 0) * 1000
    if (step === 0) return
    if ((occurrenceAt - (grid?.anchor ?? one.dueAt)) % step !== 0) this.#port.violation(`T2 ${id} is delivered off its rule`)
    if (deliveredAt - occurrenceAt >= step) this.#port.violation(`T1 ${id} is delivered for ${new Date(occurrenceAt).toISOString()} although a later occurrence has come`)
    if (plan === undefined) return
    this.#settled.set(seriesOf(id), occurrenceAt)
    const count = (this.#counts.get(seriesOf(id)) ?? 0) + 1
    this.#counts.set(seriesOf(id), count)
    // A message that is lost with its process is delivered once more, so one more is not yet a fault.
    if (count > (plan.series?.count ?? Infinity) + this.#canceledOf(id)) this.#port.violation(`T4 ${id} is delivered although the series had ended`)
  }

  /** Deliveries of a series that did not reach a dispatch. */
  #canceledOf(id: string): number {
    const number = Number(id.split('.').at(-1))
    return Math.max((this.#counts.get(seriesOf(id)) ?? 0) - number, 0)
  }

  #miss(fact: Fact): void {
    const limit = this.planOf(fact.id)?.lateLimitSeconds
    const isLate = limit !== undefined && Date.parse(fact.decidedAt) - Date.parse(fact.occurrenceAt) > limit * 1000
    if (!isLate || fact.reasons.length === 0) this.#port.violation(`T5 ${fact.id} is missed without being too late, or without a reason`)
    this.#missed.set(fact.id, fact)
    this.#settled.set(seriesOf(fact.id), Date.parse(fact.occurrenceAt))
  }
}

function factsOf(source: Message['source']): readonly Fact[] {
  return source.timekeeper?.facts ?? []
}

function deliveriesOf(source: Message['source']): readonly Fact[] {
  return factsOf(source).filter(({ fact }) => fact === 'delivery')
}

/** The instants of a series: simulated rules are intervals, or every half hour. */
function gridOf({ series }: Fact): { readonly step: number; readonly anchor: number } | undefined {
  if (series === undefined) return undefined
  return series.kind === 'every' ? { step: Number(series.everySeconds) * 1000, anchor: Date.parse(String(series.anchor)) } : { step: 1_800_000, anchor: 0 }
}

/** The series that an occurrence belongs to. */
export function seriesOf(id: unknown): string {
  return String(id).replace(/\.\d+$/, '')
}
