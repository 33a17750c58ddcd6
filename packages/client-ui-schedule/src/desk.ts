import type { Session, SessionHeader } from '@deepseek-ai/dsh-session'
import { provenPrefix } from './prefix.ts'
import { readCreate, readDispatch } from './presentation.ts'
import { readEvent, type CursorPush, type DurableEvent, type StoredCursor } from './protocol.ts'

/** A log as storage or the host tells it. */
export interface ToldLog {
  readonly meta: SessionHeader
  readonly events: readonly unknown[]
}

/** The host as the desk sees it. */
export interface DeskPort {
  /** Identity of the host process. */
  readonly host: string
  /** The exact live session of an id. */
  live(sessionId: string): Session | undefined
  /** The log of a live session; copies it. */
  events(session: Session): readonly unknown[]
  /** First `seq` of a session's own work. */
  ownStart(header: SessionHeader): number
  /** Read what is physically stored. @throws when nothing is stored or it cannot be read. */
  readStored(sessionId: string): Promise<ToldLog>
  /** The log of a session that is not live, as its history shows it. @throws as above. */
  inspectCold(sessionId: string): Promise<ToldLog>
  /** Exclusive end that acknowledged checkpoints have proven for this exact session. */
  storedThrough(session: Session): number
  /** Wait until everything appended so far is stored. @throws when that is not acknowledged. */
  confirm(session: Session): Promise<unknown>
  /** Run a job after whatever is running now: no barrier may be asked for inside a callback of the host. */
  defer(job: () => Promise<unknown>): void
  /** Give way to other work. */
  pause(): Promise<void>
  push(push: CursorPush): void
}

/** Knows what is proven stored, per exact live session, and tells the page (requirements S32, S33). */
export interface Desk {
  /** What is proven of a session; each call reads storage once. */
  cursor(sessionId: string): Promise<StoredCursor>
  /** The create events that belong to a dispatch, for a page that has not loaded them. */
  creates(sessionId: string, dispatchSeq: number): Promise<readonly DurableEvent[]>
  /** A session has entered the store. */
  created(session: Session): void
  /** A session's log has grown. */
  appended(session: Session, event: DurableEvent): void
  /** Checkpoints have proven more of a session. */
  advanced(session: Session): void
}

/**
 * `unproven` may still become proven, when storage appears or can be read again. `refused` is final for this lifetime:
 * an append-only log that is not the stored one never becomes it.
 */
type Verdict = 'unproven' | 'proven' | 'refused'

interface Watched {
  readonly lifetime: number
  verdict: Verdict
  compared: number
  /** Newest event that the page may be waiting for. */
  awaited: number
}

/** How often a question is asked again when the session came or went meanwhile. */
const ATTEMPTS = 3

/**
 * Make the desk of one host.
 *
 * @param port - the host.
 */
export function makeDesk(port: DeskPort): Desk {
  return new ReceiptDesk(port)
}

class ReceiptDesk implements Desk {
  readonly #port: DeskPort
  /** By exact session: one that takes over an id starts at nothing. */
  readonly #sessions = new WeakMap<Session, Watched>()
  /** Ids that a page has asked for, in whatever lifetime; nobody is told anything of others. */
  readonly #asked = new Set<string>()
  #lifetimes = 0

  constructor(port: DeskPort) {
    this.#port = port
  }

  cursor(sessionId: string): Promise<StoredCursor> {
    this.#asked.add(sessionId)
    return this.#answer(sessionId, ATTEMPTS)
  }

