import type { Instant } from '../../packages/time-core/src/instant.ts'

/** Longest delay that Node can hold; a longer one fires after a millisecond (milliseconds). */
export const NODE_TIMER_LIMIT_MS = 2 ** 31 - 1

interface Timer {
  readonly at: number
  readonly order: number
  readonly owner: object
  readonly callback: () => void
}

/** One machine's clocks: a monotonic one that timers go by, and a wall clock that people and sleep can move. */
export class SimClock {
  #mono = 0
  #offset: number
  #order = 0
  #leaptTo = -Infinity
  readonly #timers = new Set<Timer>()

  /** @param start - first instant of the wall clock. */
  constructor(start: Instant) {
    this.#offset = start
  }

  get wall(): Instant {
    return this.#mono + this.#offset
  }

  /** Milliseconds that the machine has been awake. */
  get mono(): number {
    return this.#mono
  }

  /** The wall clock is set, or the machine sleeps: no timer notices. */
  shift(ms: number): void {
    this.#offset += ms
    if (ms > 0) this.#leapt()
  }

  /** The process is blocked: time goes on, and timers are late. */
  block(ms: number): void {
    this.#mono += ms
    this.#leapt()
  }

  #leapt(): void {
    this.#leaptTo = Math.max(this.#leaptTo, this.wall)
  }

  /** Where the wall clock stood after a sleep, a block or a step forward; the latest of all. */
  get leaptTo(): Instant {
    return this.#leaptTo
  }

  /**
   * Start a timer as Node does.
   *
   * @param owner - the process; its crash takes its timers along.
   * @returns ends the timer.
   */
  startTimer(owner: object, delayMs: number, callback: () => void): () => void {
    const delay = delayMs > NODE_TIMER_LIMIT_MS ? 1 : Math.max(delayMs, 1)
    const timer = { at: this.#mono + delay, order: (this.#order += 1), owner, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Timers of one process that are running. */
  running(owner: object): number {
    return [...this.#timers].filter((timer) => timer.owner === owner).length
  }

  /** A process is gone. */
  drop(owner: object): void {
    for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer)
  }

  /** Fire the next timer that is due by then. @returns false when there was none: then the time is `end`. */
  fireUntil(end: number): boolean {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order))) next = timer
    }
    this.#mono = Math.max(this.#mono, next?.at ?? end)
    if (next === undefined) return false
    this.#timers.delete(next)
    next.callback()
    return true
  }
}
