import { isDate, isTimeOfDay, MINUTE_MS, toWall } from './calendar.ts'
import { isInstant, type Instant } from './instant.ts'

/**
 * `shape`: not the profile's characters. `calendar`: no such date or time of day (30 February, 24:00, second 60).
 * `offset`: not between -23:59 and +23:59, or `-00:00`. `range`: the year 0000, or an instant outside 0001–9999.
 */
export type OffsetParse = { ok: true; instant: Instant } | { ok: false; reason: 'shape' | 'calendar' | 'offset' | 'range' }

const PROFILE = new RegExp(
  [
    /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T/,
    /(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d{1,3}))?/,
    /(?:Z|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d))$/,
  ]
    .map(part => part.source)
    .join(''),
)

/**
 * Reads the narrow RFC 3339 profile of S21, `YYYY-MM-DDTHH:mm:ss[.S|.SS|.SSS](Z|±HH:MM)`, and nothing near it: no lower
 * case, space, missing seconds, fourth fraction digit or `[Zone]`. `-00:00` is refused because RFC 3339 §4.3 gives it
 * the meaning "local time unknown"; leap seconds are refused because an instant cannot carry them.
 */
export function parseOffsetInstant(text: string): OffsetParse {
  const parts = PROFILE.exec(text)?.groups
  if (parts === undefined) return { ok: false, reason: 'shape' }
  const number = (name: string): number => Number(parts[name] ?? 0)
  const local = {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
    millisecond: Number((parts['fraction'] ?? '').padEnd(3, '0')),
  }
  if (!isTimeOfDay(local) || !isDate(local)) return { ok: false, reason: 'calendar' }
  const offsetMinutes = number('offsetHour') * 60 + number('offsetMinute')
  const west = parts['sign'] === '-'
  if (number('offsetHour') > 23 || number('offsetMinute') > 59 || (west && offsetMinutes === 0)) return { ok: false, reason: 'offset' }
  const instant = toWall(local) - (west ? -offsetMinutes : offsetMinutes) * MINUTE_MS
  return local.year > 0 && isInstant(instant) ? { ok: true, instant } : { ok: false, reason: 'range' }
}
