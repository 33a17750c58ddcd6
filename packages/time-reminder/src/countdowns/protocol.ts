import { isSourceOf } from 'dsh-session-host'
import { formatInstant, parseCanonicalInstant, type Instant } from 'dsh-time-core'
import { carry, member } from '../carrier.ts'
import type { StatefulTool } from '../outcomes.ts'
import { SOURCE_KIND } from '../protocol.ts'

/** Name of the tool that sets countdowns. */
export const COUNTDOWN_TOOL = 'time_countdown'

/** What can be done with a countdown (requirement R12). */
export const COUNTDOWN_ACTIONS = ['start', 'snooze', 'cancel', 'list'] as const

/** What happens when a countdown is over (requirement R14). wake: a turn begins · inject: it is told with the next step. */
export const ON_FIRE = ['wake', 'inject'] as const

/** One of the two. */
export type OnFire = (typeof ON_FIRE)[number]

/** A change of a countdown, with everything that holds after it. */
export type CountdownChange =
  | { readonly action: 'start' | 'snooze'; readonly name: string; readonly dueAt: Instant; readonly onFire: OnFire; readonly note?: string }
  | { readonly action: 'cancel'; readonly name: string }

/** Which countdown a notice is about: by its name and the instant for which it was set. */
export interface FiredMark {
  readonly name: string
  readonly dueAt: Instant
}

/**
 * The change that a fact states.
 *
 * @param fact - of whatever shape; one that cannot be read changes nothing.
 */
export function countdownChangeOf(fact: unknown): CountdownChange | undefined {
  return member(fact, 'fact') === 'countdown' ? changeOf(fact) : undefined
}

/**
 * The countdowns' side of the log. The instant is that of the tool's own value and is never worked out again, so that no
 * zone and no later clock can move it (requirement R26).
 */
export const COUNTDOWN_CALLS: StatefulTool = {
  name: COUNTDOWN_TOOL,
  facts(value) {
    const change = member(value, 'set') === true ? changeOf(value) : undefined
    if (change === undefined) return []
    return [{ fact: 'countdown', ...change, ...('dueAt' in change && { dueAt: formatInstant(change.dueAt) }) }]
  },
}

/**
 * The change as `tool/result.meta` carries it.
 *
 * @param value - what the tool answered.
 */
export function countdownMeta(value: unknown): Readonly<Record<string, unknown>> {
  return carry(COUNTDOWN_CALLS.facts(value))
}

/**
 * The members that state a person's change on the source of its message; the fact is the one that a tool result carries
 * (requirement T10).
 *
 * @param value - what the tool would have answered.
 */
export function countdownSetMarks(value: unknown): Readonly<Record<string, unknown>> {
  const [countdownSet] = COUNTDOWN_CALLS.facts(value)
  return { countdownSet }
}

/**
 * The change that a person made by a command: a notice of ours with the fact in its source (requirement T10). It proves
 * no firing.
 *
 * @param source - a message's source, of whatever shape.
 */
export function countdownSetOf(source: unknown): CountdownChange | undefined {
  return isSourceOf(source, SOURCE_KIND) && member(source, 'form') === 'notice' ? countdownChangeOf(member(source, 'countdownSet')) : undefined
}

/**
 * The countdowns whose end a message tells: the message is the proof that they fired (requirement R15).
 *
 * @param source - a message's source, of whatever shape.
 */
export function firedMarks(source: unknown): readonly FiredMark[] {
  const marks = isSourceOf(source, SOURCE_KIND) && member(source, 'form') === 'notice' ? member(source, 'countdown') : undefined
  return (Array.isArray(marks) ? (marks as readonly unknown[]) : []).flatMap((mark) => {
    const [name, dueAt] = [member(mark, 'name'), parseCanonicalInstant(member(mark, 'dueAt'))]
    return typeof name === 'string' && dueAt !== undefined ? [{ name, dueAt }] : []
  })
}

function changeOf(value: unknown): CountdownChange | undefined {
  const [action, name, note, onFire] = ['action', 'name', 'note', 'onFire'].map((key) => member(value, key))
  if (typeof name !== 'string' || name === '') return undefined
  if (action === 'cancel') return { action, name }
  const dueAt = parseCanonicalInstant(member(value, 'dueAt'))
  const isSet = (action === 'start' || action === 'snooze') && dueAt !== undefined && isOnFire(onFire)
  if (!isSet || !(note === undefined || typeof note === 'string')) return undefined
  return { action, name, dueAt, onFire, ...(note !== undefined && { note }) }
}

function isOnFire(value: unknown): value is OnFire {
  return (ON_FIRE as readonly unknown[]).includes(value)
}
