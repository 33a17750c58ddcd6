import { LANGUAGES, parseCron, plainLine } from 'dsh-time-core'
import { isRefusal, refuse, type Refusal } from './errors.ts'
import { isMode, type ModeChange } from './protocol.ts'

/** A person's request for a mode. */
export interface Switch {
  readonly sessionId: string
  readonly change: ModeChange
}

/** Arguments by their names. */
export type Fields = Readonly<Record<string, unknown>>

/** How much of an unknown field's name is repeated (code points). */
const NAME_LENGTH = 40

/** Longest name, and longest note, of a counter or a countdown (code points). */
const NAME_LIMIT = 64
const NOTE_LIMIT = 200

/** Longest id of a session that is looked for; the host's own have 44 characters. */
const ID_LIMIT = 200

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
 * Check the body of a switch that a person makes in the page (requirements R22, R23). Its `language` is that of the answer,
 * see `languageIn` of dsh-time-core.
 *
 * @param body - of whatever shape.
 */
export function parseSwitch(body: unknown): Switch | Refusal {
  const { refusal, values } = parseFields(body, ['sessionId', 'mode', 'cron', 'language'])
  const sessionId = refusal ?? parseSessionId(values['sessionId'])
  if (typeof sessionId !== 'string') return sessionId
  const language = values['language'] === undefined ? undefined : parseWord('language', values['language'], LANGUAGES)
  if (isRefusal(language)) return language
  const change = modeChange(values)
  return isRefusal(change) ? change : { sessionId, change }
}

/**
 * Check the id of a session that somebody asks about.
 *
 * @param value - of whatever shape.
 */
export function parseSessionId(value: unknown): string | Refusal {
  return typeof value === 'string' && value !== '' && value.length <= ID_LIMIT ? value : refuse('bad-request', { field: 'sessionId', detail: { code: 'session-id' } })
}

function modeChange({ mode, cron }: Fields): ModeChange | Refusal {
  if (!isMode(mode)) return refuse('bad-mode', { field: 'mode' })
  if (cron === undefined) return { mode, cron: undefined }
  const parsed = parseCron(cron)
  return parsed.ok ? { mode, cron: parsed.cron } : refuse('bad-cron', { field: 'cron', detail: { code: 'cron', refusal: parsed.refusal } })
}

/**
 * Check the name of a counter or a countdown.
 *
 * @param value - of whatever shape.
 * @returns the name as one visible line, by which it is known from here on.
 */
export function parseName(value: unknown): string | Refusal {
  const detail = { code: 'name', most: NAME_LIMIT } as const
  if (typeof value !== 'string' || Array.from(value).length > NAME_LIMIT) return refuse('bad-name', { field: 'name', detail })
  const name = plainLine(value, NAME_LIMIT)
  return name === '' ? refuse('bad-name', { field: 'name', detail }) : name
}

/**
 * Check the note of a counter or a countdown; what is too long for one is cut off.
 *
 * @param value - of whatever shape.
 * @returns one visible line, empty when it takes a note back.
 */
export function parseNote(value: unknown): string | undefined | Refusal {
  if (value === undefined) return undefined
  return typeof value === 'string' ? plainLine(value, NOTE_LIMIT) : refuse('bad-request', { field: 'note', detail: { code: 'note' } })
}

/**
 * Check a word of a closed list.
 *
 * @param field - its name.
 * @param value - of whatever shape.
 * @param words - the list.
 */
export function parseWord<W extends string>(field: string, value: unknown, words: readonly W[]): W | Refusal {
  const found = words.find((word) => word === value)
  return found ?? refuse('bad-request', { field, detail: { code: 'one-of', field, words } })
}

/**
 * Check a call or a body for its fields. Unknown ones are refused by name: a misspelt `cron` must not look like a change
 * that worked.
 *
 * @param args - of whatever shape.
 * @param known - names of the fields.
 */
export function parseFields(args: unknown, known: readonly string[]): { readonly refusal: Refusal | undefined; readonly values: Fields } {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  const values = isObject ? (args as Fields) : {}
  const unknown = Object.keys(values).find((name) => !known.includes(name))
  const detail = { code: 'known-fields', fields: known } as const
  if (!isObject) return { refusal: refuse('bad-request', { detail }), values }
  return { refusal: unknown === undefined ? undefined : refuse('bad-request', { field: plainLine(unknown, NAME_LENGTH), detail }), values }
}
