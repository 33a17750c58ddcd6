/** What repeated measurements of one thing come to. */
export interface Summary {
  readonly count: number
  readonly median: number
  /** Half of the measurements lie between `low` and `high`, the quartiles. */
  readonly low: number
  readonly high: number
  readonly p99: number
}

/**
 * The smallest value that at least this share of all values does not exceed (nearest rank, no interpolation).
 *
 * @param values - in any order.
 * @param share - between 0 and 1.
 * @returns NaN without values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN
}

/**
 * The middle value, or the mean of the two middle ones.
 *
 * @param values - in any order.
 * @returns NaN without values.
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return middle.reduce<number>((sum, value) => sum + (value ?? Number.NaN) / 2, 0)
}

/** Median, quartiles and 99th percentile of repeated measurements. */
export function summarize(values: readonly number[]): Summary {
  return { count: values.length, median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75), p99: quantile(values, 0.99) }
}

/**
 * How two subjects compare that were measured in turn: the median of the ratios of neighbours. What slows the machine
 * down for a while meets both halves of a pair.
 *
 * @param ours - measurements in the order in which they were made.
 * @param theirs - of the other subject, one after each of ours.
 * @returns NaN without pairs.
 */
export function pairedRatio(ours: readonly number[], theirs: readonly number[]): number {
  const pairs = Math.min(ours.length, theirs.length)
  return median(Array.from({ length: pairs }, (_, index) => (ours[index] ?? Number.NaN) / (theirs[index] ?? Number.NaN)))
}

/** A number with three digits that say something; whole numbers stay as they are. */
export function rounded(value: number): number {
  return Number.isInteger(value) || !Number.isFinite(value) ? value : Number(value.toPrecision(3))
}
