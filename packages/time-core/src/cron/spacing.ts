import { CYCLE_YEARS, DAY_MS, daysInMonth, MINUTE_MS } from '../calendar.ts'
import { MAX_INSTANT, type Instant } from '../instant.ts'
import { seamsBetween } from '../wall.ts'
import type { ZoneName } from '../zone.ts'
import { nextFires, previousFire } from './next.ts'
import type { Cron } from './parse.ts'

/** How far ahead clock changes are looked at: twelve years, in which every date meets every weekday, across 2100 too. */
const SEAM_HORIZON_MS = 12 * 366 * DAY_MS

/** 29 February on one weekday can take forty years, when the century skips a leap day. */
const LONGEST_WAIT_YEARS = 40

/**
 * The smallest distance in milliseconds between two consecutive fires that the rule can produce from `from` on (T2). The
 * calendar part is reasoned from the fields over the whole 400-year cycle; then every clock change of the next
 * twelve years is tried: a gap shortens the distance across it, or puts a moved fire right before a regular one.
 */
export function shortestGap(cron: Cron, zone: ZoneName, from: Instant): number {
  let shortest = shortestWallGap(cron)
  // Fires and clock changes are whole minutes apart, so there is nothing below a minute to look for.
  if (shortest === MINUTE_MS) return shortest
  for (const { at } of seamsBetween(zone, from, Math.min(from + SEAM_HORIZON_MS, MAX_INSTANT))) {
    const around = [previousFire(cron, zone, at), ...nextFires(cron, zone, at - 1, 2)].filter(fire => fire !== undefined)
    shortest = Math.min(shortest, shortestStep(around.map(({ instant }) => instant), MINUTE_MS))
  }
  return shortest
}

/** The smallest distance on a clock without a zone. */
function shortestWallGap(cron: Cron): number {
  const times = cron.hours.flatMap(hour => cron.minutes.map(minute => (hour * 60 + minute) * MINUTE_MS))
  const withinDay = shortestStep(times, MINUTE_MS)
  const overnight = DAY_MS - Math.max(...times) + Math.min(...times)
  if (withinDay <= overnight) return withinDay
  return Math.min(withinDay, overnight + (shortestStep(matchingDays(cron), 1) - 1) * DAY_MS)
}

/** The matching dates from 2000-01-01 on, as days since then: one calendar cycle and the longest wait of any rule. */
function* matchingDays(cron: Cron): Generator<number, void, undefined> {
  const [days, months, weekdays] = [new Set(cron.days), new Set(cron.months), new Set(cron.weekdays)]
  let start = 0
  for (let month = 0; month < (CYCLE_YEARS + LONGEST_WAIT_YEARS) * 12; month += 1) {
    const monthOfYear = (month % 12) + 1
    const length = daysInMonth(2000 + Math.floor(month / 12), monthOfYear)
    for (let day = 1; day <= length && months.has(monthOfYear); day += 1) {
      const onDate = days.has(day) || (cron.lastDay && day === length)
      // 2000-01-01 was a Saturday.
      const onWeekday = weekdays.has((6 + start + day - 1) % 7)
      if (cron.eitherDay ? onDate || onWeekday : onDate && onWeekday) yield start + day - 1
    }
    start += length
  }
}

/** The smallest difference between neighbours of an ascending row, `Infinity` for fewer than two; stops at `least`. */
function shortestStep(ascending: Iterable<number>, least: number): number {
  let previous = -Infinity
  let shortest = Infinity
  for (const value of ascending) {
    shortest = Math.min(shortest, value - previous)
    if (shortest === least) break
    previous = value
  }
  return shortest
}
