import type { Context } from '@deepseek-ai/cordis'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { perHost } from './per-host.ts'

/**
 * A fold in progress over one session's log. It is moved forward one event at a time and never back, so that the
 * work of an operation does not grow with the log (requirement P1).
 */
export interface Follower {
  /**
   * Take the next event of the log.
   *
   * @param event - the event as the host recorded it; events arrive in the order of `seq`, none twice.
   */
  apply(event: SessionEvent): void
}

/** What 0.2 hosts offer instead of the `events` getter (`host/versions.md` §4). */
interface SnapshotSession {
  snapshotEvents?(from?: number, to?: number): readonly SessionEvent[]
  readonly inheritedEventCount?: number
}

/**
 * Read a session's log from a position. This copies: it is for the moment a fold is attached, never for a hot path.
 * Measured on 0.1.0-rc.8 (`events`) and shaped for 0.2 (`snapshotEvents`).
 *
 * @param session - a live session.
 * @param from - first `seq` wanted, 0 or more.
 */
export function readEvents(session: Session, from: number): readonly SessionEvent[] {
  const newer = session as Session & SnapshotSession
  if (newer.snapshotEvents !== undefined) return newer.snapshotEvents(from)
  return from === 0 ? session.events : session.events.slice(from)
}

/**
 * First `seq` that is a session's own work. What stands before it was inherited by a fork: history, never
 * work (requirement S5).
 *
 * @param session - any session.
 */
export function ownStart(session: Pick<Session, 'header'>): number {
  return session.header.seedLength ?? (session as SnapshotSession).inheritedEventCount ?? 0
}

/**
 * Whether persistence has refused to read a session because there is none of this id. The host says it in words alone
 * (read in 0.1.0-rc.8); where they change, a question about nobody is reported like a damaged log.
 *
 * @param error - what reading a stored session threw.
 * @param sessionId - as it was asked for, by whomever.
 */
export function isNotStored(error: unknown, sessionId: string): boolean {
  return error instanceof Error && error.message === `session "${sessionId}" not found`
}

/** Folds of live sessions, kept up to date by one listener per host however many sessions there are. */
export interface SessionLogs {
  /**
   * Fold a session's events so far, then every event as it is appended.
   *
   * @param session - a live session.
   * @param follower - the fold; its `apply` must not throw.
   * @param from - first `seq` to fold; a session's own work begins at `ownStart(session)`.
   * @returns ends the following.
   */
  follow(session: Session, follower: Follower, from: number): () => void
}

interface Entry {
  next: number
  readonly followers: Set<Follower>
}

/**
 * The followed logs of this host.
 *
 * @param ctx - context of the asking plugin.
 *
 * @example
 * ```ts
 * import type { Context } from '@deepseek-ai/cordis'
 * import type { Session } from '@deepseek-ai/dsh-session'
 * import { ownStart, sessionLogs } from 'dsh-session-host'
 *
 * // Counts the turns of a session, those of a fork's parent left out.
 * export function countTurns(ctx: Context, session: Session): { turns: number; stop: () => void } {
 *   const count = { turns: 0, stop: () => {} }
 *   count.stop = sessionLogs(ctx).follow(session, { apply: ({ type }) => void (count.turns += type === 'turn/end' ? 1 : 0) }, ownStart(session))
 *   return count
 * }
 * ```
 */
export function sessionLogs(ctx: Context): SessionLogs {
  return perHost(ctx, 'session logs', (root) => {
    const entries = new WeakMap<Session, Entry>()
    const stop = root.on('session/event', (session, event) => {
      const entry = entries.get(session)
      if (entry === undefined || event.seq < entry.next) return
      entry.next = event.seq + 1
      for (const follower of entry.followers) follower.apply(event)
    })
    return { value: { follow: (session, follower, from) => follow(entries, session, follower, from) } satisfies SessionLogs, dispose: () => void stop() }
  })
}

function follow(entries: WeakMap<Session, Entry>, session: Session, follower: Follower, from: number): () => void {
  const entry = entries.get(session) ?? { next: session.seq, followers: new Set() }
  entries.set(session, entry)
  for (const event of readEvents(session, from)) {
    if (event.seq < entry.next) follower.apply(event)
  }
  entry.followers.add(follower)
  return () => {
    entry.followers.delete(follower)
    if (entry.followers.size === 0) entries.delete(session)
  }
}
