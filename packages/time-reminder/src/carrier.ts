/** Member of `tool/result.meta` under which facts travel; the same in every plugin of this bundle. */
const CARRIER = 'timekeeper'

/**
 * Facts as `tool/result.meta` carries them.
 *
 * @param facts - lossless JSON.
 */
export function carry(facts: readonly unknown[]): Readonly<Record<string, unknown>> {
  return { [CARRIER]: { v: 1, facts } }
}

/**
 * The facts that a carrier holds. Carriers are opaque to the host, so what is not of our shape counts for nothing
 * instead of breaking the session.
 *
 * @param carrier - of whatever shape.
 */
export function factsIn(carrier: unknown): readonly unknown[] {
  const envelope = member(carrier, CARRIER)
  const facts = member(envelope, 'facts')
  return member(envelope, 'v') === 1 && Array.isArray(facts) ? facts : []
}

/**
 * A member of a value that may be anything.
 *
 * @param value - of whatever shape.
 * @param name - of the member.
 */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
