import { isSourceOf } from 'dsh-session-host'
import { parseCron, type Cron } from 'dsh-time-core'
import { carry, factsIn, member } from './carrier.ts'

/** Source kind of every message of this plugin, and its name in the page's paths. */
export const SOURCE_KIND = 'dsh-time-reminder'

/** Name of the tool that switches modes; a call in code mode is recognised by it. */
export const MODE_TOOL = 'time_mode'

/**
 * How often the model is told the time (requirement R1). off: never · cron: when a plan is due, and whenever its idea of
 * today could be stale · turn: once per turn · fine: at every step.
 */
export const MODES = ['off', 'cron', 'turn', 'fine'] as const

/** One of the four modes. */
export type Mode = (typeof MODES)[number]

/** A change of a session's mode; the plan is kept when no new one is given. */
export interface ModeChange {
  readonly mode: Mode
  readonly cron: Cron | undefined
}

/** Why a reading was made; rides on its source for people who look into a log. */
export type ReadingReason = 'first' | 'resume' | 'compaction' | 'clock' | 'plan' | 'date' | 'pause' | 'turn' | 'step'

/**
 * Whether a word is a mode.
 *
 * @param value - anything.
 */
export function isMode(value: unknown): value is Mode {
  return (MODES as readonly unknown[]).includes(value)
}

/**
 * The change as `tool/result.meta` carries it, read from the tool's value, so that both say the same.
 *
 * @param value - what `time_mode` answered.
 * @returns an empty carrier for a refusal.
 */
export function modeMeta(value: unknown): Readonly<Record<string, unknown>> {
  const change = modeOfValue(value)
  return carry(change === undefined ? [] : [{ fact: 'mode', ...modeMarks(change) }])
}

/**
 * The change that a tool result carries.
 *
 * @param meta - of a result that reports success; of whatever shape.
 */
export function modeOfMeta(meta: unknown): ModeChange | undefined {
  return modeOf(factsIn(meta).find((fact) => member(fact, 'fact') === 'mode'))
}

/**
 * The change that a result of `time_mode` states: a call that ran inside code mode leaves nothing behind but its text.
 *
 * @param value - the parsed result; a refusal changes nothing.
 */
export function modeOfValue(value: unknown): ModeChange | undefined {
  return member(value, 'set') === true ? modeOf(value) : undefined
}

/**
 * The change that a person made in the page: a notice of ours with the mode in its source (requirement R23).
 *
 * @param source - a message's source, of whatever shape.
 */
export function modeOfSource(source: unknown): ModeChange | undefined {
  return isSourceOf(source, SOURCE_KIND) && member(source, 'form') === 'notice' ? modeOf(source) : undefined
}

/**
 * The members that state a change on a carrier.
 *
 * @param change - the change.
 */
export function modeMarks({ mode, cron }: ModeChange): { readonly mode: Mode; readonly cron?: string } {
  return { mode, ...(cron !== undefined && { cron: cron.text }) }
}

/** Carriers are opaque to the host, so what cannot be read changes nothing instead of breaking the session. */
function modeOf(value: unknown): ModeChange | undefined {
  const mode = member(value, 'mode')
  const text = member(value, 'cron')
  if (!isMode(mode)) return undefined
  if (text === undefined) return { mode, cron: undefined }
  const parsed = parseCron(text)
  return parsed.ok ? { mode, cron: parsed.cron } : undefined
}
