import type { Instant } from 'dsh-time-core'
import type { AlarmClock } from '../alarm.ts'
import type { LogCheck, StoredLogs } from './check.ts'

/** How long a check of the logs waits, so that it does not slow down a start (milliseconds). */
const DELAY_MS = 500
/**
 * Pause between two checks for each stored session (milliseconds). Listing costs about a millisecond per session
 * (measured), so it never takes more than a hundredth of a host's time; up to 600 sessions it comes with every beat.
 */
const PAUSE_MS = 100

/** What running checks at the right time needs. */
export interface AuditPort {
  readonly alarm: AlarmClock
  readonly now: () => Instant
  readonly check: LogCheck
  /** The host's persistence, when it can list and read. */
  readonly logs: () => Required<StoredLogs> | undefined
  readonly onOwnBehalf: (job: () => void) => void
  readonly warn: (text: string, cause?: unknown) => void
  /** Told when a check may have changed rows. */
  readonly changed: () => void
}

/** Says when the index is compared with the logs: soon after something new, and with the beats; one check at a time. */
export class Audit {
  readonly #port: AuditPort
  readonly #key = {}
  readonly #stop = new AbortController()
  #at = Infinity
  #notBefore = -Infinity
  #running: Promise<void> | undefined
  #cannotList = false

  constructor(port: AuditPort) {
    this.#port = port
  }

  /** Resolves with the check that runs. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** Check soon. Requests that come together are one. */
  soon(): void {
    this.#by(this.#port.now() + DELAY_MS)
  }

  /** Check now, unless the last check is too recent for the number of logs. */
  onBeat(now: Instant): void {
    if (now >= this.#notBefore) this.#by(now)
  }

  /** What was set under a clock that was ahead no longer counts. */
  onClockSetBack(): void {
    this.#notBefore = -Infinity
    this.#at = Infinity
  }

  /** Stop at once. */
  stop(): void {
    this.#stop.abort()
    this.#port.alarm.clear(this.#key)
  }

  #by(at: Instant): void {
    if (at >= this.#at || this.#stop.signal.aborted) return
    this.#at = at
    this.#port.alarm.set(this.#key, at, () => this.#port.onOwnBehalf(() => this.#onAlarm()))
  }

  #onAlarm(): void {
    this.#at = Infinity
    const logs = this.#port.logs()
    if (logs === undefined) return
    // Asked for again while one runs: what made the difference may have come too late for it.
    if (this.#running !== undefined) return this.soon()
    this.#running = this.#run(logs).finally(() => {
      this.#running = undefined
    })
  }

  async #run(logs: Required<StoredLogs>): Promise<void> {
    const { check, now, warn, changed } = this.#port
    const { signal } = this.#stop
    const started = now()
    try {
      const { listed, mayHaveChanged } = await check.run(logs, signal)
      this.#notBefore = started + listed * PAUSE_MS
      this.#cannotList = false
      if (mayHaveChanged && !signal.aborted) changed()
    } catch (error) {
      if (!this.#cannotList && !signal.aborted) warn('the session logs cannot be listed, so the wake index is not compared with them', error)
      this.#cannotList = true
    }
  }
}
