import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Follower } from 'dsh-session-host'
import type { Instant, ZoneName } from 'dsh-time-core'
import type { UserMessage } from '../frame.ts'
import type { CounterPort } from '../tools/time-counter.ts'
import { CounterFold, type Counter, type CounterTurn } from './fold.ts'
import { counterLine } from './frame.ts'
import type { Lineage, Seen } from './lineage.ts'
import { shareChange, type CounterNotice, type Resident } from './sharing.ts'

/** What the counters of one host share. */
export interface CounterParts {
  readonly ctx: Context
  readonly lineage: Lineage<Resident>
  /** How changes are told, as the config says now. */
  readonly notice: () => CounterNotice
  readonly warn: (what: string, error: unknown) => void
}

/** Where a session is. */
interface Place {
  zone(): ZoneName
}

/** The counters of one session that has an agent: its part of the log, and its place in the lineage. */
export class LiveCounters implements Follower, Resident, CounterPort {
  readonly #parts: CounterParts
  readonly #agent: Agent
  readonly #place: Place
  readonly #fold: CounterFold
  #isCaughtUp = false

  /**
   * @param parts - what the counters share.
   * @param agent - an agent, of whatever depth.
   * @param place - the session's zone.
   */
  constructor(parts: CounterParts, agent: Agent, place: Place) {
    this.#parts = parts
    this.#agent = agent
    this.#place = place
    this.#fold = new CounterFold((turn) => this.#tell(turn))
  }

  get id(): string {
    return this.#agent.id
  }

  get parent(): string | undefined {
    return this.#agent.session.header.parentSession
  }

  get counters(): ReadonlyMap<string, Counter> {
    return this.#fold.counters
  }

  /** Be seen, and tell others of changes, from now on: the log was read. @returns ends being seen. */
  start(): () => void {
    this.#isCaughtUp = true
    return this.#parts.lineage.add(this)
  }

  /** @param event - of the session's own part of the log. */
  apply(event: SessionEvent): void {
    this.#fold.apply(event)
  }

  /** The line of a reading, if any. */
  line(at: Instant): readonly string[] {
    const seen = this.seen()
    // Asked for with every reading, and most sessions have none.
    return this.counters.size + seen.length === 0 ? [] : counterLine(this.counters.values(), seen, at)
  }

  seen(): readonly Seen[] {
    return this.#parts.lineage.seenBy(this.id)
  }

  tell(message: UserMessage, how: Exclude<CounterNotice, 'off'>): void {
    this.#agent[how](message)
  }

  now(): Instant {
    return Date.now()
  }

  zone(): ZoneName {
    return this.#place.zone()
  }

  warn(what: string, error: unknown): void {
    this.#parts.warn(`session ${this.id}: ${what}`, error)
  }

  #tell(turn: CounterTurn): void {
    // What the log already held is no news.
    if (!this.#isCaughtUp) return
    const { ctx, lineage, notice, warn } = this.#parts
    ctx.agents.withoutInitiator(() => shareChange({ lineage, now: () => Date.now(), how: notice, warn }, this.id, turn))
  }
}
