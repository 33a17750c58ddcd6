/**
 * A refusal as a model or a person reads it: a value, not an error, so that whoever asked can act on it. Where it is made,
 * its detail is a code with arguments, so that it can be said in the language of whoever reads it.
 */
export interface Refusal<Code extends string = string, Detail = string> {
  readonly code: Code
  /** The stable text of the code. */
  readonly message: string
  /** The argument that is wrong. */
  readonly field?: string
  /** What exactly is wrong with it, or what would be right. */
  readonly detail?: Detail
}

/** What can be said with one table of refusals. */
export interface Refusals<Code extends string, Detail> {
  /**
   * A refusal with its stable text.
   *
   * @param code - why.
   * @param more - the field that is wrong, and the detail of it.
   */
  readonly refuse: (code: Code, more?: { readonly field?: string; readonly detail?: Detail }) => Refusal<Code, Detail>
  /**
   * Whether the result of a step that can be refused is a refusal.
   *
   * @param value - a refusal, or anything that is no object with a `code`.
   */
  readonly isRefusal: (value: unknown) => value is Refusal<Code, Detail>
  /**
   * A refusal as the model reads it.
   *
   * @param refusal - whose detail is put into words.
   */
  readonly inEnglish: (refusal: Refusal<Code, Detail>) => Refusal<Code>
}

/**
 * Refusals from one closed table of codes and texts, so that neither a code without a text nor a text with two codes
 * can be written (requirement S15).
 *
 * @param table - code → stable text.
 * @param say - puts a detail into words.
 */
export function refusalsOf<Code extends string, Detail>(table: Readonly<Record<Code, string>>, say: (detail: Detail, language: 'en') => string): Refusals<Code, Detail> {
  return {
    refuse: (code, more = {}) => ({ code, message: table[code], ...more }),
    isRefusal: (value): value is Refusal<Code, Detail> => typeof value === 'object' && value !== null && 'code' in value,
    inEnglish: ({ detail, ...rest }) => ({ ...rest, ...(detail !== undefined && { detail: say(detail, 'en') }) }),
  }
}
