import type { Session } from '@deepseek-ai/dsh-session'
import type { Instant } from 'dsh-time-core'
import { isFree, LEASE_MS, RETRY_MS, type Judge } from './decide.ts'
import type { Holder } from './holder.ts'
import type { StoreSlot } from './slot.ts'
import type { WakeStore } from './store.ts'

/** What the live sessions' side of the index needs. */
export interface SeatPort {
  readonly slot: StoreSlot
  readonly me: Holder
  /** One look at the world, for judging leases. */
  readonly judge: () => Judge
  /** Whether this exact session is still live here. */
  readonly isLive: (session: Session) => boolean
  readonly warn: (text: string) => void
}

/** A live session and what its owners have said about it. */
interface Seat {
  readonly session: Session
  /** What each owner said last. */
  readonly owed: Map<string, Instant | undefined>
  /** What of it has reached the store. */
  readonly written: Map<string, Instant | undefined>
  /** An owner was told to wait. */
  isWaiting: boolean
  /** What the store said when another host was found to hold the session. */
  foreign: ReadonlyMap<string, Instant> | undefined
  /** Another host has delivered while the session was live here: what is live here lags behind the log. */
  isOutdated: boolean
}

/** The live sessions of this host whose plugins owe something, and the right to deliver into them (requirement R20). */
export class Seats {
  readonly #port: SeatPort
  readonly #seats = new Map<string, Seat>()

  constructor(port: SeatPort) {
    this.#port = port
  }

  /** Take note of what a session owes next. @returns whether anything was new. */
  owes(kind: string, session: Session, dueAt: Instant | undefined): boolean {
    const seat = this.#seat(session)
    if (seat.owed.has(kind) && seat.owed.get(kind) === dueAt) return false
    seat.owed.set(kind, dueAt)
    this.#write(seat)
    return true
  }

  /**
   * Whether this host may deliver into a live session; takes the right when it is free. A store that fails is no
   * reason to stay silent, unless another host is known to hold the session.
   */
  isOurs(session: Session): boolean {
    const seat = this.#seat(session)
    const isHeld = this.#port.slot.use((store) => this.#seize(store, seat) !== 'foreign', seat.foreign === undefined)
    return isHeld && !seat.isOutdated
  }

  /** Try again what did not reach the store. Sessions that are no longer live are forgotten. */
  rewrite(): void {
    for (const seat of this.#live()) if (unwritten(seat).length > 0) this.#write(seat)
  }

  /** Another store is in place: nothing has reached it yet. */
  reset(): void {
    for (const seat of this.#seats.values()) {
      seat.written.clear()
      // What the other store said cannot be compared with this one: a row that is missing here was not delivered.
      seat.foreign = undefined
    }
    this.rewrite()
  }

  /** Try to get the sessions that another host held. @returns those whose owners may deliver now. */
  regain(): readonly Session[] {
    const regained: Session[] = []
    for (const seat of this.#live()) {
      if (!seat.isWaiting || !this.isOurs(seat.session)) continue
      seat.isWaiting = false
      this.#write(seat)
      regained.push(seat.session)
    }
    return regained
  }

  /** When to try `regain` again: soon, once something is due that another host holds. */
  regainAt(now: Instant): Instant | undefined {
    const isOverdue = [...this.#live()].some((seat) => seat.isWaiting && [...seat.owed.values()].some((dueAt) => dueAt !== undefined && dueAt <= now))
    return isOverdue ? now + RETRY_MS : undefined
  }

  /** Kinds whose owner keeps the rows of a session. */
  attended(sessionId: string): readonly string[] {
    const seat = this.#seats.get(sessionId)
    return seat === undefined ? [] : [...seat.written.keys()]
  }

  #seat(session: Session): Seat {
    const known = this.#seats.get(session.id)
    if (known?.session === session) return known
    const seat: Seat = { session, owed: new Map(), written: new Map(), isWaiting: false, foreign: undefined, isOutdated: false }
    this.#seats.set(session.id, seat)
    return seat
  }

  *#live(): Iterable<Seat> {
    for (const [id, seat] of this.#seats) {
      if (this.#port.isLive(seat.session)) yield seat
      else this.#seats.delete(id)
    }
  }

  #write(seat: Seat): void {
    const { session, owed, written } = seat
    this.#port.slot.use((store) => {
      const isOwing = [...owed.values()].some((dueAt) => dueAt !== undefined)
      const held = isOwing ? this.#seize(store, seat) : this.#touch(store, seat)
      if (held === 'foreign') return
      for (const kind of unwritten(seat)) {
        const dueAt = owed.get(kind)
        if (store.put(session.id, kind, dueAt, held)) written.set(kind, dueAt)
      }
    }, undefined)
  }

  /** The fence under which rows may be corrected that say too much, without taking the session. */
  #touch(store: WakeStore, seat: Seat): number | undefined | 'foreign' {
    const lease = store.lease(seat.session.id)
    return isFree(lease, this.#port.judge()) ? lease?.fence : 'foreign'
  }

  /** Take the session unless it is ours already. @returns our fence. */
  #seize(store: WakeStore, seat: Seat): number | 'foreign' {
    const { me } = this.#port
    const { id } = seat.session
    const lease = store.lease(id)
    if (lease?.holder.hostId === me.hostId) return lease.fence
    const judge = this.#port.judge()
    const fence = isFree(lease, judge) ? store.take(id, me, judge.now + LEASE_MS, lease?.fence) : undefined
    if (fence === undefined) {
      seat.foreign ??= store.owed(id)
      seat.isWaiting = true
      return 'foreign'
    }
    this.#compare(store, seat)
    return fence
  }

  /** Rows that moved on while another host held the session mean that it delivered what the live log here lacks. */
  #compare(store: WakeStore, seat: Seat): void {
    const { foreign, session } = seat
    if (foreign === undefined) return
    seat.foreign = undefined
    const now = store.owed(session.id)
    seat.isOutdated = [...foreign].some(([kind, dueAt]) => (now.get(kind) ?? Infinity) > dueAt)
    seat.isWaiting &&= !seat.isOutdated
    if (seat.isOutdated) this.#port.warn(`session ${session.id} was also live in another host, which has delivered what was due; it has to be closed here and opened again before it can deliver`)
  }
}

function unwritten({ owed, written }: Seat): string[] {
  return [...owed.keys()].filter((kind) => !written.has(kind) || written.get(kind) !== owed.get(kind))
}
