import { daysInMonth } from '../calendar.ts'
import type { Cron } from './parse.ts'

/**
 * What an expression really means where people expect something else; `sayCronNote` puts it into words. `minute-step` and
 * `hour-step` (B17, B18): the step does not divide the hour or the day, so the beat is uneven; `minutes` and `hours` are
 * those that match, ascending. `day-step`: a step in the day of month starts again with each month. `short-months` (B20,
 * B25): some of the rule's months do not have these `days`. `either-day` and `both-days` (B15, B16): day of month and
 * weekday are both given, and one suffices or both must match. `field`, `day` and `weekday` are as they are written.
 */
export type CronNote =
  | { readonly code: 'minute-step'; readonly field: string; readonly step: number; readonly minutes: readonly number[] }
  | { readonly code: 'hour-step'; readonly field: string; readonly step: number; readonly hours: readonly number[] }
  | { readonly code: 'day-step'; readonly field: string }
  | { readonly code: 'short-months'; readonly days: readonly number[] }
  | { readonly code: 'either-day'; readonly day: string; readonly weekday: string }
  | { readonly code: 'both-days'; readonly day: string; readonly weekday: string }

/**
 * Notes on what an expression really means where people expect something else, to be shown when it is created (B15, B16,
 * B17, B25). Empty when there is nothing to say.
 */
export function cronNotes(cron: Cron): CronNote[] {
  return [minuteStep(cron), hourStep(cron), dayStep(cron), shortMonths(cron), bothDays(cron)].flat()
}

/** The step of a lone `*` + step, or 1. */
function starStep(raw: string): number {
  return Number(/^\*\/(\d+)$/.exec(raw)?.[1] ?? 1)
}

function minuteStep({ raw, minutes }: Cron): CronNote[] {
  const step = starStep(raw.minute)
  return 60 % step === 0 ? [] : [{ code: 'minute-step', field: raw.minute, step, minutes }]
}

function hourStep({ raw, hours }: Cron): CronNote[] {
  const step = starStep(raw.hour)
  return 24 % step === 0 ? [] : [{ code: 'hour-step', field: raw.hour, step, hours }]
}

function dayStep({ raw }: Cron): CronNote[] {
  return starStep(raw.day) === 1 ? [] : [{ code: 'day-step', field: raw.day }]
}

function shortMonths(cron: Cron): CronNote[] {
  // A list of all days, as in 1-31, skips nothing that anybody could miss.
  if (cron.days.length === 31) return []
  // 2023 was an ordinary year: 29 February counts as missing.
  const shortest = Math.min(...cron.months.map(month => daysInMonth(2023, month)))
  const days = cron.days.filter(day => day > shortest)
  return days.length === 0 || cron.raw.day.startsWith('*') ? [] : [{ code: 'short-months', days }]
}

function bothDays({ raw: { day, weekday }, eitherDay }: Cron): CronNote[] {
  if (eitherDay) return [{ code: 'either-day', day, weekday }]
  return day === '*' || weekday === '*' ? [] : [{ code: 'both-days', day, weekday }]
}
