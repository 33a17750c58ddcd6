import type { SessionHeader } from '@deepseek-ai/dsh-session'
import type { Instant } from 'dsh-time-core'
import { isTopLevel } from '../lineage.ts'
import type { Verdict } from './holder.ts'
import { firstFence, type Lease, type LogMark, type OwedRow } from './store.ts'

/** How long a lease says that its holder lives (milliseconds). Never short: a slow holder is not a dead one. */
export const LEASE_MS = 600_000
/** How often a host prolongs its leases and looks at the index (milliseconds; requirement R18). */
export const LOOK_MS = 60_000
/** How soon something due is tried again that another host holds, or that failed for the first time (milliseconds). */
export const RETRY_MS = 5_000
/** Sessions that are brought back at the same time. One that hangs takes up one place. */
export const MAX_WAKES = 4

/**
 * How long a new store may lack what running hosts hold: they find it with their next look, and write their leases into
 * it (milliseconds).
 */
export const SETTLE_MS = LOOK_MS + 10_000

/** Longest silence between two looks of a host that was neither suspended nor blocked. */
const GAP_MS = LOOK_MS + 40_000

/** Since when this host has looked at the clock regularly and the clock has gone on regularly. */
export interface Steady {
  readonly since: Instant
  readonly last: Instant
}

/**
 * Take note of a look at the clock. After a sleep of the machine, or a step of its clock, all leases look as if they
 * had run out, although their holders have only slept as well and are about to prolong them.
 */
export function steadyAfter(steady: Steady, now: Instant): Steady {
  const isGap = now < steady.last || now - steady.last > GAP_MS
  return { since: isGap ? now : steady.since, last: now }
}

/**
 * Take note of a new store, or of a clock that did not go on regularly while the store was new.
 *
 * @param bornAt - since when hosts can have written to it; in the future when the clock was set back since.
 * @param now - the wall clock.
 * @returns from when on the store is as good as any.
 */
export function settledAfter(bornAt: Instant, now: Instant): Instant {
  return Math.min(bornAt, now) + SETTLE_MS
}

/** What a host knows when it judges a lease. */
export interface Judge {
  readonly now: Instant
  readonly steady: Steady
  /** This host. */
  readonly hostId: string
  verdict(lease: Lease): Verdict
}

/**
 * Whether this host may take a session, or has it. A holder whose process is seen to run is never robbed, however
 * late it is: on 0.1.0-rc.8 a session that is live in two processes loses its log with the next append of the first
 * (measured). Time decides only where the process cannot be seen.
 *
 * @param lease - the lease that stands.
 * @param judge - what this host knows.
 */
export function isFree(lease: Lease | undefined, judge: Judge): boolean {
  if (lease === undefined || lease.holder.hostId === judge.hostId) return true
  const verdict = judge.verdict(lease)
  if (verdict !== 'unseen') return verdict === 'gone'
  // An end beyond all leases was written under a clock that was far ahead (requirement X6).
  const hasRunOut = judge.now >= lease.until || lease.until - judge.now > 2 * LEASE_MS
  return hasRunOut && judge.now - judge.steady.since >= 2 * LOOK_MS
}

/** A session that is to be brought back now. */
export interface Wake {
  readonly sessionId: string
  /** Its earliest due instant. */
  readonly dueAt: Instant
  /** Its due kinds. */
  readonly kinds: readonly string[]
  /** The lease that was judged free. */
  readonly lease: Lease | undefined
}

/** An attempt that did not lead to a delivery. It counts only as long as the session owes the same. */
export interface Attempt {
  readonly dueAt: Instant
  readonly count: number
  readonly retryAt: Instant
}

/** What is known of the store itself. */
export interface StoreAge {
  /** Since when hosts can have written to it. */
  readonly bornAt: Instant
  /** From when on a session without a lease in it is nobody's. */
  readonly settledAt: Instant
}

/** The scene in which due rows are judged. */
export interface DueScene extends Judge, StoreAge {
  readonly due: readonly OwedRow[]
  /** Whether a plugin of this kind is mounted here. */
  knows(kind: string): boolean
  /** Live here, or being brought back: its own owner delivers. */
  isHere(sessionId: string): boolean
  attempt(sessionId: string): Attempt | undefined
  /** This host has held it in this very store, and given it back. */
  wasHere(sessionId: string): boolean
}

/**
 * Which sessions to bring back, and when to look again at those that cannot be brought back now.
 *
 * @param scene - rows and what this host knows.
 */
export function dueWakes(scene: DueScene): { readonly wakes: readonly Wake[]; readonly lookAt: Instant | undefined } {
  const wakes: Wake[] = []
  let lookAt: Instant | undefined
  for (const wake of bySession(scene)) {
    const attempt = scene.attempt(wake.sessionId)
    const waits = attempt !== undefined && attempt.dueAt === wake.dueAt && scene.now < attempt.retryAt
    if (waits) lookAt = earlier(lookAt, attempt.retryAt)
    else if (!isFree(wake.lease, scene)) lookAt = earlier(lookAt, scene.now + RETRY_MS)
    else if (scene.now < scene.settledAt && !scene.wasHere(wake.sessionId) && !isProven(wake.lease, scene)) lookAt = earlier(lookAt, scene.settledAt)
    else wakes.push(wake)
  }
  return { wakes, lookAt }
}

