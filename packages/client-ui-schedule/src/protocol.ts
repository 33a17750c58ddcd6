/** Channel of the page's questions; below it lies the push route. */
export const CHANNEL = '/dsh-receipts'

/** Stream of texts, as a WebSocket or as server-sent events: one `StoredCursor` with its session per advance. */
export const PUSH_PATH = `${CHANNEL}/events`

/** One event of a session's log, as both halves see it. */
export interface DurableEvent {
  readonly seq: number
  readonly type: string
  /** Epoch milliseconds. */
  readonly time: number
  readonly data: unknown
}

/**
 * How much of a session's log is proven stored (requirements S32, S33). The same log can be live several times: a later
 * lifetime replaces what an earlier one has proven, and another host process replaces all of them.
 */
export interface StoredCursor {
  /** Identity of the host process. */
  readonly host: string
  /** Grows from one lifetime of a session to the next within one host process. */
  readonly lifetime: number
  /** Exclusive end of the proven prefix; 0 proves nothing. */
  readonly throughSeq: number
  /** First `seq` of the session's own work; below lies what a fork inherited. */
  readonly seedLength: number
}

/** A cursor that is pushed. */
export interface CursorPush extends StoredCursor {
  readonly sessionId: string
}

/**
 * Read a cursor from the wire.
 *
 * @param value - of whatever shape.
 * @returns undefined when it is not one: nothing is then proven.
 */
export function readCursor(value: unknown): StoredCursor | undefined {
  const { host, lifetime, throughSeq, seedLength } = membersOf(value)
  if (typeof host !== 'string' || !isCount(lifetime) || !isCount(throughSeq) || !isCount(seedLength)) return undefined
  return { host, lifetime, throughSeq, seedLength }
}

/**
 * Read a pushed cursor from its JSON text.
 *
 * @param text - of the stream.
 * @returns undefined when it is not one.
 */
export function readPush(text: string): CursorPush | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const cursor = readCursor(value)
    const { sessionId } = membersOf(value)
    return cursor === undefined || typeof sessionId !== 'string' ? undefined : { ...cursor, sessionId }
  } catch {
    return undefined
  }
}

/**
 * Read events from the wire; what is none is left out.
 *
 * @param value - of whatever shape.
 */
export function readEventList(value: unknown): readonly DurableEvent[] {
  const { events } = membersOf(value)
  return Array.isArray(events) ? events.flatMap((event) => readEvent(event) ?? []) : []
}

/**
 * Read one event, keeping exactly the members that identify it.
 *
 * @param value - of whatever shape.
 */
export function readEvent(value: unknown): DurableEvent | undefined {
  const { seq, type, time, data } = membersOf(value)
  return isCount(seq) && typeof type === 'string' && typeof time === 'number' ? { seq, type, time, data } : undefined
}

/**
 * The members of an object; none of anything else.
 *
 * @param value - of whatever shape.
 */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
