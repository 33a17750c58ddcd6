/** Longest text that is read (UTF-16 code units): the longest prompt and room for the longest time before it. */
export const MAX_TEXT_LENGTH = 2200

/** The named groups of a match; a group that took no part is the empty text. */
export type Found = (name: string) => string

/**
 * A place in a text that moves forward by what is recognised there. Full-width digits, letters and signs are read as
 * the half-width ones that they stand for; the rest of the text stays as it was typed.
 */
export class Cursor {
  readonly #text: string
  readonly #flat: string
  #at = 0

  /** @param text - at most `MAX_TEXT_LENGTH` long: patterns are tried at every step. */
  constructor(text: string) {
    this.#text = text
    this.#flat = text.replace(/[\uff01-\uff5e\u3000]/g, (wide) => (wide === '\u3000' ? ' ' : String.fromCharCode(wide.charCodeAt(0) - 0xfee0)))
    this.take(/\s*/y)
  }

  /**
   * Move past what a pattern finds exactly here.
   *
   * @param pattern - sticky.
   * @returns reads its named groups, with the match itself as `all`; `undefined` leaves the place as it is.
   */
  take(pattern: RegExp): Found | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#flat)
    if (match === null) return undefined
    this.#at += match[0].length
    const groups: Readonly<Record<string, string | undefined>> = { ...match.groups, all: match[0] }
    return (name) => groups[name] ?? ''
  }

  /** Where it stands, for `back`. */
  get place(): number {
    return this.#at
  }

  /** Return to an earlier place. */
  back(place: number): void {
    this.#at = place
  }

  /** What was recognised so far, as it was typed. */
  get taken(): string {
    return this.#text.slice(0, this.#at).trim()
  }

  /** What was not recognised, without the signs and spaces that only join it to what was. */
  get rest(): string {
    return this.#text.slice(this.#at).replace(/^[\s,，:：、;；。-]+/u, '').replace(/^(?:请?提醒我|remind me(?: to)?(?= ))\s*/iu, '').trim()
  }
}
