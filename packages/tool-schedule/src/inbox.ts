import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** What an inbox change meant for the messages that are watched. */
export interface InboxChange<T> {
  readonly queued: readonly T[]
  /** Taken out by a turn: the message is in the conversation from here on. */
  readonly claimed: readonly T[]
  /** Taken out without being delivered, for instance because the agent was disposed. */
  readonly canceled: readonly T[]
}

type Splice = Extract<SessionEvent, { type: 'agent/inbox/spliced' }>['data']

/**
 * The agent's two waiting lists, replayed from their splices. A splice names positions, not messages, so the whole
 * lists are kept to know which message a removal took; they are as long as what waits, not as the log.
 *
 * @param watch - what to remember of an inserted message; `undefined` for messages of no interest.
 */
export function createInbox<T>(watch: (message: Splice['inserted'][number]) => T | undefined): (splice: Splice) => InboxChange<T> {
  const lists: Record<Splice['target'], (T | undefined)[]> = { 'next-turn': [], 'next-step': [] }
  return (splice) => {
    const inserted = splice.inserted.map(watch)
    const removed = lists[splice.target].splice(splice.start, splice.removedCount ?? 0, ...inserted).filter(isWatched)
    const canceled = splice.outcome === 'canceled'
    return { queued: inserted.filter(isWatched), claimed: canceled ? [] : removed, canceled: canceled ? removed : [] }
  }
}

function isWatched<T>(value: T | undefined): value is T {
  return value !== undefined
}
