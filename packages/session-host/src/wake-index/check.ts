import type { Session, SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import type { Instant } from 'dsh-time-core'
import { planCheck, type CheckPlan, type Place, type Snapshot } from './decide.ts'
import type { StoreSlot } from './slot.ts'
import type { Lease } from './store.ts'

/** How long a log that could not be read is left alone while it does not change (milliseconds). */
const UNREADABLE_MS = 3_600_000

/** What one kind of delivery tells the index about itself. */
export interface WakeKind {
  /**
   * What a stored log of a session owes next of this kind; `undefined` when nothing. Pure; may throw on a log that it
   * cannot read. A fork owes nothing of what it inherited (`ownStart` says where its own work begins).
   */
  readonly foldOwed: (events: readonly SessionEvent[], header: SessionHeader) => Instant | undefined
  /** The right to deliver into a live session has come to this host: look again. */
  readonly regained: (session: Session) => void
}

/** The part of the host's persistence that is needed; later hosts may lack it (`host/versions.md` §4). */
export interface StoredLogs {
  listSnapshots?(signal: AbortSignal): Promise<readonly Snapshot[]>
  readFrom?(id: string, from: number, signal: AbortSignal): Promise<{ readonly meta: SessionHeader; readonly events: readonly SessionEvent[] }>
}

/** What comparing the index with the logs needs. */
export interface CheckPort {
  readonly slot: StoreSlot
  readonly kinds: ReadonlyMap<string, WakeKind>
  readonly now: () => Instant
  /** Where a session is, given its lease. */
  readonly place: (sessionId: string, lease: Lease | undefined) => Place
  readonly attended: (sessionId: string) => readonly string[]
  readonly warn: (text: string, cause?: unknown) => void
  /** A log was read, or the logs were listed. */
  readonly count: (what: 'listings' | 'logsRead') => void
}

/** Compares the index with the stored logs, in the background (requirement R18). */
export class LogCheck {
  readonly #port: CheckPort
  #previous: ReadonlyMap<string, string> = new Map()
  /** Logs that could not be read, by session. */
  readonly #unreadable = new Map<string, { readonly revision: string; readonly complaint: string; readonly at: Instant }>()

  constructor(port: CheckPort) {
    this.#port = port
  }

  /**
   * List the logs once, and read those that have changed or are not known.
   *
   * @param logs - the host's persistence.
   * @param signal - stops the work between two reads.
   * @returns how many were listed, and whether rows may have changed.
   */
  async run(logs: Required<StoredLogs>, signal: AbortSignal): Promise<{ readonly listed: number; readonly mayHaveChanged: boolean }> {
    const kinds = [...this.#port.kinds.keys()].toSorted()
    if (kinds.length === 0) return { listed: 0, mayHaveChanged: false }
    this.#port.count('listings')
    const snapshots = await logs.listSnapshots(signal)
    const plan = this.#plan(snapshots, kinds)
    this.#previous = new Map(snapshots.map(({ header, revision }) => [header.id, revision]))
    this.#port.slot.use((store) => store.mark(plan.mark), undefined)
    for (const id of plan.delegated) this.#end(id, 'it belongs to the work of a subagent')
    for (const id of plan.gone) this.#forget(id)
    for (const snapshot of plan.read) {
      if (signal.aborted) break
      await this.#read(logs, snapshot, signal)
    }
    return { listed: snapshots.length, mayHaveChanged: plan.read.length + plan.delegated.length + plan.gone.length > 0 }
  }

  #plan(snapshots: readonly Snapshot[], kinds: readonly string[]): CheckPlan {
    const { slot, place, attended } = this.#port
    const nothing: CheckPlan = { read: [], mark: new Map(), delegated: [], gone: [] }
    return slot.use((store) => {
      const leases = store.leases()
      return planCheck({
        snapshots,
        kinds,
        attended,
        marks: store.marks(),
        owing: store.owing(),
        previous: this.#previous,
        place: (id) => place(id, leases.get(id)),
      })
    }, nothing)
  }

  async #read(logs: Required<StoredLogs>, { header: { id }, revision }: Snapshot, signal: AbortSignal): Promise<void> {
    const failed = this.#unreadable.get(id)
    if (failed?.revision === revision && Math.abs(this.#port.now() - failed.at) < UNREADABLE_MS) return
    const lease = this.#port.slot.use((store) => store.lease(id), undefined)
    try {
      this.#port.count('logsRead')
      const { meta, events } = await logs.readFrom(id, 0, signal)
      const owed = new Map([...this.#port.kinds].map(([kind, { foldOwed }]) => [kind, foldOwed(events, meta)]))
      const mark = { revision, kinds: [...owed.keys()].toSorted() }
      this.#unreadable.delete(id)
      // While the log was read the session may have come to life: then its owner keeps the rows.
      if (this.#port.place(id, lease) !== 'cold') return
      this.#port.slot.use((store) => store.correct(id, owed, mark, lease?.fence), false)
    } catch (cause) {
      if (!signal.aborted) this.#skip(id, revision, cause)
    }
  }

  /** One log that cannot be read must not stop the others, nor be complained of every minute (requirement X6). */
  #skip(id: string, revision: string, cause: unknown): void {
    const before = this.#unreadable.get(id)
    const complaint = String(cause)
    if (before?.complaint !== complaint) this.#port.warn(`session ${id}: its log cannot be read, so what it owes is not known`, cause)
    this.#unreadable.set(id, { revision, complaint, at: this.#port.now() })
  }

  #end(id: string, reason: string): void {
    this.#port.warn(`session ${id}: what it owes will not be delivered: ${reason}`)
    this.#port.slot.use((store) => store.end(id, store.lease(id)?.fence), false)
  }

  #forget(id: string): void {
    this.#port.slot.use((store) => {
      if (store.owed(id).size > 0) this.#port.warn(`session ${id}: what it owes will not be delivered: its log is gone, or has lost its first line`)
      return store.forget(id, store.lease(id)?.fence)
    }, false)
  }
}
