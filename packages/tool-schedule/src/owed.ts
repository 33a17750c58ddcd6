import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { ownStart } from 'dsh-session-host'
import type { Instant } from 'dsh-time-core'
import { isPaused, type DeliveryPolicy } from './decide.ts'
import { LedgerFold } from './fold.ts'
import type { Ledger } from './ledger.ts'

/** Name of our kind of delivery in the wake index. */
export const REMINDER_KIND = 'reminder'

/**
 * When a session has to be opened next for a reminder that asks for it (requirement T9). Reminders without `wake` wait
 * until somebody opens their session, and so does a series that waits for a person to write. What was
 * delivered and not read yet is owed still (requirement S30).
 *
 * @param ledger - the session's fold.
 * @param policy - delivery limits.
 */
export function nextWake(ledger: Ledger, policy: DeliveryPolicy): Instant | undefined {
  let next: Instant | undefined
  for (const { dueAt, plan, series } of ledger.active.values()) {
    if (plan?.wake === true && !isPaused(series, policy) && dueAt < (next ?? Infinity)) next = dueAt
  }
  for (const { wakeAt = Infinity } of ledger.unread.values()) if (wakeAt < (next ?? Infinity)) next = wakeAt
  return ledger.corruption === undefined ? next : undefined
}

/**
 * The same for a stored log.
 *
 * @param events - the whole log.
 * @param header - the session's durable header.
 * @param policy - delivery limits.
 */
export function foldNextWake(events: readonly SessionEvent[], header: Parameters<typeof ownStart>[0]['header'], policy: DeliveryPolicy): Instant | undefined {
  const ledger = new LedgerFold()
  for (const event of events.slice(ownStart({ header }))) ledger.apply(event)
  return nextWake(ledger, policy)
}
