import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import { perHost } from './per-host.ts'

/** The log could not be confirmed as stored. The backend's own words are in `cause` and go no further. */
export class NotDurable extends Error {
  override readonly name = 'NotDurable'

  constructor(cause?: unknown) {
    super('The session log is not confirmed as stored.', cause === undefined ? undefined : { cause })
  }
}

/** Told after an acknowledged checkpoint: everything below `throughSeq` of this exact session is stored. */
export type CheckpointListener = (session: Session, throughSeq: number) => void

/** Durability barriers of one host and what they have proven so far (requirements S12, S23, S32). */
export interface Checkpoints {
  /**
   * Wait until everything appended before this call is stored.
   *
   * @param session - the exact live session.
   * @returns the exclusive end that is now known to be stored, captured when the call was made.
   * @throws NotDurable when no persistence is mounted, when nobody acknowledged, or when the write failed.
   */
  confirm(session: Session): Promise<number>
  /**
   * Exclusive end of what acknowledged checkpoints have proven stored for this exact session object; 0 when none
   * has. It never goes back, also when flushes finish out of order, and a session that reuses an id starts at 0.
   */
  storedThrough(session: Session): number
  /** Be told of each advance of a session's stored end. @returns ends the watching. */
  watch(listener: CheckpointListener): () => void
}

/**
 * The checkpoints of this host.
 *
 * @param ctx - context of the asking plugin; needs the `sessions` service.
 *
 * @example
 * ```ts
 * import type { Context } from '@deepseek-ai/cordis'
 * import type { Session } from '@deepseek-ai/dsh-session'
 * import { checkpoints, NotDurable } from 'dsh-session-host'
 *
 * // Whether everything that was appended to a session so far has reached its storage.
 * export async function isStored(ctx: Context, session: Session): Promise<boolean> {
 *   try {
 *     return (await checkpoints(ctx).confirm(session)) > 0
 *   } catch (error) {
 *     if (error instanceof NotDurable) return false
 *     throw error
 *   }
 * }
 * ```
 */
export function checkpoints(ctx: Context): Checkpoints {
  return perHost(ctx, 'checkpoints', (root) => ({ value: createCheckpoints(root), dispose: () => undefined }))
}

function createCheckpoints(root: Context): Checkpoints {
  const stored = new WeakMap<Session, number>()
  const listeners = new Set<CheckpointListener>()
  const advance = (session: Session, throughSeq: number): void => {
    if (throughSeq <= (stored.get(session) ?? 0)) return
    stored.set(session, throughSeq)
    for (const listener of listeners) listener(session, throughSeq)
  }
  return {
    async confirm(session) {
      const throughSeq = session.seq
      await flush(root, session)
      advance(session, throughSeq)
      return throughSeq
    },
    storedThrough: (session) => stored.get(session) ?? 0,
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

async function flush(root: Context, session: Session): Promise<void> {
  // A listener without persistence would also make flush() resolve true, so a mounted backend is part of the proof.
  if (root.get('sessionPersistence') === undefined) throw new NotDurable()
  const sessions = root.get('sessions')
  if (sessions === undefined) throw new NotDurable()
  const acknowledged: unknown = await sessions.flush(session).catch((cause: unknown) => {
    throw new NotDurable(cause)
  })
  // 0.2 may resolve with something richer than a boolean: only the literal counts.
  if (acknowledged !== true) throw new NotDurable()
}
