/** Fields of a wall clock in the proleptic Gregorian calendar; `month` 1–12, `hour` 0–23. Belongs to no zone by itself. */
export interface LocalDateTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
}

/** ISO 8601 day of the week: 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

/**
 * What a wall clock shows, as one number: the milliseconds from 1970-01-01T00:00 to that reading on a clock without
 * any zone. It orders and subtracts like an instant, but is one only in UTC.
 */
export type Wall = number

/** One minute (milliseconds). */
export const MINUTE_MS = 60_000

/** One hour (milliseconds). */
export const HOUR_MS = 60 * MINUTE_MS

/** One day of a wall clock (milliseconds). In a zone whose clocks change, a day can be shorter or longer. */
export const DAY_MS = 24 * HOUR_MS

/** The Gregorian calendar repeats, weekdays included, after 400 years: 146,097 days, which is a whole number of weeks. */
export const CYCLE_YEARS = 400
export const CYCLE_DAYS = 146_097

/** Days of a month, 28–31; `month` 1–12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** True when the month has that day. The year is not judged. */
export function isDate({ year, month, day }: { year: number; month: number; day: number }): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/** True for 00:00:00 to 23:59:59; 24:00 and second 60 are not times of day. */
export function isTimeOfDay({ hour, minute, second }: { hour: number; minute: number; second: number }): boolean {
  return hour <= 23 && minute <= 59 && second <= 59
}

/** Fields to wall. The fields must exist in the calendar; the year may be 0 or 10000 (an edge instant in some zone). */
export function toWall(local: LocalDateTime): Wall {
  const { year, month, day, hour, minute, second, millisecond } = local
  // Date.UTC reads the years 0–99 as 1900–1999, so every date is computed one calendar cycle later and taken back.
  return Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second, millisecond) - CYCLE_DAYS * DAY_MS
}

const MONDAY_TO_SATURDAY = [1, 2, 3, 4, 5, 6] as const

/** Wall to fields, with the day of the week. */
export function fromWall(wall: Wall): LocalDateTime & { weekday: Weekday } {
  const date = new Date(wall)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    weekday: MONDAY_TO_SATURDAY[date.getUTCDay() - 1] ?? 7,
  }
}

/** A number with leading zeros. */
export function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

/** `YYYY-MM-DDTHH:mm:ss` of a wall; the years 0 and 10000, which only edge instants reach, as ISO 8601 writes them. */
export function wallStamp(wall: Wall): string {
  return `${wallDate(wall)}T${wallMinute(wall)}:${pad(Math.floor(timeOfDay(wall) / 1000) % 60, 2)}`
}

/** The date that was written last: stamps that follow each other are mostly of one day, and a `Date` costs more than all else (P2). */
let latest = { day: Number.NaN, text: '' }

/** `YYYY-MM-DD` of a wall. */
export function wallDate(wall: Wall): string {
  const day = Math.floor(wall / DAY_MS)
  if (day !== latest.day) {
    const iso = new Date(wall).toISOString()
    latest = { day, text: iso.slice(0, iso.indexOf('T')) }
  }
  return latest.text
}

/** `HH:mm` of a wall. */
export function wallMinute(wall: Wall): string {
  const minutes = Math.floor(timeOfDay(wall) / MINUTE_MS)
  return `${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`
}

/** Milliseconds since the midnight of a wall, 0 to 86,399,999. */
function timeOfDay(wall: Wall): number {
  return wall - Math.floor(wall / DAY_MS) * DAY_MS
}
