import { Temporal } from 'temporal-polyfill'

/*
 * The only door to Temporal. Two of its answers are left out on purpose: `getTimeZoneTransition`, which in the polyfill
 * reads the machine's clock and gives up a few years after it, and `Temporal.Now`, which test clocks cannot fake where
 * Temporal is native.
 */

const NANOSECONDS = 1_000_000

/** The name as Temporal spells it (letter case fixed, aliases kept), or `undefined` when there is no such zone. */
export function temporalZoneName(name: string): string | undefined {
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return undefined
  }
}

/** True when both names mean one zone by the tz database's links. Both must be known names. */
export function temporalZonesEqual(a: string, b: string): boolean {
  return new Temporal.ZonedDateTime(0n, a).equals(new Temporal.ZonedDateTime(0n, b))
}

/**
 * Milliseconds east of UTC at an instant. `instant` may lie a few days outside the range of `Instant`.
 * @throws RangeError for a fraction, `NaN` or an unknown zone.
 */
export function temporalOffset(zone: string, instant: number): number {
  return new Temporal.ZonedDateTime(BigInt(instant) * BigInt(NANOSECONDS), zone).offsetNanoseconds / NANOSECONDS
}
