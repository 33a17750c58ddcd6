import { isInstant, parseZone, type ZoneName } from 'dsh-time-core'
import { isRefusal, type Refusal } from '../errors.ts'
import { MAX_PROMPT_LENGTH, parseCreate, type CreateInput } from '../input.ts'
import type { ReminderId } from '../protocol.ts'
import { MAX_TEXT_LENGTH } from './cursor.ts'
import type { Edit } from './desk.ts'
import { readDelay, readReminder, readTime } from './grammar.ts'
import type { Reader } from './local-times.ts'
import { deny, type PeopleRefusal } from './refusals.ts'
import type { Language } from './wire.ts'
import type { OnceSelector } from './works.ts'

/** Longest id of a session or a reminder (UTF-16 code units). */
const MAX_ID_LENGTH = 200

/** What every checked body says. */
export interface Body {
  readonly sessionId: string
  readonly language: Language
  readonly zone: ZoneName | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

type Refused = PeopleRefusal | Refusal

const SHARED = ['sessionId', 'language']

/**
 * The members that each endpoint takes; no other is known (requirement X5).
 */
export const FIELDS = {
  state: [...SHARED, 'timeZone'],
  create: [...SHARED, 'timeZone', 'text', 'reminder'],
  preview: [...SHARED, 'timeZone', 'text', 'reminder'],
  edit: [...SHARED, 'timeZone', 'id', 'prompt', 'text', 'time'],
  snooze: [...SHARED, 'timeZone', 'id', 'afterSeconds', 'untilMs', 'text'],
  delete: [...SHARED, 'id'],
  undo: SHARED,
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Name of an endpoint of the channel. */
export type Endpoint = keyof typeof FIELDS

/**
 * Check what all bodies share.
 *
 * @param payload - as it came, of whatever shape.
 * @param endpoint - whose members are known.
 */
export function parseBody(payload: unknown, endpoint: Endpoint): Body | Refused {
  if (!isObject(payload)) return bad('body', 'The body must be one object.', '请求体必须是一个对象。')
  const known: readonly string[] = FIELDS[endpoint]
  const unknown = Object.keys(payload).find((name) => !known.includes(name))
  if (unknown !== undefined) return bad(unknown.slice(0, MAX_ID_LENGTH), `Known members: ${known.join(', ')}.`, `可用的字段：${known.join('、')}。`)
  const { sessionId, language, timeZone } = payload
  if (!isShort(sessionId)) return bad('sessionId', `sessionId must be a text of 1 to ${MAX_ID_LENGTH} characters.`, `sessionId 必须是 1 到 ${MAX_ID_LENGTH} 个字符的文字。`)
  if (language !== undefined && language !== 'zh' && language !== 'en') return bad('language', 'language is zh or en.', 'language 只能是 zh 或 en。')
  const zone = parseZone(timeZone)
  if (zone === undefined && timeZone !== undefined) return deny('invalid_time_zone', { field: 'timeZone' })
  return { sessionId, language: language ?? 'en', zone, fields: payload }
}

/**
 * What a body wants to create: a text, or the arguments of the tool.
 *
 * @param body - checked.
 * @param reader - clock and zone.
 */
export function inputOf({ fields }: Body, reader: Reader): CreateInput | Refused {
  const { text, reminder } = fields
  if ((text === undefined) === (reminder === undefined)) return bad('text', 'Give text or reminder, one of the two.', '请给出 text 或 reminder，二选一。')
  if (reminder !== undefined) return within('reminder', parseCreate(reminder))
  if (!isText(text)) return badText()
  const reading = readReminder(text, reader)
  return reading.ok ? createInput(reading.rest, reading.selector) : reading.refusal
}

/**
 * A reminder without options.
 *
 * @param prompt - trimmed.
 * @param selector - when.
 */
export function createInput(prompt: string, selector: CreateInput['selector']): CreateInput {
  return { prompt, selector, until: undefined, count: undefined, lateLimitSeconds: undefined, wake: false }
}

/**
 * What a body wants to change of a reminder.
 *
 * @param body - checked.
 * @param reader - clock and zone.
 */
export function editOf({ fields }: Body, reader: Reader): Edit | Refused {
  const { prompt, text, time } = fields
  if (text !== undefined && time !== undefined) return bad('time', 'Give text or time, not both.', 'text 和 time 不能同时给出。')
  if (prompt === undefined && text === undefined && time === undefined) return bad('prompt', 'Nothing to change: give prompt, text or time.', '没有要更改的内容：请给出 prompt、text 或 time。')
  const trimmed = typeof prompt === 'string' ? prompt.trim() : ''
  if (prompt !== undefined && (trimmed === '' || trimmed.length > MAX_PROMPT_LENGTH)) return deny('invalid_prompt', { field: 'prompt' })
  const when = timeOf(text, time, reader)
  return when !== undefined && 'code' in when ? when : { prompt: prompt === undefined ? undefined : trimmed, time: when }
}

function timeOf(text: unknown, time: unknown, reader: Reader): CreateInput | undefined | Refused {
  if (time !== undefined) {
    if (!isObject(time) || 'prompt' in time) return bad('time', 'time is an object without a prompt.', 'time 是一个不含 prompt 的对象。')
    return within('time', parseCreate({ ...time, prompt: 'time' }))
  }
  if (text === undefined) return undefined
  if (!isText(text)) return badText()
  const reading = readTime(text, reader, true)
  if (!reading.ok) return reading.refusal
  return reading.rest === '' ? createInput('', reading.selector) : deny('not_understood', { field: 'text', detail: reading.rest.slice(0, 80), examples: ['15:30', 'tomorrow 9:00', '明天 9:00', '每2小时'] })
}

/**
 * Until when a body wants a reminder put off.
 *
 * @param body - checked.
 * @param reader - clock and zone.
 */
export function delayOf({ fields }: Body, reader: Reader): OnceSelector | Refused {
  const { afterSeconds, untilMs, text } = fields
  if ([afterSeconds, untilMs, text].filter((given) => given !== undefined).length !== 1) return bad('afterSeconds', 'Give afterSeconds, untilMs or text, one of the three.', '请给出 afterSeconds、untilMs 或 text，三选一。')
  if (afterSeconds !== undefined) {
    if (!Number.isSafeInteger(afterSeconds) || (afterSeconds as number) < 1) return bad('afterSeconds', 'afterSeconds must be a whole number of 1 or more.', 'afterSeconds 必须是不小于 1 的整数。')
    return { kind: 'after', seconds: afterSeconds as number }
  }
  if (untilMs !== undefined) return isInstant(untilMs) ? { kind: 'instant', instant: untilMs } : bad('untilMs', 'untilMs must be whole milliseconds since 1970.', 'untilMs 必须是自 1970 年起的整数毫秒。')
  if (!isText(text)) return badText()
  const reading = readDelay(text, reader)
  return reading.ok ? reading.selector : reading.refusal
}

/**
 * Which reminder a body is about.
 *
 * @param body - checked.
 */
export function idOf({ fields }: Body): ReminderId | Refused {
  const { id } = fields
  return isShort(id) ? (id.trim() as ReminderId) : bad('id', `id must be the id of a reminder, of at most ${MAX_ID_LENGTH} characters.`, `id 必须是提醒的编号，最多 ${MAX_ID_LENGTH} 个字符。`)
}

/** A refusal of the tool names its own argument; here that lies inside a member. */
function within<T extends object>(member: string, value: T | Refusal): T | Refusal {
  return isRefusal(value) ? { ...value, field: value.field === undefined ? member : `${member}.${value.field}` } : value
}

function bad(field: string, en: string, zh: string): PeopleRefusal {
  return deny('bad_request', { field, detail: { en, zh } })
}

function badText(): PeopleRefusal {
  return bad('text', `text must be a text of at most ${MAX_TEXT_LENGTH} characters.`, `text 必须是最多 ${MAX_TEXT_LENGTH} 个字符的文字。`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ID_LENGTH
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
}
