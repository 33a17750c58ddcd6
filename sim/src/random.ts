/** A stream of numbers that a seed decides. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  /** True in this share of all cases. */
  chance(share: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
}

/**
 * A stream of numbers; the same seed gives the same stream on every machine.
 *
 * @param seed - any whole number; only its lower 32 bits count.
 */
export function randomOf(seed: number): Random {
  let state = seed | 0
  // The finishing steps of a 32-bit avalanche hash: neighbouring seeds must not give related schedules.
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  return {
    below: (end) => next() % end,
    chance: (share) => next() / 2 ** 32 < share,
    pick: ([first, ...others]) => {
      const at = next() % (others.length + 1)
      return at === 0 ? first : (others[at - 1] ?? first)
    },
  }
}
