import type { Instant } from './instant.ts'

/**
 * Why a delivery was late, as observed when it fired (R16): the host was not running; the process slept or was
 * blocked, or its clock was set forward; the session was in the middle of a step; the session was not open; the log
 * could not be confirmed as stored in time; the series waited for a person to write.
 */
export type LatenessReason = 'host-down' | 'suspended' | 'busy' | 'not-open' | 'persistence' | 'paused'

/** How a delivery compares with its plan (T6). */
export interface Drift {
  due: Instant
  delivered: Instant
  /** `delivered - due`, at least 0: a clock set back never makes a delivery early. */
  lateMs: number
  /** Empty when the lateness needs no explanation; each reason at most once, in the order given. */
  reasons: readonly LatenessReason[]
}

/** Below this nothing is said about lateness (R16). */
export const LATE_FROM_MS = 2000

/** The drift of one delivery; under two seconds the lateness is kept and the reasons are dropped. */
export function drift(due: Instant, delivered: Instant, reasons: readonly LatenessReason[]): Drift {
  const lateMs = Math.max(0, delivered - due)
  return { due, delivered, lateMs, reasons: lateMs < LATE_FROM_MS ? [] : [...new Set(reasons)] }
}
