import type { Instant } from 'dsh-time-core'
import type { Holder } from './holder.ts'
import { birthOf, type Lease, type LogMark, type Owed, type OwedRow, type WakeStore } from './store.ts'

/**
 * A store that only this host sees. It serves while the file cannot be used: deliveries go on, and what other hosts
 * hold is not known (requirement R17).
 *
 * @param firstFence - fences grow from here; the file's own fences must not be met again.
 */
export function createMemoryStore(firstFence = 0): WakeStore {
  return new MemoryStore(firstFence)
}

class MemoryStore implements WakeStore {
  readonly #owed = new Map<string, Map<string, Instant>>()
  readonly #leases = new Map<string, Lease>()
  readonly #marks = new Map<string, LogMark>()
  #fence: number

  constructor(firstFence: number) {
    this.#fence = firstFence
  }

  due(now: Instant): readonly OwedRow[] {
    return this.#rows().filter((row) => row.dueAt <= now)
  }

  nextDue(after: Instant): Instant | undefined {
    return this.#rows().find((row) => row.dueAt > after)?.dueAt
  }

  owed(sessionId: string): ReadonlyMap<string, Instant> {
    return new Map(this.#owed.get(sessionId))
  }

  owing(): ReadonlySet<string> {
    return new Set(this.#owed.keys())
  }

  lease(sessionId: string): Lease | undefined {
    return this.#leases.get(sessionId)
  }

  leases(): ReadonlyMap<string, Lease> {
    return new Map(this.#leases)
  }

  take(sessionId: string, holder: Holder, until: Instant, expected: number | undefined): number | undefined {
    if (!this.#stands(sessionId, expected)) return undefined
    this.#fence += 1
    this.#leases.set(sessionId, { holder, until, fence: this.#fence })
    return this.#fence
  }

  renew(hostId: string, until: Instant): void {
    for (const [id, lease] of this.#leases) if (lease.holder.hostId === hostId) this.#leases.set(id, { ...lease, until })
  }

  release(sessionId: string, fence: number): boolean {
    return this.#stands(sessionId, fence) && this.#leases.delete(sessionId)
  }

  put(sessionId: string, kind: string, dueAt: Instant | undefined, expected: number | undefined): boolean {
    if (!this.#stands(sessionId, expected)) return false
    this.#write(sessionId, kind, dueAt)
    return true
  }

  marks(): ReadonlyMap<string, LogMark> {
    return new Map(this.#marks)
  }

  mark(marks: ReadonlyMap<string, LogMark>): void {
    for (const [id, mark] of marks) this.#marks.set(id, mark)
  }

  correct(sessionId: string, owed: Owed, mark: LogMark, expected: number | undefined): boolean {
    if (!this.#stands(sessionId, expected)) return false
    for (const [kind, dueAt] of owed) this.#write(sessionId, kind, dueAt)
    this.#marks.set(sessionId, mark)
    return true
  }

  end(sessionId: string, expected: number | undefined): boolean {
    if (!this.#stands(sessionId, expected)) return false
    this.#owed.delete(sessionId)
    this.#leases.delete(sessionId)
    return true
  }

  forget(sessionId: string, expected: number | undefined): boolean {
    return this.end(sessionId, expected) && (this.#marks.delete(sessionId), true)
  }

  bornAt(): Instant {
    return birthOf(this.#fence)
  }

  isCurrent(): boolean {
    return false
  }

  close(): void {
    // Nothing outside this object exists.
  }

  #stands(sessionId: string, expected: number | undefined): boolean {
    return this.#leases.get(sessionId)?.fence === expected
  }

  #write(sessionId: string, kind: string, dueAt: Instant | undefined): void {
    const owed = this.#owed.get(sessionId) ?? new Map<string, Instant>()
    if (dueAt === undefined) owed.delete(kind)
    else owed.set(kind, dueAt)
    if (owed.size === 0) this.#owed.delete(sessionId)
    else this.#owed.set(sessionId, owed)
  }

  #rows(): OwedRow[] {
    const rows: OwedRow[] = []
    for (const [sessionId, owed] of this.#owed) {
      for (const [kind, dueAt] of owed) rows.push({ sessionId, kind, dueAt, lease: this.#leases.get(sessionId) })
    }
    return rows.toSorted((a, b) => a.dueAt - b.dueAt)
  }
}
