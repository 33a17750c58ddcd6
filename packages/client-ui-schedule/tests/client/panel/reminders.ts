import type { Moment, PastReminder, PendingReminder, ReminderState } from '../../../../tool-schedule/src/people/wire.ts'
import { en, type Say } from '../../../src/client/panel/words.ts'

/** Noon of a day, in the zone of the test process. */
export const NOON = new Date(2026, 9, 9, 12).getTime()
export const HOUR = 3_600_000

export const moment = (ms: number): Moment => ({ ms, utc: new Date(ms).toISOString() })

/** English, as the page looks keys up: an unknown one is its own text. */
export const t: Say = (key, values = {}) => ((en as Readonly<Record<string, string>>)[key] ?? key).replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name]))

export function pending(dueMs: number, more: Partial<PendingReminder> = {}): PendingReminder {
  return { id: 'r-1', occurrenceId: 'r-1', prompt: 'tea', state: 'scheduled', due: moment(dueMs), next: [], setBy: 'person', unattended: false, wake: false, ...more }
}

export function past(decidedMs: number, more: Partial<PastReminder> = {}): PastReminder {
  return { outcome: 'delivered', occurrenceId: 'r-1', id: 'r-1', prompt: 'tea', due: moment(decidedMs), decided: moment(decidedMs), lateMs: 0, reasons: [], seq: 1, ...more }
}

export function state(more: Partial<ReminderState> = {}): ReminderState {
  const limits = { maxUnanswered: 3, maxUnattendedChain: 3, maxPromptLength: 2000, maxTextLength: 2000, minEverySeconds: 300, shown: 500 }
  return { sessionId: 's', revision: 1, live: true, stored: true, now: moment(NOON), zones: {}, pending: [], total: 0, past: [], limits, ...more }
}
