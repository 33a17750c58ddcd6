/**
 * A queue per key: jobs of one key run one after the other in the order of their calls, jobs of different keys
 * do not wait for each other (requirement S11). A job that fails does not stop the ones behind it.
 */
export interface Fifo {
  /**
   * Run one job after every earlier job of the same key has settled.
   *
   * @param key - identity of the queue, for reminders the exact live agent.
   * @param job - the whole transaction, from preflight to its last barrier.
   * @returns what the job returns; rejects with what the job rejects with.
   */
  run<T>(key: object, job: () => Promise<T>): Promise<T>
}

/** @returns an empty set of queues; a key that is garbage collected takes its queue along. */
export function createFifo(): Fifo {
  const tails = new WeakMap<object, Promise<unknown>>()
  return {
    run<T>(key: object, job: () => Promise<T>): Promise<T> {
      const result = (tails.get(key) ?? Promise.resolve()).then(job)
      tails.set(key, result.catch(() => undefined))
      return result
    },
  }
}
