import type { UserMessage } from '@deepseek-ai/dsh-session'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { claimIdle, isIdle, isLive, wakeWith, type NotDurable } from 'dsh-session-host'
import type { Instant } from 'dsh-time-core'
import type { Ledger } from './ledger.ts'
import { nextWake, REMINDER_KIND } from './owed.ts'
import type { OwnerPort } from './owner.ts'
import type { ScheduleChange } from './protocol.ts'
import type { SharedParts } from './session.ts'
import type { ToolPort } from './tools/definition.ts'

/**
 * One session of the host as tools, people and the owner see it alike. Methods of a class, and not functions made for
 * each session: those would be most of what a session costs (requirement P5).
 */
export class SessionPort implements Omit<ToolPort, 'zones' | 'policy' | 'poke'> {
  readonly ledger: Ledger
  protected readonly shared: SharedParts
  protected readonly agent: Agent
  /** What the index was told last. */
  readonly #told: { owed: Instant | undefined }

  /**
   * @param shared - what the sessions share.
   * @param agent - of the session.
   * @param ledger - its fold.
   * @param told - what the index was told last; one object for all who look at the session.
   */
  constructor(shared: SharedParts, agent: Agent, ledger: Ledger, told: { owed: Instant | undefined }) {
    this.shared = shared
    this.agent = agent
    this.ledger = ledger
    this.#told = told
  }

  /** Whether the index holds something else than the log says. */
  isOwedStale(): boolean {
    return nextWake(this.ledger, this.shared.config) !== this.#told.owed
  }

  now(): Instant {
    return Date.now()
  }

  transact<T>(job: () => Promise<T>): Promise<T> {
    return this.shared.fifo.run(this.agent, job)
  }

  /** `schedule/change` is declared to the host by its own schedule plugin only, so its type is not known here. */
  append(change: ScheduleChange): void {
    const log = this.agent.session as unknown as { append(type: string, data: ScheduleChange): unknown }
    log.append('schedule/change', change)
  }

  note(message: UserMessage): void {
    this.agent.inject(message)
  }

  async confirm(): Promise<boolean> {
    const owed = nextWake(this.ledger, this.shared.config)
    try {
      await this.shared.checkpoints.confirm(this.agent.session)
    } catch (error) {
      this.warn('the session log is not confirmed as stored', (error as NotDurable).cause)
      return false
    }
    // Only what is stored may be said to be owed no longer: after a crash the index counts until the log changes.
    this.#told.owed = owed
    this.shared.index.owes(REMINDER_KIND, this.agent.session, owed)
    return true
  }

  warn(what: string, error?: unknown): void {
    this.shared.ctx.logger('tool-schedule').error(`session ${this.agent.id}: ${what}`, error)
  }
}

/** The session as its owner sees it. */
export class OwnerSide extends SessionPort implements OwnerPort {
  get hostStartedAt(): Instant {
    return performance.timeOrigin
  }

  isLive(): boolean {
    return isLive(this.shared.ctx.agents, this.agent)
  }

  isOurs(): boolean {
    return this.shared.index.isOurs(this.agent.session)
  }

  isIdle(): boolean {
    return isIdle(this.agent)
  }

  /** Without `withoutInitiator`, the turn that a reminder starts would be attributed to whoever happened to run the timer. */
  claimIdle<T>(job: () => T): Promise<T> | 'busy' {
    return this.shared.ctx.agents.withoutInitiator(() => claimIdle(this.agent, job))
  }

  whenIdle(): Promise<void> {
    return this.agent.whenIdle()
  }

  say(message: UserMessage): void {
    this.agent.followup(message)
  }

  wakeWith(messageId: string): void {
    wakeWith(this.agent, messageId)
  }
}
