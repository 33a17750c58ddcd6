/**
 * Every refusal of the clock, its counters and its countdowns: its code and its stable text, the same for the model and for people (requirements R2, R22).
 */
export const REFUSALS = {
  'bad-request': 'The request is not of the documented shape.',
  'bad-mode': 'mode must be one of off, cron, turn, fine.',
  'bad-cron': 'The cron expression is not valid; nothing was changed.',
  'bad-name': 'The name is not valid.',
  'bad-time': 'The time is not valid; nothing was changed.',
  'no-such-counter': 'No counter of this name can be seen here.',
  'no-such-countdown': 'This session has no countdown of this name.',
  'too-many': 'There are too many already. Remove some first.',
  'not-live': 'The session is not open. Open it first.',
  'not-found': 'No session has this id.',
  internal: 'The clock failed. Nothing is known to have changed.',
} as const

/** Name of a refusal. */
export type RefusalCode = keyof typeof REFUSALS

/** A refusal as the model and the page read it. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  /** The argument that is wrong. */
  readonly field?: string
  /** What exactly is wrong with it. */
  readonly detail?: string
}

/**
 * A refusal with its stable text.
 *
 * @param code - why.
 * @param more - the field that is wrong, and the detail of it.
 */
export function refuse(code: RefusalCode, more: { readonly field?: string; readonly detail?: string } = {}): Refusal {
  return { code, message: REFUSALS[code], ...more }
}

/**
 * Whether the result of a step that can be refused is a refusal.
 *
 * @param value - a refusal, or anything that is no object with a `code`.
 */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'code' in value
}
