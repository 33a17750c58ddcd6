import { everyOccurrence, isInstant, nextFire, parseCron, parseZone, previousFire, type Cron, type Instant, type ZoneName } from 'dsh-time-core'
import { instantOf, type SeriesRule } from './facts.ts'
import type { Reminder, Series } from './ledger.ts'

/** The newest occurrence that is due, and how many before it are passed over (requirement T1, latest only). */
export interface DueOccurrence {
  readonly occurrenceAt: Instant
  /** Absent where counting them would take a search. */
  readonly passedOver: number | undefined
}

/**
 * What is due of a reminder whose instant has come. The stored instant is the least: a change of the rule's zone data
 * can make a later occurrence the newest, never move one before what the log froze.
 *
 * @param reminder - an active reminder.
 * @param now - not before its due instant.
 */
export function dueOccurrence(reminder: Reminder, now: Instant): DueOccurrence {
  const { record, dueAt } = reminder
  const rule = reminder.series?.rule
  const last = rule?.until === undefined ? now : Math.min(now, instantOf(rule.until))
  if (record.kind === 'every' || rule?.kind === 'every') {
    const seconds = record.kind === 'every' ? record.everySeconds : (rule as { everySeconds: number }).everySeconds
    const { latest, missed } = everyOccurrence(dueAt, seconds * 1000, last)
    return { occurrenceAt: latest ?? dueAt, passedOver: missed }
  }
  if (rule === undefined) return { occurrenceAt: dueAt, passedOver: 0 }
  const calendar = calendarOf(rule)
  const latest = calendar === undefined ? undefined : previousFire(calendar.cron, calendar.zone, last + 1)?.instant
  if (latest === undefined || latest <= dueAt) return { occurrenceAt: dueAt, passedOver: 0 }
  return { occurrenceAt: latest, passedOver: undefined }
}

/**
 * The occurrence of a series after an instant, or `undefined` when the series ends before it.
 *
 * @param series - the rule with its ends and how often it was delivered.
 * @param after - the last settled instant; the answer is strictly later.
 */
export function nextOccurrence(series: Pick<Series, 'rule' | 'delivered'>, after: Instant): Instant | undefined {
  const { rule, delivered } = series
  if (rule.count !== undefined && delivered >= rule.count) return undefined
  const next = unlimitedNext(rule, after)
  if (!isInstant(next) || (rule.until !== undefined && next > instantOf(rule.until))) return undefined
  return next
}

function unlimitedNext(rule: SeriesRule, after: Instant): Instant | undefined {
  if (rule.kind === 'every') {
    const anchor = instantOf(rule.anchor)
    return after < anchor ? anchor : everyOccurrence(anchor, rule.everySeconds * 1000, after).next
  }
  const calendar = calendarOf(rule)
  return calendar === undefined ? undefined : nextFire(calendar.cron, calendar.zone, after)?.instant
}

const calendars = new WeakMap<SeriesRule, { readonly cron: Cron; readonly zone: ZoneName } | undefined>()

/** A rule that this version cannot read any more ends its series instead of stopping the others. */
function calendarOf(rule: Extract<SeriesRule, { kind: 'cron' }>): { readonly cron: Cron; readonly zone: ZoneName } | undefined {
  if (!calendars.has(rule)) {
    const parsed = parseCron(rule.cron)
    const zone = parseZone(rule.zone)
    calendars.set(rule, parsed.ok && zone !== undefined ? { cron: parsed.cron, zone } : undefined)
  }
  return calendars.get(rule)
}
