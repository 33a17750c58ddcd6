import type { UserMessage } from '@deepseek-ai/dsh-session'
import type { Instant } from 'dsh-time-core'
import type { PlanFact, SeriesRule } from './facts.ts'
import type { ReminderId, ScheduleRecord } from './protocol.ts'

/** A series that goes on: a rule and the one occurrence of it that is active. A series that ended is not kept. */
export interface Series {
  readonly id: ReminderId
  readonly rule: SeriesRule
  readonly plan: PlanFact
  readonly prompt: string
  readonly createdAt: Instant
  /** How many of its occurrences were delivered. */
  readonly delivered: number
  /** Deliveries since a person last wrote in this session (requirement T8). */
  readonly unanswered: number
  /** Number of the newest occurrence; its id is `<series id>.<number>`. */
  readonly number: number
  /** Newest instant that is settled, delivered or missed; the next occurrence comes after it. */
  readonly settledAt: Instant | undefined
  /** The occurrence that waits. Absent only after a crash between a delivery and the record of the next one. */
  readonly activeId: ReminderId | undefined
}

/** An active reminder: created, neither deleted nor dispatched. */
export interface Reminder {
  readonly record: ScheduleRecord
  readonly dueAt: Instant
  /** `seq` of its create event: the creation order. */
  readonly order: number
  readonly createdAt: Instant
  readonly plan: PlanFact | undefined
  readonly series: Series | undefined
}

/**
 * A delivery that is in the agent's inbox or beyond while its dispatch is not in the log: what a crash between the
 * two leaves behind (requirement S30).
 */
export interface Undispatched {
  readonly id: ReminderId
  readonly reminder: Reminder
  readonly messageId: string
  /** Whether the message still waits; otherwise a turn has taken it. */
  readonly waiting: boolean
  /** When it was delivered, as its message says. */
  readonly deliveredAt: Instant
}

/**
 * A delivery whose message is not in the conversation yet. Its dispatch may be in the log already; but as long as nobody
 * can read it, it is not to be lost (requirement S30).
 */
export interface Unread {
  /** As it was queued; the same message is queued again where it was lost. */
  readonly message: UserMessage
  /** waiting: in the inbox · taken: by a turn that has not shown it yet · lost: dropped, or taken by a turn that broke off. */
  readonly state: 'waiting' | 'taken' | 'lost'
  /** When its session has to be opened for it, if one of its reminders asks for that. */
  readonly wakeAt: Instant | undefined
}

/** What became of an occurrence. */
export interface Outcome {
  readonly kind: 'delivered' | 'missed'
  readonly id: ReminderId
  readonly prompt: string
  readonly occurrenceAt: Instant
  readonly decidedAt: Instant
  readonly reasons: readonly string[]
  readonly seq: number
}

/** Where and how the log breaks version 1. */
export interface Corruption {
  readonly seq: number
  readonly rule: string
}

/**
 * What a session's log says about its reminders. Only `fold.ts` moves it forward; everyone else reads.
 * It is one object per session that is advanced in place, because a copy per event would cost more the more
 * reminders a session has had (requirement P1).
 */
export interface Ledger {
  /** In creation order. */
  readonly active: ReadonlyMap<ReminderId, Reminder>
  readonly series: ReadonlyMap<ReminderId, Series>
  readonly undispatched: ReadonlyMap<ReminderId, Undispatched>
  /** By the ids of the messages. */
  readonly unread: ReadonlyMap<string, Unread>
  /** The newest outcomes, oldest first, at most `OUTCOMES_KEPT`. */
  readonly outcomes: readonly Outcome[]
  /** Set by the first event that breaks a rule; nothing after it is concluded. */
  readonly corruption: Corruption | undefined
  /** Whether a person's message is among the inputs of the open turn. */
  readonly attended: boolean
  /** Reminders set in turns that no person started, since a person last wrote. */
  readonly unattendedSets: number
  /** Whether an id was ever used in this session. */
  isUsed(id: ReminderId): boolean
  /** How many reminders and series were ever set; the further occurrences of a series do not count. */
  readonly setCount: number
}

/** How many outcomes a ledger remembers; older ones are in the log. */
export const OUTCOMES_KEPT = 100
