import { DAY_MS, HOUR_MS, MINUTE_MS } from './calendar.ts'

/** The longest duration taken: 36,500 days, about a hundred years. */
export const MAX_DURATION_MS = 36_500 * DAY_MS

const SECOND = 1000
const SHAPE = /^(?=\d)(?:(?<d>\d{1,5})d)?(?:(?<h>\d{1,6})h)?(?:(?<m>\d{1,7})m)?(?:(?<s>\d{1,9})s)?$/
const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND],
] as const

/**
 * Reads `90s`, `10m`, `1h30m`, `2d` (R12): whole numbers, units in the order d h m s, each at most once, no spaces.
 * Milliseconds; `d` is 24 hours, not a calendar day. `undefined` for anything else, for zero, and above
 * `MAX_DURATION_MS`.
 */
export function parseDuration(text: string): number | undefined {
  const parts = SHAPE.exec(text)?.groups
  if (parts === undefined) return undefined
  const ms = UNITS.reduce((sum, [unit, size]) => sum + Number(parts[unit] ?? 0) * size, 0)
  return ms > 0 && ms <= MAX_DURATION_MS ? ms : undefined
}

/**
 * A duration for people: the largest unit and the one below it, `2d 3h`, `1h 30m`, `45s`; less than a second is `<1s`.
 * What is smaller than those two units is cut off, never rounded up. A negative duration gets a leading `-`.
 * @throws RangeError when `ms` is not finite.
 */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) throw new RangeError(`Not a duration: ${String(ms)}`)
  const size = Math.abs(ms)
  const first = UNITS.findIndex(([, unit]) => size >= unit)
  if (first === -1) return '<1s'
  let rest = size
  const counted = UNITS.map(([name, unit]) => {
    const count = Math.floor(rest / unit)
    rest %= unit
    return { name, count }
  })
  const shown = counted.slice(first, first + 2).filter(({ count }) => count > 0)
  return (ms < 0 ? '-' : '') + shown.map(({ name, count }) => `${String(count)}${name}`).join(' ')
}
