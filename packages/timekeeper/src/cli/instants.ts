import { formatInstant, formatZoned, type Instant, type ZoneName } from 'dsh-time-core'

/**
 * An instant in UTC to the second: `2026-03-08T07:00:00Z`; parts of a second are shown where there are any.
 *
 * @param instant - any instant.
 */
export function instantText(instant: Instant): string {
  return formatInstant(instant).replace('.000Z', 'Z')
}

/**
 * The same instant on the clocks of a zone, with its offset: `2026-03-08T03:00:00-04:00`.
 *
 * @param instant - any instant.
 * @param zone - whose clocks.
 */
export function localText(instant: Instant, zone: ZoneName): string {
  return formatZoned(instant, zone).replace(/\[.*$/, '')
}
