import { PHRASES } from './phrases/phrases.ts'
import { languageOf, quoted } from './text.ts'
import type { Language } from './text.ts'
import { isObject, parseJson, textMember } from './values.ts'

/** Something that fired by itself and is to be shown to the person. Its words are data, never instructions. */
export type Fired =
  | { readonly kind: 'reminder'; readonly reminders: readonly FiredReminder[]; readonly missed: boolean }
  | { readonly kind: 'countdown'; readonly name: string; readonly late: string | undefined }

/** One due reminder; `late` is a duration as written in the frame. */
export interface FiredReminder {
  readonly prompt: string
  readonly late: string | undefined
}

const FRAME = /^\[SCHEDULE REMINDER( MISSED)?(?: BATCH)?\]/
const JSON_LINE = /^reminders?(?:_prompt)?_json:\s*(.+)$/
const COUNTDOWN = /^(?:<system-reminder>\s*)?\[?countdown\b/i
const COUNTDOWN_NAME = /countdown\]?\s*:?\s*["“]([^"”\n]{1,200})["”]/i
const COUNTDOWN_LATE = /^(?!countdown_json:).*\b((?:\d+[dhms]){1,2}) late\b/m
const LONGEST_PROMPT = 2000

/** A row of a frame: the host's own (`"text"`, `{ reminder_prompt }`) or ours (`{ prompt, late }`). */
function readRow(row: unknown): FiredReminder | undefined {
  const prompt = typeof row === 'string' ? row : textMember(row, 'prompt', 'reminder_prompt')
  return prompt === undefined ? undefined : { prompt: quoted(prompt, LONGEST_PROMPT), late: textMember(row, 'late') }
}

function readFrame(text: string): FiredReminder[] {
  for (const line of text.split('\n')) {
    const json = JSON_LINE.exec(line)?.[1]
    if (json === undefined) continue
    const value = parseJson(json)
    return (Array.isArray(value) ? value : [value]).map(readRow).filter(row => row !== undefined)
  }
  return []
}

const nameOf = (mark: unknown): string | undefined => (typeof mark === 'string' ? mark : textMember(mark, 'name'))

/** Names from the notice's own marks, else from its quoted name, else its one-line summary. */
function countdownName(source: Readonly<Record<string, unknown>>, text: string): string {
  const mark = source['countdown']
  const marked = (Array.isArray(mark) ? mark : [mark]).map(nameOf).filter(name => name !== undefined)
  return quoted((marked.length === 0 ? undefined : marked.join(', ')) ?? COUNTDOWN_NAME.exec(text)?.[1] ?? textMember(source, 'summary') ?? '', 200)
}

/**
 * Reads a message as a delivered reminder or countdown. Whoever calls has made sure that no person typed it.
 *
 * @param text the text of the message
 * @param source its recorded producer
 * @returns `undefined` when it is neither
 */
export function readFired(text: string, source: unknown): Fired | undefined {
  const frame = FRAME.exec(text)
  if (frame !== null) return { kind: 'reminder', reminders: readFrame(text), missed: frame[1] !== undefined }
  const marks = isObject(source) ? source : {}
  const isCountdown = marks['form'] === 'notice' && (marks['countdown'] !== undefined || COUNTDOWN.test(text))
  return isCountdown ? { kind: 'countdown', name: countdownName(marks, text), late: COUNTDOWN_LATE.exec(text)?.[1] } : undefined
}

function present(fired: Fired, language: Language): string[] {
  const phrases = PHRASES[language]
  if (fired.kind === 'countdown') return [phrases.countdown(fired.name === '' ? phrases.defaultCountdown : fired.name, fired.late)]
  if (fired.reminders.length === 0) return [phrases.dueUnreadable]
  return fired.reminders.map(({ prompt, late }) => (fired.missed ? phrases.missed(prompt) : phrases.reminder(prompt, late)))
}

/**
 * Presents what fired to the person, one line each.
 *
 * @param all what fired, oldest first
 * @param language the person's language; without one, the language of the first reminder
 */
export function presentFired(all: readonly Fired[], language: Language | undefined): string {
  const words = all.flatMap(fired => (fired.kind === 'reminder' ? fired.reminders.map(row => row.prompt) : [fired.name]))
  const spoken = language ?? languageOf(words.join(' '))
  return all.flatMap(fired => present(fired, spoken)).join('\n')
}
