import { SETTLE_MS } from '../../packages/session-host/src/wake-index/decide.ts'
import type { Holder } from '../../packages/session-host/src/wake-index/holder.ts'
import { createMemoryStore } from '../../packages/session-host/src/wake-index/memory-store.ts'
import type { StoreFiles } from '../../packages/session-host/src/wake-index/slot.ts'
import { firstFence, StoreUnusable, type Lease, type WakeStore } from '../../packages/session-host/src/wake-index/store.ts'
import type { SimHost } from './host.ts'
import type { World } from './world.ts'

/** Where the index lies, as messages name it. */
export const INDEX_PATH = '/home/timekeeper/wake.sqlite'

interface File {
  readonly id: string
  readonly store: WakeStore
  isDamaged: boolean
}

/** What may happen to the file from outside. */
export type IndexFault = 'lose' | 'keep' | 'put-back' | 'damage' | 'lock' | 'refuse'

/** How long somebody else keeps the file locked, or the disk full (milliseconds of the machine). */
const REFUSAL_MS = 25_000

/** Writes; a process may die before each of them. */
const WRITES = new Set<keyof WakeStore>(['take', 'renew', 'release', 'put', 'mark', 'correct', 'end', 'forget'])

/** The index file of a home: one store that all hosts see, and that can be lost, damaged, put back or locked. */
export class IndexFile {
  readonly #world: World
  #file: File | undefined
  #kept: Copy | undefined
  #refusal: { readonly reason: 'locked' | 'inaccessible'; readonly until: number } | undefined
  #files = 0
  #disturbedUntil = -Infinity

  constructor(world: World) {
    this.#world = world
  }

  /** Somebody outside does something to the file. */
  happen(fault: IndexFault): void {
    const { clock } = this.#world
    switch (fault) {
      case 'lose':
        this.#file = undefined
        return
      case 'keep':
        this.#kept = this.#file === undefined ? undefined : copyOf(this.#file.store)
        return
      case 'put-back':
        if (this.#kept === undefined) return
        this.#file = { id: this.#newId(), store: storeOf(this.#kept), isDamaged: false }
        this.#disturbedUntil = clock.mono
        return
      case 'damage':
        if (this.#file !== undefined) this.#file.isDamaged = true
        return
      case 'lock':
      case 'refuse':
        // Hosts that cannot use the file do not know of each other, and nobody promises that.
        if (this.#world.running.length > 1) return
        this.#disturbedUntil = clock.mono + REFUSAL_MS
        this.#refusal = { reason: fault === 'lock' ? 'locked' : 'inaccessible', until: clock.mono + REFUSAL_MS }
    }
  }

  /** Nobody disturbs any more. */
  heal(): void {
    this.#refusal = undefined
  }

  /** Everybody who opens the file gets it. */
  get isUsable(): boolean {
    return this.#refusal === undefined || this.#world.clock.mono >= this.#refusal.until
  }

  /** The file could not be used, or an old copy was put back, and who runs may not have found it: see docs/reliability.md. */
  get isDisturbed(): boolean {
    return this.#world.clock.mono - this.#disturbedUntil < 2 * SETTLE_MS
  }

  leaseOf(sessionId: string): Lease | undefined {
    return this.#file?.store.lease(sessionId)
  }

  owedOf(sessionId: string): ReadonlyMap<string, number> {
    return this.#file?.store.owed(sessionId) ?? new Map<string, number>()
  }

  /** Give a session back, whoever has it: for a planted fault. */
  release(sessionId: string, fence: number): void {
    this.#file?.store.release(sessionId, fence)
  }

  /** The file as one process sees it. */
  filesOf(host: SimHost): StoreFiles {
    return {
      open: (_, now) => this.#open(host, now),
      identityOf: () => this.#file?.id,
      setAside: () => {
        this.#file = undefined
        return `${INDEX_PATH}.corrupt`
      },
    }
  }

  #newId(): string {
    return `file-${(this.#files += 1)}`
  }

  #open(host: SimHost, now: number): WakeStore {
    host.beatIndex()
    this.#guard(this.#file)
    const file = (this.#file ??= { id: this.#newId(), store: createMemoryStore(firstFence(now)), isDamaged: false })
    const handle = this.#handleOf(host, file)
    return this.#world.plant?.store?.(handle, host) ?? handle
  }

  #guard(file: File | undefined): void {
    if (!this.isUsable && this.#refusal !== undefined) throw new StoreUnusable(this.#refusal.reason, INDEX_PATH)
    if (file?.isDamaged === true) throw new StoreUnusable('corrupt', INDEX_PATH)
  }

  #handleOf(host: SimHost, file: File): WakeStore {
    const own: Partial<WakeStore> = {
      isCurrent: () => this.#file === file,
      close: () => undefined,
      take: (id, holder, ...rest) => {
        this.#checkRobbery(id, holder, file.store.lease(id))
        return file.store.take(id, holder, ...rest)
      },
    }
    return new Proxy(file.store, {
      get: (store, name: keyof WakeStore) => {
        const method = (own[name] ?? store[name]).bind(store) as (...args: unknown[]) => unknown
        if (name === 'isCurrent' || name === 'close') return method
        return (...args: unknown[]): unknown => {
          if (WRITES.has(name)) host.beatIndex()
          this.#guard(file)
          return method(...args)
        }
      },
    })
  }

  /** R20: who runs keeps what is live there. */
  #checkRobbery(id: string, taker: Holder, lease: Lease | undefined): void {
    const holder = lease === undefined ? undefined : this.#world.hosts.find((one) => !one.isDead && one.me.hostId === lease.holder.hostId)
    if (holder === undefined || holder.me.hostId === taker.hostId || !holder.has(id)) return
    this.#world.violation(`${id}: R20 ${taker.hostId} takes it from ${holder.me.hostId}, which runs and has it open`)
  }
}

interface Copied {
  readonly id: string
  readonly owed: ReadonlyMap<string, number>
  readonly lease: Lease | undefined
  readonly mark: { readonly revision: string; readonly kinds: readonly string[] } | undefined
}

interface Copy {
  readonly bornAt: number
  readonly rows: readonly Copied[]
}

function copyOf(store: WakeStore): Copy {
  const [leases, marks] = [store.leases(), store.marks()]
  const ids = new Set([...leases.keys(), ...marks.keys(), ...store.owing()])
  return { bornAt: store.bornAt(), rows: [...ids].map((id) => ({ id, owed: store.owed(id), lease: leases.get(id), mark: marks.get(id) })) }
}

/** The same rows and leases, fences included, in another store. */
function storeOf({ bornAt, rows }: Copy): WakeStore {
  const held = rows.flatMap(({ id, lease }) => (lease === undefined ? [] : [{ id, lease }])).toSorted((a, b) => a.lease.fence - b.lease.fence)
  const store = createMemoryStore(held[0] === undefined ? firstFence(bornAt) : held[0].lease.fence - 1)
  for (const { id, owed } of rows) for (const [kind, dueAt] of owed) store.put(id, kind, dueAt, undefined)
  for (const { id, lease } of held) {
    // A store gives each fence once and in order; those of the others have gone to nobody.
    for (let fence = store.take(id, lease.holder, lease.until, undefined); fence !== undefined && fence < lease.fence; fence = store.take(id, lease.holder, lease.until, undefined)) store.release(id, fence)
  }
  store.mark(new Map(rows.flatMap(({ id, mark }) => (mark === undefined ? [] : [[id, mark]]))))
  return store
}
