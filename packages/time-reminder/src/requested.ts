import type { Instant } from 'dsh-time-core'
import type { Rhythm } from './decide.ts'

/** How long a request covers the display while the log says something else (milliseconds; requirement R23). */
export const COVER_MS = 120_000

/**
 * What a person last asked for in the page, for the time until the log says so too. It is never folded and decides
 * nothing: only the display looks at it (requirement R23).
 */
export class Requested {
  #wish: { readonly rhythm: Rhythm; readonly until: Instant } | undefined

  /**
   * Remember a request.
   *
   * @param rhythm - what the session will run on.
   * @param now - when it was made.
   */
  ask(rhythm: Rhythm, now: Instant): void {
    this.#wish = { rhythm, until: now + COVER_MS }
  }

  /**
   * What to show instead of the log, if anything. The request is dropped as soon as the log agrees, and after two
   * minutes.
   *
   * @param logged - what the log says.
   * @param now - the moment that asks.
   */
  covering(logged: Rhythm, now: Instant): Rhythm | undefined {
    if (this.#wish !== undefined && (now >= this.#wish.until || isSame(this.#wish.rhythm, logged))) this.#wish = undefined
    return this.#wish?.rhythm
  }
}

/**
 * Whether two rhythms have the same mode and the same plan.
 *
 * @param a - one of them.
 * @param b - the other.
 */
export function isSame(a: Rhythm, b: Rhythm): boolean {
  return a.mode === b.mode && a.cron.text === b.cron.text
}
