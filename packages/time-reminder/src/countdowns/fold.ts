import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import { ownStart, type Follower } from 'dsh-session-host'
import type { Instant } from 'dsh-time-core'
import { Outcomes } from '../outcomes.ts'
import { COUNTDOWN_CALLS, countdownChangeOf, countdownSetOf, firedMarks, type CountdownChange, type OnFire } from './protocol.ts'
import { Waiting, type Splice } from './waiting.ts'

/** A countdown that has been set. */
export interface Countdown {
  readonly name: string
  readonly dueAt: Instant
  readonly onFire: OnFire
  readonly note: string | undefined
  /** When its call, or the change by a person, was logged. */
  readonly setAt: Instant
}

/** A countdown whose notice is in the log. */
export interface Fired extends Countdown {
  readonly firedAt: Instant
  readonly messageId: string
  /** waiting: in the agent's inbox · taken: by a turn that has not shown it yet · read: in the conversation. */
  readonly notice: 'waiting' | 'taken' | 'read'
}

/** What a session's log says about its countdowns. Only the fold moves it forward; everyone else reads. */
export interface Countdowns {
  /** In the order in which they were set. */
  readonly pending: ReadonlyMap<string, Countdown>
  /** Oldest first; at least the last `FIRED_KEPT`. */
  readonly fired: readonly Fired[]
  /** Grows with everything that has to be stored soon. */
  readonly changes: number
}

/** Name of our kind of delivery in the wake index. */
export const COUNTDOWN_KIND = 'countdown'

/** How many fired countdowns are remembered; older ones are in the log. */
export const FIRED_KEPT = 50

type UserMessage = Extract<SessionEvent, { type: 'user/message' }>

/**
 * The countdowns of one session, advanced event by event over its own part of the log (requirements R13, R15, R25, R26).
 * A notice proves that its countdown has fired, from the moment at which it is queued; until it is dropped unread. What a
 * person changes counts from when it is queued, too, and also when that is dropped (requirement T10).
 */
export class CountdownFold implements Follower, Countdowns {
  readonly pending = new Map<string, Countdown>()
  fired: readonly Fired[] = []
  changes = 0
  readonly #outcomes = new Outcomes(COUNTDOWN_CALLS)
  readonly #waiting = new Waiting()
  /** Changes by people that have counted since they were queued, so that entering the conversation does not repeat them. */
  readonly #counted = new Set<string>()

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'agent/inbox/spliced':
        return this.#splice(event.data, event.time)
      case 'user/message':
        return this.#message(event)
      case 'turn/end':
        return this.#endTurn(event.data.reason.kind)
      default:
        return this.#calls(event)
    }
  }

  #calls(event: SessionEvent): void {
    const outcome = this.#outcomes.take(event)
    if (outcome === undefined) return
    for (const change of outcome.facts.map(countdownChangeOf)) if (change !== undefined) this.#step(change, outcome.calledAt)
  }

  #step(change: CountdownChange, setAt: Instant): void {
    this.changes += 1
    const { action, name } = change
    const wasPending = this.pending.delete(name)
    // Snoozing what has fired takes the mark away, and cancelling it the record.
    if (!wasPending && action !== 'start') this.#dropLast(name)
    if (change.action !== 'cancel') this.pending.set(name, { name, dueAt: change.dueAt, onFire: change.onFire, note: change.note, setAt })
  }

  #dropLast(name: string): void {
    const at = this.fired.findLastIndex((one) => one.name === name)
    if (at >= 0) this.fired = this.fired.toSpliced(at, 1)
  }

  #splice(splice: Splice, time: Instant): void {
    const { removed, isDropped } = this.#waiting.splice(splice)
    if (isDropped) this.#giveBack((one) => removed.includes(one.messageId))
    else this.#notice('taken', (one) => one.notice === 'waiting' && removed.includes(one.messageId))
    for (const { id, source } of splice.inserted) {
      this.#fire(id, source, time)
      if (this.#byPerson(source, time)) this.#counted.add(id)
    }
  }

  #message({ data: { id, source }, time }: UserMessage): void {
    this.#fire(id, source, time)
    this.#notice('read', (one) => one.messageId === id)
    if (!this.#counted.delete(id)) this.#byPerson(source, time)
  }

  /** It was the person's wish, also when the model never reads of it. */
  #byPerson(source: unknown, time: Instant): boolean {
    const change = countdownSetOf(source)
    if (change !== undefined) this.#step(change, time)
    return change !== undefined
  }

  #fire(messageId: string, source: unknown, firedAt: Instant): void {
    for (const { name, dueAt } of firedMarks(source)) {
      const countdown = this.pending.get(name)
      if (countdown?.dueAt !== dueAt) continue
      this.pending.delete(name)
      // A notice that waits for the next step has done its part; one that wakes has not before it is read.
      if (countdown.onFire === 'inject') this.changes += 1
      this.#keep({ ...countdown, firedAt, messageId, notice: 'waiting' })
    }
  }

  #keep(one: Fired): void {
    const oldest = this.fired.length < FIRED_KEPT ? -1 : this.fired.findIndex(({ notice }) => notice === 'read')
    this.fired = [...this.fired.filter((_, at) => at !== oldest), one]
  }

  /** A turn that was broken off, by a person or by the end of the process, may have taken a notice that nobody read. */
  #endTurn(reason: string): void {
    if (reason === 'aborted' || reason === 'interrupted') this.#giveBack(({ notice }) => notice === 'taken')
    else this.#notice('read', ({ notice }) => notice === 'taken')
  }

  #notice(notice: Fired['notice'], isMeant: (one: Fired) => boolean): void {
    if (!this.fired.some(isMeant)) return
    this.fired = this.fired.map((one) => (isMeant(one) ? { ...one, notice } : one))
    if (notice === 'read') this.changes += 1
  }

  /** What was dropped before it was read is owed again, unless it was set anew in the meantime. */
  #giveBack(isMeant: (one: Fired) => boolean): void {
    const back = this.fired.filter((one) => isMeant(one) && one.notice !== 'read')
    if (back.length === 0) return
    this.changes += 1
    this.fired = this.fired.filter((one) => !back.includes(one))
    for (const { name, dueAt, onFire, note, setAt } of back) {
      if (!this.pending.has(name)) this.pending.set(name, { name, dueAt, onFire, note, setAt })
    }
  }
}

/**
 * When a session has to be live next for a countdown (requirement R17): when one that wakes is due, or has fired and its
 * notice was not read. One that does not wake waits for the session.
 *
 * @param countdowns - the session's fold.
 */
export function owedAt({ pending, fired }: Countdowns): Instant | undefined {
  const unread = fired.filter(({ notice }) => notice !== 'read')
  const instants = [...pending.values(), ...unread].flatMap(({ onFire, dueAt }) => (onFire === 'wake' ? [dueAt] : []))
  return instants.length === 0 ? undefined : instants.reduce((least, dueAt) => Math.min(least, dueAt))
}

/**
 * The same from a stored log; what was inherited is not owed.
 *
 * @param events - the whole log.
 * @param header - of the session.
 */
export function foldOwed(events: readonly SessionEvent[], header: SessionHeader): Instant | undefined {
  const fold = new CountdownFold()
  for (const event of events.slice(ownStart({ header }))) fold.apply(event)
  return owedAt(fold)
}
