import { refusalsOf, type Refusal as RefusalOf } from 'dsh-time-core'
import { sayDetail, type Detail } from './details.ts'

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

/** A refusal whose detail is not in the words of a language yet. */
export type Refusal = RefusalOf<RefusalCode, Detail>

export const { refuse, isRefusal, inEnglish } = refusalsOf(REFUSALS, sayDetail)
