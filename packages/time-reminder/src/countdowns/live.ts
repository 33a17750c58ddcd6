import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { claimIdle, isLive, NotDurable, wakeWith, type AlarmClock, type Checkpoints, type Follower, type WakeIndex } from 'dsh-session-host'
import type { Instant, ZoneName } from 'dsh-time-core'
import { isRefusal } from '../errors.ts'
import type { UserMessage } from '../frame.ts'
import type { Answer } from '../tools/definition.ts'
import { answerWish, type CountdownToolPort } from '../tools/time-countdown.ts'
import { COUNTDOWN_KIND, CountdownFold, type Countdowns } from './fold.ts'
import { countdownSetMessage } from './frame.ts'
import type { CountdownWish } from './input.ts'
import { countdownLimit } from './limits.ts'
import { makeCountdownOwner, type CountdownOwner, type CountdownPort } from './owner.ts'

/** What the countdowns of one host share. */
export interface CountdownParts {
  readonly ctx: Context
  readonly alarm: AlarmClock
  readonly barrier: Checkpoints
  readonly index: WakeIndex
  /** Whether the index brings closed sessions back. */
  readonly isIndexed: boolean
  readonly warn: (what: string, error: unknown) => void
}

/** What a person can ask for; people read the list elsewhere. */
export type PersonsWish = Exclude<CountdownWish, { readonly action: 'list' }>

/** Where a session is. */
interface Place {
  zone(): ZoneName
}

/**
 * The countdowns of one session that has an agent: its part of the log, and the world as tool and owner see it. Methods of
 * a class, and not functions made for each session: those would be most of what a session costs (requirement P5).
 */
export class LiveCountdowns implements Follower, CountdownPort, CountdownToolPort {
  readonly #parts: CountdownParts
  readonly #agent: Agent
  readonly #place: Place
  readonly #fold = new CountdownFold()
  #owner: CountdownOwner | undefined

  /**
   * @param parts - what the countdowns share.
   * @param agent - an agent, of whatever depth.
   * @param place - the session's zone.
   */
  constructor(parts: CountdownParts, agent: Agent, place: Place) {
    this.#parts = parts
    this.#agent = agent
    this.#place = place
  }

  get countdowns(): Countdowns {
    return this.#fold
  }

  /** Deliver from now on: the log was read. @returns who does it, and is to be disposed in the end. */
  start(): CountdownOwner {
    const owner = makeCountdownOwner(this, this.#parts.alarm)
    this.#owner = owner
    owner.poke()
    return owner
  }

  /** @param event - of the session's own part of the log. */
  apply(event: SessionEvent): void {
    const { changes } = this.#fold
    this.#fold.apply(event)
    // R18: a step is a good moment to look again, whatever it is about.
    if (this.#fold.changes !== changes || event.type === 'step/start') this.poke()
  }

  /** Look again. */
  poke(): void {
    this.#owner?.poke()
  }

  /** Put a person's change into the log without waking anybody; a refusal changes nothing (requirement T10). */
  change(wish: PersonsWish): Answer {
    const answer = answerWish(this, wish)
    if (!isRefusal(answer)) this.inject(countdownSetMessage(answer, this.zone()))
    return answer
  }

  now(): Instant {
    return Date.now()
  }

  zone(): ZoneName {
    return this.#place.zone()
  }

  limit(): string | undefined {
    return countdownLimit(this.#parts.ctx, this.#agent.session.header, this.#parts.isIndexed)
  }

  isLive(): boolean {
    return isLive(this.#parts.ctx.agents, this.#agent)
  }

  isOurs(): boolean {
    return this.#parts.index.isOurs(this.#agent.session)
  }

  isBusy(): boolean {
    return this.#agent.status === 'running'
  }

  async confirm(): Promise<boolean> {
    try {
      await this.#parts.barrier.confirm(this.#agent.session)
      return true
    } catch (error) {
      if (!(error instanceof NotDurable)) throw error
      // Without a cause there is no persistence at all, which is how this host was put together.
      if (error.cause !== undefined) this.warn('its countdowns are not confirmed as stored', error.cause)
      return false
    }
  }

  claimIdle(job: () => void): Promise<void> | 'busy' {
    return claimIdle(this.#agent, job)
  }

  whenIdle(): Promise<void> {
    return this.#agent.whenIdle()
  }

  wake(message: UserMessage): void {
    this.#agent.followup(message)
  }

  inject(message: UserMessage): void {
    this.#agent.inject(message)
  }

  wakeWith(messageId: string): void {
    wakeWith(this.#agent, messageId)
  }

  owes(dueAt: Instant | undefined): void {
    this.#parts.index.owes(COUNTDOWN_KIND, this.#agent.session, dueAt)
  }

  onOwnBehalf(job: () => Promise<void>): Promise<void> {
    return this.#parts.ctx.agents.withoutInitiator(job)
  }

  warn(what: string, error: unknown): void {
    this.#parts.warn(`session ${this.#agent.id}: ${what}`, error)
  }
}
