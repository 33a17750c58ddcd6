import { setTimeout as delay } from 'node:timers/promises'

/** How long a fact may take to become true. */
export interface Patience {
  /** Milliseconds; 20 s unless told. */
  readonly timeout?: number
  /** Milliseconds between two looks; 50 unless told. */
  readonly every?: number
}

/**
 * Waits for a fact by looking again and again. A look that throws counts as "not yet": while a host is down or busy,
 * asking it fails.
 * @param fact what is waited for, in words for the error message
 * @param look gives undefined or false until the fact holds
 * @returns what the last look gave
 * @throws when the fact does not hold in time, with the reason of the last failed look as cause
 */
export const waitFor = async <T>(fact: string, look: () => T | undefined | false | Promise<T | undefined | false>, { timeout = 20_000, every = 50 }: Patience = {}): Promise<T> => {
  const limit = performance.now() + timeout
  for (;;) {
    let cause: unknown
    try {
      const seen = await look()
      if (seen !== undefined && seen !== false) return seen
    } catch (error) {
      cause = error
    }
    if (performance.now() > limit) throw new Error(`not within ${timeout} ms: ${fact}`, { cause })
    await delay(every)
  }
}
