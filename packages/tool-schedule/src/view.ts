import { formatInstant, formatZoned, parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import { isPaused, type DeliveryPolicy } from './decide.ts'
import type { PlanFact, SeriesRule } from './facts.ts'
import type { Ledger, Reminder } from './ledger.ts'
import { upcoming } from './plan.ts'
import type { ReminderId, ScheduleRecord } from './protocol.ts'

/** Where reminders reach the person, said with every value (requirement S3). */
export const DELIVERY_MODE = 'session-local'

/** overdue: its instant has passed and no dispatch is recorded · paused: waits for a person to write (T8). */
export type ReminderState = 'scheduled' | 'overdue' | 'paused'

/** How many coming fires of a series are told after the next one (requirement T3). */
export const FIRES_SHOWN = 3

/**
 * A reminder as a tool value: JSON without absent members. `scheduledAt` is UTC, `local` the same instant with the
 * offset of `zone`. The value says all that `planFacts` needs to know of a reminder that was just set.
 */
export type ReminderView = Readonly<Record<string, string | number | boolean | readonly string[]>>

/**
 * One reminder as the tools show it.
 *
 * @param reminder - an active reminder, or one that is being set.
 * @param now - the call's reading of the clock.
 * @param policy - delivery limits.
 */
export function viewReminder(reminder: Shown, now: Instant, policy: DeliveryPolicy): ReminderView {
  const { record, dueAt, plan } = reminder
  const rule = ruleOf(reminder)
  const zone = parseZone(plan?.zone)
  return {
    id: shownId(reminder),
    prompt: record.prompt,
    ...viewRule(record, rule),
    scheduledAt: record.scheduledAt,
    ...(zone !== undefined && { local: showInstant(dueAt, zone), zone }),
    state: stateOf(reminder, now, policy),
    ...(rule !== undefined && { next: firesAfter(reminder, rule).map((fire) => showInstant(fire, zone)) }),
    ...viewOptions(plan),
  }
}

/** A reminder that is active, or that is about to be. */
export type Shown = Pick<Reminder, 'record' | 'dueAt' | 'plan' | 'series'>

/**
 * The id that a reminder is known by: a series has one for all its occurrences.
 *
 * @param reminder - active, or about to be.
 */
export function shownId({ record, plan, series }: Shown): ReminderId {
  return series?.id ?? plan?.id ?? record.id
}

/**
 * How a reminder stands (requirements S9, T8).
 *
 * @param reminder - active, or about to be.
 * @param now - one reading of the clock for everything that is shown together.
 * @param policy - delivery limits.
 */
export function stateOf({ dueAt, series }: Shown, now: Instant, policy: DeliveryPolicy): ReminderState {
  return isPaused(series, policy) ? 'paused' : dueAt <= now ? 'overdue' : 'scheduled'
}

/**
 * The rule of a reminder that comes again. The host's own plugin writes intervals as one record without a plan.
 *
 * @param reminder - active, or about to be.
 */
export function ruleOf({ record, plan, series }: Shown): SeriesRule | undefined {
  if (record.kind === 'every') return { kind: 'every', everySeconds: record.everySeconds, anchor: record.scheduledAt }
  return series?.rule ?? plan?.series
}

/**
 * How often a series was delivered.
 *
 * @param reminder - with or without a series.
 */
export function deliveredOf({ series }: Shown): number {
  return series?.delivered ?? 0
}

/**
 * The fires of a series that come after the one that is active, at most three; fewer where it ends.
 *
 * @param reminder - active, or about to be.
 * @param rule - see `ruleOf`.
 */
export function firesAfter(reminder: Shown, rule: SeriesRule): Instant[] {
  return upcoming(rule, deliveredOf(reminder), reminder.dueAt, FIRES_SHOWN + 1).slice(1)
}

/**
 * The active reminders, soonest first, then in creation order.
 *
 * @param ledger - the session's fold.
 */
export function soonestFirst(ledger: Ledger): readonly Reminder[] {
  return [...ledger.active.values()].toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
}

function viewRule(record: ScheduleRecord, rule: SeriesRule | undefined): ReminderView {
  if (rule?.kind === 'cron') return { kind: 'cron', cron: rule.cron }
  if (rule?.kind === 'every') return { kind: 'every', everySeconds: rule.everySeconds }
  return record.kind === 'after' ? { kind: 'after', afterSeconds: record.afterSeconds } : { kind: 'at' }
}

function viewOptions(plan: PlanFact | undefined): ReminderView {
  return {
    ...(plan?.series?.until !== undefined && { until: plan.series.until }),
    ...(plan?.series?.count !== undefined && { count: plan.series.count }),
    ...(plan?.lateLimitSeconds !== undefined && { lateLimitSeconds: plan.lateLimitSeconds }),
    ...(plan?.wake === true && { wake: true }),
    ...(plan?.unattended === true && { unattended: true }),
    ...(plan?.snoozeOf !== undefined && { snoozeOf: plan.snoozeOf }),
    ...(plan?.setBy === 'person' && { setBy: 'person' }),
  }
}

/**
 * An instant for reading, in whole seconds: with the offset of a zone, or in UTC. The zone's name stands once beside
 * it, not in each instant.
 *
 * @param instant - any instant.
 * @param zone - the reminder's zone, if it has one.
 */
export function showInstant(instant: Instant, zone: ZoneName | undefined): string {
  return zone === undefined ? formatInstant(instant).replace(/\.\d{3}Z$/, 'Z') : formatZoned(instant, zone).replace(/\[.*$/, '')
}
