import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** A change of an agent's inbox. */
export type Splice = Extract<SessionEvent, { type: 'agent/inbox/spliced' }>['data']

/** What waits in an agent's two lists. A splice names positions, so that all messages are kept track of, by their ids. */
export class Waiting {
  readonly #lists: Readonly<Record<Splice['target'], string[]>> = { 'next-turn': [], 'next-step': [] }

  /**
   * Take the next splice.
   *
   * @returns the ids of what it took out, and whether that is dropped instead of being taken by a turn.
   */
  splice({ target, start, removedCount = 0, inserted, outcome }: Splice): { readonly removed: readonly string[]; readonly isDropped: boolean } {
    const removed = this.#lists[target].splice(start, removedCount, ...inserted.map(({ id }) => id))
    return { removed, isDropped: outcome === 'canceled' }
  }
}
