/** The seconds of a page. */
export interface Ticker {
  readonly subscribe: (listener: () => void) => () => void
  /** @returns epoch milliseconds of the last tick */
  readonly now: () => number
}

/** A few milliseconds behind the edge: a timer may fire early, and would then show the second before. */
const BEHIND_MS = 5

/** One timer for all who listen, and none while nobody does. */
export function makeTicker(): Ticker {
  const listeners = new Set<() => void>()
  let now = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tick = (): void => {
    now = Date.now()
    plan()
    for (const listener of listeners) listener()
  }
  const plan = (): void => {
    timer = setTimeout(tick, 1000 - (Date.now() % 1000) + BEHIND_MS)
  }
  return {
    now: () => now,
    subscribe(listener) {
      if (listeners.size === 0) plan()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
  }
}
