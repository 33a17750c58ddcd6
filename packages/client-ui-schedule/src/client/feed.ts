import { readCursor, readEventList, readPush, type DurableEvent } from '../protocol.ts'
import { NOTHING, receiptOf, receiveCursor, receivePage, receivePush, reconnect, see, type ReceiptState, type SessionReceipts } from './store.ts'

/** The host as the feed reaches it. */
export interface FeedPort {
  /** Ask the host. @throws when it cannot be reached or refuses. */
  ask(endpoint: 'cursor' | 'creates', payload: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** What rows read, and how they tell what they show. The page takes the members apart, so none of them needs `this`. */
export interface Feed {
  readonly getSnapshot: () => ReceiptState
  readonly subscribe: (listener: () => void) => () => void
  /** A row shows these events of a session. Asks the host for what is missing. */
  readonly see: (sessionId: string, events: readonly DurableEvent[]) => void
  /** Data of a server-sent event. */
  readonly push: (text: string) => void
  /** The stream of pushes was opened, perhaps again: some may have been missed. */
  readonly reopened: () => void
  /** The connection to the host was made, perhaps again. */
  readonly reconnected: () => void
}

/**
 * Connect the store with the host. Every session that has a receipt in the page is asked for once per generation, every
 * dispatch without its create as well; nothing is polled.
 *
 * @param port - the host.
 */
export function makeFeed(port: FeedPort): Feed {
  return new ReceiptFeed(port)
}

class ReceiptFeed implements Feed {
  readonly #port: FeedPort
  #state = NOTHING
  readonly #listeners = new Set<() => void>()
  /** Questions that were asked, with their generation. */
  readonly #asked = new Set<string>()
  readonly #seen = new Map<string, DurableEvent[]>()
  #openings = 0

  constructor(port: FeedPort) {
    this.#port = port
  }

  readonly getSnapshot = (): ReceiptState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly see = (sessionId: string, events: readonly DurableEvent[]): void => {
    // Hundreds of rows appear at once: they are one step.
    if (this.#seen.size === 0) queueMicrotask(() => this.#takeSeen())
    const seen = this.#seen.get(sessionId)
    if (seen === undefined) this.#seen.set(sessionId, [...events])
    else seen.push(...events)
  }

  readonly push = (text: string): void => {
    const push = readPush(text)
    if (push !== undefined) this.#update(receivePush(this.#state, push))
  }

  readonly reopened = (): void => {
    this.#openings += 1
    if (this.#openings === 1) return
    for (const [sessionId, { generation }] of this.#state.sessions) this.#askCursor(sessionId, generation, `opening ${this.#openings}`)
  }

  readonly reconnected = (): void => {
    this.#asked.clear()
    this.#update(reconnect(this.#state))
  }

  #takeSeen(): void {
    const windows = [...this.#seen]
    this.#seen.clear()
    this.#update(windows.reduce((known, [sessionId, events]) => see(known, sessionId, events), this.#state))
  }

  #update(next: ReceiptState): void {
    if (next === this.#state) return
    this.#state = next
    for (const listener of this.#listeners) listener()
    for (const [sessionId, session] of next.sessions) if (session.events.size > 0) this.#askMissing(sessionId, session)
  }

  #askMissing(sessionId: string, session: SessionReceipts): void {
    if (session.cursor === undefined) return this.#askCursor(sessionId, session.generation, 'first')
    for (const seq of session.events.keys()) if (receiptOf(session, seq)?.lacksCreate === true) this.#askCreates(sessionId, session.generation, seq)
  }

  #askCursor(sessionId: string, generation: number, why: string): void {
    this.#once(`cursor ${sessionId} ${generation} ${why}`, async () => {
      const cursor = readCursor(await this.#port.ask('cursor', { sessionId }))
      return (known) => (cursor === undefined ? known : receiveCursor(known, sessionId, generation, cursor))
    })
  }

  #askCreates(sessionId: string, generation: number, dispatchSeq: number): void {
    this.#once(`creates ${sessionId} ${generation} ${dispatchSeq}`, async () => {
      const events = readEventList(await this.#port.ask('creates', { sessionId, dispatchSeq }))
      return (known) => receivePage(known, sessionId, generation, dispatchSeq, events)
    })
  }

  /** The answer is applied to what is known when it arrives, not to what was known when it was asked for. */
  #once(question: string, job: () => Promise<(known: ReceiptState) => ReceiptState>): void {
    if (this.#asked.has(question)) return
    this.#asked.add(question)
    // What is not answered is not shown; a new connection asks again.
    void job().then((apply) => this.#update(apply(this.#state)), () => undefined)
  }
}
