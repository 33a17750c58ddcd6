import { createHash } from 'node:crypto'
import { formatInstant, MINUTE_MS, plainLine, type Instant } from 'dsh-time-core'
import ical, { ICalEventStatus } from 'ical-generator'
import { isPaused, type DeliveryPolicy } from '../decide.ts'
import type { Ledger, Reminder } from '../ledger.ts'
import { upcoming } from '../plan.ts'
import { deliveredOf, ruleOf, soonestFirst } from '../view.ts'

/** How many occurrences of a series stand in the calendar. */
const OCCURRENCES_LISTED = 50

/** A reminder takes no time; a calendar needs some to draw it (milliseconds). */
const DRAWN_MS = 5 * MINUTE_MS

const SUMMARY_LENGTH = 200

/** One session in a calendar. */
export interface CalendarPart {
  readonly sessionId: string
  readonly revision: number
  readonly ledger: Ledger
}

/**
 * Name of a calendar's content: the same as long as the logs say the same.
 *
 * @param parts - the sessions in it.
 */
export function calendarTag(parts: readonly CalendarPart[]): string {
  const state = JSON.stringify(parts.map(({ sessionId, revision }) => [sessionId, revision]))
  return `"${createHash('sha256').update(state).digest('base64url').slice(0, 27)}"`
}

/**
 * The pending reminders as a calendar (RFC 5545, requirement T13). A series is written as its next occurrences and not
 * as a rule: RFC 5545 has no words for what a cron expression means where the clocks change. Nothing in it depends on
 * when it is asked for.
 *
 * @param parts - the sessions in it.
 * @param policy - delivery limits: what is paused is tentative.
 */
export function calendarText(parts: readonly CalendarPart[], policy: DeliveryPolicy): string {
  const calendar = ical({ name: 'Reminders', prodId: { company: 'dsh-timekeeper', product: 'tool-schedule', language: 'EN' } })
  for (const { sessionId, ledger } of parts) {
    for (const reminder of ledger.corruption === undefined ? soonestFirst(ledger) : []) {
      for (const { uid, at } of occurrences(reminder)) {
        const { prompt } = reminder.record
        calendar.createEvent({
          id: `${uid}@${sessionId}`,
          start: new Date(at),
          end: new Date(at + DRAWN_MS),
          stamp: new Date(reminder.createdAt),
          summary: plainLine(prompt, SUMMARY_LENGTH),
          description: prompt,
          status: isPaused(reminder.series, policy) ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
        })
      }
    }
  }
  return calendar.toString()
}

/** An occurrence is known by its series and its instant, so it stays itself while the ones before it come and go. */
function occurrences(reminder: Reminder): readonly { readonly uid: string; readonly at: Instant }[] {
  const { record, series, dueAt } = reminder
  const rule = ruleOf(reminder)
  if (rule === undefined) return [{ uid: record.id, at: dueAt }]
  const id = series?.id ?? record.id
  return upcoming(rule, deliveredOf(reminder), dueAt, OCCURRENCES_LISTED).map((at) => ({ uid: `${id}-${formatInstant(at).replaceAll(/[-:.]/g, '')}`, at }))
}
