import type { RequestZone, ZoneFacts } from 'dsh-session-host'
import {
  formatInstant,
  isInstant,
  resolveLocal,
  sameZone,
  type Instant,
  type LocalDateTime,
  type ZoneName,
} from 'dsh-time-core'
import { isRefusal, refuse, type Refusal } from './errors.ts'
import type { PlanFact, SeriesRule, SetBy } from './facts.ts'
import type { CreateInput, Selector } from './input.ts'
import { nextOccurrence } from './occurrence.ts'
import type { ReminderId, ScheduleRecord } from './protocol.ts'

/** What is known at the moment a reminder is set. */
export interface Setting {
  readonly id: ReminderId
  /** The one reading of the clock for this call. */
  readonly now: Instant
  readonly zones: ZoneFacts
  readonly setBy: SetBy
  /** Set in a turn that no person started (requirement T8). */
  readonly unattended: boolean
}

/** What goes into the log for a new reminder. */
export interface Planned {
  readonly record: ScheduleRecord
  readonly plan: PlanFact
}

/** Every delivery may be this late and still be a four-digit year: version 1 can store no later instant. */
const YEARS = { detail: { code: 'beyond_years' } } as const

/**
 * Turn a well-formed request into a record with one UTC instant (requirements S7, S19, S21, S22, T1, T2, T4).
 *
 * @param input - checked arguments.
 * @param setting - clock, zones and identity.
 * @returns the record and what version 1 cannot say about it, or a refusal.
 */
export function planReminder(input: CreateInput, setting: Setting): Planned | Refusal {
  const resolved = resolve(input.selector, setting)
  if (isRefusal(resolved)) return resolved
  const { zone } = resolved
  const shared = {
    fact: 'plan',
    id: setting.id,
    setBy: setting.setBy,
    ...(setting.unattended && { unattended: true }),
    ...(zone !== undefined && { zone }),
    ...(input.lateLimitSeconds !== undefined && { lateLimitSeconds: input.lateLimitSeconds }),
    ...(input.wake && { wake: true }),
  } as const satisfies PlanFact
  if (resolved.rule !== undefined) return planSeries(input, setting, resolved.rule, shared)
  const { instant } = resolved
  if (instant <= setting.now) return refuse('not_future', { field: fieldOf(input.selector), detail: { code: 'now_is', now: setting.now } })
  if (!isInstant(instant)) return refuse('time_out_of_range', { field: fieldOf(input.selector), ...YEARS })
  const record = { id: setting.id, prompt: input.prompt, scheduledAt: formatInstant(instant) }
  return {
    record: input.selector.kind === 'after' ? { ...record, kind: 'after', afterSeconds: input.selector.seconds } : { ...record, kind: 'at' },
    plan: shared,
  }
}

type Resolved =
  | { readonly rule: undefined; readonly instant: Instant; readonly zone: ZoneName | undefined }
  | { readonly rule: SeriesRule; readonly zone: ZoneName | undefined }

function resolve(selector: Selector, setting: Setting): Resolved | Refusal {
  const { now, zones } = setting
  const zone = zones.request.kind === 'one' ? zones.request.zone : zones.session
  switch (selector.kind) {
    case 'after':
      return { rule: undefined, instant: now + selector.seconds * 1000, zone }
    case 'instant':
      return { rule: undefined, instant: selector.instant, zone }
    case 'local': {
      const meant = selector.zone ?? agreedZone(zones)
      return typeof meant === 'string' ? resolveIn(selector.local, meant) : meant
    }
    case 'every': {
      const anchor = now + selector.seconds * 1000
      if (!isInstant(anchor)) return refuse('time_out_of_range', { field: 'every_seconds', ...YEARS })
      return { rule: { kind: 'every', everySeconds: selector.seconds, anchor: formatInstant(anchor) }, zone }
    }
    case 'cron':
      return { rule: { kind: 'cron', cron: selector.cron.text, zone: selector.zone }, zone: selector.zone }
  }
}

/** S19: a local time without a zone is taken only where every source says the same zone and the model knows the time. */
function agreedZone(zones: ZoneFacts): ZoneName | Refusal {
  const { request, session, isMarked } = zones
  if (isMarked && session !== undefined && request.kind === 'one' && sameZone(request.zone, session)) return session
  return refuse('timezone_confirmation_required', { field: 'at.time_zone', detail: { code: 'zones_known', request: zonesOf(request), session, isMarked } })
}

function zonesOf(request: RequestZone): readonly ZoneName[] {
  if (request.kind === 'one') return [request.zone]
  return request.kind === 'mixed' ? request.zones : []
}

/** S21: a time inside a gap is refused, of an overlap the first instant is taken. */
function resolveIn(local: LocalDateTime, zone: ZoneName): Resolved | Refusal {
  const found = resolveLocal(local, zone)
  switch (found.kind) {
    case 'exact':
    case 'overlap':
      return { rule: undefined, instant: found.instant, zone }
    case 'gap':
      return refuse('invalid_rule', { field: 'at', detail: { code: 'clocks_skip', zone, firstAfter: found.firstAfter } })
    case 'range':
      return refuse('time_out_of_range', { field: 'at', ...YEARS })
  }
}

function planSeries(input: CreateInput, setting: Setting, rule: SeriesRule, shared: PlanFact): Planned | Refusal {
  const { until, count } = input
  const ended: SeriesRule = { ...rule, ...(until !== undefined && { until: formatInstant(until) }), ...(count !== undefined && { count }) }
  const first = nextOccurrence({ rule: ended, delivered: 0 }, setting.now)
  if (first === undefined) return refuse('no_future_occurrence', { field: until === undefined ? fieldOf(input.selector) : 'until' })
  return {
    record: { id: `${setting.id}.1` as ReminderId, kind: 'at', prompt: input.prompt, scheduledAt: formatInstant(first) },
    plan: { ...shared, series: ended },
  }
}

const FIELDS: Readonly<Record<Selector['kind'], string>> = { after: 'after_seconds', instant: 'at', local: 'at', every: 'every_seconds', cron: 'cron' }

function fieldOf(selector: Selector): string {
  return FIELDS[selector.kind]
}

/**
 * The next fires of a series, for echoing (requirement T3).
 *
 * @param rule - the series' rule with its ends.
 * @param delivered - how often it was delivered.
 * @param first - the occurrence that is active.
 * @param count - how many to list, the first included.
 */
export function upcoming(rule: SeriesRule, delivered: number, first: Instant, count: number): Instant[] {
  const fires = [first]
  for (let last = first; fires.length < count; ) {
    const next = nextOccurrence({ rule, delivered: delivered + fires.length }, last)
    if (next === undefined) break
    fires.push(next)
    last = next
  }
  return fires
}

