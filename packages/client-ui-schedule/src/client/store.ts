import { deepEqual } from '../deep-equal.ts'
import { isReceiptEvent, pairedCreate, readCreate, readDispatch, scheduleReminderPresentation, type ReminderPresentation } from '../presentation.ts'
import type { CursorPush, DurableEvent, StoredCursor } from '../protocol.ts'

/** What the page knows of one session's receipts. Replaced, never changed. */
export interface SessionReceipts {
  /**
   * Grows whenever what was known is dropped: by a reconnect, another host process, or a conflict. An answer carries the
   * generation of its question, and one of an older generation is thrown away.
   */
  readonly generation: number
  /** Undefined until the host has answered: until then nothing is shown. */
  readonly cursor: StoredCursor | undefined
  /** Newest push that came before the answer: the answer may be older than it. */
  readonly early: StoredCursor | undefined
  /** Events of reminders by `seq`: dispatches, and the creates that they may belong to. */
  readonly events: ReadonlyMap<number, DurableEvent>
  /** Dispatches whose create the host was asked for, with an answer. */
  readonly searched: ReadonlySet<number>
}

/** All sessions of the page; replaced, never changed. The same reference means that nothing is new. */
export interface ReceiptState {
  readonly sessions: ReadonlyMap<string, SessionReceipts>
}

/** A dispatch that is proven stored (requirement S32). */
export interface Receipt {
  readonly event: DurableEvent
  /** Undefined when its create is not known, or the event is of no kind that this version can present. */
  readonly presentation: ReminderPresentation | undefined
  /** The create that it is paired with. */
  readonly create: DurableEvent | undefined
  /** Its create may be older than what is loaded, and the host was not heard yet. */
  readonly lacksCreate: boolean
}

/** Nothing is known yet. */
export const NOTHING: ReceiptState = { sessions: new Map() }

const EMPTY = { cursor: undefined, early: undefined, events: new Map<number, DurableEvent>(), searched: new Set<number>() }

/** The generation of a session that was never heard of. */
const FIRST = 1

/** Generation of a session; that it is heard of for the first time changes nothing. */
export function generationOf(state: ReceiptState, sessionId: string): number {
  return state.sessions.get(sessionId)?.generation ?? FIRST
}

/**
 * Take events that the window of a session holds. A `seq` that is known already must be the very same event, and then
 * adds nothing; another event under a known `seq` means that the window is of another log, so all is dropped and asked
 * for again (requirement S34).
 *
 * @param state - what is known.
 * @param sessionId - the session.
 * @param events - events of its window, in any order, any of them known already.
 */
export function see(state: ReceiptState, sessionId: string, events: readonly DurableEvent[]): ReceiptState {
  const session = state.sessions.get(sessionId) ?? { ...EMPTY, generation: FIRST }
  const isConflict = events.some((event) => !isSame(session.events.get(event.seq), event))
  if (isConflict) return put(state, sessionId, { ...EMPTY, generation: session.generation + 1, events: bySeq(events) })
  const fresh = events.filter(({ seq }) => !session.events.has(seq))
  if (fresh.length === 0) return state
  return put(state, sessionId, { ...session, events: new Map([...session.events, ...bySeq(fresh)]) })
}

/**
 * Take the creates of a dispatch, for which the host was asked.
 *
 * @param generation - of the question; an answer of another generation changes nothing.
 * @param dispatchSeq - of the dispatch; after this it is known that the host has nothing else.
 */
export function receivePage(state: ReceiptState, sessionId: string, generation: number, dispatchSeq: number, events: readonly DurableEvent[]): ReceiptState {
  if (state.sessions.get(sessionId)?.generation !== generation) return state
  const seen = see(state, sessionId, events)
  const session = seen.sessions.get(sessionId)
  return session?.generation === generation ? put(seen, sessionId, { ...session, searched: new Set([...session.searched, dispatchSeq]) }) : seen
}

/**
 * Take the host's answer to the question how much is stored.
 *
 * @param generation - of the question; an answer of another generation changes nothing.
 */
export function receiveCursor(state: ReceiptState, sessionId: string, generation: number, cursor: StoredCursor): ReceiptState {
  const session = state.sessions.get(sessionId)
  if (session?.generation !== generation) return state
  const answered = merge(state, sessionId, session, cursor)
  const early = session.early?.host === cursor.host ? session.early : undefined
  const merged = answered.sessions.get(sessionId)
  return early === undefined || merged === undefined ? answered : merge(answered, sessionId, { ...merged, early: undefined }, early)
}

