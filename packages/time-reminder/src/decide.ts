import type { Cron, Instant, ZoneName } from 'dsh-time-core'
import { CALENDAR, type Calendar } from './almanac.ts'
import type { ClockState } from './fold.ts'
import type { Mode, ReadingReason } from './protocol.ts'

/** What a session runs on: its mode and plan, after the config has filled in what the log leaves open. */
export interface Rhythm {
  readonly mode: Mode
  readonly cron: Cron
  /** A pause of this long makes the model's idea of the time stale (milliseconds, more than 0). */
  readonly gapMs: number
  /** Least distance between two readings in `fine` mode; 0 reads at every step (milliseconds). */
  readonly fineIntervalMs: number
}

/** The step that is about to begin. */
export interface Moment {
  readonly now: Instant
  /** Number of the step in its turn, from 1. */
  readonly step: number
  /** A person's message enters with it. */
  readonly isAttended: boolean
  /** The session's zone, in which the plan is meant. */
  readonly zone: ZoneName
  /** The zone of the person who is asking, where it is one and another. */
  readonly elsewhere: ZoneName | undefined
}

/**
 * Whether a step begins with a reading, and why (requirement R1). In every mode but `off` and `turn` a stale idea of
 * today yields to nothing, also not to `fineIntervalMs` (B69 to B73).
 *
 * @param state - the session's fold.
 * @param rhythm - what it runs on.
 * @param moment - the step.
 * @param calendar - of the session, where it has one that remembers.
 * @returns `undefined` when nothing is to be said.
 */
export function decide(state: ClockState, rhythm: Rhythm, moment: Moment, calendar: Calendar = CALENDAR): ReadingReason | undefined {
  switch (rhythm.mode) {
    case 'off':
      return undefined
    case 'turn':
      return moment.step === 1 ? 'turn' : undefined
    case 'fine':
      return finely(state, rhythm, moment, calendar)
    case 'cron':
      return staleness(state, rhythm, moment, calendar, (since) => (calendar.isDue(rhythm.cron, moment.zone, since, moment.now) ? 'plan' : undefined))
  }
}

function finely(state: ClockState, rhythm: Rhythm, moment: Moment, calendar: Calendar): ReadingReason | undefined {
  if (rhythm.fineIntervalMs === 0) return 'step'
  const isAged = (since: Instant): ReadingReason | undefined => (moment.now - since >= rhythm.fineIntervalMs ? 'step' : undefined)
  return staleness(state, rhythm, moment, calendar, isAged)
}

/** Why what the model was last told no longer holds; `also` adds the mode's own reason, given when that was. */
function staleness(state: ClockState, rhythm: Rhythm, moment: Moment, calendar: Calendar, also: (since: Instant) => ReadingReason | undefined): ReadingReason | undefined {
  if (!state.readings.any) return 'first'
  if (state.isResumed) return 'resume'
  if (state.isCompacted) return 'compaction'
  const since = state.readings.before(moment.now)
  if (since === undefined) return 'clock' // it was told a time that has not come: the clock was set back
  return also(since) ?? (isAnotherDay(calendar, since, moment) ? 'date' : undefined) ?? (isAfterPause(state, rhythm, since, moment) ? 'pause' : undefined)
}

function isAnotherDay(calendar: Calendar, since: Instant, { now, zone, elsewhere }: Moment): boolean {
  return calendar.isAnotherDay(zone, since, now) || (elsewhere !== undefined && calendar.isAnotherDay(elsewhere, since, now))
}

/** The model has waited for that long, or the person was away for that long while something else kept it busy (B73). */
function isAfterPause(state: ClockState, { gapMs }: Rhythm, since: Instant, { now, isAttended }: Moment): boolean {
  const silentFrom = (spoke: Instant | undefined): Instant => Math.max(spoke ?? since, since)
  return now - silentFrom(state.model.before(now)) >= gapMs || (isAttended && now - silentFrom(state.person.before(now)) >= gapMs)
}
