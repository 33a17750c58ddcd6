import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { ZoneFold, type Follower } from 'dsh-session-host'
import type { Instant, ZoneName } from 'dsh-time-core'
import { Almanac } from './almanac.ts'
import type { Settings } from './config.ts'
import { decide, type Rhythm } from './decide.ts'
import { ClockFold, type ClockState } from './fold.ts'
import { readingMessage, type Baseline, type UserMessage } from './frame.ts'
import type { ModeChange } from './protocol.ts'

/** What a clock asks of the world around its log. */
export interface ClockPort {
  /** The config as it is now. */
  settings(): Settings
  /** The zone where neither the config nor the log has one. */
  elseZone(): ZoneName
}

/** A step that is about to begin. */
export interface StepAhead {
  readonly turn: number
  readonly step: number
  /** Sources of the messages that enter with it. */
  readonly sources: readonly unknown[]
}

/** The clock of one session, live or stored: a fold of its log, from `seq` 0 on, read under the current config. */
export class Clock implements Follower {
  readonly #port: ClockPort
  readonly #fold: ClockFold
  readonly #zones = new ZoneFold()
  readonly #almanac = new Almanac()

  /**
   * @param port - config and fallback.
   * @param ownStart - first `seq` that is the session's own.
   */
  constructor(port: ClockPort, ownStart: number) {
    this.#port = port
    this.#fold = new ClockFold(ownStart)
  }

  apply(event: SessionEvent): void {
    this.#fold.apply(event)
    this.#zones.apply(event)
  }

  /**
   * What the session runs on.
   *
   * @param change - as if this had been switched already.
   */
  rhythm(change?: ModeChange): Rhythm {
    const { defaultMode, cron, gapMs, fineIntervalMs } = this.#port.settings()
    return { mode: change?.mode ?? this.#fold.mode ?? defaultMode, cron: change?.cron ?? this.#fold.cron ?? cron, gapMs, fineIntervalMs }
  }

  /** The session's zone (requirement R27). */
  zone(): ZoneName {
    return this.#zone(this.#zones.session)
  }

  /**
   * The reading that a step begins with, if it is time for one (requirement R1).
   *
   * @param ahead - the step.
   * @param now - the moment.
   * @param more - what it tells beside the time (requirement R3); asked only when there is one.
   */
  reading(ahead: StepAhead, now: Instant, more: () => readonly string[]): UserMessage | undefined {
    // R6: a step with nothing in it does not take place, and a reading alone must not make it.
    if (ahead.sources.length === 0 && !(ahead.step > 1 && this.#fold.isMidTurn)) return undefined
    const { session, request } = this.#zones.preview(ahead.sources)
    const zone = this.#zone(session)
    const elsewhere = request.kind === 'one' && !this.#almanac.isSameZone(request.zone, zone) ? request.zone : undefined
    const rhythm = this.rhythm()
    const why = decide(this.#fold, rhythm, { now, step: ahead.step, isAttended: ahead.sources.some(isPerson), zone, elsewhere }, this.#almanac)
    if (why === undefined) return undefined
    const { readings, messages } = this.#fold
    const form = this.#port.settings().reading
    return readingMessage({ form, why, now, zone, request, turn: ahead.turn, step: ahead.step, rhythm, previous: baseline(readings, now), message: baseline(messages, now), more: more() })
  }

  #zone(session: ZoneName | undefined): ZoneName {
    return this.#port.settings().timeZone ?? session ?? this.#port.elseZone()
  }
}

function isPerson(source: unknown): boolean {
  return (source as { kind?: unknown }).kind === 'user'
}

function baseline(stamps: ClockState['readings'], now: Instant): Baseline {
  return stamps.any ? (stamps.before(now) ?? 'unknown') : 'none'
}
