import type { Instant } from 'dsh-time-core'
import { createMemoryStore } from './memory-store.ts'
import { firstFence, StoreUnusable, type WakeStore } from './store.ts'

/** How long a store is left alone after somebody else kept it locked: each wait blocks the event loop (milliseconds). */
export const TRIP_MS = 10_000

/** The files that a store lies in. */
export interface StoreFiles {
  /** @throws StoreUnusable */
  open(path: string, now: Instant): WakeStore
  /** Which file is at the path; `undefined` when there is none. */
  identityOf(path: string): string | undefined
  /** Put a damaged file out of the way. @returns its new name. */
  setAside(path: string, now: Instant): string
}

/** What the place of the store needs. */
export interface SlotPort {
  readonly path: string
  readonly now: () => Instant
  readonly files: StoreFiles
  /** Told once per kind of trouble, with the path. */
  readonly warn: (text: string, cause: unknown) => void
}

/**
 * The place where a host's store is. It never fails: what the file refuses is said once, and deliveries go on
 * (requirement R17). A damaged file is put aside, and made anew from the logs (bug B46, requirement X6).
 */
export class StoreSlot {
  readonly #port: SlotPort
  #store: WakeStore
  /** Only this host sees the store. */
  #isMemory = false
  #bornAt: Instant
  #complaint: string | undefined
  #isBroken = false
  #trippedUntil = -Infinity

  constructor(port: SlotPort) {
    this.#port = port
    this.#store = this.#open() ?? this.#memory()
    this.#bornAt = this.use((store) => store.bornAt(), port.now())
  }

  /**
   * Do something with the store.
   *
   * @param job - what to do.
   * @param otherwise - the answer when the store refuses.
   */
  use<T>(job: (store: WakeStore) => T, otherwise: T): T {
    // A clock that was set back must not prolong the rest.
    const rest = this.#trippedUntil - this.#port.now()
    if (rest > 0 && rest <= TRIP_MS) return otherwise
    try {
      return job(this.#store)
    } catch (error) {
      if (!(error instanceof StoreUnusable)) throw error
      this.#isBroken ||= error.reason === 'corrupt'
      if (error.reason === 'locked') this.#trippedUntil = this.#port.now() + TRIP_MS
      this.#complain(error)
      return otherwise
    }
  }

  /**
   * Open the file again when the store is not that file: it could not be used, was damaged, replaced or removed.
   *
   * @returns whether another store is in place, which knows nothing of what was written to the one before.
   */
  refresh(): boolean {
    if (!this.#isBroken && this.#store.isCurrent()) return false
    const opened = this.#open()
    if (opened === undefined && !this.#isBroken) return false
    this.#store.close()
    this.#isMemory = false
    this.#store = opened ?? this.#memory()
    // It may be a copy of long ago that somebody has put there: what it says of leases counts for nothing yet.
    this.#bornAt = this.#port.now()
    this.#isBroken = false
    return true
  }

  /** Another file is in the place of ours, or none: what is written to ours is seen by nobody. Cheap, and never throws. */
  get isReplaced(): boolean {
    return !this.#isMemory && !this.#store.isCurrent()
  }

  /** Since when hosts can have written to this store; those that run longer may not have found it yet. */
  get bornAt(): Instant {
    return this.#bornAt
  }

  #memory(): WakeStore {
    this.#isMemory = true
    return createMemoryStore(firstFence(this.#port.now()))
  }

  /** Close the store. Never throws. */
  close(): void {
    this.#store.close()
  }

  #open(): WakeStore | undefined {
    try {
      return this.#openSound()
    } catch (error) {
      this.#complain(error)
      return undefined
    }
  }

  #openSound(): WakeStore {
    const { path, files } = this.#port
    const now = this.#port.now()
    const found = files.identityOf(path)
    try {
      return this.#accept(files.open(path, now))
    } catch (error) {
      if (!(error instanceof StoreUnusable) || error.reason !== 'corrupt') throw error
      // Another host that found the same damage may have been faster: its new file must not be put aside.
      if (files.identityOf(path) === found) {
        const kept = files.setAside(path, now)
        this.#port.warn(`the wake index ${path} was damaged; its bytes are kept in ${kept}, and it is made anew from the session logs`, error)
      }
      return this.#accept(files.open(path, now))
    }
  }

  #accept(store: WakeStore): WakeStore {
    this.#complaint = undefined
    return store
  }

  #complain(error: unknown): void {
    const complaint = String(error)
    if (complaint === this.#complaint) return
    this.#complaint = complaint
    this.#port.warn(`${complaint} Deliveries go on without it.`, error)
  }
}
