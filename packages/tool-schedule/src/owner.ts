import type { UserMessage } from '@deepseek-ai/dsh-session'
import type { AlarmClock } from 'dsh-session-host'
import { drift, formatInstant, type Instant, type LatenessReason } from 'dsh-time-core'
import { decide, isPaused, type DeliveryPolicy, type Due, type Next } from './decide.ts'
import { deliveryMessage, missedMessage, type Observed } from './frame.ts'
import type { Ledger, Series, Undispatched } from './ledger.ts'
import { createChange, deleteChange, dispatchChange, type ReminderId, type ScheduleChange } from './protocol.ts'

/** Late by less than this is on time (milliseconds; requirement R16). */
const NOTICEABLE_MS = 2000

/**
 * What comes due as soon as this is not to wait for the disk then: what a turn left behind is stored at once
 * (milliseconds). The host itself stores it some 200 ms later.
 */
const SOON_MS = 1000

/** The world as the owner of one session's reminders sees it. */
export interface OwnerPort {
  readonly ledger: Ledger
  now(): Instant
  /** When this host process began; what was due before was missed because the host was down. */
  readonly hostStartedAt: Instant
  /** Whether the agent is still the live one of its session. */
  isLive(): boolean
  /** Whether this host may deliver into this session now; another host of the same home may have it (B38, B39). */
  isOurs(): boolean
  /** The durability barrier: true when everything appended before the call is stored. */
  confirm(): Promise<boolean>
  /** Whether no turn runs. A maintenance task may all the same hold the agent. */
  isIdle(): boolean
  /** Run a job in the agent's true idle phase. @returns `busy`, at once, when a turn or another task holds the agent. */
  claimIdle<T>(job: () => T): Promise<T> | 'busy'
  whenIdle(): Promise<void>
  /** Queue a message as a turn of its own and wake the agent. */
  say(message: UserMessage): void
  /** Queue a message for the next step without waking the agent. */
  note(message: UserMessage): void
  /** Take a waiting message out of the inbox and queue it again with a wake. */
  wakeWith(messageId: string): void
  append(change: ScheduleChange): void
  /** One transaction after the other, shared with the tools (requirement S11). */
  transact(job: () => Promise<void>): Promise<void>
  warn(what: string, error?: unknown): void
}

/** The one live thing that delivers a session's reminders. */
export interface Owner {
  /** Look again: something was set, taken back, confirmed, or the agent has become idle. Never throws. */
  poke(): void
  /** Stop at once, and wait until nothing of it runs any more (requirement S29). */
  dispose(): Promise<void>
}

/**
 * Make the owner of one session's reminders.
 *
 * @param port - the world.
 * @param alarm - the host's alarm clock.
 * @param policy - delivery limits.
 */
export function makeOwner(port: OwnerPort, alarm: AlarmClock, policy: DeliveryPolicy): Owner {
  const owner = new ReminderOwner(port, alarm, policy)
  return { poke: () => owner.poke(), dispose: () => owner.dispose() }
}

class ReminderOwner {
  readonly #port: OwnerPort
  readonly #alarm: AlarmClock
  readonly #policy: DeliveryPolicy
  readonly #stop = Promise.withResolvers<void>()
  /** Why an occurrence is late, as observed so far; forgotten once it is settled. */
  readonly #reasons = new Map<ReminderId, Set<LatenessReason>>()
  /** Messages that were queued with a wake since the session was opened. */
  readonly #own = new Set<string>()
  #requested = false
  #stopping = false
  #faulted = false
  #started = false
  #running: Promise<void> | undefined
  #idleWait: Promise<void> | undefined

  constructor(port: OwnerPort, alarm: AlarmClock, policy: DeliveryPolicy) {
    this.#port = port
    this.#alarm = alarm
    this.#policy = policy
  }

  poke(): void {
    if (this.#stopping || this.#faulted) return
    this.#requested = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Asked for after the last look, when this was still under way.
      if (this.#requested) this.poke()
    })
  }

