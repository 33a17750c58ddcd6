import { formatDuration, jsonLine, plainLine } from 'dsh-time-core'

/** How much of a name, and of a note, stands in a line that is told again and again (code points). */
const NAME_SHOWN = 40
const NOTE_SHOWN = 80

/** Entries of one line of a reading. */
const ENTRIES_SHOWN = 5

/** A name that can be taken for nothing but one word of its entry. */
const SIMPLE_NAME = /^[\p{L}\p{M}\p{N}_.:/#+-]+$/u

/** A note that cannot end the parentheses around it. */
const SIMPLE_NOTE = /^[\p{L}\p{M}\p{N} _.,:;/#+!?'%&*@，。：；、！？·…—-]*$/u

/**
 * A name in an entry of a line; quoted when it could forge another entry (requirements R5, X4).
 *
 * @param name - as it was given.
 */
export function nameWord(name: string): string {
  return quoted(plainLine(name, NAME_SHOWN), SIMPLE_NAME)
}

/**
 * A note behind its entry, in parentheses and with a space before; nothing when there is none.
 *
 * @param note - as it was given.
 */
export function noteText(note: string | undefined): string {
  return note === undefined ? '' : ` (${quoted(plainLine(note, NOTE_SHOWN), SIMPLE_NOTE)})`
}

function quoted(text: string, simple: RegExp): string {
  return simple.test(text) ? text : jsonLine(text)
}

/**
 * A line of a reading with the first entries and the number of the others.
 *
 * @param title - in brackets before them.
 * @param entries - any number.
 * @returns no line when there is no entry.
 */
export function entryLine(title: string, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return []
  const more = entries.length > ENTRIES_SHOWN ? [`+${entries.length - ENTRIES_SHOWN} more`] : []
  return [`[${title}] ${[...entries.slice(0, ENTRIES_SHOWN), ...more].join(', ')}`]
}

/**
 * `3m7s`. Under a second nothing has passed that a model could use.
 *
 * @param ms - a duration; a negative one is none.
 * @param units - the most units shown, 1 or 2.
 */
export function shortDuration(ms: number, units = 2): string {
  return ms < 1000 ? '0s' : formatDuration(ms).split(' ').slice(0, units).join('')
}
