import type { Counter } from './fold.ts'
import { MAX_DEPTH, type CounterScope } from './protocol.ts'

/** A session that has a live agent, with what others may see of it. */
export interface Kin {
  readonly id: string
  /** The session that it was delegated or forked from. */
  readonly parent: string | undefined
  readonly counters: ReadonlyMap<string, Counter>
}

/** Where a session stands as another one sees it: so many generations above or below. */
export interface Relation {
  readonly side: 'above' | 'below'
  readonly generations: number
}

/** A relative as a session sees it. */
export interface Relative<K extends Kin> {
  readonly kin: K
  readonly relation: Relation
}

/** A counter of another session. */
export interface Seen {
  readonly counter: Counter
  readonly owner: string
  readonly relation: Relation
}

/**
 * The live sessions by descent (requirement R9). Every kind of child counts alike: a subagent in the foreground or in
 * the background, a fork, one with another preset. A session that is not live breaks the line, because only the logs of
 * live sessions are folded.
 */
export class Lineage<K extends Kin> {
  readonly #kin = new Map<string, K>()
  readonly #children = new Map<string, Set<K>>()

  /** Take a session in. @returns takes it out again. */
  add(kin: K): () => void {
    this.#kin.set(kin.id, kin)
    const { parent } = kin
    if (parent === undefined) return () => void this.#kin.delete(kin.id)
    const siblings = this.#children.get(parent) ?? new Set()
    this.#children.set(parent, siblings.add(kin))
    return () => {
      this.#kin.delete(kin.id)
      siblings.delete(kin)
      if (siblings.size === 0) this.#children.delete(parent)
    }
  }

  /** Who sees a counter of a session, as the session sees them. */
  viewers(id: string, scope: CounterScope | undefined): readonly Relative<K>[] {
    if (scope === undefined) return []
    return [...(scope.toParents ? this.#above(id, scope.depth) : []), ...(scope.toChildren ? this.#below(id, scope.depth) : [])]
  }

  /** The counters of others that a session sees: the nearest first, those above before those below. */
  seenBy(id: string): readonly Seen[] {
    // Asked for with every reading, and most sessions have no relatives.
    if (this.#parent(this.#kin.get(id)) === undefined && !this.#children.has(id)) return []
    const above = this.#above(id, MAX_DEPTH).flatMap((relative) => seen(relative, ({ toChildren }) => toChildren))
    const below = this.#below(id, MAX_DEPTH).flatMap((relative) => seen(relative, ({ toParents }) => toParents))
    return [...above, ...below].toSorted((a, b) => a.relation.generations - b.relation.generations)
  }

  #above(id: string, depth: number): readonly Relative<K>[] {
    const found: Relative<K>[] = []
    let kin = this.#parent(this.#kin.get(id))
    // Headers are what a log says, so that a line may run in a circle.
    while (kin !== undefined && kin.id !== id && found.length < depth) {
      found.push({ kin, relation: { side: 'above', generations: found.length + 1 } })
      kin = this.#parent(kin)
    }
    return found
  }

  #parent(kin: K | undefined): K | undefined {
    return kin?.parent === undefined ? undefined : this.#kin.get(kin.parent)
  }

  #below(id: string, depth: number): readonly Relative<K>[] {
    const found: Relative<K>[] = []
    const visited = new Set([id])
    let row: readonly string[] = [id]
    for (let generations = 1; row.length > 0 && generations <= depth; generations += 1) {
      const children = row.flatMap((parent) => [...(this.#children.get(parent) ?? [])]).filter(({ id: child }) => !visited.has(child))
      for (const kin of children) {
        visited.add(kin.id)
        found.push({ kin, relation: { side: 'below', generations } })
      }
      row = children.map(({ id: child }) => child)
    }
    return found
  }
}

function seen<K extends Kin>({ kin, relation }: Relative<K>, isShared: (counter: Counter) => boolean): readonly Seen[] {
  const shared = [...kin.counters.values()].filter((counter) => isShared(counter) && counter.depth >= relation.generations)
  return shared.map((counter) => ({ counter, owner: kin.id, relation }))
}

/**
 * A relation in one word.
 *
 * @param relation - where the other session stands.
 */
export function relationText({ side, generations }: Relation): string {
  const [near, far] = side === 'above' ? (['parent', 'ancestor'] as const) : (['child', 'descendant'] as const)
  return generations === 1 ? near : generations === 2 ? `grand${near}` : `${far}-${generations}`
}
