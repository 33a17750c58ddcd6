import { carry, member } from '../carrier.ts'
import type { StatefulTool } from '../outcomes.ts'

/** Name of the tool that changes counters. */
export const COUNTER_TOOL = 'time_counter'

/** What can be done with a counter (requirement R8). `lapse` and `list` only read. */
export const COUNTER_ACTIONS = ['start', 'lapse', 'list', 'note', 'scope', 'reset', 'remove'] as const

/** One of the actions. */
export type CounterAction = (typeof COUNTER_ACTIONS)[number]

/** Most generations that a counter can be seen through. */
export const MAX_DEPTH = 16

/** Who sees a counter, and whether it tells itself. */
export interface CounterScope {
  /** Part of every reading. */
  readonly inject: boolean
  /** Subagents and forks may read it. */
  readonly toChildren: boolean
  /** The sessions above may read it. */
  readonly toParents: boolean
  /** Through how many generations, 1 to `MAX_DEPTH`. */
  readonly depth: number
}

/** Scope of a counter that says nothing about it (requirement R8). */
export const DEFAULT_SCOPE: CounterScope = { inject: false, toChildren: true, toParents: false, depth: 2 }

/** A change of a counter, with everything that holds after it. */
export type CounterChange =
  | ({ readonly action: 'start' | 'reset' | 'note' | 'scope'; readonly name: string; readonly note?: string } & CounterScope)
  | { readonly action: 'remove'; readonly name: string }

/**
 * The change that a fact states.
 *
 * @param fact - of whatever shape; one that cannot be read changes nothing.
 */
export function counterChangeOf(fact: unknown): CounterChange | undefined {
  return member(fact, 'fact') === 'counter' ? changeOf(fact) : undefined
}

/** The counters' side of the log: the facts are read from the tool's value, so that both say the same. */
export const COUNTER_CALLS: StatefulTool = {
  name: COUNTER_TOOL,
  facts(value) {
    const change = member(value, 'set') === true ? changeOf(value) : undefined
    return change === undefined ? [] : [{ fact: 'counter', ...change }]
  },
}

/**
 * The change as `tool/result.meta` carries it.
 *
 * @param value - what the tool answered.
 */
export function counterMeta(value: unknown): Readonly<Record<string, unknown>> {
  return carry(COUNTER_CALLS.facts(value))
}

function changeOf(value: unknown): CounterChange | undefined {
  const [action, name, note] = ['action', 'name', 'note'].map((key) => member(value, key))
  if (typeof name !== 'string' || name === '' || !isChanging(action)) return undefined
  if (action === 'remove') return { action, name }
  const scope = scopeOf(value)
  if (scope === undefined || !(note === undefined || typeof note === 'string')) return undefined
  return { action, name, ...(note !== undefined && { note }), ...scope }
}

function isChanging(action: unknown): action is CounterChange['action'] {
  return ['start', 'reset', 'note', 'scope', 'remove'].includes(action as string)
}

function scopeOf(value: unknown): CounterScope | undefined {
  const [inject, toChildren, toParents, depth] = ['inject', 'toChildren', 'toParents', 'depth'].map((key) => member(value, key))
  const isScope = typeof inject === 'boolean' && typeof toChildren === 'boolean' && typeof toParents === 'boolean' && isDepth(depth)
  return isScope ? { inject, toChildren, toParents, depth } : undefined
}

/**
 * Whether a number says through how many generations.
 *
 * @param value - anything.
 */
export function isDepth(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_DEPTH
}
