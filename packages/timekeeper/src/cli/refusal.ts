import type { Texts } from './texts/en.ts'

/** Why a command gives no answer. The first four are those of `schedule_create` (requirement S15). */
export type RefusalCode =
  | 'invalid_rule'
  | 'invalid_time_zone'
  | 'frequency_too_high'
  | 'no_future_occurrence'
  | 'usage'
  | 'home_not_found'
  | 'session_not_found'
  | 'ambiguous_session'
  | 'log_unreadable'
  | 'not_a_session_log'
  | 'format_unsupported'
  | 'browser_silent'
  | 'interrupted'
  | 'not_served'

/** A refusal before a language is chosen. */
export interface Refusal {
  readonly code: RefusalCode
  /** What exactly is wrong, and what to do about it. */
  readonly detail: (texts: Texts) => string
}

/**
 * A refusal.
 *
 * @param code - why.
 * @param detail - what exactly is wrong, in the language of the texts it is given.
 */
export function refuse(code: RefusalCode, detail: Refusal['detail']): Refusal {
  return { code, detail }
}

/**
 * Whether the result of a step that can be refused is a refusal.
 *
 * @param value - a refusal or any other value.
 */
export function isRefusal(value: object | string): value is Refusal {
  return typeof value === 'object' && 'detail' in value && typeof value.detail === 'function'
}
