import { parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import type { DeliveryPolicy } from './decide.ts'
import type { SeriesRule } from './facts.ts'
import type { Ledger, Reminder } from './ledger.ts'
import { firesAfter, ruleOf, shownId, showInstant, soonestFirst, stateOf, type ReminderState } from './view.ts'

/** Most reminders that one list shows; the total counts them all (requirement P7). */
export const LIST_LIMIT = 50

/** One reminder in a list: what a model tells a person, in at most 40 tokens (requirement P7). */
export interface ReminderRow {
  readonly id: string
  readonly prompt: string
  /**
   * In whole seconds: local time with its offset, or UTC with `Z` where no zone is known. Followed by `[Zone]` where
   * that is not the zone of the list.
   */
  readonly due: string
  readonly state: ReminderState
}

/** What a list says of a series beside its row. */
export type SeriesEntry = { readonly id: string } & ({ readonly cron: string } | { readonly everySeconds: number }) & {
    /** The fires after `due`, at most three. A date or a time of day that is left out is that of `due`. */
    readonly next: readonly string[]
  }

/** The reminders of a session at a glance. Everything else about one is in its own view, asked for by its id. */
export interface ReminderList {
  /** All that are active, shown or not. */
  readonly total: number
  /** The zone that most of the shown reminders are in. */
  readonly zone?: ZoneName
  /** Soonest first, at most `LIST_LIMIT`. */
  readonly reminders: readonly ReminderRow[]
  /** Of the shown reminders that come again. */
  readonly series?: readonly SeriesEntry[]
}

/**
 * The active reminders, soonest first.
 *
 * @param ledger - the session's fold.
 * @param now - the call's reading of the clock.
 * @param policy - delivery limits.
 */
export function viewList(ledger: Ledger, now: Instant, policy: DeliveryPolicy): ReminderList {
  const soonest = soonestFirst(ledger)
  const shown = soonest.slice(0, LIST_LIMIT).map((reminder) => ({ reminder, zone: parseZone(reminder.plan?.zone) }))
  const zone = mostUsed(shown.map((one) => one.zone))
  const reminders = shown.map(({ reminder, zone: own }): ReminderRow => {
    const name = own === undefined || own === zone ? '' : `[${own}]`
    return { id: shownId(reminder), prompt: reminder.record.prompt, due: showInstant(reminder.dueAt, own) + name, state: stateOf(reminder, now, policy) }
  })
  const series = shown.flatMap((one) => seriesEntry(one.reminder, one.zone))
  return { total: soonest.length, ...(zone !== undefined && { zone }), reminders, ...(series.length > 0 && { series }) }
}

/** Of several that are used as often, the one of the soonest reminder. */
function mostUsed(zones: readonly (ZoneName | undefined)[]): ZoneName | undefined {
  const counts = new Map<ZoneName, number>()
  for (const zone of zones) if (zone !== undefined) counts.set(zone, (counts.get(zone) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}

function seriesEntry(reminder: Reminder, zone: ZoneName | undefined): SeriesEntry[] {
  const rule = ruleOf(reminder)
  if (rule === undefined) return []
  const due = showInstant(reminder.dueAt, zone)
  return [{ id: shownId(reminder), ...repeats(rule), next: firesAfter(reminder, rule).map((fire) => beside(due, showInstant(fire, zone))) }]
}

function repeats(rule: SeriesRule): { readonly cron: string } | { readonly everySeconds: number } {
  return rule.kind === 'cron' ? { cron: rule.cron } : { everySeconds: rule.everySeconds }
}

/** What of an instant is new to somebody who has read another one. Where the clocks change in between, all of it. */
function beside(due: string, fire: string): string {
  const [dueDate, dueTime, dueOffset] = parts(due)
  const [date, time, offset] = parts(fire)
  if (offset !== dueOffset) return fire
  if (time === dueTime) return date
  // Seconds that are none need no saying.
  const short = time.replace(/:00$/, '')
  return date === dueDate ? short : `${date}T${short}`
}

/** Date, time and offset; a date is ten characters long, because no reminder lies outside of the years 0001 to 9999. */
function parts(shown: string): readonly [date: string, time: string, offset: string] {
  return [shown.slice(0, 10), shown.slice(11, 19), shown.slice(19)]
}
