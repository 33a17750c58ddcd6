/** Modes of the clock, in the order in which they are offered. */
export const MODES = ['off', 'cron', 'turn', 'fine'] as const

/** One of them. */
export type Mode = (typeof MODES)[number]

/** What the host says about the clock of a session (requirement R22). */
export interface HostClock {
  readonly mode: Mode
  readonly cron: string
  /** A switch has not reached a step yet. */
  readonly pending: boolean
  readonly live: boolean
  readonly timeZone: string
  readonly effect: string
  /** Due instants of pending countdowns (epoch milliseconds). */
  readonly countdowns: readonly number[]
}

/** A refusal in the host's words. */
export interface Refused {
  readonly kind: 'refused'
  readonly message: string
  readonly detail: string | undefined
}

/** What is known of one session. */
export interface ClockState {
  /** The newest answer; kept while the host is away. */
  readonly host: HostClock | undefined
  /** The last question got no answer. */
  readonly isUnreachable: boolean
  /** Why the last switch was refused; stays until the next one. */
  readonly refusal: Refused | undefined
  readonly isSaving: boolean
}

/** Nothing is known. */
export const UNKNOWN: ClockState = { host: undefined, isUnreachable: false, refusal: undefined, isSaving: false }

/** What came back. */
export type Received = { readonly kind: 'clock'; readonly host: HostClock } | Refused | { readonly kind: 'unreachable' }

/**
 * Read the value of an answer of the channel.
 *
 * @param value - of whatever shape.
 */
export function readAnswer(value: unknown): Received {
  const fields = membersOf(value)
  const error = membersOf(fields['error'])
  if (typeof error['message'] === 'string') return { kind: 'refused', message: error['message'], detail: textIn(error['detail']) }
  const { mode, cron, pending, live, timeZone, effect, countdowns } = fields
  const known = MODES.find((name) => name === mode)
  if (known === undefined) return { kind: 'unreachable' }
  const due = Array.isArray(countdowns) ? countdowns.map((entry) => Date.parse(String(membersOf(entry)['dueAt']))).filter((at) => Number.isFinite(at)) : []
  return { kind: 'clock', host: { mode: known, cron: textIn(cron) ?? '', pending: pending === true, live: live === true, timeZone: textIn(timeZone) ?? '', effect: textIn(effect) ?? '', countdowns: due } }
}

/**
 * What is known after an answer: a refusal and a silent host leave what was known before.
 *
 * @param state - before.
 * @param endpoint - what was asked. A look leaves the refusal of a switch in place, so that a person can read it.
 * @param received - the answer.
 */
export function receive(state: ClockState, endpoint: 'state' | 'mode', received: Received): ClockState {
  const kept = endpoint === 'mode' ? undefined : state.refusal
  switch (received.kind) {
    case 'clock':
      return { host: received.host, isUnreachable: false, refusal: kept, isSaving: false }
    case 'refused':
      return { host: state.host, isUnreachable: false, refusal: received, isSaving: false }
    case 'unreachable':
      return { host: state.host, isUnreachable: true, refusal: kept, isSaving: false }
  }
}

/**
 * The soonest instant that is still to come.
 *
 * @param now - epoch milliseconds.
 * @param instants - epoch milliseconds; undefined ones do not count.
 */
export function soonest(now: number, instants: readonly (number | undefined)[]): number | undefined {
  const coming = instants.filter((at): at is number => at !== undefined && at > now)
  return coming.length === 0 ? undefined : Math.min(...coming)
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
