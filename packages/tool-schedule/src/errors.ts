import { refusalsOf, type Refusal as RefusalOf } from 'dsh-time-core'
import { sayDetail, type Detail } from './details.ts'

/**
 * Every refusal of the reminder tools: its code and its stable text (requirement S15). What a backend said never
 * gets in here.
 */
export const REFUSALS = {
  invalid_prompt: 'The prompt must be a text of 1 to 2000 characters after trimming.',
  invalid_selector: 'Give prompt and exactly one of after_seconds, at, every_seconds, cron; no other field is known.',
  invalid_rule: 'The rule is not valid.',
  invalid_time_zone: 'time_zone must be UTC or an IANA name such as Europe/Berlin; abbreviations and offsets are not accepted.',
  timezone_confirmation_required: 'Ask the person which time zone is meant, then give it as time_zone.',
  not_future: 'The time must lie in the future.',
  time_out_of_range: 'The time must lie between the years 0001 and 9999.',
  frequency_too_high: 'Repeat every 300 seconds or less often.',
  no_future_occurrence: 'The rule has no occurrence from now on.',
  unattended_limit: 'Too many reminders were set in turns that no person started. A person has to write first.',
  corrupt_schedule_log: 'The reminder records of this session break their format, so nothing is concluded from them. The session itself is not affected.',
  persistence_uncertain: 'It is not confirmed that the session log is stored. Do not repeat the call blindly: list the reminders first; if this persists, check the disk and reopen the session.',
  schedule_not_found: 'No active reminder has this id.',
  internal_error: 'The reminder tool failed. Nothing is known to have changed; list the reminders to see.',
} as const

/** Name of a refusal. */
export type RefusalCode = keyof typeof REFUSALS

/** A refusal whose detail is not in the words of a language yet. */
export type Refusal = RefusalOf<RefusalCode, Detail>

export const { refuse, isRefusal, inEnglish } = refusalsOf(REFUSALS, sayDetail)
