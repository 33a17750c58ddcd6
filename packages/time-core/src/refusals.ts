/** A refusal as a model or a person reads it: a value, not an error, so that whoever asked can act on it. */
export interface Refusal<Code extends string = string> {
  readonly code: Code
  /** The stable text of the code. */
  readonly message: string
  /** The argument that is wrong. */
  readonly field?: string
  /** What exactly is wrong with it, or what would be right. */
  readonly detail?: string
}

/** What can be said with one table of refusals. */
export interface Refusals<Code extends string> {
  /**
   * A refusal with its stable text.
   *
   * @param code - why.
   * @param more - the field that is wrong, and the detail of it.
   */
  readonly refuse: (code: Code, more?: { readonly field?: string; readonly detail?: string }) => Refusal<Code>
  /**
   * Whether the result of a step that can be refused is a refusal.
   *
   * @param value - a refusal, or anything that is no object with a `code`.
   */
  readonly isRefusal: (value: unknown) => value is Refusal<Code>
}

/**
 * Refusals from one closed table of codes and texts, so that neither a code without a text nor a text with two codes
 * can be written (requirement S15).
 *
 * @param table - code → stable text.
 */
export function refusalsOf<Code extends string>(table: Readonly<Record<Code, string>>): Refusals<Code> {
  return {
    refuse: (code, more = {}) => ({ code, message: table[code], ...more }),
    isRefusal: (value): value is Refusal<Code> => typeof value === 'object' && value !== null && 'code' in value,
  }
}
