import { randomUUID } from 'node:crypto'
import type { UserMessage } from '@deepseek-ai/dsh-session'
import { plainLine } from 'dsh-time-core'

/** The host shows a notice's summary on one row and bounds it to this many characters. */
const SUMMARY_LIMIT = 120

/** Source of a message of ours: our own kind, never `plugin`, which later hosts refuse (`host/versions.md` §4). */
export interface NoticeSource {
  readonly kind: string
  readonly form: 'notice'
  readonly summary: string
}

/**
 * A message to the model that a person sees as one row.
 *
 * @param kind - the sending plugin's own source kind.
 * @param summary - what a person reads without unfolding; made one line and bounded.
 * @param text - what the model reads.
 * @param facts - lossless JSON that rides on the source, invisible to the model.
 */
export function notice(kind: string, summary: string, text: string, facts: Readonly<Record<string, unknown>>): UserMessage {
  const source: NoticeSource = { ...facts, kind, form: 'notice', summary: plainLine(summary, SUMMARY_LIMIT) }
  return { id: randomUUID(), role: 'user', content: [{ type: 'text', text }], source } as unknown as UserMessage
}

/**
 * Whether a message source is of a plugin's kind, in any of the three spellings that hosts have written
 * (own kind, the shared `plugin` kind of 0.1, its migrated form in 0.2).
 *
 * @param source - a message's source, of whatever shape.
 * @param kind - the plugin's kind.
 */
export function isSourceOf(source: unknown, kind: string): boolean {
  if (typeof source !== 'object' || source === null) return false
  const { kind: given, plugin } = source as { kind?: unknown; plugin?: unknown }
  return given === kind || given === `plugin:${kind}` || (given === 'plugin' && plugin === kind)
}
