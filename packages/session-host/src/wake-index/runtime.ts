import type { Session } from '@deepseek-ai/dsh-session'
import { formatInstant, type Instant } from 'dsh-time-core'
import type { AlarmClock } from '../alarm.ts'
import type { WakeResult } from '../wake.ts'
import { Audit } from './audit.ts'
import { LogCheck, type StoredLogs, type WakeKind } from './check.ts'
import { attemptAfter, dueWakes, earlier, isFree, LEASE_MS, LOOK_MS, MAX_WAKES, RETRY_MS, settledAfter, steadyAfter, type Attempt, type Judge, type Place, type Steady, type Wake } from './decide.ts'
import { leave, type Holder, type Verdict } from './holder.ts'
import { Seats } from './seats.ts'
import { TRIP_MS, type StoreSlot } from './slot.ts'
import type { Lease, WakeStore } from './store.ts'

/** Leases of a host that shuts down end after this, where nobody can see its process end (milliseconds). */
const LEAVING_MS = 30_000

/** What the index has done since it was loaded. */
export interface WakeStats {
  /** How often the stored logs were listed. */
  readonly listings: number
  /** How many stored logs were read. */
  readonly logsRead: number
  /** How many sessions were brought back, or tried to. */
  readonly wakes: number
}

/** The world as the index sees it. */
export interface RuntimePort {
  readonly slot: StoreSlot
  readonly alarm: AlarmClock
  readonly me: Holder
  /** Whether the process of another holder still runs. */
  readonly verdict: (holder: Holder) => Verdict
  readonly now: () => Instant
  /** The live session of an id. */
  readonly live: (sessionId: string) => Session | undefined
  /** Bring a session back; never rejects. */
  readonly wake: (sessionId: string) => Promise<WakeResult>
  /** The host's persistence, when it can list and read. */
  readonly logs: () => Required<StoredLogs> | undefined
  /** Run something on nobody's behalf: an alarm may have been set by an agent's work. */
  readonly onOwnBehalf: (job: () => void) => void
  readonly warn: (text: string, cause?: unknown) => void
}

/** The running index of one host: rings for what is due in sessions that are not live, keeps leases, checks logs. */
export class WakeRuntime {
  readonly stats: { listings: number; logsRead: number; wakes: number } = { listings: 0, logsRead: 0, wakes: 0 }
  readonly #port: RuntimePort
  readonly #seats: Seats
  readonly #audit: Audit
  readonly #kinds = new Map<string, WakeKind>()
  readonly #bell = {}
  readonly #beat = {}
  readonly #unwatch: () => void
  readonly #waking = new Map<string, Promise<void>>()
  readonly #attempts = new Map<string, Attempt>()
  readonly #complaints = new Map<string, string>()
  /** Sessions of our leases that were not live at the beat before. */
  #idle: ReadonlySet<string> = new Set()
  #steady: Steady
  #settledAt: Instant
  #bellAt = Infinity
  #stopping = false
  /** Sessions that this host has taken in the store that is in place. */
  readonly #taken = new Set<string>()
  /** Whatever brings sessions back has had a minute to come. */
  #hasBeaten = false
  /** Nothing in this host brings sessions back, as far as it has been tried since the last beat. */
  #isDeaf = false

  constructor(port: RuntimePort) {
    this.#port = port
    const now = port.now()
    this.#steady = { since: now, last: now }
    this.#settledAt = settledAfter(port.slot.bornAt, now)
    this.#seats = new Seats({ ...port, judge: () => this.#judge(), isLive: (session) => port.live(session.id) === session })
    const check = new LogCheck({
      ...port,
      kinds: this.#kinds,
      place: (id, lease) => this.#place(id, lease),
      attended: (id) => this.#seats.attended(id),
      count: (what) => void (this.stats[what] += 1),
    })
    this.#audit = new Audit({ ...port, check, changed: () => this.#look() })
    this.#ringAt(now)
    this.#beatAt(now + LOOK_MS)
    this.#unwatch = port.alarm.onSetBack(() => port.onOwnBehalf(() => this.#clock()))
  }