  async dispose(): Promise<void> {
    this.#stopping = true
    this.#alarm.clear(this)
    this.#stop.resolve()
    await Promise.allSettled([this.#running, this.#idleWait])
  }

  async #run(): Promise<void> {
    while (this.#requested && !this.#stopping && !this.#faulted) {
      try {
        await this.#port.transact(() => this.#drive())
      } catch (error) {
        this.#faulted = true
        this.#port.warn('stopped delivering reminders of this session', error)
      }
    }
  }

  #isRunnable(): boolean {
    return !this.#stopping && this.#port.isLive()
  }

  async #drive(): Promise<void> {
    // Only now: who asked while this one waited for its turn is answered by it as well.
    this.#requested = false
    if (this.#stopping) return
    const next = this.#decide()
    if (next.kind !== 'act') return this.#wait(next)
    if (!this.#isRunnable()) return
    this.#alarm.clear(this)
    // A barrier in the middle of a turn would have to be passed once more at its end.
    if (!this.#port.isIdle()) return this.#waitForIdle(next.deliver)
    if (!(await this.#port.confirm())) return this.#blame(next.deliver, 'persistence')
    if (!this.#isRunnable()) return
    const claim = this.#port.claimIdle(() => this.#claimed())
    if (claim === 'busy') return this.#waitForIdle(next.deliver)
    if (!(await claim)) return
    if (await this.#port.confirm()) this.#requested = true
    else this.#port.warn('a delivered reminder is not confirmed as stored yet')
  }

  #decide(): Next {
    const now = this.#port.now()
    const next = decide(this.#port.ledger, now, this.#policy, (id) => this.#own.has(id))
    if (!this.#started && next.kind === 'act') {
      for (const due of [...next.deliver, ...next.miss]) this.#blame([due], due.occurrenceAt < this.#port.hostStartedAt ? 'host-down' : 'not-open')
    }
    for (const { series, dueAt, record } of this.#port.ledger.active.values()) {
      if (dueAt <= now && isPaused(series, this.#policy)) this.#blameId(record.id, 'paused')
    }
    this.#started = true
    return next
  }

  async #wait(next: Exclude<Next, { kind: 'act' }>): Promise<void> {
    // A barrier that fails here is asked for again, and heard, when something is due.
    if (next.kind === 'wait' && next.until - this.#port.now() <= SOON_MS && this.#isRunnable() && this.#port.isIdle()) await this.#port.confirm()
    if (!this.#stopping) this.#arm(next)
  }

  #arm(next: Exclude<Next, { kind: 'act' }>): void {
    if (next.kind === 'rest') return this.#alarm.clear(this)
    this.#alarm.set(this, next.until, (now) => {
      if (now - next.until >= NOTICEABLE_MS) this.#blameUntil(now)
      this.poke()
    })
  }

  /** The alarm rang late: the process was suspended or blocked, or the clock was set forward. */
  #blameUntil(now: Instant): void {
    for (const [id, reminder] of this.#port.ledger.active) if (reminder.dueAt <= now) this.#blameId(id, 'suspended')
  }

  #blame(late: readonly Due[], reason: LatenessReason): void {
    for (const { reminder } of late) this.#blameId(reminder.record.id, reason)
  }

  #blameId(id: ReminderId, reason: LatenessReason): void {
    const reasons = this.#reasons.get(id) ?? new Set()
    this.#reasons.set(id, reasons.add(reason))
  }

  /** Exactly one wait, however often the agent is found busy (requirement S26). */
  #waitForIdle(late: readonly Due[]): void {
    this.#blame(late, 'busy')
    this.#idleWait ??= Promise.race([this.#port.whenIdle(), this.#stop.promise]).then(
      () => this.#endIdleWait(),
      (error: unknown) => {
        this.#endIdleWait()
        this.#port.warn('could not wait for the agent to become idle', error)
      },
    )
  }

  #endIdleWait(): void {
    this.#idleWait = undefined
    this.poke()
  }

  /**
   * Inside the idle phase: decide again with one fresh reading of the clock, say, then append.
   *
   * @returns whether anything was appended.
   */
  #claimed(): boolean {
    if (!this.#isRunnable()) return false
    const now = this.#port.now()
    const next = decide(this.#port.ledger, now, this.#policy, (id) => this.#own.has(id))
    if (next.kind !== 'act') {
      this.#arm(next)
      return false
    }
    if (!this.#port.isOurs()) return false
    if (!this.#say(next, now)) return false
    // The records go in before the phase is released: a message must not be read before its dispatch exists.
    this.#record(next, now)
    return true
  }

  /** @returns false when framing or queueing failed: then nothing may be appended (requirement S28). */
  #say({ deliver, miss, settle, again, stranded }: Extract<Next, { kind: 'act' }>, now: Instant): boolean {
    try {
      if (miss.length > 0) this.#port.note(missedMessage(miss.map((due) => this.#observe(due, now))))
      for (const { messageId, waiting } of uniqueMessages(settle)) if (waiting) this.#wakeWith(messageId)
      for (const { message } of stranded) this.#wakeWith(message.id)
      for (const { message } of again) this.#queue(message)
      if (deliver.length > 0) this.#queue(deliveryMessage(deliver.map((due) => this.#observe(due, now))))
      return true
    } catch (error) {
      this.#port.warn('could not queue a due reminder; it stays active', error)
      return false
    }
  }

  #queue(message: UserMessage): void {
    for (const id of this.#own) if (!this.#port.ledger.unread.has(id)) this.#own.delete(id)
    this.#own.add(message.id)
    this.#port.say(message)
  }

  #wakeWith(messageId: string): void {
    this.#own.add(messageId)
    this.#port.wakeWith(messageId)
  }

  #observe(due: Due, now: Instant): Observed {
    const { record, series } = due.reminder
    // Nothing else was observed: what is left of the way is the barrier before the claim.
    const reasons = this.#reasons.get(record.id) ?? (['persistence'] as const)
    const pauses = due.nextAt !== undefined && series !== undefined && isPaused({ ...series, unanswered: series.unanswered + 1 }, this.#policy)
    return { due, drift: drift(due.occurrenceAt, now, [...reasons]), pauses }
  }

  /** An append that throws leaves a queued message behind, so this owner stops (requirement S28). */
  #record(next: Extract<Next, { kind: 'act' }>, now: Instant): void {
    for (const due of next.miss) this.#settleDue(due, now, 'missed')
    for (const undispatched of next.settle) this.#settleUndispatched(undispatched)
    for (const due of next.deliver) this.#settleDue(due, now, 'delivered')
    for (const renewal of next.renew) this.#renew(renewal)
  }

  #settleDue({ reminder, nextAt }: Due, now: Instant, outcome: 'delivered' | 'missed'): void {
    const { record, series } = reminder
    // Version 1 has no word for a miss: a one-time record is taken back, and the notice beside it says why.
    this.#port.append(outcome === 'missed' && record.kind !== 'every' ? deleteChange(record.id) : dispatchChange(record, now))
    this.#reasons.delete(record.id)
    if (series !== undefined && nextAt !== undefined) this.#renew({ series, at: nextAt })
  }

  /** With the instant of the delivery, so that a later occurrence is not taken for this one. */
  #settleUndispatched({ reminder, deliveredAt }: Undispatched): void {
    this.#port.append(dispatchChange(reminder.record, Math.max(deliveredAt, reminder.dueAt)))
  }

  #renew({ series, at }: { readonly series: Series; readonly at: Instant }): void {
    const id = `${series.id}.${series.number + 1}` as ReminderId
    this.#port.append(createChange({ id, kind: 'at', prompt: series.prompt, scheduledAt: formatInstant(at) }))
  }
}

function uniqueMessages(settle: readonly Undispatched[]): Iterable<Undispatched> {
  return new Map(settle.map((one) => [one.messageId, one])).values()
}

