import type { SessionEvent } from '../../packages/session-host/tests/harness.ts'

/** A session as it lies on the disk. */
export interface StoredLog {
  /** How many of the events a fork has inherited. */
  readonly seedLength: number
  readonly lines: string[]
  /** The same, read once; nobody changes what he reads. */
  readonly events: SessionEvent[]
}

/** What goes wrong with one write. */
export type WriteFault = 'reject' | 'partial' | 'lost-answer'

/** The logs of a home. What is written stays written; events become text and back, as in a real file. */
export class Disk {
  readonly logs = new Map<string, StoredLog>()
  /** One per write to come. */
  readonly faults: WriteFault[] = []

  /** Store the events of a live session up to `through`; a log never becomes shorter. */
  store(id: string, seedLength: number, events: readonly SessionEvent[], through: number): void {
    const log = this.logs.get(id) ?? { seedLength, lines: [], events: [] }
    this.logs.set(id, log)
    for (let seq = log.lines.length; seq < through; seq += 1) {
      const line = JSON.stringify(events[seq])
      log.lines.push(line)
      log.events.push(JSON.parse(line) as SessionEvent)
    }
  }

  /** How many events of a session are stored. */
  length(id: string): number {
    return this.logs.get(id)?.lines.length ?? 0
  }

  /** Read a log as a host does that opens it. */
  read(id: string): SessionEvent[] {
    return [...(this.logs.get(id)?.events ?? [])]
  }
}
