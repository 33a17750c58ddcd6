import { formatInstant, parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import type { Config } from '../config.ts'
import type { DeliveryPolicy } from '../decide.ts'
import { instantOf, type PlanFact, type SeriesRule } from '../facts.ts'
import { occurrenceOf } from '../fold.ts'
import { MAX_PROMPT_LENGTH } from '../input.ts'
import type { Ledger, Outcome, Reminder } from '../ledger.ts'
import { MIN_EVERY_SECONDS } from '../protocol.ts'
import { firesAfter, ruleOf, shownId, showInstant, soonestFirst, stateOf, type Shown } from '../view.ts'
import { MAX_TEXT_LENGTH } from './cursor.ts'
import type { Moment, PastReminder, PendingReminder, ReminderState, WireRule } from './wire.ts'

/** Most pending reminders in one answer: more than anybody reads, and one answer stays below a megabyte. */
const STATE_LIMIT = 500

/**
 * An instant for computing and for showing.
 *
 * @param ms - any instant.
 * @param zone - whose wall clock `local` shows; left out when nobody knows.
 */
export function moment(ms: Instant, zone?: ZoneName): Moment {
  return { ms, utc: formatInstant(ms), ...(zone !== undefined && { local: showInstant(ms, zone) }) }
}

/** A reminder that is active, or that is about to be. */
export type Pending = Shown & Partial<Pick<Reminder, 'createdAt'>>

/** What a reminder is shown against. */
export interface Viewer {
  readonly now: Instant
  readonly policy: DeliveryPolicy
  /** For reminders without a zone of their own. */
  readonly zone: ZoneName | undefined
}

/**
 * A reminder as people see it (requirement T11).
 *
 * @param reminder - active, or about to be.
 * @param viewer - clock, limits and zone.
 */
export function pendingReminder(reminder: Pending, { now, policy, zone: elseZone }: Viewer): PendingReminder {
  const { record, dueAt, plan, series, createdAt } = reminder
  const rule = ruleOf(reminder)
  const zone = parseZone(plan?.zone) ?? elseZone
  const at = (ms: Instant): Moment => moment(ms, zone)
  return {
    id: shownId(reminder),
    occurrenceId: record.id,
    prompt: record.prompt,
    state: stateOf(reminder, now, policy),
    due: at(dueAt),
    ...(zone !== undefined && { zone }),
    ...(rule !== undefined && { rule: wireRule(rule, at) }),
    next: rule === undefined ? [] : firesAfter(reminder, rule).map(at),
    ...(rule?.until !== undefined && { until: at(instantOf(rule.until)) }),
    ...(rule?.count !== undefined && { count: rule.count }),
    ...(series !== undefined && { delivered: series.delivered }),
    ...(createdAt !== undefined && { created: at(series?.createdAt ?? createdAt) }),
    ...origin(plan),
  }
}

function origin(plan: PlanFact | undefined): Pick<PendingReminder, 'setBy' | 'unattended' | 'lateLimitSeconds' | 'wake' | 'snoozeOf' | 'replaces'> {
  return {
    setBy: plan?.setBy ?? 'model',
    unattended: plan?.unattended === true,
    ...(plan?.lateLimitSeconds !== undefined && { lateLimitSeconds: plan.lateLimitSeconds }),
    wake: plan?.wake === true,
    ...(plan?.snoozeOf !== undefined && { snoozeOf: plan.snoozeOf }),
    ...(plan?.replaces !== undefined && { replaces: plan.replaces }),
  }
}

function wireRule(rule: SeriesRule, at: (ms: Instant) => Moment): WireRule {
  return rule.kind === 'cron' ? { kind: 'cron', cron: rule.cron, zone: rule.zone } : { kind: 'every', everySeconds: rule.everySeconds, anchor: at(instantOf(rule.anchor)) }
}

function pastReminder(outcome: Outcome, zone: ZoneName | undefined): PastReminder {
  const { kind, id, prompt, occurrenceAt, decidedAt, reasons, seq } = outcome
  return {
    outcome: kind,
    occurrenceId: id,
    id: occurrenceOf(id)[0],
    prompt,
    due: moment(occurrenceAt, zone),
    decided: moment(decidedAt, zone),
    lateMs: Math.max(0, decidedAt - occurrenceAt),
    reasons,
    seq,
  }
}

/** What the fold of a session does not say about it. */
export type Surroundings = Pick<ReminderState, 'sessionId' | 'revision' | 'live' | 'stored'> & {
  readonly zones: { readonly session: ZoneName | undefined; readonly request: ZoneName | undefined }
  readonly config: Config
  readonly undo: Reminder | undefined
}

/**
 * All that the page shows of one session (requirement T11). Of a broken log only the place where it breaks.
 *
 * @param ledger - the session's fold.
 * @param viewer - clock, limits and zone.
 * @param around - what the fold does not say.
 */
export function reminderState(ledger: Ledger, viewer: Viewer, { zones, config, undo, ...rest }: Surroundings): ReminderState {
  const soonest = ledger.corruption === undefined ? soonestFirst(ledger) : []
  return {
    ...rest,
    now: moment(viewer.now, viewer.zone),
    zones: { ...(zones.session !== undefined && { session: zones.session }), ...(zones.request !== undefined && { request: zones.request }) },
    pending: soonest.slice(0, STATE_LIMIT).map((reminder) => pendingReminder(reminder, viewer)),
    total: soonest.length,
    past: ledger.outcomes.toReversed().map((outcome) => pastReminder(outcome, viewer.zone)),
    ...(undo !== undefined && { undo: { id: undo.series?.id ?? undo.record.id, prompt: undo.record.prompt } }),
    ...(ledger.corruption !== undefined && { corruption: ledger.corruption }),
    limits: {
      maxUnanswered: config.maxUnanswered,
      maxUnattendedChain: config.maxUnattendedChain,
      maxPromptLength: MAX_PROMPT_LENGTH,
      maxTextLength: MAX_TEXT_LENGTH,
      minEverySeconds: MIN_EVERY_SECONDS,
      shown: STATE_LIMIT,
    },
  }
}
