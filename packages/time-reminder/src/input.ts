import { parseCron, plainLine } from 'dsh-time-core'
import { isRefusal, refuse, type Refusal } from './errors.ts'
import { isMode, type ModeChange } from './protocol.ts'

/** A person's request for a mode. */
export interface Switch {
  readonly sessionId: string
  readonly change: ModeChange
}

type Fields = Readonly<Record<string, unknown>>

/** How much of an unknown field's name is repeated (code points). */
const NAME_LENGTH = 40

/**
 * Check the arguments of `time_mode` (requirement R2).
 *
 * @param args - what the model sent, of whatever shape.
 * @returns the change, or a refusal that names the field and the reason.
 */
export function parseModeChange(args: unknown): ModeChange | Refusal {
  const fields = parseFields(args, ['mode', 'cron'])
  return fields.refusal ?? modeChange(fields.values)
}

/**
 * Check the body of a switch that a person makes in the page (requirements R22, R23).
 *
 * @param body - of whatever shape.
 */
export function parseSwitch(body: unknown): Switch | Refusal {
  const { refusal, values } = parseFields(body, ['sessionId', 'mode', 'cron'])
  const sessionId = refusal ?? parseSessionId(values['sessionId'])
  if (typeof sessionId !== 'string') return sessionId
  const change = modeChange(values)
  return isRefusal(change) ? change : { sessionId, change }
}

/**
 * Check the id of a session that somebody asks about.
 *
 * @param value - of whatever shape.
 */
export function parseSessionId(value: unknown): string | Refusal {
  return typeof value === 'string' && value !== '' ? value : refuse('bad-request', { field: 'sessionId', detail: 'sessionId must be the id of a session.' })
}

function modeChange({ mode, cron }: Fields): ModeChange | Refusal {
  if (!isMode(mode)) return refuse('bad-mode', { field: 'mode' })
  if (cron === undefined) return { mode, cron: undefined }
  const parsed = parseCron(cron)
  return parsed.ok ? { mode, cron: parsed.cron } : refuse('bad-cron', { field: 'cron', detail: parsed.detail })
}

/** Unknown fields are refused by name: a misspelt `cron` must not look like a change that worked. */
function parseFields(args: unknown, known: readonly string[]): { readonly refusal: Refusal | undefined; readonly values: Fields } {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  const values = isObject ? (args as Fields) : {}
  const unknown = Object.keys(values).find((name) => !known.includes(name))
  const detail = `Known fields: ${known.join(', ')}.`
  if (!isObject) return { refusal: refuse('bad-request', { detail }), values }
  return { refusal: unknown === undefined ? undefined : refuse('bad-request', { field: plainLine(unknown, NAME_LENGTH), detail }), values }
}
