import { MINUTE_MS, pad, wallStamp } from './calendar.ts'
import type { Instant } from './instant.ts'
import { wallAt } from './wall.ts'
import type { ZoneName } from './zone.ts'

/**
 * Local time, offset and zone in one text, to the second: `2026-10-09T01:23:45+08:00[Asia/Shanghai]` (RFC 9557, R3).
 * Midnight is always 00:00 of the new day (B14).
 */
export function formatZoned(instant: Instant, zone: ZoneName): string {
  const wall = wallAt(zone, instant)
  return `${wallStamp(wall)}${formatOffset(wall - instant)}[${zone}]`
}

/** An offset in milliseconds east of UTC as `+08:00`; seconds, which only local mean times before 1972 have, are rounded. */
export function formatOffset(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / MINUTE_MS)
  return `${ms < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`
}
