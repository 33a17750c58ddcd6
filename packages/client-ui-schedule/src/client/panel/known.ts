import { deepEqual } from '../../deep-equal.ts'
import type { Answer, PendingReminder, ReminderState, WireRefusal } from '../../../../tool-schedule/src/people/wire.ts'

/** What the page knows of the reminders of one session. */
export interface Known {
  /** The newest answer; kept while the host is away. */
  readonly state: ReminderState | undefined
  /** Host's clock minus the browser's (milliseconds): countdowns do not depend on the browser's clock. */
  readonly skew: number
  /** Why there is no newer answer. */
  readonly trouble: WireRefusal | 'unreachable' | undefined
  /** Changes that are on their way. */
  readonly saving: number
  /** A change whose outcome nobody knows, because the host did not answer. */
  readonly isLost: boolean
}

/** Nothing is known. */
export const NOTHING_KNOWN: Known = { state: undefined, skew: 0, trouble: undefined, saving: 0, isLost: false }

/** How far the newest change has come, truthfully: saved is what the host has confirmed. */
export type SaveStatus = 'saving' | 'saved' | 'unconfirmed'

/**
 * What is known after the host answered, or did not.
 *
 * @param known - before.
 * @param answer - undefined when it could not be reached.
 * @param now - the browser's clock.
 */
export function receiveState(known: Known, answer: Answer<ReminderState> | undefined, now: number): Known {
  if (answer === undefined) return { ...known, trouble: 'unreachable' }
  if (answer.outcome === 'refused') return { ...known, trouble: answer.refusal }
  return { ...known, state: { ...answer, pending: kept(known.state?.pending, answer.pending) }, skew: answer.now.ms - now, trouble: undefined }
}

/** Reminders that are as they were stay the same objects, so that their rows are not drawn anew. */
function kept(before: readonly PendingReminder[] = [], after: readonly PendingReminder[]): readonly PendingReminder[] {
  const known = new Map(before.map((reminder) => [reminder.id, reminder]))
  return after.map((reminder) => {
    const old = known.get(reminder.id)
    return old !== undefined && deepEqual(old, reminder) ? old : reminder
  })
}

/**
 * How far the newest change has come.
 *
 * @param known - of the session.
 * @returns undefined while nothing is known.
 */
export function saveStatus({ state, saving, isLost }: Known): SaveStatus | undefined {
  if (saving > 0) return 'saving'
  if (isLost || state?.stored === false) return 'unconfirmed'
  return state === undefined ? undefined : 'saved'
}

/**
 * When the next reminder comes.
 *
 * @param known - of the session.
 * @returns epoch milliseconds of the browser's clock; undefined when none is going to come by itself.
 */
export function nextDueOf({ state, skew }: Known): number | undefined {
  const next = state?.pending.find((reminder) => reminder.state === 'scheduled')
  return next === undefined ? undefined : next.due.ms - skew
}

/**
 * Tell an answer of the channel from anything else.
 *
 * @param value - of whatever shape.
 */
export function isAnswer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('outcome' in value)) return false
  return value.outcome === 'done' || value.outcome === 'refused'
}
