import { LATE_FROM_MS, parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import type { PlanFact, Reminder, SeriesRule } from 'dsh-tool-schedule/log'
import type { History, Life, Place } from './history.ts'

/**
 * What happened to a reminder.
 *
 * - set: a reminder or a series was made
 * - planned: the next occurrence of a series was put down
 * - delivered, missed: what became of an occurrence
 * - replaced: taken back because another one stands in for it, after a snooze or an edit
 * - cancelled: taken back
 */
export type HappeningKind = 'set' | 'planned' | 'delivered' | 'missed' | 'replaced' | 'cancelled'

/** One line of the timeline: what happened, when, and all that the log says about why. */
export interface Happening extends Place {
  readonly kind: HappeningKind
  /** Of the reminder or of the occurrence; the series has its own. */
  readonly id: string
  readonly series: string | undefined
  readonly prompt: string
  readonly dueAt: Instant
  /** Zone in which the person thinks of it. */
  readonly zone: ZoneName | undefined
  /** Milliseconds from due to decided, for `delivered` and `missed`; 0 where it was not late. */
  readonly lateMs: number
  /** What was observed about the lateness. */
  readonly reasons: readonly string[]
  /** The series ended with it. */
  readonly last: boolean
  readonly setting: Setting
}

/** What the plan of a reminder says beside its time. */
export interface Setting {
  /** Absent where the log has no plan: set by the host's own plugin, or the result of the call is cut. */
  readonly setBy: 'model' | 'person' | undefined
  readonly unattended: boolean
  readonly snoozeOf: string | undefined
  readonly replaces: string | undefined
  readonly lateLimitSeconds: number | undefined
  readonly wake: boolean
  readonly rule: SeriesRule | undefined
}

/**
 * All that happened, in the order of the log.
 *
 * @param history - a followed log.
 */
export function happenings(history: History): Happening[] {
  const lives = [...history.lives.values()].map((life) => ({ life, known: lastKnown(history, life) }))
  // What a snooze or an edit takes back, and what then stands in for it, are recorded one after the other.
  const standIns = new Map(lives.map(({ life, known }) => [life.seq - 1, [known?.plan?.snoozeOf, known?.plan?.replaces]]))
  return lives.flatMap(({ life, known }) => happeningsOf(life, known, history.zones.session, standIns)).toSorted((a, b) => a.seq - b.seq)
}

/**
 * How a reminder was set.
 *
 * @param plan - as the fold knows it, if it knows one.
 */
export function settingOf(plan: PlanFact | undefined): Setting {
  return {
    setBy: plan?.setBy,
    unattended: plan?.unattended === true,
    snoozeOf: plan?.snoozeOf,
    replaces: plan?.replaces,
    lateLimitSeconds: plan?.lateLimitSeconds,
    wake: plan?.wake === true,
    rule: plan?.series,
  }
}

/** Active ones are known to the fold, the others as they were when they ended. */
function lastKnown({ ledger }: History, { record, reminder }: Life): Reminder | undefined {
  return ledger.active.get(record.id) ?? reminder
}

/** The reminders that the record after an event stands in for, by the `seq` of that event. */
type StandIns = ReadonlyMap<number, readonly (string | undefined)[]>

function happeningsOf(life: Life, known: Reminder | undefined, fallback: ZoneName | undefined, standIns: StandIns): Happening[] {
  const { record, endings, cancelled, seq, line, at } = life
  const { id, prompt, scheduledAt } = record
  const series = known?.series?.id
  const zone = parseZone(known?.plan?.zone) ?? fallback
  const base = { id, series, prompt, zone, setting: settingOf(known?.plan), dueAt: Date.parse(scheduledAt), lateMs: 0, reasons: [], last: false }
  const isLater = series !== undefined && id !== `${series}.1`
  const ends = endings.map(({ outcome, last, ...place }): Happening => {
    const { kind, occurrenceAt, decidedAt, reasons } = outcome
    const lateMs = Math.max(0, decidedAt - occurrenceAt)
    return { ...base, kind, ...place, at: decidedAt, dueAt: occurrenceAt, lateMs: lateMs < LATE_FROM_MS ? 0 : lateMs, reasons, last }
  })
  const isReplaced = (place: Place): boolean => standIns.get(place.seq)?.some((name) => name === id || (name !== undefined && name === series)) === true
  const taken: Happening[] = cancelled === undefined ? [] : [{ ...base, ...cancelled, kind: isReplaced(cancelled) ? 'replaced' : 'cancelled' }]
  return [{ ...base, seq, line, at, kind: isLater ? 'planned' : 'set' }, ...ends, ...taken]
}
