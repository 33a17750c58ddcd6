import { deepEqual } from './deep-equal.ts'

/** A log with its header, live or as storage holds it. */
export interface HeldLog {
  readonly header: object
  /** In the order of `seq`, from 0. */
  readonly events: readonly unknown[]
}

/** How many events are compared before other work gets its turn. */
const SLICE = 2000

/**
 * How much of a live log storage holds, word for word (requirement S33).
 *
 * @param live - the live log when storage was read, or later.
 * @param stored - what storage gave.
 * @param pause - gives way to other work between slices.
 * @returns exclusive end of the proven prefix; undefined when the two are not the same log, or storage holds more.
 */
export async function provenPrefix(live: HeldLog, stored: HeldLog, pause: () => Promise<void>): Promise<number | undefined> {
  const { length } = stored.events
  if (!sameIdentity(live.header, stored.header) || length > live.events.length) return undefined
  for (let from = 0; from < length; from += SLICE) {
    for (let seq = from; seq < Math.min(from + SLICE, length); seq += 1) {
      if (!deepEqual(live.events[seq], stored.events[seq])) return undefined
    }
    if (from + SLICE < length) await pause()
  }
  return length
}

/** Storage writes a missing depth as zero; everything else of a header is its identity. */
function sameIdentity(live: object, stored: object): boolean {
  return deepEqual({ delegationDepth: 0, ...defined(live) }, { delegationDepth: 0, ...defined(stored) })
}

function defined(header: object): object {
  return Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined))
}
