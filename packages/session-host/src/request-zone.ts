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

/** Source kinds of messages that tell the model the time. */
const CLOCKS = ['dsh-time-reminder', 'time-context']

/**
 * The zones of one session. Follow it from `seq` 0: a fork inherits its session zone with the prefix, and a zone is
 * never filled in later.
 */
export class ZoneFold implements Follower, ZoneFacts {
  session: ZoneName | undefined
  isMarked = false
  #hasRequest = false
  #zones: ZoneName[] = []
  #isComplete = true

  get request(): RequestZone {
    const [zone] = this.#zones
    if (zone === undefined || !this.#isComplete) return { kind: 'unavailable' }
    return this.#zones.length === 1 ? { kind: 'one', zone } : { kind: 'mixed', zones: this.#zones.toSorted() }
  }

  apply(event: SessionEvent): void {
    if (event.type === 'turn/start' || event.type === 'turn/end') this.#closeTurn()
    if (event.type !== 'user/message') return
    const { source } = event.data
    if (CLOCKS.some((kind) => isSourceOf(source, kind))) this.isMarked = true
    if (source.kind === 'user') this.#request(parseZone((source as { clientTimeZone?: unknown }).clientTimeZone))
  }

  #closeTurn(): void {
    this.isMarked = false
    this.#zones = []
    this.#isComplete = true
  }

  #request(zone: ZoneName | undefined): void {
    if (!this.#hasRequest) this.session = zone
    this.#hasRequest = true
    if (zone === undefined) this.#isComplete = false
    else if (!this.#zones.some((known) => sameZone(known, zone))) this.#zones.push(zone)
  }
}
