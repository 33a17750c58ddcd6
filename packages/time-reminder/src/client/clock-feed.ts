import type { Language } from 'dsh-time-core'
import { readAnswer, receive, UNKNOWN, type ClockState, type Mode } from './clock-state.ts'
import type { PageAnswer } from './page.ts'

/** The host as the feed reaches it; rejects when it cannot be reached. */
export type Ask = (endpoint: 'state' | 'mode', payload: Readonly<Record<string, unknown>>) => Promise<PageAnswer>

/** A mode that a person has chosen. */
export interface Wish {
  readonly mode: Mode
  readonly cron?: string
  readonly language: Language
}

/** The clocks of the sessions of a page. The page takes the members apart, so none of them needs `this`. */
export interface ClockFeed {
  readonly getSnapshot: () => ReadonlyMap<string, ClockState>
  readonly subscribe: (listener: () => void) => () => void
  /** Ask the host what the clock of a session says now. */
  readonly refresh: (sessionId: string) => void
  /**
   * Ask for another mode.
   *
   * @param wish - the mode; `cron` is a new plan, without one the present one stays; `language` is that of a refusal.
   */
  readonly choose: (sessionId: string, wish: Wish) => void
  /** The connection to the host was made again: everything may have changed. */
  readonly reconnected: () => void
}

/** A look that gets no answer is made again after these (milliseconds): a host that comes back mounts for some seconds yet. */
const AGAIN_MS = [500, 1000, 2000, 4000, 8000, 16_000] as const

/**
 * Keep what the host says about clocks. The newest question counts: an older answer that comes late is dropped, because
 * it could undo what a person has just chosen.
 *
 * @param ask - the host.
 * @param later - runs a job after some milliseconds.
 */
export function makeClockFeed(ask: Ask, later: (job: () => void, ms: number) => void): ClockFeed {
  let states: ReadonlyMap<string, ClockState> = new Map()
  const listeners = new Set<() => void>()
  const newest = new Map<string, number>()
  let questions = 0
  const update = (sessionId: string, state: ClockState): void => {
    states = new Map([...states, [sessionId, state]])
    for (const listener of listeners) listener()
  }
  const known = (sessionId: string): ClockState => states.get(sessionId) ?? UNKNOWN
  const run = (endpoint: 'state' | 'mode', sessionId: string, more: Readonly<Record<string, unknown>>, earlier = 0): void => {
    questions += 1
    const mine = questions
    newest.set(sessionId, mine)
    void ask(endpoint, { sessionId, ...more })
      .then((answer) => (answer.ok ? readAnswer(answer.value) : { kind: 'unreachable' as const }))
      .catch(() => ({ kind: 'unreachable' as const }))
      .then((received) => {
        if (newest.get(sessionId) !== mine) return
        update(sessionId, receive(known(sessionId), endpoint, received))
        const wait = AGAIN_MS[earlier]
        if (endpoint === 'mode' || received.kind !== 'unreachable' || wait === undefined) return
        later(() => (newest.get(sessionId) === mine ? run('state', sessionId, {}, earlier + 1) : undefined), wait)
      })
  }
  const refresh = (sessionId: string): void => {
    // A look must not overtake a change that is under way.
    if (!known(sessionId).isSaving) run('state', sessionId, {})
  }
  return {
    getSnapshot: () => states,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh,
    choose(sessionId, wish) {
      update(sessionId, { ...known(sessionId), refusal: undefined, isSaving: true })
      run('mode', sessionId, { ...wish })
    },
    reconnected() {
      for (const sessionId of states.keys()) refresh(sessionId)
    },
  }
}
