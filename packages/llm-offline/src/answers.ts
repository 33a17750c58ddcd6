import { PHRASES } from './phrases/phrases.ts'
import type { Phrases } from './phrases/phrases.ts'
import { quoted } from './text.ts'
import type { Language } from './text.ts'
import { isObject, parseJson, textMember } from './values.ts'
import type { JsonObject } from './values.ts'

/** A finished tool call, as the next request shows it. */
export interface ToolOutcome {
  /** Name the tool was called by; empty when the call is no longer in the conversation. */
  readonly tool: string
  /** Text of the result, usually one JSON value. */
  readonly text: string
  readonly isError: boolean
}

const LIST_SHOWN = 10
const LONGEST_QUOTE = 300

const quote = (text: string): string => quoted(text, LONGEST_QUOTE)

const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?([+-]\d{2}:\d{2})(?:\[(.+)\])?$/

/** A local time that names no zone of its own. */
const OFFSET_LAST = /[+-]\d{2}:\d{2}$/

/** `2026-10-09 09:00:00 Asia/Shanghai`, or with the offset where no zone is given; anything else as it is. */
const localForm = (stamp: string): string =>
  stamp.replace(LOCAL, (_, date: string, time: string, offset: string, zone?: string) => `${date} ${time} ${zone ?? offset}`)

/** When a reminder comes: its local form if given, with the UTC instant; in a list only `due`, whose zone may stand above. */
function whenOf(view: unknown, zone?: string): string {
  const due = textMember(view, 'due')
  if (due !== undefined) return localForm(zone !== undefined && OFFSET_LAST.test(due) ? `${due}[${zone}]` : due)
  const utc = textMember(view, 'scheduledAt', 'scheduled_at') ?? '?'
  const local = textMember(view, 'local', 'localTime', 'local_time')
  return local === undefined ? utc : `${localForm(local)} (${utc})`
}

const idOf = (value: unknown): string => textMember(value, 'id') ?? '?'
const promptOf = (value: unknown): string => quote(textMember(value, 'prompt') ?? '')

function created(value: JsonObject, phrases: Phrases): string {
  const first = phrases.created(idOf(value), whenOf(value), promptOf(value))
  const next = Array.isArray(value['next']) ? value['next'].filter(fire => typeof fire === 'string') : []
  return next.length === 0 ? first : first + phrases.repeats(next.map(localForm).join(', '))
}

function listed(value: unknown, phrases: Phrases): string | undefined {
  const list = Array.isArray(value) ? { reminders: value as readonly unknown[] } : value
  const row = (reminder: unknown): string => `- ${idOf(reminder)} · ${whenOf(reminder, textMember(value, 'zone'))} · ${promptOf(reminder)}`
  if (textMember(value, 'scheduledAt') !== undefined) return row(value)
  return table(list, 'reminders', { empty: phrases.listEmpty, head: phrases.listHead, more: phrases.listMore, row })
}

function deleted(value: JsonObject, phrases: Phrases): string | undefined {
  if (value['deleted'] === true) return phrases.cancelled(idOf(value))
  return value['deleted'] === false ? phrases.notFound(idOf(value)) : undefined
}

const nameOf = (value: unknown): string => quote(textMember(value, 'name') ?? '?')

/** The first rows of a list, under a line that counts them all. */
function table(value: unknown, key: string, words: { readonly empty: string; readonly head: (count: number) => string; readonly more: (count: number) => string; readonly row: (row: unknown) => string }): string | undefined {
  const rows = isObject(value) ? value[key] : undefined
  if (!Array.isArray(rows)) return undefined
  const total = isObject(value) && typeof value['total'] === 'number' ? value['total'] : rows.length
  if (rows.length === 0) return words.empty
  const shown = rows.slice(0, LIST_SHOWN).map(words.row)
  return [words.head(total), ...shown, ...(total > shown.length ? [words.more(total - shown.length)] : [])].join('\n')
}

