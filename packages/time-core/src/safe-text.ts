/**
 * Characters that may not stand raw in a line of ours: `<` (it opens and closes blocks), controls with every kind of
 * line break, bidirectional controls, and whatever is drawn with no width. Unicode keeps the last in
 * Default_Ignorable_Code_Point, so that later zero-width characters are covered too.
 */
const UNSAFE = /[<\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu

/**
 * Any value as JSON on one line that cannot forge another line, close a tag or hide text (R5, X4, B65): the unsafe
 * characters become `\uXXXX` escapes, so that `JSON.parse` still gives the value back. What JSON has no word for
 * (`undefined`, functions) is `null`.
 * @throws TypeError for values JSON refuses: cycles and bigints.
 */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined
  return (json ?? 'null').replace(UNSAFE, escapeUnits)
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}

const SPACING = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu

/** Invisible characters, but not the joiners and the two emoji selectors that words and pictures are built with. */
const INVISIBLE = /(?!\p{Join_Control}|\ufe0e|\ufe0f)[\p{Cf}\p{DI}]/gu

/**
 * Nothing but visible ASCII, visible signs of Latin-1 (without the soft hyphen) and single spaces inside: such a text is a
 * plain line already, as most are.
 */
const PLAIN = /^[\x21-\x7e\xa1-\xac\xae-\xff]+(?: [\x21-\x7e\xa1-\xac\xae-\xff]+)*$/

/**
 * A text as one visible line for people: line breaks and controls become single spaces, invisible and bidirectional
 * control characters go, and what is longer than `max` code points ends in `…` (counted in `max`). Never cuts a
 * character in half; a lone surrogate becomes U+FFFD. `max` below 1 gives the empty text.
 */
export function plainLine(text: string, max: number): string {
  if (text.length <= max && PLAIN.test(text)) return text
  const line = text.toWellFormed().replace(SPACING, ' ').replace(INVISIBLE, '').replace(/ {2,}/g, ' ').trim()
  const points = Array.from(line)
  if (points.length <= max) return line
  return max < 1 ? '' : `${points.slice(0, max - 1).join('').trimEnd()}…`
}
