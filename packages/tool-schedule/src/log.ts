/**
 * What a session's log says about its reminders, for programs that read it without a host: the very fold and views of
 * the plugin, and nothing that needs a running DSH.
 *
 * @module dsh-tool-schedule/log
 */
export { CARRIER, readFacts, SOURCE_KIND, type PlanFact, type SeriesRule } from './facts.ts'
export { LedgerFold } from './fold.ts'
export type { Outcome, Reminder, Series } from './ledger.ts'
export { nextOccurrence } from './occurrence.ts'
export { nextWake, REMINDER_KIND } from './owed.ts'
export { upcoming } from './plan.ts'
export { CorruptLog, decodeChange, type ReminderId, type ScheduleChange, type ScheduleRecord } from './protocol.ts'
export { viewReminder, type ReminderView } from './view.ts'
