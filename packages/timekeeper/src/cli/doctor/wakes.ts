import type { Lease, OwedRow, Verdict, WakeRows } from 'dsh-session-host'
import type { Instant } from 'dsh-time-core'
import { instantText } from '../instants.ts'
import { note, problem, type Finding } from './finding.ts'
import type { Due, LogFacts } from './survey.ts'

/** The wake index as it was read, or why it was not. */
export interface IndexFacts {
  readonly path: string
  readonly rows: WakeRows | undefined
  readonly unusable: string | undefined
}

/** The scene in which logs and index are compared. */
export interface WakeScene {
  readonly logs: readonly LogFacts[]
  readonly index: IndexFacts
  /** Kinds that the profile delivers with the index. */
  readonly kinds: ReadonlySet<string>
  /** Whether the process that holds a lease still runs. */
  readonly verdict: (lease: Lease) => Verdict
}

/**
 * Compare the wake index with the logs (requirement R17). The index is a hint; while a host holds a session it writes
 * both, one after the other, and a difference is only a note.
 *
 * @param scene - what was read.
 */
export function judgeIndex(scene: WakeScene): Finding[] {
  const { index: { path, rows, unusable }, logs } = scene
  if (unusable !== undefined) return [problem('index_unusable', [path, unusable], { path })]
  const owes = logs.some(({ owed }) => [...owed.keys()].some((kind) => scene.kinds.has(kind)))
  if (rows === undefined) return owes ? [note('index_missing', [path], { path })] : []
  return differences(scene, rows)
}

function differences({ logs, kinds, verdict }: WakeScene, { owed, leases }: WakeRows): Finding[] {
  const found = (session: string, code: Parameters<typeof problem>[0], detail: readonly string[]): Finding => {
    const lease = leases.get(session)
    return (lease === undefined || verdict(lease) === 'gone' ? problem : note)(code, detail, { session })
  }
  const indexed = Map.groupBy(owed.filter(({ kind }) => kinds.has(kind)), ({ sessionId }) => sessionId)
  const known = new Set(logs.map(({ session }) => session))
  const orphans = [...indexed].filter(([session]) => !known.has(session)).flatMap(([, rows]) => rows)
  return [
    ...logs.filter(({ refusal }) => refusal === undefined).flatMap((log) => {
      const rows = indexed.get(log.session) ?? []
      return [...missingOf(log, rows, kinds), ...extraOf(log, rows)].map(([code, detail]) => found(log.session, code, detail))
    }),
    ...orphans.map(({ sessionId, kind, dueAt }) => found(sessionId, 'indexed_without_log', [kind, instantText(dueAt)])),
  ]
}

type Difference = readonly [code: Parameters<typeof problem>[0], detail: readonly string[]]

function missingOf({ owed }: LogFacts, rows: readonly OwedRow[], kinds: ReadonlySet<string>): Difference[] {
  return [...owed].filter(([kind]) => kinds.has(kind)).flatMap(([kind, dueAt]): Difference[] => {
    const row = rows.find((one) => one.kind === kind)
    if (row === undefined) return [['owed_not_indexed', [kind, instantText(dueAt)]]]
    return row.dueAt === dueAt ? [] : [['owed_other_instant', [kind, instantText(dueAt), instantText(row.dueAt)]]]
  })
}

function extraOf({ owed }: LogFacts, rows: readonly OwedRow[]): Difference[] {
  return rows.filter(({ kind }) => !owed.has(kind)).map(({ kind, dueAt }) => ['indexed_not_owed', [kind, instantText(dueAt)]])
}

/**
 * Why what is due has not been delivered (requirement T14).
 *
 * @param scene - what was read.
 */
export function judgeDeliveries({ logs, index: { rows }, verdict }: WakeScene): Finding[] {
  const leases = rows?.leases ?? new Map<string, Lease>()
  const isRun = (lease: Lease | undefined): boolean => lease !== undefined && verdict(lease) !== 'gone'
  const isHostSeen = [...leases.values()].some(isRun)
  return logs.flatMap(({ session, overdue, undispatched, paused, missed }) => [
    ...overdue.map((due) => problem(overdueCode(due, isRun(leases.get(session)), isHostSeen), dueDetail(due), { session })),
    ...undispatched.map((due) => note('undispatched', dueDetail(due), { session })),
    ...paused.map(({ id, unanswered, prompt }) => note('paused', [id, String(unanswered), prompt], { session })),
    ...(missed === undefined ? [] : [note('missed', [String(missed.times), instantText(missed.last)], { session })]),
  ])
}

function overdueCode({ wakes }: Due, isHeld: boolean, isHostSeen: boolean): Parameters<typeof problem>[0] {
  if (isHeld) return 'overdue_held'
  if (!wakes) return 'overdue_closed'
  return isHostSeen ? 'overdue_not_woken' : 'overdue_no_host'
}

function dueDetail({ id, dueAt, prompt }: { readonly id: string; readonly dueAt: Instant; readonly prompt: string }): readonly string[] {
  return [id, instantText(dueAt), prompt]
}
