/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Narrows to a plain JSON object.
 *
 * @param value anything
 */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses JSON from an untrusted text.
 *
 * @param text any text
 * @returns `undefined` when it is not JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A text member of an untrusted object.
 *
 * @param value anything
 * @param keys members to try, in order
 * @returns the first that is a string and not blank
 */
export function textMember(value: unknown, ...keys: readonly string[]): string | undefined {
  if (!isObject(value)) return undefined
  for (const key of keys) {
    const member = value[key]
    if (typeof member === 'string' && member.trim() !== '') return member
  }
  return undefined
}
