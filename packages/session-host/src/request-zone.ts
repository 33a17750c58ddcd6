import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { parseZone, sameZone, type ZoneName } from 'dsh-time-core'
import type { Follower } from './log.ts'
import { isSourceOf } from './notice.ts'

/** In which zone the people behind a turn's messages are (requirement S18). */
export type RequestZone =
  | { readonly kind: 'one'; readonly zone: ZoneName }
  /** Sorted by name. */
  | { readonly kind: 'mixed'; readonly zones: readonly ZoneName[] }
  | { readonly kind: 'unavailable' }

/** What a session's log says about time zones. */
export interface ZoneFacts {
  /** The zone of the session's first request; `undefined` for ever when that one came without (requirement S16). */
  readonly session: ZoneName | undefined
  /** Of the open turn; `unavailable` between turns. */
  readonly request: RequestZone
  /** Whether the model has been told the time in the open turn, by us or by the host (requirements S19, S20). */
  readonly isMarked: boolean
}

/** Source kind of our own clock, and of the host's. */
const OUR_CLOCK = 'dsh-time-reminder'
const HOST_CLOCK = 'time-context'

/** Marks that a message of our clock carries when it tells something else than the time (requirement R7). */
const OTHER_MARKS = ['mode', 'countdown', 'countdownSet']

/**
 * Whether a message of our own clock is a reading, which sets the rhythm of the next ones: a notice that is neither a
 * change of the mode, nor a countdown that fired or that a person set. Relays are no notices (requirement R7).
 *
 * @param source - a message's source, of whatever shape.
 */
export function isReading(source: unknown): boolean {
  if (!isSourceOf(source, OUR_CLOCK)) return false
  const marks = source as Readonly<Record<string, unknown>>
  return marks['form'] === 'notice' && OTHER_MARKS.every((mark) => marks[mark] === undefined)
}

/** The requests of a session so far; replaced, never changed. */
interface Requests {
  readonly session: ZoneName | undefined
  readonly hasBegun: boolean
  /** Of the open turn, each zone once. */
  readonly zones: readonly ZoneName[]
  /** Every message of the open turn named its zone. */
  readonly isComplete: boolean
}

/**
 * The zones of one session. Follow it from `seq` 0: a fork inherits its session zone with the prefix, and a zone is
 * never filled in later.
 */
export class ZoneFold implements Follower, ZoneFacts {
  isMarked = false
  #requests: Requests = { session: undefined, hasBegun: false, zones: [], isComplete: true }

  get session(): ZoneName | undefined {
    return this.#requests.session
  }

  get request(): RequestZone {
    return requestZone(this.#requests)
  }

  /**
   * What the facts will be once a batch of messages has entered the open turn: a step is prepared before its messages
   * are in the log.
   *
   * @param sources - of the messages that are about to enter, in order.
   */
  preview(sources: readonly unknown[]): Pick<ZoneFacts, 'session' | 'request'> {
    const requests = sources.reduce(enter, this.#requests)
    return { session: requests.session, request: requestZone(requests) }
  }

  apply(event: SessionEvent): void {
    if (event.type === 'turn/start' || event.type === 'turn/end') this.#closeTurn()
    if (event.type !== 'user/message') return
    const { source } = event.data
    if (isReading(source) || isSourceOf(source, HOST_CLOCK)) this.isMarked = true
    this.#requests = enter(this.#requests, source)
  }

  #closeTurn(): void {
    this.isMarked = false
    this.#requests = { ...this.#requests, zones: [], isComplete: true }
  }
}

function enter(requests: Requests, source: unknown): Requests {
  const { kind, clientTimeZone } = (source ?? {}) as { kind?: unknown; clientTimeZone?: unknown }
  if (kind !== 'user') return requests
  const zone = parseZone(clientTimeZone)
  const isKnown = zone === undefined || requests.zones.some((known) => sameZone(known, zone))
  return {
    session: requests.hasBegun ? requests.session : zone,
    hasBegun: true,
    zones: isKnown ? requests.zones : [...requests.zones, zone],
    isComplete: requests.isComplete && zone !== undefined,
  }
}

function requestZone({ zones, isComplete }: Requests): RequestZone {
  const [zone] = zones
  if (zone === undefined || !isComplete) return { kind: 'unavailable' }
  return zones.length === 1 ? { kind: 'one', zone } : { kind: 'mixed', zones: zones.toSorted() }
}
