import type { Instant } from 'dsh-time-core'
import type { UserMessage } from '../frame.ts'
import type { CounterTurn } from './fold.ts'
import { counterMessage } from './frame.ts'
import type { Kin, Lineage, Relation, Relative } from './lineage.ts'

/** How those who see a counter are told of a change (requirement R10). inject: with their next step · steer: at once, waking them · off: not. */
export const COUNTER_NOTICES = ['inject', 'steer', 'off'] as const

/** One of the three ways. */
export type CounterNotice = (typeof COUNTER_NOTICES)[number]

/** A live session that can be told something. */
export interface Resident extends Kin {
  /** Hand a message over. */
  tell(message: UserMessage, how: Exclude<CounterNotice, 'off'>): void
}

/** What telling others needs. */
export interface SharingPort {
  readonly lineage: Lineage<Resident>
  readonly now: () => Instant
  readonly how: () => CounterNotice
  readonly warn: (what: string, error: unknown) => void
}

/**
 * Tell everyone who could see a counter before or after a change (requirement R10). Who is not live is passed over: the
 * state is in the owner's log, and they see it when they are back.
 *
 * @param port - the live sessions.
 * @param ownerId - the session whose counter changed.
 * @param turn - the change.
 */
export function shareChange({ lineage, now, how, warn }: SharingPort, ownerId: string, turn: CounterTurn): void {
  const way = how()
  if (way === 'off') return
  const after = lineage.viewers(ownerId, turn.after)
  for (const [isVisible, { kin, relation }] of union(lineage.viewers(ownerId, turn.before), after)) {
    try {
      kin.tell(counterMessage({ turn, senderSessionId: ownerId, owner: opposite(relation), isVisible }, now()), way)
    } catch (error) {
      // One session that cannot be told, such as one that is closing, must not keep the others from knowing.
      warn(`session ${kin.id} could not be told of a counter`, error)
    }
  }
}

function union(before: readonly Relative<Resident>[], after: readonly Relative<Resident>[]): Iterable<readonly [boolean, Relative<Resident>]> {
  const told = new Map<string, readonly [boolean, Relative<Resident>]>(before.map((relative) => [relative.kin.id, [false, relative]]))
  for (const relative of after) told.set(relative.kin.id, [true, relative])
  return told.values()
}

function opposite({ side, generations }: Relation): Relation {
  return { side: side === 'above' ? 'below' : 'above', generations }
}
