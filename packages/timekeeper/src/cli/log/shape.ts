/**
 * A JSON object on one line.
 *
 * @param text - any text.
 * @returns `undefined` for what is no JSON, and for JSON that is no object.
 */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/**
 * A member of a value of whatever shape.
 *
 * @param value - anything.
 * @param name - of the member.
 */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/**
 * A list of whatever shape, or an empty one.
 *
 * @param value - anything.
 */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Whether a value can be a `seq` or a number of events.
 *
 * @param value - anything.
 */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
