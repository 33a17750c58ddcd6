/** Language of an answer: Chinese when the person wrote any Han character, English otherwise. */
export type Language = 'zh' | 'en'

/** A stretch of a text, `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A value together with the stretch of text it was read from. */
export interface Found<T> extends Span {
  readonly value: T
}

/**
 * Tells which language to answer in.
 *
 * @param text what the person wrote, any length
 */
export const languageOf = (text: string): Language => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')

const ASCII_SHIFT = 0xfe_e0
const SINGLE_QUOTES = /[‘’]/g
const FULL_WIDTH = /[\uFF01-\uFF5E]/g

/**
 * Maps full-width letters, digits and punctuation, the ideographic space and typographic apostrophes to ASCII,
 * one unit for one unit: a span found in the result is valid in the original text.
 *
 * @param text any text
 */
export const halfWidth = (text: string): string =>
  text
    .replace(FULL_WIDTH, char => String.fromCharCode(char.charCodeAt(0) - ASCII_SHIFT))
    .replaceAll('\u3000', ' ')
    .replace(SINGLE_QUOTES, "'")

/**
 * A case-insensitive pattern of several alternatives, written one below the other.
 *
 * @param sources pattern sources
 */
export const anyOf = (...sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'i')

/**
 * What a group of a match caught; empty when the group took no part.
 *
 * @param match a match
 * @param key number or name of the group
 */
export const group = (match: RegExpExecArray, key: number | string): string =>
  (typeof key === 'number' ? match[key] : match.groups?.[key]) ?? ''

/**
 * First match of a pattern that reads as a value.
 *
 * @param text where to look
 * @param pattern a global regular expression
 * @param read value of one match, or `undefined` to go on to the next match
 */
export function findFirst<T>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => T | undefined,
): Found<T> | undefined {
  for (const match of text.matchAll(pattern)) {
    const value = read(match)
    if (value !== undefined) return { value, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

/**
 * The earliest of several finds; of two that start together, the longer.
 *
 * @param finds finds or gaps, in any order
 */
export function earliest<T>(finds: readonly (Found<T> | undefined)[]): Found<T> | undefined {
  const present = finds.filter(find => find !== undefined)
  return present.toSorted((a, b) => a.start - b.start || b.end - a.end)[0]
}

/**
 * What remains of a text when spans are taken out, pieces joined by one space.
 *
 * @param text the text the spans belong to
 * @param spans stretches to take out; they may touch and overlap, and come in any order
 */
export function leftover(text: string, spans: readonly Span[]): string {
  const pieces: string[] = []
  let from = 0
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(from, Math.max(from, span.start)))
    from = Math.max(from, span.end)
  }
  pieces.push(text.slice(from))
  return pieces
    .map(piece => piece.trim())
    .filter(piece => piece !== '')
    .join(' ')
}

/**
 * One line of bounded length, for quoting foreign text back to a person.
 *
 * @param text any text
 * @param max greatest length in UTF-16 units, at least 1; a longer text ends in an ellipsis
 */
export function oneLine(text: string, max: number): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return flat.length <= max ? flat : `${flat.slice(0, max - 1)}…`
}

const MARKUP = /[\\`[\]<]/g

/**
 * A text of somebody else's inside an answer, on one line. The page reads answers as Markdown, where a prompt could be
 * a link, or an image that is fetched from anywhere without a click: what opens code, links, images and HTML is escaped.
 *
 * @param text any text
 * @param max most characters before escaping
 */
export const quoted = (text: string, max: number): string => oneLine(text, max).replace(MARKUP, '\\$&')
