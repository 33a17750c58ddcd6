import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { ownStart, registerTools, type Follower, type SessionLogs } from 'dsh-session-host'
import type { Instant, ZoneName } from 'dsh-time-core'
import { Clock, type ClockPort, type StepAhead } from './clock.ts'
import type { Settings } from './config.ts'
import type { Countdowns } from './countdowns/fold.ts'
import { countdownLine } from './countdowns/frame.ts'
import { LiveCountdowns, type CountdownParts, type PersonsWish } from './countdowns/live.ts'
import { LiveCounters, type CounterParts } from './counters/live.ts'
import type { CountdownOwner } from './countdowns/owner.ts'
import type { Rhythm } from './decide.ts'
import { modeMessage, type UserMessage } from './frame.ts'
import { modeOfSource, type ModeChange } from './protocol.ts'
import { isSame, Requested } from './requested.ts'
import type { Answer, PortOf } from './tools/definition.ts'
import { countdownTool } from './tools/time-countdown.ts'
import { counterTool } from './tools/time-counter.ts'
import { modeTool, type ModePort } from './tools/time-mode.ts'

/** What the clocks of one host share. */
export interface SharedParts extends CountdownParts, CounterParts {
  readonly settings: () => Settings
  readonly logs: SessionLogs
  /** The zone of this process, for sessions that nobody's browser has named one for. */
  readonly processZone: ZoneName
  /** The open sessions by their id. */
  readonly open: Map<string, LiveSession>
  /** Made once for all sessions. */
  readonly tools: readonly ToolDefinition[]
}

/** What is shown of a session that is open. */
export interface Shown {
  readonly rhythm: Rhythm
  readonly zone: ZoneName
  /** A person's switch has not reached a step yet. */
  readonly isPending: boolean
}

/** What people do with the clock of a session that has an agent. */
export interface LiveClock {
  readonly countdowns: Countdowns
  /** The session's zone. */
  zone(): ZoneName
  /** What to show to people. */
  shown(now: Instant): Shown
  /** Put a person's switch into the log; one that changes nothing is not written (requirement R23). */
  switchTo(change: ModeChange, now: Instant): void
  /** Put a person's change of a countdown into the log (requirement T10). */
  change(wish: PersonsWish): Answer
}

/**
 * The three tools, made once for all sessions of a host.
 *
 * @param open - the open sessions by their id.
 */
export function timeTools(open: ReadonlyMap<string, LiveSession>): readonly ToolDefinition[] {
  const sessionOf: PortOf<LiveSession> = (agent) => open.get(agent?.id ?? '')
  return [modeTool(sessionOf), counterTool((agent) => sessionOf(agent)?.counters), countdownTool((agent) => sessionOf(agent)?.live)]
}

/**
 * Give one agent its clock, its counters and its countdowns, with their tools. Everything lives in the agent's own scope
 * (requirements R1, R2).
 *
 * @param shared - what the sessions share.
 * @param agent - an agent, of whatever depth.
 * @param onClose - told once when everything was taken back.
 * @returns takes everything back, and settles when nothing of it runs any more.
 */
export function openSession(shared: SharedParts, agent: Agent, onClose: () => void): () => Promise<void> {
  const session = new LiveSession(shared, agent)
  return () => {
    const closing = session.close()
    onClose()
    return closing
  }
}

/** The clock, the counters and the countdowns of one session that has an agent. */
export class LiveSession implements LiveClock, ClockPort, ModePort, Follower {
  readonly counters: LiveCounters
  readonly live: LiveCountdowns
  readonly #shared: SharedParts
  readonly #agent: Agent
  readonly #ownStart: number
  readonly #clock: Clock
  readonly #requested = new Requested()
  readonly #undo: readonly (() => void)[]
  readonly #leave: () => void
  readonly #owner: CountdownOwner

  /**
   * @param shared - what the sessions share.
   * @param agent - an agent, of whatever depth.
   */
  constructor(shared: SharedParts, agent: Agent) {
    this.#shared = shared
    this.#agent = agent
    this.#ownStart = ownStart(agent.session)
    this.#clock = new Clock(this, this.#ownStart)
    this.counters = new LiveCounters(shared, agent, this)
    this.live = new LiveCountdowns(shared, agent, this)
    this.#undo = [...registerTools(agent, shared.tools), shared.logs.follow(agent.session, this, 0)]
    this.#leave = this.counters.start()
    this.#owner = this.live.start()
    shared.open.set(agent.id, this)
  }

  /** Take everything back; settles when nothing of it runs any more. */
  close(): Promise<void> {
    this.#shared.open.delete(this.#agent.id)
    for (const take of this.#undo) take()
    this.#leave()
    return this.#owner.dispose()
  }

  /** A fork's clock goes on; counters and countdowns are a session's own. */
  apply(event: SessionEvent): void {
    this.#clock.apply(event)
    if (event.seq < this.#ownStart) return
    this.counters.apply(event)
    this.live.apply(event)
  }

  get countdowns(): Countdowns {
    return this.live.countdowns
  }

  now(): Instant {
    return Date.now()
  }

  zone(): ZoneName {
    return this.#clock.zone()
  }

  settings(): Settings {
    return this.#shared.settings()
  }

  /** What is asked of a subagent comes from an agent, not from a browser: it works where its parent works. */
  elseZone(): ZoneName {
    const { origin, parentSession } = this.#agent.session.header
    const parent = origin === 'subagent' && parentSession !== undefined ? this.#shared.open.get(parentSession) : undefined
    return parent?.zone() ?? this.#shared.processZone
  }

  /** The reading that a step begins with, if any. */
  reading(ahead: StepAhead, now: Instant): UserMessage | undefined {
    const { pending } = this.countdowns
    return this.#clock.reading(ahead, now, () => [...this.counters.line(now), ...(pending.size === 0 ? [] : countdownLine(pending.values(), now))])
  }

  rhythmAfter(change: ModeChange): Rhythm {
    return this.#clock.rhythm(change)
  }

  shown(now: Instant): Shown {
    const logged = this.#clock.rhythm()
    const wished = this.#requested.covering(logged, now)
    const waits = this.#agent.inbox.nextStep.some(({ source }) => modeOfSource(source) !== undefined)
    return { rhythm: wished ?? logged, zone: this.zone(), isPending: wished !== undefined || waits }
  }

  switchTo(change: ModeChange, now: Instant): void {
    const after = this.#clock.rhythm(change)
    if (isSame(after, this.#clock.rhythm())) return
    this.#agent.inject(modeMessage(change, after, this.zone()))
    this.#requested.ask(after, now)
  }

  change(wish: PersonsWish): Answer {
    return this.live.change(wish)
  }

  /** Look after the countdowns again. */
  poke(): void {
    this.live.poke()
  }

  warn(what: string, error: unknown): void {
    this.#shared.warn(`session ${this.#agent.id}: ${what}`, error)
  }
}
