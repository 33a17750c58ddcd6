import type { PastReminder, PendingReminder } from '../../../../tool-schedule/src/people/wire.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'

/** How much time the picture shows. */
export type Span = 'day' | 'week'

/** What a mark stands for. */
export type MarkKind = 'delivered' | 'missed' | 'coming'

/** One mark of the picture; what would lie on one spot is one mark. */
export interface Mark {
  readonly kind: MarkKind
  /** Share of the width, 0 to 1. */
  readonly at: number
  readonly count: number
  /** The first instant of the mark (epoch milliseconds). */
  readonly ms: number
}

/** The picture: past deliveries and coming occurrences on one line of time. */
export interface Strip {
  readonly from: number
  readonly to: number
  /** Share of the width, 0 to 1. */
  readonly now: number
  readonly marks: readonly Mark[]
  /** Where local hours or days begin. */
  readonly ticks: readonly { readonly at: number; readonly ms: number }[]
  readonly counts: Readonly<Record<MarkKind, number>>
}

/** Before and after now. */
const SPANS: Readonly<Record<Span, readonly [number, number]>> = { day: [6 * HOUR_MS, 18 * HOUR_MS], week: [2 * DAY_MS, 5 * DAY_MS] }

/** Spots on the line; two marks nearer than this cannot be told apart on a narrow page. */
const SPOTS = 60

/** Most occurrences that are drawn of one series. */
const SERIES_LIMIT = 500

/**
 * Lay out the picture (requirement T11).
 *
 * @param now - epoch milliseconds.
 * @param span - how much time.
 * @param pending - what will come.
 * @param past - what became of earlier ones.
 */
export function stripOf(now: number, span: Span, pending: readonly PendingReminder[], past: readonly PastReminder[]): Strip {
  const [before, after] = SPANS[span]
  const from = now - before
  const to = now + after
  const share = (ms: number): number => (ms - from) / (to - from)
  const instants: readonly (readonly [MarkKind, number])[] = [...past.map(({ outcome, decided }) => [outcome, decided.ms] as const), ...pending.flatMap((reminder) => comingOf(reminder, to).map((ms) => ['coming', Math.max(ms, now)] as const))]
  const shown = instants.filter(([, ms]) => ms >= from && ms <= to).toSorted(([, one], [, other]) => one - other)
  const marks = new Map<string, Mark>()
  for (const [kind, ms] of shown) {
    const spot = Math.min(Math.floor(share(ms) * SPOTS), SPOTS - 1)
    const known = marks.get(`${kind} ${spot}`)
    marks.set(`${kind} ${spot}`, { kind, at: known?.at ?? share(ms), count: (known?.count ?? 0) + 1, ms: known?.ms ?? ms })
  }
  const count = (kind: MarkKind): number => shown.filter(([shownKind]) => shownKind === kind).length
  const ticks = ticksOf(from, to, span).map((ms) => ({ at: share(ms), ms }))
  return { from, to, now: share(now), marks: [...marks.values()], ticks, counts: { delivered: count('delivered'), missed: count('missed'), coming: count('coming') } }
}

/** The host names three fires of a series; those of an interval can be counted on. */
function comingOf({ due, next, rule, until, count, delivered, state }: PendingReminder, to: number): readonly number[] {
  if (state === 'paused') return []
  const named = [due, ...next].map(({ ms }) => ms)
  if (rule?.kind !== 'every') return named
  const limit = Math.min(SERIES_LIMIT, count === undefined ? SERIES_LIMIT : count - (delivered ?? 0))
  const last = Math.min(to, until?.ms ?? to)
  const step = rule.everySeconds * 1000
  const first = named[1] ?? due.ms + step
  const following = Array.from({ length: Math.max(limit - 1, 0) }, (_, index) => first + index * step)
  return [due.ms, ...following].filter((ms) => ms <= last)
}

function ticksOf(from: number, to: number, span: Span): readonly number[] {
  const ticks: number[] = []
  const at = new Date(from)
  at.setMinutes(0, 0, 0)
  while (at.getTime() <= to) {
    if (at.getTime() >= from && (span === 'day' ? at.getHours() % 6 === 0 : at.getHours() === 0)) ticks.push(at.getTime())
    at.setTime(at.getTime() + HOUR_MS)
  }
  return ticks
}