function counterTold(value: unknown, phrases: Phrases): string | undefined {
  const name = nameOf(value)
  const lapse = textMember(value, 'lapse')
  switch (textMember(value, 'action')) {
    case 'start':
    case 'reset': return phrases.counterStarted(name, textMember(value, 'before'))
    case 'remove': return phrases.counterRemoved(name, lapse ?? '?')
    case 'note':
    case 'scope': return phrases.counterChanged(name, lapse ?? '?')
    default: break
  }
  if (lapse !== undefined) return phrases.counterLapse(name, lapse)
  const row = (counter: unknown): string => ['-', nameOf(counter), '·', textMember(counter, 'lapse') ?? '?', ...noteOf(counter)].join(' ')
  return table(value, 'counters', { empty: phrases.counterListEmpty, head: phrases.counterListHead, more: phrases.listMore, row })
}

const noteOf = (value: unknown): readonly string[] => {
  const note = textMember(value, 'note')
  return note === undefined ? [] : [`(${quote(note)})`]
}

const dueOf = (value: unknown): string => localForm(textMember(value, 'due') ?? '?')
const leftOf = (value: unknown): string => textMember(value, 'left') ?? '?'

function countdownTold(value: unknown, phrases: Phrases): string | undefined {
  switch (textMember(value, 'action')) {
    case 'start':
    case 'snooze': {
      const limit = textMember(value, 'limit')
      return [phrases.countdownSet(nameOf(value), leftOf(value), dueOf(value)), ...(limit === undefined ? [] : [quote(limit)])].join(' ')
    }
    case 'cancel': return phrases.countdownCancelled(nameOf(value))
    default: break
  }
  const row = (countdown: unknown): string => phrases.countdownRow(nameOf(countdown), leftOf(countdown), dueOf(countdown))
  return table(value, 'pending', { empty: phrases.countdownListEmpty, head: phrases.countdownListHead, more: phrases.listMore, row })
}

type Teller = (value: unknown, phrases: Phrases) => string | undefined

const TELLERS: ReadonlyMap<string, Teller> = new Map(Object.entries<Teller>({
  schedule_create: (value, phrases) => (textMember(value, 'id') === undefined || !isObject(value) ? undefined : created(value, phrases)),
  schedule_list: listed,
  schedule_delete: (value, phrases) => (isObject(value) ? deleted(value, phrases) : undefined),
  schedule_snooze: (value, phrases) => (textMember(value, 'id') === undefined ? undefined : phrases.snoozed(idOf(value), whenOf(value))),
  time_mode: (value, phrases) => {
    const mode = textMember(value, 'mode')
    return mode === undefined ? undefined : phrases.mode(mode)
  },
  time_counter: counterTold,
  time_countdown: countdownTold,
}))

/** A refusal is an ordinary result with `code` and `message`. */
function refusal(value: unknown, phrases: Phrases): string | undefined {
  const code = textMember(value, 'code')
  const message = textMember(value, 'message')
  if (code === undefined || message === undefined) return undefined
  const detail = textMember(value, 'detail')
  return phrases.refused(quote(detail === undefined ? message : `${message} ${detail}`), code)
}

/** Any other value: its own words if it has some, else its members. */
function plain(value: unknown, text: string): string {
  const words = textMember(value, 'text', 'message', 'summary')
  if (words !== undefined) return quote(words)
  if (!isObject(value)) return quote(text)
  const members = Object.entries(value).filter(([key, member]) => key !== 'deliveryMode' && !isObject(member) && !Array.isArray(member))
  return quote(members.length === 0 ? text : members.map(([key, member]) => `${key}: ${String(member)}`).join(', '))
}

/**
 * One or two short sentences about the result of a tool call, built from its value and nothing else.
 *
 * @param outcome the finished call
 * @param language the person's language
 */
export function tell(outcome: ToolOutcome, language: Language): string {
  const phrases = PHRASES[language]
  if (outcome.isError) return phrases.failed(quote(outcome.text))
  const value = parseJson(outcome.text)
  const tool = outcome.tool.replace(/^reminder_/, 'schedule_')
  return TELLERS.get(tool)?.(value, phrases) ?? refusal(value, phrases) ?? phrases.answered(outcome.tool, plain(value, outcome.text))
}
