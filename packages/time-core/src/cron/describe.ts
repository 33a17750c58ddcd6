import { daysInMonth, pad, wallDate, wallMinute } from '../calendar.ts'
import type { Instant } from '../instant.ts'
import { seamsBetween, type Seam } from '../wall.ts'
import type { ZoneName } from '../zone.ts'
import { gapFire } from './next.ts'
import type { Cron } from './parse.ts'

/**
 * Plain English notes on what an expression really means where people expect something else, to be shown when it is
 * created (B15, B16, B17, B25): uneven steps, short months, day of month together with weekday. Empty when there is
 * nothing to say.
 */
export function cronNotes(cron: Cron): string[] {
  return [minuteStepNote(cron), hourStepNote(cron), dayStepNote(cron), shortMonthNote(cron), bothDaysNote(cron)].flat()
}

/**
 * What clock changes in (from, until] do to the rule's times (T3): for every gap that swallows some, where they go. Reads
 * the zone's whole span, about 60 probes a year: meant for the stretch of a preview.
 */
export function describeSkips(cron: Cron, zone: ZoneName, from: Instant, until: Instant): string[] {
  return [...seamsBetween(zone, from, until)].flatMap(seam => skipNote(cron, zone, seam))
}

function skipNote(cron: Cron, zone: ZoneName, seam: Seam): string[] {
  const lost = cron.walls.next(seam.from - 1)
  if (lost >= seam.to) return []
  const where = `The clock in ${zone} jumps from ${wallDate(seam.from)} ${wallMinute(seam.from)} to ${wallDate(seam.to)} ${wallMinute(seam.to)}`
  const fire = gapFire(cron, seam)
  const fate = fire === undefined ? 'is left out; the rule goes on at its next time' : `fires at ${wallMinute(seam.to)} instead`
  return [`${where}: ${wallMinute(lost)} does not exist, it ${fate}.`]
}

/** The step of a lone `*` + step, or 1. */
function starStep(raw: string): number {
  return Number(/^\*\/(\d+)$/.exec(raw)?.[1] ?? 1)
}

function minuteStepNote(cron: Cron): string[] {
  const step = starStep(cron.raw.minute)
  if (60 % step === 0) return []
  const times = cron.minutes.map(minute => `:${pad(minute, 2)}`)
  return [`${cron.raw.minute} in the minute field fires at ${listed(times, 'and')} of each hour, not every ${String(step)} minutes.`]
}

function hourStepNote(cron: Cron): string[] {
  const step = starStep(cron.raw.hour)
  if (24 % step === 0) return []
  const times = cron.hours.map(hour => pad(hour, 2))
  return [`${cron.raw.hour} in the hour field fires in the hours ${listed(times, 'and')} of each day, not every ${String(step)} hours.`]
}

function dayStepNote(cron: Cron): string[] {
  if (starStep(cron.raw.day) === 1) return []
  return [`${cron.raw.day} in the day-of-month field starts again at day 1 of each month.`]
}

function shortMonthNote(cron: Cron): string[] {
  // A list of all days, as in 1-31, skips nothing that anybody could miss.
  if (cron.days.length === 31) return []
  // 2023 was an ordinary year: 29 February counts as missing.
  const shortest = Math.min(...cron.months.map(month => daysInMonth(2023, month)))
  const skipped = cron.days.filter(day => day > shortest)
  if (skipped.length === 0 || cron.raw.day.startsWith('*')) return []
  return [`Day ${listed(skipped.map(String), 'or')} is skipped in months without it; L means the last day of every month.`]
}

function bothDaysNote(cron: Cron): string[] {
  const { day, weekday } = cron.raw
  if (cron.eitherDay) return [`Day of month (${day}) and weekday (${weekday}) are both given: a date that matches either one counts.`]
  if (day === '*' || weekday === '*') return []
  return [`Day of month (${day}) and weekday (${weekday}) must both match, because one of them starts with *.`]
}

function listed(items: readonly string[], word: 'and' | 'or'): string {
  return [items.slice(0, -1).join(', '), ...items.slice(-1)].filter(part => part !== '').join(` ${word} `)
}