  register(kind: string, definition: WakeKind): () => void {
    if (!/^[a-z][a-z-]*$/.test(kind)) throw new TypeError(`Not a name for a kind of delivery: ${kind}`)
    if (this.#kinds.has(kind)) throw new Error(`The wake index already delivers ${kind}.`)
    this.#kinds.set(kind, definition)
    this.#ringAt(this.#clock())
    this.#audit.soon()
    return () => void this.#kinds.delete(kind)
  }

  owes(kind: string, session: Session, dueAt: Instant | undefined): void {
    if (this.#stopping || !this.#seats.owes(kind, session, dueAt)) return
    this.#clock()
    if (dueAt !== undefined) this.#ringAt(dueAt)
  }

  isOurs(session: Session): boolean {
    if (this.#stopping) return false
    const isOurs = this.#seats.isOurs(session)
    const now = this.#clock()
    if (!isOurs) this.#ringAt(now + RETRY_MS)
    return isOurs
  }

  /** Something that brings sessions back has come, or has changed: what it refused before is tried again. */
  resolverChanged(): void {
    this.#isDeaf = false
    this.#attempts.clear()
    this.#ringAt(this.#clock())
  }

  /** Compare the index with the logs soon, in the background. */
  requestCheck(): void {
    this.#audit.soon()
  }

  async settled(): Promise<void> {
    while (this.#waking.size > 0 || this.#audit.running !== undefined) await Promise.all([...this.#waking.values(), this.#audit.running])
  }

  /**
   * Stop, wait for what is in flight, and give back the sessions that are not live. A live session is not given
   * back: the host may still write its log, and a second host that resumed it then would destroy that log. The end of
   * the process frees it.
   *
   * @param isLeaving - the whole host shuts down, not only the plugins.
   */
  async close(isLeaving: () => boolean): Promise<void> {
    const { slot, alarm, me, live, now } = this.#port
    this.#stopping = true
    this.#audit.stop()
    this.#unwatch()
    for (const key of [this.#bell, this.#beat]) alarm.clear(key)
    await this.settled()
    slot.use((store) => {
      if (isLeaving()) return store.renew(me.hostId, now() + LEAVING_MS)
      for (const [id, { fence, holder }] of store.leases()) {
        if (holder.hostId === me.hostId && live(id) === undefined) store.release(id, fence)
      }
    }, undefined)
    if (isLeaving()) leave(me)
    slot.close()
  }

  #onBeat(): void {
    const { slot, me } = this.#port
    const at = this.#clock()
    this.#hasBeaten = true
    if (!this.#refresh(at)) this.#seats.rewrite()
    slot.use((store) => store.renew(me.hostId, at + LEASE_MS), undefined)
    this.#letGo()
    this.#forget()
    this.#isDeaf = false
    this.#look()
    this.#audit.onBeat(at)
    this.#beatAt(at + LOOK_MS)
  }

  /** @returns whether another store is in place. */
  #refresh(at: Instant): boolean {
    const { slot, me } = this.#port
    if (!slot.refresh()) return false
    this.#taken.clear()
    this.#settledAt = settledAfter(slot.bornAt, at)
    this.#seats.reset()
    // What is being brought back is not live yet; no seat says so.
    for (const id of this.#waking.keys()) slot.use((store) => store.take(id, me, at + LEASE_MS, undefined), undefined)
    this.#audit.soon()
    return true
  }

  /** Attempts and complaints are about what is owed. */
  #forget(): void {
    const owing = this.#port.slot.use((store) => store.owing(), undefined)
    if (owing === undefined) return
    for (const about of [this.#attempts, this.#complaints]) for (const id of about.keys()) if (!owing.has(id)) about.delete(id)
  }

  /** Give back sessions that have not been live for two beats: by then the host has written the last of their logs. */
  #letGo(): void {
    const idle = new Set<string>()
    this.#port.slot.use((store) => {
      for (const [id, { fence, holder }] of store.leases()) {
        if (holder.hostId !== this.#port.me.hostId || this.#isHere(id)) continue
        if (this.#idle.has(id)) store.release(id, fence)
        else idle.add(id)
      }
    }, undefined)
    this.#idle = idle
  }

  #look(): void {
    const { slot } = this.#port
    const at = this.#clock()
    this.#bellAt = Infinity
    for (const session of this.#seats.regain()) this.#tellRegained(session)
    const rows = slot.use((store) => ({ due: store.due(at), next: store.nextDue(at) }), undefined)
    if (rows === undefined) return this.#ringAt(at + TRIP_MS)
    const { wakes, lookAt } = dueWakes({
      ...this.#judge(),
      bornAt: slot.bornAt,
      settledAt: this.#settledAt,
      due: rows.due,
      knows: (kind) => this.#kinds.has(kind),
      isHere: (id) => this.#isHere(id),
      attempt: (id) => this.#attempts.get(id),
      wasHere: (id) => this.#taken.has(id),
    })
    // A right that is taken in a file which has been removed, or replaced, holds against nobody.
    if (wakes.length > 0 && slot.isReplaced && this.#refresh(at)) return this.#look()
    for (const wake of wakes) this.#launch(wake)
    this.#ringAt(earlier(earlier(lookAt, rows.next), this.#seats.regainAt(at)) ?? Infinity)
  }

  #launch(wake: Wake): void {
    // The end of a wake, or the next beat, looks again.
    if (this.#isDeaf || this.#waking.size >= MAX_WAKES) return
    const { slot, me } = this.#port
    const { sessionId } = wake
    const now = this.#clock()
    const fence = slot.use((store) => claim(store, wake, me, now), undefined)
    // Another host was faster, or the store failed: without the right a session must not be touched.
    if (fence === undefined) return this.#ringAt(now + RETRY_MS)
    this.#taken.add(sessionId)
    this.stats.wakes += 1
    this.#waking.set(sessionId, this.#port.wake(sessionId).then((result) => this.#onWoken(wake, fence, result)))
  }

  #onWoken(wake: Wake, fence: number, result: WakeResult): void {
    const { sessionId, dueAt } = wake
    this.#waking.delete(sessionId)
    this.#attempts.set(sessionId, attemptAfter(this.#attempts.get(sessionId), dueAt, this.#clock()))
    if (result.kind === 'live') this.#complaints.delete(sessionId)
    else this.#onRefused(wake, fence, result.reason, result.cause)
    if (!this.#stopping) this.#look()
  }

  /** Final refusals end what is owed, with the reason; the others leave it for later (bug B58). */
  #onRefused({ sessionId, dueAt, kinds }: Wake, fence: number, reason: string, cause: unknown): void {
    const { slot, warn } = this.#port
    const isFinal = reason === 'not-found' || reason === 'busy'
    slot.use((store) => (isFinal ? store.end(sessionId, fence) : store.release(sessionId, fence)), false)
    const isDeaf = reason === 'no-resolver'
    this.#isDeaf ||= isDeaf
    // In a host that starts, it comes after the plugins.
    if (isDeaf && !this.#hasBeaten) return
    if (this.#complaints.get(sessionId) === reason) return
    this.#complaints.set(sessionId, reason)
    const outcome = isFinal ? 'will not be delivered' : isDeaf ? 'waits until the session is opened' : 'is tried again'
    warn(`session ${sessionId}: its ${kinds.join(' and ')} due ${formatInstant(dueAt)} ${outcome}: ${reason}`, cause)
  }

  #tellRegained(session: Session): void {
    for (const [kind, { regained }] of this.#kinds) {
      try {
        regained(session)
      } catch (error) {
        this.#port.warn(`session ${session.id}: ${kind} did not take over`, error)
      }
    }
  }

  /** Read the clock. Whatever was set while it was ahead would come too late, once it was set back. */
  #clock(): Instant {
    const now = this.#port.now()
    const { since, last } = this.#steady
    const isSetBack = now < last
    this.#steady = steadyAfter(this.#steady, now)
    // Other hosts have not looked meanwhile either.
    if (this.#steady.since !== since && last < this.#settledAt) this.#settledAt = settledAfter(now, now)
    if (isSetBack && !this.#stopping) {
      this.#audit.onClockSetBack()
      this.#attempts.clear()
      this.#beatAt(now + LOOK_MS)
      this.#bellAt = Infinity
      this.#ringAt(now)
    }
    return now
  }

  #judge(): Judge {
    const now = this.#clock()
    const verdicts = new Map<string, Verdict>()
    const { me, verdict: verdictOf } = this.#port
    return {
      now,
      steady: this.#steady,
      hostId: me.hostId,
      verdict({ holder }) {
        const verdict = verdicts.get(holder.hostId) ?? verdictOf(holder)
        verdicts.set(holder.hostId, verdict)
        return verdict
      },
    }
  }

  #isHere(sessionId: string): boolean {
    return this.#waking.has(sessionId) || this.#port.live(sessionId) !== undefined
  }

  #place(sessionId: string, lease: Lease | undefined): Place {
    if (this.#isHere(sessionId)) return 'here'
    return isFree(lease, this.#judge()) ? 'cold' : 'elsewhere'
  }

  /** Look at the index at an instant, unless it is looked at before. */
  #ringAt(at: Instant): void {
    if (at >= this.#bellAt || this.#stopping) return
    this.#bellAt = at
    this.#port.alarm.set(this.#bell, at, () => this.#port.onOwnBehalf(() => this.#look()))
  }

  #beatAt(at: Instant): void {
    this.#port.alarm.set(this.#beat, at, () => this.#port.onOwnBehalf(() => this.#onBeat()))
  }
}

/**
 * Take a session in order to bring it back.
 *
 * @returns the fence, or `undefined` when another host was faster.
 */
function claim(store: WakeStore, { sessionId, lease }: Wake, me: Holder, now: Instant): number | undefined {
  if (lease?.holder.hostId === me.hostId) return lease.fence
  const fence = store.take(sessionId, me, now + LEASE_MS, lease?.fence)
  // A free session may have been taken, served and given back since it was seen.
  if (fence === undefined || [...store.owed(sessionId).values()].some((dueAt) => dueAt <= now)) return fence
  store.release(sessionId, fence)
  return undefined
}
