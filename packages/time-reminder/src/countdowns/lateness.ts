import { LATE_FROM_MS, type Instant } from 'dsh-time-core'
import type { Countdown } from './fold.ts'

/**
 * What kept a notice from being on time, as observed when it fired (requirement R16). armed-late: the countdown was
 * first seen here when it was over · rang-late: the timer went off late, because the process
 * was suspended or blocked, or its clock set forward · busy: the session was in the middle of a step · held-up: it waited
 * for the log to be stored or for another host, or its first notice was dropped unread.
 */
export type Hindrance = 'armed-late' | 'rang-late' | 'busy' | 'held-up'

/** One hindrance of a notice. */
export interface Lateness {
  readonly kind: Hindrance
  /** How late it made the notice; `undefined` for a step that still runs. */
  readonly lateMs: number | undefined
}

const ORDER: readonly Hindrance[] = ['armed-late', 'rang-late', 'busy', 'held-up']

/** What was observed so far about the countdowns of one session. It ends with the process: nothing is guessed. */
export class Observations {
  /** Countdowns that were waited for before they were over. */
  #armed: ReadonlySet<string> = new Set()
  #hindered: ReadonlyMap<string, ReadonlyMap<Hindrance, number>> = new Map()

  /**
   * Look at what is pending, and at what has fired and may come back: what is over without ever having been waited for
   * was armed too late.
   */
  look(countdowns: Iterable<Countdown>, now: Instant): void {
    const all = [...countdowns]
    const keys = new Set(all.map(keyOf))
    const ahead = all.filter(({ dueAt }) => dueAt > now).map(keyOf)
    this.#armed = new Set([...[...this.#armed].filter((key) => keys.has(key)), ...ahead])
    this.#hindered = new Map([...this.#hindered].filter(([key]) => keys.has(key)))
    const unseen = all.filter((one) => one.dueAt <= now && !this.#armed.has(keyOf(one)))
    this.#note(unseen, 'armed-late', now)
  }

  /** The timer went off: what is over now, and was waited for, is as late as that. */
  rang(pending: Iterable<Countdown>, now: Instant): void {
    this.#late(pending, 'rang-late', now)
  }

  /** A barrier has ended, during which nobody looked. */
  stored(pending: Iterable<Countdown>, now: Instant): void {
    this.#late(pending, 'held-up', now)
  }

  #late(pending: Iterable<Countdown>, kind: Hindrance, now: Instant): void {
    const over = [...pending].filter((one) => one.dueAt <= now && this.#armed.has(keyOf(one)) && !this.#hindered.has(keyOf(one)))
    this.#note(over, kind, now)
  }

  /** The session was in the middle of a step. */
  busy(due: readonly Countdown[], now: Instant): void {
    this.#note(due, 'busy', now)
  }

  /**
   * Why a countdown that fires now is late. Under two seconds nothing is said, except that a notice which waits for a
   * running step comes some time later.
   *
   * @param countdown - what fires.
   * @param now - when.
   * @param waitsForStep - the notice goes into a step that has yet to begin while another one runs.
   */
  explain(countdown: Countdown, now: Instant, waitsForStep: boolean): readonly Lateness[] {
    const seen = this.#hindered.get(keyOf(countdown)) ?? new Map<Hindrance, number>()
    const lateMs = now - countdown.dueAt
    const waits = waitsForStep ? [{ kind: 'busy', lateMs: undefined } as const] : []
    if (lateMs < LATE_FROM_MS) return waits
    const observed = ORDER.flatMap((kind) => {
      const then = seen.get(kind)
      return then === undefined ? [] : [{ kind, lateMs: kind === 'busy' ? lateMs : then }]
    })
    // That it rang or was armed a moment late explains nothing of a long wait.
    const telling = observed.filter((one) => one.lateMs >= LATE_FROM_MS)
    const late: readonly Lateness[] = telling.length > 0 ? telling : [{ kind: seen.size > 0 ? 'held-up' : 'rang-late', lateMs }]
    return [...late, ...waits]
  }

  #note(countdowns: readonly Countdown[], kind: Hindrance, now: Instant): void {
    const added = countdowns.map((one) => {
      const before = this.#hindered.get(keyOf(one))
      return [keyOf(one), new Map([[kind, now - one.dueAt], ...(before ?? [])])] as const
    })
    this.#hindered = new Map([...this.#hindered, ...added])
  }
}

function keyOf({ name, dueAt }: Countdown): string {
  return `${dueAt} ${name}`
}
