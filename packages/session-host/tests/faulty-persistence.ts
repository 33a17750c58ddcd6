import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { JsonlPersistence } from './harness.ts'

/** What goes wrong with the next write. */
export type Fault =
  /** Nothing reaches the disk. */
  | 'reject-before'
  /** All of it reaches the disk, and still the write is reported as failed. */
  | 'reject-after'
  /** A part of the batch reaches the disk. */
  | 'partial'
  /** The write waits until it is released, then succeeds. */
  | 'hang'

type Backend = { appendBatch(meta: unknown, events: readonly SessionEvent[], isMaterialized: boolean): Promise<void> }
const real = (JsonlPersistence.prototype as unknown as Backend).appendBatch

/**
 * The host's own JSONL backend under the host's own coordinator, failing on demand.
 *
 * @returns the class to mount, the faults to come (one per write), and the release of a hanging write.
 */
export function faultyPersistence(): { readonly Persistence: typeof JsonlPersistence; readonly faults: Fault[]; release(): void; readonly writes: () => number } {
  const faults: Fault[] = []
  let gate = Promise.withResolvers<void>()
  let writes = 0
  class Faulty extends JsonlPersistence {}
  Object.assign(Faulty.prototype, {
    async appendBatch(this: Backend, meta: unknown, events: readonly SessionEvent[], isMaterialized: boolean) {
      writes += 1
      const fault = faults.shift()
      if (fault === 'reject-before') throw new Error('injected: disk refused')
      if (fault === 'hang') await gate.promise
      if (fault === 'partial') {
        if (events.length > 1) await real.call(this, meta, events.slice(0, 1), isMaterialized)
        throw new Error('injected: disk full half-way')
      }
      await real.call(this, meta, events, isMaterialized)
      if (fault === 'reject-after') throw new Error('injected: acknowledgement lost')
    },
  })
  return {
    Persistence: Faulty,
    faults,
    writes: () => writes,
    release() {
      gate.resolve()
      gate = Promise.withResolvers()
    },
  }
}