/** Whoever was given a lease in this very store had the session: no other host has it live. */
function isProven(lease: Lease | undefined, { bornAt }: StoreAge): boolean {
  return lease !== undefined && lease.fence >= firstFence(bornAt)
}

function bySession(scene: DueScene): Iterable<Wake> {
  const wakes = new Map<string, Wake>()
  for (const { sessionId, kind, dueAt, lease } of scene.due) {
    if (!scene.knows(kind) || scene.isHere(sessionId)) continue
    const known = wakes.get(sessionId)
    wakes.set(sessionId, known === undefined ? { sessionId, dueAt, kinds: [kind], lease } : { ...known, kinds: [...known.kinds, kind] })
  }
  return wakes.values()
}

/** The earlier of two instants, either of which may be missing. */
export function earlier(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

/**
 * Take note of an attempt that led to nothing: the next one comes after 5 s, then 10, 20, 40, then once a minute.
 *
 * @param previous - the attempt before.
 * @param dueAt - what the session owed.
 * @param now - the wall clock.
 */
export function attemptAfter(previous: Attempt | undefined, dueAt: Instant, now: Instant): Attempt {
  const count = previous?.dueAt === dueAt ? previous.count + 1 : 1
  return { dueAt, count, retryAt: now + Math.min(LOOK_MS, RETRY_MS * 2 ** (count - 1)) }
}

/** One stored log as the host's persistence lists it. */
export interface Snapshot {
  readonly header: SessionHeader
  readonly revision: string
}

/** Where a session is: live in this host, in the hands of another host, or nowhere. */
export type Place = 'here' | 'elsewhere' | 'cold'

/** The scene in which stored logs are compared with what is known of them. */
export interface CheckScene {
  readonly snapshots: readonly Snapshot[]
  readonly marks: ReadonlyMap<string, LogMark>
  readonly owing: ReadonlySet<string>
  /** Kinds mounted here, sorted. */
  readonly kinds: readonly string[]
  /** Revisions of the listing before this one. */
  readonly previous: ReadonlyMap<string, string>
  place(sessionId: string): Place
  /** Kinds whose owner keeps the rows of a live session. */
  attended(sessionId: string): readonly string[]
}

/** What has to be done so that the index agrees with the logs. */
export interface CheckPlan {
  /** Changed or unknown logs, to be read. */
  readonly read: readonly Snapshot[]
  /** Logs whose rows are right without reading. */
  readonly mark: ReadonlyMap<string, LogMark>
  /** Sessions that owe something and belong to a subagent's work: nobody can bring them back (bug B58). */
  readonly delegated: readonly string[]
  /** Sessions of the index that have no log any more. */
  readonly gone: readonly string[]
}

/**
 * Compare the stored logs with the index by their revisions alone (requirements R18, P4).
 *
 * @param scene - a listing and what is known.
 */
export function planCheck(scene: CheckScene): CheckPlan {
  const read: Snapshot[] = []
  const mark = new Map<string, LogMark>()
  const delegated: string[] = []
  const listed = new Set<string>()
  for (const snapshot of scene.snapshots) {
    const { id } = snapshot.header
    listed.add(id)
    const place = scene.place(id)
    const known = scene.marks.get(id)
    if (place === 'elsewhere') continue
    if (place === 'here') {
      const live = liveMark(scene, snapshot, known)
      if (live !== undefined) mark.set(id, live)
    } else if (!isTopLevel(snapshot.header)) {
      if (scene.owing.has(id)) delegated.push(id)
    } else if (!isKnown(known, snapshot, scene.kinds)) read.push(snapshot)
  }
  const gone = [...new Set([...scene.marks.keys(), ...scene.owing])].filter((id) => !listed.has(id) && scene.place(id) === 'cold')
  return { read, mark, delegated, gone }
}

function isKnown(known: LogMark | undefined, { revision }: Snapshot, kinds: readonly string[]): boolean {
  return known?.revision === revision && kinds.every((kind) => known.kinds.includes(kind))
}

/**
 * The owner of a live session keeps its rows, so its log need not be read. The revision counts once it has stood
 * still from one listing to the next: by then the owner has said what that log owes, and what it said is stored.
 */
function liveMark(scene: CheckScene, { header: { id }, revision }: Snapshot, known: LogMark | undefined): LogMark | undefined {
  if (scene.previous.get(id) !== revision || known?.revision === revision) return undefined
  const kinds = [...new Set([...(known?.kinds ?? []), ...scene.attended(id)])].toSorted()
  return kinds.length === 0 ? undefined : { revision, kinds }
}
