/** A point on the UTC time line: milliseconds since 1970-01-01T00:00:00Z, without leap seconds; a safe integer. */
export type Instant = number

/** 0001-01-01T00:00:00.000Z, the first instant with a four-digit year (S21). */
export const MIN_INSTANT: Instant = -62_135_596_800_000

/** 9999-12-31T23:59:59.999Z, the last instant with a four-digit year (S21). */
export const MAX_INSTANT: Instant = 253_402_300_799_999

/** True for an integer between `MIN_INSTANT` and `MAX_INSTANT`, both included. */
export function isInstant(value: unknown): value is Instant {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= MIN_INSTANT && value <= MAX_INSTANT
}

/**
 * The one durable spelling of an instant: `YYYY-MM-DDTHH:mm:ss.mmmZ` (S7, S22).
 * @throws RangeError when `instant` is not an instant.
 */
export function formatInstant(instant: Instant): string {
  if (!isInstant(instant)) throw new RangeError(`Not an instant of the years 0001 to 9999: ${String(instant)}`)
  return new Date(instant).toISOString()
}

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Reads back exactly what `formatInstant` prints; `undefined` for every other text or value. */
export function parseCanonicalInstant(text: unknown): Instant | undefined {
  if (typeof text !== 'string' || !CANONICAL.test(text)) return undefined
  const instant = Date.parse(text)
  // Engines roll 30 February over into March: only a text that survives the way back is canonical.
  return isInstant(instant) && formatInstant(instant) === text ? instant : undefined
}
