import { parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import { nextOccurrence, upcoming, viewReminder, type Reminder, type ReminderId, type ReminderView, type Series, type SeriesRule } from 'dsh-tool-schedule/log'
import { happenings, settingOf, type Happening, type Setting } from '../log/happenings.ts'
import type { Header } from '../log/header.ts'
import type { Inspection } from '../log/inspection.ts'
import { isProblem, type Problem } from '../log/problem.ts'

/** An active reminder. */
export interface Waiting {
  readonly id: string
  readonly prompt: string
  readonly dueAt: Instant
  readonly zone: ZoneName | undefined
  readonly state: 'scheduled' | 'overdue' | 'paused'
  readonly setting: Setting
  /** As `schedule_list` shows it by its id. */
  readonly view: ReminderView
}

/** A series that ever was. */
export interface SeriesReport {
  readonly id: string
  readonly prompt: string
  readonly rule: SeriesRule
  readonly zone: ZoneName | undefined
  readonly delivered: number
  readonly missed: number
  /** Deliveries since a person last wrote; 0 for a series that has ended. */
  readonly unanswered: number
  readonly state: 'active' | 'paused' | 'ended' | 'cancelled'
  /** Its next fires, the one that waits included. */
  readonly next: readonly Instant[]
}

/** A delivery that is queued or read while its dispatch is not in the log (requirement S30). */
export interface Queued {
  readonly id: string
  readonly prompt: string
  readonly dueAt: Instant
  readonly messageId: string
  /** The message still waits for a turn. */
  readonly waiting: boolean
}

/** All that a log says about its reminders at one moment. Free of any language. */
export interface Report {
  readonly path: string
  readonly header: Header
  readonly events: number
  /** The session's default zone, if it has one (requirement S16). */
  readonly zone: ZoneName | undefined
  readonly now: Instant
  readonly waiting: readonly Waiting[]
  readonly series: readonly SeriesReport[]
  readonly queued: readonly Queued[]
  readonly timeline: readonly Happening[]
  readonly problems: readonly Problem[]
}

/** How many next fires of a series are shown, the one that waits included. */
const FIRES_SHOWN = 4

/** What `viewReminder` needs to know of a host. */
export type Policy = Parameters<typeof viewReminder>[2]

/** A log does not say how its host is configured, so the default of `maxUnanswered` is taken. */
const POLICY: Policy = { maxUnanswered: 10 }

/**
 * What an inspected log says at one moment.
 *
 * @param inspection - a log that was read.
 * @param now - decides what is overdue.
 * @param policy - limits of the host that the log belongs to.
 */
export function reportOf({ path, header, history, events, problems }: Inspection, now: Instant, policy: Policy = POLICY): Report {
  const { ledger, zones } = history
  const timeline = happenings(history)
  const active = [...ledger.active.values()].toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
  const waiting = active.map((reminder) => waitingOf(reminder, zones.session, now, policy))
  return {
    path,
    header,
    events,
    zone: zones.session,
    now,
    waiting,
    series: seriesIds(timeline).map((id) => seriesOf(id, timeline, waiting, ledger.series.get(id))),
    queued: active.flatMap(({ record, dueAt }) => {
      const queued = ledger.undispatched.get(record.id)
      return queued === undefined ? [] : [{ id: record.id, prompt: record.prompt, dueAt, messageId: queued.messageId, waiting: queued.waiting }]
    }),
    timeline,
    problems,
  }
}

/**
 * The findings of a report that somebody has to act on.
 *
 * @param report - of a log.
 */
export function problemsOf({ problems }: Report): readonly Problem[] {
  return problems.filter(isProblem)
}

function waitingOf(reminder: Reminder, fallback: ZoneName | undefined, now: Instant, policy: Policy): Waiting {
  const { record, dueAt, plan } = reminder
  const view = viewReminder(reminder, now, policy)
  return {
    id: record.id,
    prompt: record.prompt,
    dueAt,
    zone: parseZone(plan?.zone) ?? fallback,
    state: view['state'] as Waiting['state'],
    setting: settingOf(plan),
    view,
  }
}

function seriesIds(timeline: readonly Happening[]): ReminderId[] {
  return [...new Set(timeline.flatMap(({ series }) => series ?? []))] as ReminderId[]
}

/** Every series has at least one reminder, whose plan holds the rule. */
function seriesOf(id: string, timeline: readonly Happening[], waiting: readonly Waiting[], live: Series | undefined): SeriesReport {
  const own = timeline.filter((one) => one.series === id)
  const [first] = own as [Happening]
  const occurrence = waiting.find((one) => own.some((happening) => happening.id === one.id))
  return {
    id,
    prompt: first.prompt,
    rule: first.setting.rule as SeriesRule,
    zone: first.zone,
    delivered: own.filter((one) => one.kind === 'delivered').length,
    missed: own.filter((one) => one.kind === 'missed').length,
    unanswered: live?.unanswered ?? 0,
    state: live === undefined ? endOf(own) : occurrence?.state === 'paused' ? 'paused' : 'active',
    next: live === undefined ? [] : nextFiresOf(live, occurrence?.dueAt),
  }
}

/** Taking the waiting occurrence back ends a series, also where another one stands in for it. */
function endOf(own: readonly Happening[]): SeriesReport['state'] {
  return own.some(({ kind }) => kind === 'cancelled' || kind === 'replaced') ? 'cancelled' : 'ended'
}

/**
 * After a crash between a delivery and the record of the next occurrence, that one is what the plugin will write. A
 * series without an occurrence that waits has always settled one.
 */
function nextFiresOf(live: Series, waitingAt: Instant | undefined): readonly Instant[] {
  const first = waitingAt ?? nextOccurrence(live, live.settledAt as Instant)
  return first === undefined ? [] : upcoming(live.rule, live.delivered, first, FIRES_SHOWN)
}
