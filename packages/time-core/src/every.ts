import type { Instant } from './instant.ts'

/** Where a fixed-interval series stands at one moment. */
export interface EveryState {
  /** The newest occurrence not after `now`; `undefined` before the first. */
  latest: Instant | undefined
  /** The first occurrence after `now`. May lie beyond `MAX_INSTANT`: ask `isInstant` before storing it. */
  next: Instant
  /** Occurrences not after `now` and older than `latest`: what latest-only catch-up passes over. */
  missed: number
}

/**
 * Occurrences at `anchor + n · everyMs` for n = 0, 1, 2 …, the anchor being the first (T1). One division however far
 * `now` is away, so neither slow deliveries (B61) nor a clock that jumps a month (B33) can bend or flood the series.
 * @throws RangeError when `everyMs` is not a positive safe integer.
 */
export function everyOccurrence(anchor: Instant, everyMs: number, now: Instant): EveryState {
  if (!Number.isSafeInteger(everyMs) || everyMs <= 0) throw new RangeError(`Not an interval in milliseconds: ${String(everyMs)}`)
  const steps = Math.floor((now - anchor) / everyMs)
  if (steps < 0) return { latest: undefined, next: anchor, missed: 0 }
  return { latest: anchor + steps * everyMs, next: anchor + (steps + 1) * everyMs, missed: steps }
}
