import type { Translate } from './page.ts'

/** Under this nothing is said about lateness (milliseconds; requirement R16). */
export const NOTICEABLE_MS = 2000

/** One hour and one day of 24 of them (milliseconds). */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

const UNITS = [
  ['unit.d', DAY_MS],
  ['unit.h', HOUR_MS],
  ['unit.m', 60_000],
  ['unit.s', 1000],
] as const

/**
 * A duration in its two largest units; the second only where it says something.
 *
 * @param ms - not negative.
 * @param t - wording.
 */
export function durationWords(ms: number, t: Translate<(typeof UNITS)[number][0]>): string {
  const first = Math.max(UNITS.findIndex(([, size]) => ms >= size), ms >= 1000 ? 0 : UNITS.length - 1)
  let rest = ms
  const parts = UNITS.slice(first, first + 2).flatMap(([key, size], index) => {
    const n = Math.floor(rest / size)
    rest -= n * size
    return n === 0 && index > 0 ? [] : [t(key, { n })]
  })
  return parts.join(' ')
}
