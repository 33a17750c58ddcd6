import type { Instant } from 'dsh-time-core'
import type { Countdown, Countdowns, Fired } from './fold.ts'

/** What a session's countdowns ask for at a moment. */
export interface DueCountdowns {
  /** Over, and to be told by a turn of their own, at most `BATCH_LIMIT`; the earliest first. */
  readonly wake: readonly Countdown[]
  /** Over, and to be told with the next step; likewise. */
  readonly inject: readonly Countdown[]
  /** Fired in a process that has ended since; their notices lie in the inbox and wake nobody. */
  readonly stranded: readonly Fired[]
  /** When the next one will be over that is not yet. */
  readonly nextAt: Instant | undefined
}

/** Most countdowns in one message; what is left over follows in the next one (B42). */
export const BATCH_LIMIT = 20

/**
 * What is to be done about a session's countdowns (requirements R12 to R15).
 *
 * @param countdowns - the session's fold.
 * @param now - the wall clock, sampled once.
 * @param isOwn - whether a message was queued by this very process, whose agent will get to it.
 */
export function decideCountdowns({ pending, fired }: Countdowns, now: Instant, isOwn: (messageId: string) => boolean): DueCountdowns {
  const soonest = bySoonest(pending.values())
  const over = soonest.filter(({ dueAt }) => dueAt <= now)
  return {
    wake: over.filter(({ onFire }) => onFire === 'wake').slice(0, BATCH_LIMIT),
    inject: over.filter(({ onFire }) => onFire === 'inject').slice(0, BATCH_LIMIT),
    stranded: fired.filter((one) => one.onFire === 'wake' && one.notice === 'waiting' && !isOwn(one.messageId)),
    nextAt: soonest[over.length]?.dueAt,
  }
}

/**
 * Countdowns in the order in which they will be over.
 *
 * @param countdowns - any number.
 */
export function bySoonest(countdowns: Iterable<Countdown>): readonly Countdown[] {
  return [...countdowns].toSorted((a, b) => a.dueAt - b.dueAt)
}
