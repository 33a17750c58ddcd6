import type { Agent } from '@deepseek-ai/dsh-agent'
import { ownStart } from 'dsh-session-host'
import type { Instant, ZoneName } from 'dsh-time-core'
import { Clock, type ClockPort, type StepAhead } from './clock.ts'
import { countdownLine } from './countdowns/frame.ts'
import { openCountdowns, type CountdownParts, type LiveCountdowns } from './countdowns/live.ts'
import { openCounters, type CounterParts } from './counters/live.ts'
import type { Rhythm } from './decide.ts'
import { modeMessage, type UserMessage } from './frame.ts'
import { modeOfSource, type ModeChange } from './protocol.ts'
import { isSame, Requested } from './requested.ts'
import { modeTool } from './tools/time-mode.ts'

/** What the clocks of one host share. */
export interface SharedParts extends CountdownParts, Omit<CounterParts, 'notice'> {
  settings: ClockPort['settings']
  /** The zone of this process, for sessions that nobody's browser has named one for. */
  readonly processZone: ZoneName
  /** The open sessions by their id. */
  readonly open: Map<string, LiveClock>
}

/** What is shown of a session that is open. */
export interface Shown {
  readonly rhythm: Rhythm
  readonly zone: ZoneName
  /** A person's switch has not reached a step yet. */
  readonly isPending: boolean
}

/** The clock of a session that has an agent. */
export interface LiveClock extends Pick<LiveCountdowns, 'countdowns' | 'poke' | 'change'> {
  /** The session's zone. */
  zone(): ZoneName
  /** What to show to people. */
  shown(now: Instant): Shown
  /** The reading that a step begins with, if any. */
  reading(ahead: StepAhead, now: Instant): UserMessage | undefined
  /** Put a person's switch into the log; one that changes nothing is not written (requirement R23). */
  switchTo(change: ModeChange, now: Instant): void
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
  const { session } = agent
  const undo: (() => void)[] = []
  const close = (): void => {
    for (const take of undo.splice(0).toReversed()) take()
  }
  try {
    const clock = new Clock({ settings: () => shared.settings(), elseZone: () => parentZone(shared, agent) ?? shared.processZone }, ownStart(session))
    undo.push(shared.logs.follow(session, clock, 0))
    const zone = (): ZoneName => clock.zone()
    const port = { now: () => Date.now(), zone, rhythmAfter: (change: ModeChange) => clock.rhythm(change), warn: shared.warn }
    undo.push(agent.ctx.tools.register(modeTool(port)))
    const counters = openCounters({ ...shared, notice: () => shared.settings().counterNotice }, agent, zone)
    undo.push(counters.close)
    const countdowns = openCountdowns(shared, agent, zone)
    const more = (now: Instant): readonly string[] => [...counters.line(now), ...countdownLine(countdowns.countdowns.pending.values(), now)]
    shared.open.set(agent.id, { ...liveClock(agent, clock, more), countdowns: countdowns.countdowns, poke: countdowns.poke, change: countdowns.change })
    return async () => {
      shared.open.delete(agent.id)
      close()
      onClose()
      await countdowns.close()
    }
  } catch (error) {
    close()
    throw error
  }
}

/** What is asked of a subagent comes from an agent, not from a browser: it works where its parent works. */
function parentZone({ open }: SharedParts, { session }: Agent): ZoneName | undefined {
  const { origin, parentSession } = session.header
  return origin === 'subagent' && parentSession !== undefined ? open.get(parentSession)?.zone() : undefined
}

function liveClock(agent: Agent, clock: Clock, more: (now: Instant) => readonly string[]): Omit<LiveClock, keyof LiveCountdowns> {
  const requested = new Requested()
  return {
    zone: () => clock.zone(),
    reading: (ahead, now) => clock.reading(ahead, now, () => more(now)),
    shown(now) {
      const logged = clock.rhythm()
      const wished = requested.covering(logged, now)
      const waits = agent.inbox.nextStep.some(({ source }) => modeOfSource(source) !== undefined)
      return { rhythm: wished ?? logged, zone: clock.zone(), isPending: wished !== undefined || waits }
    },
    switchTo(change, now) {
      const after = clock.rhythm(change)
      if (isSame(after, clock.rhythm())) return
      agent.inject(modeMessage(change, after, clock.zone()))
      requested.ask(after, now)
    },
  }
}