/** Take a pushed cursor. Before the first answer it only waits for that: alone it does not prove what lies below it. */
export function receivePush(state: ReceiptState, { sessionId, ...cursor }: CursorPush): ReceiptState {
  const session = state.sessions.get(sessionId)
  if (session === undefined) return state
  if (session.cursor !== undefined) return merge(state, sessionId, session, cursor)
  return isNews(session.early, cursor) ? put(state, sessionId, { ...session, early: cursor }) : state
}

/** Forget what was proven and seen: the connection is a new one, and the host behind it may be as well. */
export function reconnect(state: ReceiptState): ReceiptState {
  const sessions = [...state.sessions].map(([id, { generation }]) => [id, { ...EMPTY, generation: generation + 1 }] as const)
  return { sessions: new Map(sessions) }
}

/** A receipt with what it was made of. */
interface Made {
  readonly events: ReadonlyMap<number, DurableEvent>
  readonly seedLength: number
  readonly isSearched: boolean
  readonly receipt: Receipt
}

/** The newest receipt of each event: a thousand rows ask at every change, and nearly always nothing of theirs is new. */
const MADE = new WeakMap<DurableEvent, Made>()

/**
 * The receipt of a dispatch, or undefined while it is not proven stored. The same one as before where nothing of it has
 * changed.
 *
 * @param seq - of the dispatch.
 */
export function receiptOf(session: SessionReceipts | undefined, seq: number): Receipt | undefined {
  const event = session?.events.get(seq)
  const { throughSeq = 0, seedLength = 0 } = session?.cursor ?? {}
  if (session === undefined || event === undefined || seq >= throughSeq) return undefined
  const { events, searched } = session
  const isSearched = searched.has(seq)
  const made = MADE.get(event)
  if (made?.events === events && made.seedLength === seedLength && made.isSearched === isSearched) return made.receipt
  if (!isReceiptEvent(event)) return undefined
  const fresh = makeReceipt(event, events, seedLength, isSearched)
  const isAsBefore = made !== undefined && made.receipt.create === fresh.create && made.receipt.lacksCreate === fresh.lacksCreate
  const receipt = isAsBefore ? made.receipt : fresh
  MADE.set(event, { events, seedLength, isSearched, receipt })
  return receipt
}

function makeReceipt(event: DurableEvent, events: ReadonlyMap<number, DurableEvent>, seedLength: number, isSearched: boolean): Receipt {
  const id = readDispatch(event)?.id
  const related = [event, ...(id === undefined ? [] : (createsIn(events).get(id) ?? []))]
  const presentation = scheduleReminderPresentation(related, event.seq, seedLength)
  return { event, presentation, create: pairedCreate(related, event.seq, seedLength), lacksCreate: presentation === undefined && id !== undefined && !isSearched }
}

const CREATES = new WeakMap<ReadonlyMap<number, DurableEvent>, ReadonlyMap<string, readonly DurableEvent[]>>()

/** The creates of a session by their id, in any order. */
function createsIn(events: ReadonlyMap<number, DurableEvent>): ReadonlyMap<string, readonly DurableEvent[]> {
  const known = CREATES.get(events)
  if (known !== undefined) return known
  const creates = new Map<string, DurableEvent[]>()
  for (const event of events.values()) {
    const id = readCreate(event)?.id
    if (id !== undefined) creates.set(id, [...(creates.get(id) ?? []), event])
  }
  CREATES.set(events, creates)
  return creates
}

function merge(state: ReceiptState, sessionId: string, session: SessionReceipts, cursor: StoredCursor): ReceiptState {
  const known = session.cursor
  const isOtherHost = known !== undefined && known.host !== cursor.host
  // The process behind the page is another one: what it holds may be another log, so it is asked in full.
  if (isOtherHost) return put(state, sessionId, { ...session, generation: session.generation + 1, cursor: undefined, early: undefined })
  return isNews(known, cursor) ? put(state, sessionId, { ...session, cursor }) : state
}

/** Another host process, a later lifetime of the session, or more of the same one. */
function isNews(known: StoredCursor | undefined, cursor: StoredCursor): boolean {
  if (known === undefined || known.host !== cursor.host) return true
  return cursor.lifetime === known.lifetime ? cursor.throughSeq > known.throughSeq : cursor.lifetime > known.lifetime
}

function put(state: ReceiptState, sessionId: string, session: SessionReceipts): ReceiptState {
  return { sessions: new Map(state.sessions).set(sessionId, session) }
}

function isSame(known: DurableEvent | undefined, event: DurableEvent): boolean {
  return known === undefined || deepEqual(known, event)
}

function bySeq(events: readonly DurableEvent[]): ReadonlyMap<number, DurableEvent> {
  return new Map(events.map((event) => [event.seq, event]))
}
