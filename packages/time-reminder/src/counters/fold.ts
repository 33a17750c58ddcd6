import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Follower } from 'dsh-session-host'
import type { Instant } from 'dsh-time-core'
import { Outcomes } from '../outcomes.ts'
import { COUNTER_CALLS, counterChangeOf, type CounterChange, type CounterScope } from './protocol.ts'

/** A counter of a session: since when it counts, and who sees it. */
export interface Counter extends CounterScope {
  readonly name: string
  readonly since: Instant
  readonly note: string | undefined
}

/** What a change made of a counter. */
export interface CounterTurn {
  readonly action: CounterChange['action']
  readonly before: Counter | undefined
  readonly after: Counter | undefined
}

/**
 * The counters of one session, advanced event by event over its own part of the log (requirements R9, R11, R25). It
 * asks no clock: a counter counts from the moment at which its call was logged.
 */
export class CounterFold implements Follower {
  /** In the order of their first start. */
  readonly counters = new Map<string, Counter>()
  readonly #outcomes = new Outcomes(COUNTER_CALLS)
  readonly #changed: (turn: CounterTurn) => void

  /** @param changed - told of each change. */
  constructor(changed: (turn: CounterTurn) => void) {
    this.#changed = changed
  }

  apply(event: SessionEvent): void {
    const outcome = this.#outcomes.take(event)
    if (outcome === undefined) return
    for (const fact of outcome.facts) {
      const change = counterChangeOf(fact)
      if (change !== undefined) this.#step(change, outcome.calledAt)
    }
  }

  #step(change: CounterChange, calledAt: Instant): void {
    const before = this.counters.get(change.name)
    const after = next(change, before, calledAt)
    if (after === undefined) this.counters.delete(change.name)
    else this.counters.set(change.name, after)
    if (before !== undefined || after !== undefined) this.#changed({ action: change.action, before, after })
  }
}

function next(change: CounterChange, before: Counter | undefined, calledAt: Instant): Counter | undefined {
  if (change.action === 'remove') return undefined
  const { action, name, note, inject, toChildren, toParents, depth } = change
  const since = action === 'start' || action === 'reset' ? calledAt : before?.since
  return since === undefined ? undefined : { name, since, note, inject, toChildren, toParents, depth }
}
