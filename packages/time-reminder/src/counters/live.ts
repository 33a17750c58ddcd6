import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { ownStart, type SessionLogs } from 'dsh-session-host'
import type { Instant, ZoneName } from 'dsh-time-core'
import { counterTool } from '../tools/time-counter.ts'
import { CounterFold, type CounterTurn } from './fold.ts'
import { counterLine } from './frame.ts'
import type { Lineage, Seen } from './lineage.ts'
import { shareChange, type CounterNotice, type Resident } from './sharing.ts'

/** What the counters of one host share. */
export interface CounterParts {
  readonly ctx: Context
  readonly logs: SessionLogs
  readonly lineage: Lineage<Resident>
  /** How changes are told, as the config says now. */
  readonly notice: () => CounterNotice
  readonly warn: (what: string, error: unknown) => void
}

/** The counters of a session that has an agent. */
export interface LiveCounters {
  /** The line of a reading, if any. */
  readonly line: (now: Instant) => readonly string[]
  /** Take everything back. */
  readonly close: () => void
}

/**
 * Give one agent its counters: the fold, the tool, and its place in the lineage.
 *
 * @param parts - what the counters share.
 * @param agent - an agent, of whatever depth.
 * @param zone - the session's zone.
 */
export function openCounters(parts: CounterParts, agent: Agent, zone: () => ZoneName): LiveCounters {
  const { ctx, logs, lineage, notice, warn } = parts
  const { session } = agent
  const now = (): Instant => Date.now()
  let tell = (_turn: CounterTurn): void => undefined // what the log already holds is no news
  const fold = new CounterFold((turn) => tell(turn))
  const seen = (): readonly Seen[] => lineage.seenBy(agent.id)
  const ungive = agent.ctx.tools.register(counterTool({ counters: fold.counters, seen, now, zone, warn }))
  const unfollow = logs.follow(session, fold, ownStart(session))
  tell = (turn) => ctx.agents.withoutInitiator(() => shareChange({ lineage, now, how: notice, warn }, agent.id, turn))
  const leave = lineage.add({
    id: agent.id,
    parent: session.header.parentSession,
    counters: fold.counters,
    tell: (message, how) => agent[how](message),
  })
  return {
    line: (at) => counterLine(fold.counters.values(), seen(), at),
    close: () => {
      ungive()
      leave()
      unfollow()
    },
  }
}