  async #answer(sessionId: string, attempts: number): Promise<StoredCursor> {
    const session = this.#port.live(sessionId)
    const cursor = session === undefined ? await this.#cold(sessionId) : await this.#attached(session)
    const isStill = this.#port.live(sessionId) === session
    return isStill || attempts === 1 ? cursor : this.#answer(sessionId, attempts - 1)
  }

  async creates(sessionId: string, dispatchSeq: number): Promise<readonly DurableEvent[]> {
    const session = this.#port.live(sessionId)
    try {
      return createsOf(session === undefined ? (await this.#port.inspectCold(sessionId)).events : this.#port.events(session), dispatchSeq)
    } catch {
      return []
    }
  }

  created(session: Session): void {
    this.#watched(session)
    // A resumed log or the prefix of a fork: nothing else would ever confirm what was there before.
    if (session.seq > 0) this.#port.defer(() => this.#port.confirm(session))
  }

  appended(session: Session, event: DurableEvent): void {
    if (!this.#asked.has(session.id)) return
    const entry = this.#watched(session)
    if (readDispatch(event) !== undefined) entry.awaited = event.seq
    // The host's own barriers are not announced: a dispatch whose barrier failed is confirmed when a turn ends.
    if (event.type === 'turn/end' && entry.awaited >= this.#through(session)) this.#port.defer(() => this.#port.confirm(session))
  }

  advanced(session: Session): void {
    if (!this.#asked.has(session.id)) return
    const { verdict } = this.#watched(session)
    if (verdict === 'proven') this.#tell(session)
    // The session has come to life, or its storage has appeared, since the page asked.
    if (verdict === 'unproven') this.#port.defer(() => this.#compare(session).then(() => this.#tell(session)))
  }

  #watched(session: Session): Watched {
    const known = this.#sessions.get(session)
    if (known !== undefined) return known
    this.#lifetimes += 1
    const fresh: Watched = { lifetime: this.#lifetimes, verdict: 'unproven', compared: 0, awaited: -1 }
    this.#sessions.set(session, fresh)
    return fresh
  }

  async #attached(session: Session): Promise<StoredCursor> {
    const entry = this.#watched(session)
    // A page asks because it has a dispatch, which may be the newest event.
    entry.awaited = session.seq - 1
    if (entry.verdict !== 'refused') await this.#compare(session)
    return this.#cursorOf(session)
  }

  /** Detached history is itself the stored prefix. */
  async #cold(sessionId: string): Promise<StoredCursor> {
    this.#lifetimes += 1
    const nothing = { host: this.#port.host, lifetime: this.#lifetimes, throughSeq: 0, seedLength: 0 }
    try {
      const { meta, events } = await this.#port.inspectCold(sessionId)
      return { ...nothing, throughSeq: events.length, seedLength: this.#port.ownStart(meta) }
    } catch {
      return nothing
    }
  }

  async #compare(session: Session): Promise<void> {
    const entry = this.#watched(session)
    const acknowledged = this.#port.storedThrough(session)
    try {
      const stored = await this.#port.readStored(session.id)
      const through = await provenPrefix({ header: session.header, events: this.#port.events(session) }, { header: stored.meta, events: stored.events }, () => this.#port.pause())
      const isWhole = through !== undefined && through >= acknowledged
      entry.verdict = isWhole ? 'proven' : 'refused'
      entry.compared = isWhole ? Math.max(entry.compared, through) : 0
    } catch {
      // Nothing stored yet, or not readable now: only the receipts are missing, and the next question looks again.
      entry.verdict = 'unproven'
    }
  }

  #through(session: Session): number {
    const { verdict, compared } = this.#watched(session)
    return verdict === 'proven' ? Math.max(compared, this.#port.storedThrough(session)) : 0
  }

  #cursorOf(session: Session): StoredCursor {
    const { lifetime } = this.#watched(session)
    return { host: this.#port.host, lifetime, throughSeq: this.#through(session), seedLength: this.#port.ownStart(session.header) }
  }

  #tell(session: Session): void {
    this.#port.push({ ...this.#cursorOf(session), sessionId: session.id })
  }
}

/** From the newest to the oldest, as far as the nearest create with the dispatch's id. */
function createsOf(events: readonly unknown[], dispatchSeq: number): readonly DurableEvent[] {
  const id = readDispatch(readEvent(events[dispatchSeq]))?.id
  if (id === undefined) return []
  for (let seq = dispatchSeq - 1; seq >= 0; seq -= 1) {
    const event = readEvent(events[seq])
    if (event !== undefined && readCreate(event)?.id === id) return [event]
  }
  return []
}
