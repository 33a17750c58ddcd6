import type { Instant } from 'dsh-time-core'
import type { Ledger, Reminder, Series, Undispatched, Unread } from './ledger.ts'
import { dueOccurrence, nextOccurrence, type DueOccurrence } from './occurrence.ts'

/** A reminder whose instant has come. */
export interface Due extends DueOccurrence {
  readonly reminder: Reminder
  /** Later than the reminder's limit allows: recorded as missed, not delivered (requirement T5). */
  readonly tooLate: boolean
  /** When the series comes again; `undefined` for one-shots and after the last occurrence. */
  readonly nextAt: Instant | undefined
}

/** A series without an active occurrence, and the instant of the one to create. */
export interface Renewal {
  readonly series: Series
  readonly at: Instant
}

/** What the owner has to do for one session now. */
export type Next =
  | {
      readonly kind: 'act'
      /** To put into the conversation, in this order, as one message. */
      readonly deliver: readonly Due[]
      /** To record as missed: later than their limit allows. */
      readonly miss: readonly Due[]
      /** Already in the inbox or the conversation: only their dispatch is lacking. */
      readonly settle: readonly Undispatched[]
      /** Dispatched and lost on the way into the conversation: to queue once more. */
      readonly again: readonly Unread[]
      /** Dispatched and waiting in the inbox of an agent that nobody has woken since it was opened. */
      readonly stranded: readonly Unread[]
      readonly renew: readonly Renewal[]
    }
  | { readonly kind: 'wait'; readonly until: Instant }
  | { readonly kind: 'rest' }

/** The limits of delivery that a deployment can set. */
export interface DeliveryPolicy {
  /** A series pauses after this many deliveries without a human message (requirement T8). */
  readonly maxUnanswered: number
}

/** Most reminders in one message; what is left over follows in the next one (B42). */
export const BATCH_LIMIT = 20

/**
 * Decide from the log and one reading of the clock (requirements S25, T1, T5, T8).
 *
 * @param ledger - the session's fold.
 * @param now - the wall clock, sampled once.
 * @param policy - delivery limits.
 * @param isOwn - whether a message was queued, with its wake, since the session was opened; by default all were.
 */
export function decide(ledger: Ledger, now: Instant, policy: DeliveryPolicy, isOwn: (messageId: string) => boolean = () => true): Next {
  if (ledger.corruption !== undefined) return { kind: 'rest' }
  const running = [...ledger.active.values()].filter((reminder) => !isPaused(reminder.series, policy))
  const due = running.filter((reminder) => reminder.dueAt <= now && !ledger.undispatched.has(reminder.record.id)).toSorted(byUrgency)
  const come = due.map((reminder) => occurrence(reminder, now))
  const settle = [...ledger.undispatched.values()]
  const miss = come.filter((one) => one.tooLate).slice(0, BATCH_LIMIT)
  const deliver = come.filter((one) => !one.tooLate).slice(0, BATCH_LIMIT)
  const renew = renewals(ledger)
  const settling = new Set(settle.map(({ messageId }) => messageId))
  const unread = [...ledger.unread.values()].filter(({ message }) => !settling.has(message.id))
  const again = unread.filter(({ state }) => state === 'lost')
  const stranded = unread.filter(({ state, message }) => state === 'waiting' && !isOwn(message.id))
  if ([deliver, miss, settle, again, stranded, renew].some((work) => work.length > 0)) return { kind: 'act', deliver, miss, settle, again, stranded, renew }
  const until = running.reduce((least, reminder) => Math.min(least, reminder.dueAt), Infinity)
  return until === Infinity ? { kind: 'rest' } : { kind: 'wait', until }
}

/**
 * Whether a series waits for a person to write before it goes on.
 *
 * @param series - the series of a reminder, if it has one.
 * @param policy - delivery limits.
 */
export function isPaused(series: Series | undefined, policy: DeliveryPolicy): boolean {
  return series !== undefined && series.unanswered >= policy.maxUnanswered
}

function occurrence(reminder: Reminder, now: Instant): Due {
  const due = dueOccurrence(reminder, now)
  const { series, plan } = reminder
  const tooLate = plan?.lateLimitSeconds !== undefined && now - due.occurrenceAt > plan.lateLimitSeconds * 1000
  if (series === undefined) return { ...due, reminder, tooLate, nextAt: undefined }
  const delivered = series.delivered + (tooLate ? 0 : 1)
  return { ...due, reminder, tooLate, nextAt: nextOccurrence({ rule: series.rule, delivered }, due.occurrenceAt) }
}

function renewals(ledger: Ledger): Renewal[] {
  const found: Renewal[] = []
  for (const series of ledger.series.values()) {
    if (series.activeId !== undefined) continue
    const at = nextOccurrence(series, series.settledAt ?? series.createdAt)
    if (at !== undefined) found.push({ series, at })
  }
  return found
}

function isSeries(reminder: Reminder): boolean {
  return reminder.series !== undefined || reminder.record.kind === 'every'
}

/** One-shots first, then by target, then by creation (requirement T1). */
function byUrgency(a: Reminder, b: Reminder): number {
  return Number(isSeries(a)) - Number(isSeries(b)) || a.dueAt - b.dueAt || a.order - b.order
}
