/** A seeded source of numbers: the same seed gives the same test run. */
export interface Random {
  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number
  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T
}

/** A 32-bit xorshift generator; the seed must not be 0. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % limit
  }
  return { below, pick: items => items[below(items.length)] ?? items[0] }
}
