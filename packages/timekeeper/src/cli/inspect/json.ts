import { instantText, localText } from '../instants.ts'
import { isProblem, type Problem } from '../log/problem.ts'
import type { Happening, Setting } from '../log/happenings.ts'
import type { Texts } from '../texts/en.ts'
import { problemsOf, type Report } from './report.ts'

/** A value for programs: JSON without absent members. */
export type Json = Readonly<Record<string, unknown>>

/**
 * A report for programs. All instants are RFC 3339 in UTC; members that do not apply are absent.
 *
 * @param report - of a log.
 * @param texts - language of the messages about problems.
 */
export function reportJson(report: Report, texts: Texts): Json {
  const { path, header, events, zone, now, waiting, series, queued, timeline } = report
  return {
    log: {
      path,
      session: header.id,
      cwd: header.cwd,
      createdAt: header.createdAt === undefined ? undefined : instantText(header.createdAt),
      parentSession: header.parentSession,
      ownFrom: header.ownFrom,
      events,
      zone,
    },
    now: instantText(now),
    counts: countsOf(report),
    active: waiting.map(({ view, zone: shown }) => ({ ...view, zone: view['zone'] ?? shown })),
    series: series.map(({ next, ...one }) => ({ ...one, next: next.map((instant) => ({ utc: instantText(instant), local: one.zone && localText(instant, one.zone) })) })),
    queued: queued.map(({ dueAt, ...one }) => ({ ...one, due: instantText(dueAt) })),
    timeline: timeline.map(happeningJson),
    problems: problemsJson(report.problems, texts),
  }
}

/** How many of each kind, for a first look. */
export interface Counts {
  readonly active: number
  readonly overdue: number
  readonly paused: number
  readonly delivered: number
  /** Of the delivered, those that were two seconds late or more. */
  readonly late: number
  readonly missed: number
  readonly cancelled: number
  readonly problems: number
}

/**
 * Count what a report holds.
 *
 * @param report - of a log.
 */
export function countsOf(report: Report): Counts {
  const { waiting, timeline } = report
  const happened = (kind: Happening['kind']): readonly Happening[] => timeline.filter((one) => one.kind === kind)
  return {
    active: waiting.length,
    overdue: waiting.filter(({ state }) => state === 'overdue').length,
    paused: waiting.filter(({ state }) => state === 'paused').length,
    delivered: happened('delivered').length,
    late: happened('delivered').filter(({ lateMs }) => lateMs > 0).length,
    missed: happened('missed').length,
    cancelled: happened('cancelled').length,
    problems: problemsOf(report).length,
  }
}

/**
 * Findings for programs.
 *
 * @param problems - of a log.
 * @param texts - language of the messages.
 */
function problemsJson(problems: readonly Problem[], texts: Texts): readonly Json[] {
  return problems.map((problem) => ({ level: isProblem(problem) ? 'problem' : 'note', ...problem, message: texts.problems[problem.code](problem.detail) }))
}

function happeningJson({ kind, at, dueAt, zone, lateMs, reasons, last, setting, ...place }: Happening): Json {
  const isEnd = kind === 'delivered' || kind === 'missed'
  return {
    ...place,
    kind,
    at: instantText(at),
    due: instantText(dueAt),
    ...(zone !== undefined && { zone, local: localText(at, zone), dueLocal: localText(dueAt, zone) }),
    ...(isEnd && { lateMs, reasons }),
    ...(last && { last }),
    ...(kind === 'set' && given(setting)),
  }
}

/** What is not said of a reminder is left out. */
function given(setting: Setting): Json {
  return Object.fromEntries(Object.entries(setting).filter(([, value]) => value !== undefined && value !== false))
}
