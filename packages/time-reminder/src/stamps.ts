import type { Instant } from 'dsh-time-core'

/**
 * The times of a kind of event, as far as a later moment can ask for them. Logs are not always in the order of their
 * times: a clock is set back, a prefix is inherited. So the newest time counts, not that of the last line, except that a
 * time which has not come yet proves nothing.
 */
export class Stamps {
  #newest: Instant | undefined
  #last: Instant | undefined

  /**
   * Take the next event's time.
   *
   * @param time - as the host recorded it.
   */
  add(time: Instant): void {
    this.#newest = Math.max(time, this.#newest ?? time)
    this.#last = time
  }

  /** Whether there was any such event. */
  get any(): boolean {
    return this.#last !== undefined
  }

  /**
   * The newest time that has come: of all events, else of the last one alone, which is right again as soon as one event
   * was recorded after the clock was set back.
   *
   * @param now - the moment that asks.
   * @returns `undefined` when there was no event, or when all that is known lies in the future.
   */
  before(now: Instant): Instant | undefined {
    return [this.#newest, this.#last].find((time) => time !== undefined && time <= now)
  }
}
