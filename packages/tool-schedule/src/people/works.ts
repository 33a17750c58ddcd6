import { formatInstant, parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import { isRefusal, refuse, type Refusal } from '../errors.ts'
import { instantOf, type PlanFact, type SeriesRule } from '../facts.ts'
import type { CreateInput, Selector } from '../input.ts'
import type { Ledger, Reminder } from '../ledger.ts'
import { nextOccurrence } from '../occurrence.ts'
import type { Planned } from '../plan.ts'
import { createChange, deleteChange, type ReminderId, type ScheduleChange } from '../protocol.ts'
import { freshId, planFresh } from '../tools/create.ts'
import { findActive } from '../tools/delete.ts'
import { findReminder } from '../tools/snooze.ts'
import { deliveredOf, ruleOf } from '../view.ts'
import type { Act } from './change-notice.ts'
import { deny, type PeopleRefusal } from './refusals.ts'

/** A person at the moment of a change. */
export interface Asker {
  readonly now: Instant
  /** Of the browser, or of the newest message. */
  readonly zone: ZoneName | undefined
}

/** What a person's wish comes to. */
export interface Wish {
  readonly act: Act
  /** Of the reminder that it is about. */
  readonly prompt: string
  readonly changes: readonly ScheduleChange[]
  readonly planned?: Planned
  /** What is taken back, under the id that people know it by. */
  readonly removed?: ReminderId
  /** What `undo` would bring back. */
  readonly deleted?: Reminder
}

type Decided = Wish | Refusal | PeopleRefusal

/**
 * A new reminder of a person. A chain of unattended turns has no part in it: a person is here.
 *
 * @param ledger - the session's fold.
 * @param input - checked arguments, or what a text was read as.
 * @param asker - clock and zone.
 */
export function wishNew(ledger: Ledger, input: CreateInput, asker: Asker): (Wish & { readonly planned: Planned }) | Refusal {
  const planned = plan(ledger, input, asker)
  return isRefusal(planned) ? planned : { act: 'set', prompt: input.prompt, changes: [createChange(planned.record)], planned }
}

function plan(ledger: Ledger, input: CreateInput, { now, zone }: Asker): Planned | Refusal {
  // The person is in one zone and knows what time it is: what the check of S19 asks for, if the zone is known.
  const request = zone === undefined ? ({ kind: 'unavailable' } as const) : ({ kind: 'one', zone } as const)
  return planFresh(ledger, input, { now, zones: { session: zone, request, isMarked: true }, setBy: 'person', unattended: false })
}

/**
 * Take a reminder, or a whole series, back.
 *
 * @param ledger - the session's fold.
 * @param id - of a reminder, a series or its occurrence.
 */
export function wishGone(ledger: Ledger, id: ReminderId): Decided {
  const reminder = findActive(ledger, id)
  if (reminder === undefined) return refuse('schedule_not_found', { field: 'id' })
  return { act: 'deleted', prompt: reminder.record.prompt, changes: [deleteChange(reminder.record.id)], removed: knownAs(reminder), deleted: reminder }
}

/**
 * Another prompt, another time, or both: the old reminder goes and a new one comes, linked to it, in one transaction.
 *
 * @param ledger - the session's fold.
 * @param id - of a reminder, a series or its occurrence.
 * @param change - what is new; a new time is a whole input, of which the prompt and its own options count.
 * @param asker - clock and zone.
 */
export function wishEdit(ledger: Ledger, id: ReminderId, change: { readonly prompt: string | undefined; readonly time: CreateInput | undefined }, asker: Asker): Decided {
  const old = findActive(ledger, id)
  if (old === undefined) return refuse('schedule_not_found', { field: 'id' })
  const prompt = change.prompt ?? old.record.prompt
  const planned = change.time === undefined ? again(ledger, old, asker) : plan(ledger, retimed(old, change.time), asker)
  if ('code' in planned) return planned
  return linked('edited', [deleteChange(old.record.id)], { ...planned, record: { ...planned.record, prompt } }, old)
}

/** A time that says nothing about lateness or waking keeps what was said before. */
function retimed({ plan: old }: Reminder, time: CreateInput): CreateInput {
  return { ...time, lateLimitSeconds: time.lateLimitSeconds ?? old?.lateLimitSeconds, wake: time.wake || old?.wake === true }
}

/**
 * Bring back what a person took back last: under a new id, because no id is used twice (requirement S7).
 *
 * @param ledger - the session's fold.
 * @param gone - as it was.
 * @param asker - clock and zone.
 */
export function wishBack(ledger: Ledger, gone: Reminder | undefined, asker: Asker): Decided {
  if (gone === undefined) return deny('nothing_to_undo')
  const planned = again(ledger, gone, asker)
  return 'code' in planned ? planned : linked('restored', [], planned, gone)
}

function linked(act: Act, before: readonly ScheduleChange[], { record, plan: facts }: Planned, old: Reminder): Wish {
  const removed = knownAs(old)
  const planned = { record, plan: { ...facts, replaces: removed } }
  return { act, prompt: record.prompt, changes: [...before, createChange(record)], planned, removed }
}

function knownAs({ series, record }: Reminder): ReminderId {
  return series?.id ?? record.id
}

/** The same reminder once more: its instant, or the rest of its series. */
function again(ledger: Ledger, old: Reminder, { now }: Asker): Planned | PeopleRefusal {
  const id = freshId(ledger)
  const { zone, lateLimitSeconds, wake, snoozeOf } = old.plan ?? {}
  const facts: PlanFact = {
    fact: 'plan',
    id,
    setBy: 'person',
    ...(zone !== undefined && { zone }),
    ...(lateLimitSeconds !== undefined && { lateLimitSeconds }),
    ...(wake === true && { wake }),
    ...(snoozeOf !== undefined && { snoozeOf }),
  }
  const { prompt, scheduledAt } = old.record
  const rule = ruleOf(old)
  if (rule !== undefined) return againSeries(old, rule, facts, now)
  if (old.dueAt <= now) return deny('not_future', { detail: scheduledAt })
  return { record: { id, kind: 'at', prompt, scheduledAt }, plan: facts }
}

function againSeries(old: Reminder, rule: SeriesRule, facts: PlanFact, now: Instant): Planned | Refusal {
  const { count, ...endless } = rule
  const series: SeriesRule = count === undefined ? rule : { ...endless, count: count - deliveredOf(old) }
  const at = old.dueAt > now ? old.dueAt : nextOccurrence({ rule: series, delivered: 0 }, now)
  if (at === undefined) return refuse('no_future_occurrence')
  return { record: { id: `${facts.id}.1` as ReminderId, kind: 'at', prompt: old.record.prompt, scheduledAt: formatInstant(at) }, plan: { ...facts, series } }
}

/** A time that comes once. */
export type OnceSelector = Exclude<Selector, { kind: 'every' | 'cron' }>

/**
 * Deliver a reminder once more, later (requirement T7): a series goes on untouched, what has not come yet is moved.
 *
 * @param ledger - the session's fold.
 * @param id - active, or among the newest outcomes.
 * @param selector - until when.
 * @param asker - clock and zone.
 */
export function wishSnooze(ledger: Ledger, id: ReminderId, selector: OnceSelector, asker: Asker): Decided {
  const found = findReminder(ledger, id)
  if (found === undefined) return refuse('schedule_not_found', { field: 'id' })
  const planned = plan(ledger, { prompt: found.prompt, selector, until: undefined, count: undefined, lateLimitSeconds: undefined, wake: false }, asker)
  if (isRefusal(planned)) return planned
  const zone = selector.kind === 'local' ? undefined : parseZone(found.zone)
  const facts: PlanFact = { ...planned.plan, snoozeOf: id, ...(zone !== undefined && { zone }) }
  const moved = found.replaces.length > 0 && { removed: id }
  return { act: 'snoozed', prompt: found.prompt, changes: [...found.replaces, createChange(planned.record)], planned: { ...planned, plan: facts }, ...moved }
}

/**
 * When a record is due.
 *
 * @param record - with a canonical instant.
 */
export function dueOf({ record }: Planned): Instant {
  return instantOf(record.scheduledAt)
}
