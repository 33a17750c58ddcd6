import { rounded } from './stats.ts'

/** One line of the answer to "does it hold?". */
export interface GoalRow {
  /** Number of the requirement, what is measured, and its unit. */
  readonly name: string
  readonly ours: number
  /** The host's own plugin in the same run; null where it has nothing of the kind. */
  readonly theirs: number | null
  /** ours / theirs; null without a peer, or where it does none of the work at all. */
  readonly ratio: number | null
  /** The limit, in words. */
  readonly goal: string
  readonly ok: boolean
}

/** A limit on what we cost: as such, or as a share of what the peer costs. */
export type Goal = { readonly atMost: number } | { readonly below: number } | { readonly ofTheirs: number } | { readonly exactly: number }

/** Measurements as people read them: one object per row, all with the same keys. */
export interface Table {
  readonly title: string
  readonly rows: readonly Readonly<Record<string, string | number>>[]
}

/** A line of the chart. */
export interface Line {
  /** Which picture it belongs to. */
  readonly panel: string
  readonly subject: string
  /** Log length and milliseconds. */
  readonly points: readonly (readonly [number, number])[]
}

/** What one scenario found. */
export interface Findings {
  readonly goals: readonly GoalRow[]
  readonly tables: readonly Table[]
  readonly lines?: readonly Line[]
}

/**
 * Judge one measurement. A value that is no number fails: it was not measured.
 *
 * @param name - number of the requirement, what is measured, unit.
 * @param goal - the limit.
 * @param ours - our value.
 * @param theirs - the peer's, where there is one.
 * @param measuredRatio - of paired measurements; else that of the two values.
 */
export function judge(name: string, goal: Goal, ours: number, theirs: number | null = null, measuredRatio?: number): GoalRow {
  const ratio = measuredRatio ?? (theirs === null || theirs === 0 ? null : ours / theirs)
  const shown = { name, ours: rounded(ours), theirs: theirs === null ? null : rounded(theirs), ratio: ratio === null ? null : rounded(ratio) }
  return { ...shown, goal: goalText(goal), ok: holds(goal, ours, ratio) }
}

function holds(goal: Goal, ours: number, ratio: number | null): boolean {
  if ('atMost' in goal) return ours <= goal.atMost
  if ('below' in goal) return ours < goal.below
  if ('exactly' in goal) return ours === goal.exactly
  return ratio !== null && ratio <= goal.ofTheirs
}

function goalText(goal: Goal): string {
  if ('atMost' in goal) return `≤ ${goal.atMost}`
  if ('below' in goal) return `< ${goal.below}`
  if ('exactly' in goal) return `= ${goal.exactly}`
  return `≤ ${goal.ofTheirs} × theirs`
}
