import { parseZone, type Instant, type ZoneName } from 'dsh-time-core'
import { COUNTDOWN_KIND, CountdownFold, owedAt } from 'dsh-time-reminder/log'
import { nextWake, REMINDER_KIND } from 'dsh-tool-schedule/log'
import type { StoredSession } from '../inspect/home.ts'
import { reportOf, type Policy, type Report } from '../inspect/report.ts'
import type { Header } from '../log/header.ts'
import { inspectLog, type Inspection } from '../log/inspection.ts'
import type { StoredEvent } from '../log/scan.ts'
import { member } from '../log/shape.ts'
import { isProblem, type Problem } from '../log/problem.ts'
import { isRefusal, type Refusal } from '../refusal.ts'

/** Something that is due and has not been delivered. */
export interface Due {
  readonly id: string
  readonly prompt: string
  readonly dueAt: Instant
  /** It asks to open its session. */
  readonly wakes: boolean
}

/** What the doctor keeps of one log. */
export interface LogFacts {
  readonly session: string
  readonly path: string
  /** Why the log cannot be read at all. */
  readonly refusal: Refusal | undefined
  readonly problems: readonly Problem[]
  /** What it owes next, by the kinds of the wake index. */
  readonly owed: ReadonlyMap<string, Instant>
  readonly overdue: readonly Due[]
  readonly undispatched: readonly Due[]
  readonly paused: readonly { readonly id: string; readonly prompt: string; readonly unanswered: number }[]
  /** How many occurrences were missed, and when the last of them was due. */
  readonly missed: { readonly times: number; readonly last: Instant } | undefined
  readonly newest: Instant | undefined
  /** How often the times go back, and by how much at most (milliseconds). */
  readonly wentBack: { readonly times: number; readonly most: number }
  /** Zones that browsers or reminders that wait have named, as far as they are known here. */
  readonly zones: readonly ZoneName[]
  /** Zones that browsers have named and that are not known here. */
  readonly unknownZones: readonly string[]
}

/** How late something has to be before it counts as overdue: a host looks at the clock every 30 s at the least. */
const OVERDUE_MS = 30_000

/** Smaller steps back are the time service at work. */
const BACK_MS = 2000

/**
 * Read one log for the doctor.
 *
 * @param stored - where it is.
 * @param now - decides what is overdue.
 * @param policy - limits of the host.
 */
export function surveyLog({ id: session, path }: StoredSession, now: Instant, policy: Policy): LogFacts {
  const watch = new Watcher()
  const inspection = inspectLog(path, (event, header) => watch.see(event, header))
  const { newest, wentBack, zones, unknownZones } = watch
  const common = { session, path, newest, wentBack, zones: [...zones], unknownZones: [...unknownZones] }
  if (isRefusal(inspection)) return { ...common, refusal: inspection, problems: [], owed: new Map(), overdue: [], undispatched: [], paused: [], missed: undefined }
  const report = reportOf(inspection, now, policy)
  const named = new Set([...zones, ...report.waiting.flatMap(({ zone }) => zone ?? [])])
  return { ...common, zones: [...named], refusal: undefined, problems: report.problems, owed: owedOf(inspection, watch.countdowns, policy), ...deliveriesOf(report, watch.countdowns, now) }
}

/** What passes by while a log is read, and is in no fold of the reminders. */
class Watcher {
  readonly countdowns = new CountdownFold()
  newest: Instant | undefined
  wentBack = { times: 0, most: 0 }
  readonly zones = new Set<ZoneName>()
  readonly unknownZones = new Set<string>()
  #last = -Infinity

  see(event: StoredEvent, { ownFrom }: Header): void {
    const { time, type, data, seq } = event
    const back = this.#last - time
    if (back >= BACK_MS) this.wentBack = { times: this.wentBack.times + 1, most: Math.max(this.wentBack.most, back) }
    this.#last = time
    this.newest = Math.max(this.newest ?? time, time)
    if (type === 'user/message') this.#name(member(member(data, 'source'), 'clientTimeZone'))
    if (seq >= ownFrom) this.#count(event)
  }

  #name(zone: unknown): void {
    const known = parseZone(zone)
    if (known !== undefined) this.zones.add(known)
    else if (typeof zone === 'string') this.unknownZones.add(zone)
  }

  #count(event: StoredEvent): void {
    try {
      this.countdowns.apply(event as unknown as Parameters<CountdownFold['apply']>[0])
    } catch {
      // An event of a shape that no host writes; that it is there is a finding of the log itself.
    }
  }
}

/** Nobody can bring back what belongs to the work of a subagent, so it owes nothing. */
function owedOf({ history: { ledger }, header }: Inspection, countdowns: CountdownFold, policy: Policy): ReadonlyMap<string, Instant> {
  const owed: [string, Instant | undefined][] = header.isTopLevel ? [[REMINDER_KIND, nextWake(ledger, policy)], [COUNTDOWN_KIND, owedAt(countdowns)]] : []
  return new Map(owed.flatMap(([kind, dueAt]) => (dueAt === undefined ? [] : [[kind, dueAt]])))
}

function deliveriesOf({ waiting, queued, timeline, series, problems }: Report, countdowns: CountdownFold, now: Instant): Pick<LogFacts, 'overdue' | 'undispatched' | 'paused' | 'missed'> {
  const isLate = ({ dueAt }: { dueAt: Instant }): boolean => now - dueAt >= OVERDUE_MS
  const isQueued = new Set(queued.map(({ id }) => id))
  const late = waiting.filter((one) => one.state === 'overdue' && isLate(one) && !isQueued.has(one.id))
  const missed = timeline.filter(({ kind }) => kind === 'missed')
  // Of a log that breaks its format nothing is concluded.
  const isCorrupt = problems.some((one) => one.code === 'corrupt_schedule_log' && isProblem(one))
  return {
    overdue: [
      ...(isCorrupt ? [] : late.map(({ id, prompt, dueAt, setting }) => ({ id, prompt, dueAt, wakes: setting.wake }))),
      ...[...countdowns.pending.values()].filter(isLate).map(({ name, note, dueAt, onFire }) => ({ id: name, prompt: note ?? '', dueAt, wakes: onFire === 'wake' })),
    ],
    undispatched: queued.map(({ id, prompt, dueAt }) => ({ id, prompt, dueAt, wakes: false })),
    paused: series.filter(({ state }) => state === 'paused').map(({ id, prompt, unanswered }) => ({ id, prompt, unanswered })),
    missed: missed.length === 0 ? undefined : { times: missed.length, last: missed.reduce((last, { dueAt }) => Math.max(last, dueAt), -Infinity) },
  }
}
