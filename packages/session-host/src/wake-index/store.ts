import { plainLine, type Instant } from 'dsh-time-core'
import type { Holder } from './holder.ts'

/** The right of one host to resume a session and to deliver into it. It covers everything the session owes. */
export interface Lease {
  readonly holder: Holder
  /** Epoch milliseconds; says something only about holders whose process cannot be looked at. */
  readonly until: Instant
  /** Grows with every taking, over all sessions; no two takings ever have the same. */
  readonly fence: number
}

/** One thing that a session owes next, of one kind. */
export interface OwedRow {
  readonly sessionId: string
  /** Which plugin owes it. */
  readonly kind: string
  readonly dueAt: Instant
  readonly lease: Lease | undefined
}

/** Up to where a stored log is known: its revision, and the kinds it was folded for. */
export interface LogMark {
  /** Opaque token of the host's persistence. */
  readonly revision: string
  /** Sorted, not empty. */
  readonly kinds: readonly string[]
}

/** How many fences a new store has for each millisecond that the one before it may have lived. */
const FENCES_PER_MS = 1000

/**
 * Where the fences of a new store begin, so that they lie above those of a store that was lost.
 *
 * @param bornAt - when it is made.
 */
export function firstFence(bornAt: Instant): number {
  return bornAt * FENCES_PER_MS
}

/**
 * When a store was made, by the fence that it gave last: it has not given a thousand in each millisecond.
 *
 * @param fence - the newest one.
 */
export function birthOf(fence: number): Instant {
  return Math.floor(fence / FENCES_PER_MS)
}

/** What a session owes by kind; `undefined` says that nothing of that kind is owed. */
export type Owed = ReadonlyMap<string, Instant | undefined>

/**
 * Where hosts that share a home keep who owes what, and who may deliver it (requirements R17, R20). It is a cache:
 * losing it costs reading the logs again, never a delivery.
 *
 * Every write about a session names the fence that the writer believes in (`undefined`: nobody holds the session).
 * A write whose belief is wrong changes nothing and says so, which makes a holder harmless that lost its lease.
 *
 * All methods throw `StoreUnusable` when the medium fails.
 */
export interface WakeStore {
  /** What is due, earliest first, with the lease of its session. */
  due(now: Instant): readonly OwedRow[]
  /** The earliest instant after `after` at which something becomes due. */
  nextDue(after: Instant): Instant | undefined
  /** What one session owes. */
  owed(sessionId: string): ReadonlyMap<string, Instant>
  /** Sessions that owe anything. */
  owing(): ReadonlySet<string>
  lease(sessionId: string): Lease | undefined
  /** All leases by session. */
  leases(): ReadonlyMap<string, Lease>
  /**
   * Take a session, or take it over: compare and set.
   *
   * @returns the new fence, or `undefined` when `expected` is not the fence that stands.
   */
  take(sessionId: string, holder: Holder, until: Instant, expected: number | undefined): number | undefined
  /** Prolong, or shorten, all leases of a host. */
  renew(hostId: string, until: Instant): void
  /** @returns false when the fence no longer stands. */
  release(sessionId: string, fence: number): boolean
  /** Write what a session owes of one kind. @returns false when `expected` is not the fence that stands. */
  put(sessionId: string, kind: string, dueAt: Instant | undefined, expected: number | undefined): boolean
  /** What is known of the stored logs, by session. */
  marks(): ReadonlyMap<string, LogMark>
  /** Note logs whose rows are known to be right. */
  mark(marks: ReadonlyMap<string, LogMark>): void
  /** Write what a log says, and its mark, at once. @returns false when `expected` is not the fence that stands. */
  correct(sessionId: string, owed: Owed, mark: LogMark, expected: number | undefined): boolean
  /**
   * Drop what a session owes, and its lease. Its mark stays, so that the same log does not bring the rows back.
   *
   * @returns false when `expected` is not the fence that stands.
   */
  end(sessionId: string, expected: number | undefined): boolean
  /** Drop all there is about a session that no longer exists. @returns false when `expected` is not the fence that stands. */
  forget(sessionId: string, expected: number | undefined): boolean
  /** When the store was made, to a second or so. */
  bornAt(): Instant
  /** Whether the other hosts still see this store: false for memory, and for a file that was replaced or removed. */
  isCurrent(): boolean
  /** Never throws. */
  close(): void
}

/** Why a store cannot be used. */
export type UnusableReason =
  /** The bytes are no database, are cut short or damaged. */
  | 'corrupt'
  /** Somebody else kept it locked for longer than we wait. */
  | 'locked'
  /** A later version of ours wrote it. */
  | 'newer'
  /** It is a database of something else. */
  | 'foreign'
  /** It cannot be read or written: missing rights, read-only or full disk, a path that is no file. */
  | 'inaccessible'

/** How much of what the medium says is repeated (characters). */
const WORDS_LENGTH = 200

/** A wake index file that cannot be used, with its path and, bounded, what the medium says of it; `cause` has all of it. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
  readonly reason: UnusableReason
  readonly path: string

  constructor(reason: UnusableReason, path: string, cause?: unknown) {
    const words = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : ''
    super(`The wake index ${path} cannot be used: ${reason}${words === '' ? '' : ` (${plainLine(words, WORDS_LENGTH)})`}.`, cause === undefined ? undefined : { cause })
    this.reason = reason
    this.path = path
  }
}
