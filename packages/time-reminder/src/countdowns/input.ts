import { DAY_MS, isInstant, localDate, parseDuration, parseLocal, resolveLocal, type Instant, type ZoneName } from 'dsh-time-core'
import { isRefusal, refuse, type Refusal } from '../errors.ts'
import { parseFields, parseName, parseNote, parseWord } from '../input.ts'
import { COUNTDOWN_ACTIONS, ON_FIRE, type OnFire } from './protocol.ts'

/** When a countdown is to be over, as it was said. */
export type When = { readonly kind: 'in'; readonly ms: number } | { readonly kind: 'at'; readonly time: string }

/** What is to be done with which countdown. */
export type CountdownWish =
  | { readonly action: 'start' | 'snooze'; readonly name: string; readonly when: When; readonly onFire: OnFire | undefined; readonly note: string | undefined }
  | { readonly action: 'cancel'; readonly name: string }
  | { readonly action: 'list'; readonly includeFired: boolean }

const IN_DETAIL = { code: 'duration' } as const
const AT_DETAIL = { code: 'time-of-day' } as const

/**
 * Check the arguments of `time_countdown` (requirement R12).
 *
 * @param args - what the model sent, of whatever shape.
 * @returns the wish, or a refusal that names the field.
 */
export function parseCountdownWish(args: unknown): CountdownWish | Refusal {
  const { refusal, values } = parseFields(args, ['action', 'name', 'in', 'at', 'onFire', 'note', 'includeFired'])
  const action = refusal ?? parseWord('action', values['action'], COUNTDOWN_ACTIONS)
  if (isRefusal(action)) return action
  const { includeFired = false } = values
  if (typeof includeFired !== 'boolean') return refuse('bad-request', { field: 'includeFired', detail: { code: 'true-or-false', field: 'includeFired' } })
  if (action === 'list') return { action, includeFired }
  const name = parseName(values['name'])
  if (isRefusal(name)) return name
  if (action === 'cancel') return { action, name }
  const onFire = values['onFire'] === undefined ? undefined : parseWord('onFire', values['onFire'], ON_FIRE)
  if (isRefusal(onFire)) return onFire
  const note = parseNote(values['note'])
  if (isRefusal(note)) return note
  const when = parseWhen(values['in'], values['at'], action)
  return isRefusal(when) ? when : { action, name, when, onFire, note }
}

function parseWhen(duration: unknown, time: unknown, action: 'start' | 'snooze'): When | Refusal {
  if (action === 'snooze' && time !== undefined) return refuse('bad-time', { field: 'at', detail: { code: 'snooze-takes-in' } })
  if ((duration === undefined) === (time === undefined)) return refuse('bad-time', { field: 'in', detail: action === 'snooze' ? IN_DETAIL : { code: 'in-or-at' } })
  if (time !== undefined) return typeof time === 'string' && /^\d\d?:\d\d$/.test(time) ? { kind: 'at', time: time.padStart(5, '0') } : refuse('bad-time', { field: 'at', detail: AT_DETAIL })
  const ms = typeof duration === 'string' ? parseDuration(duration) : undefined
  return ms === undefined ? refuse('bad-time', { field: 'in', detail: IN_DETAIL }) : { kind: 'in', ms }
}

/**
 * The instant at which a countdown is to be over. A time of day is today's, or tomorrow's when that has passed; one that
 * the clocks skip is refused, and of one that comes twice the first is taken.
 *
 * @param when - as it was said.
 * @param now - the call's reading of the clock.
 * @param zone - the session's zone.
 */
export function resolveWhen(when: When, now: Instant, zone: ZoneName): Instant | Refusal {
  if (when.kind === 'in') return isInstant(now + when.ms) ? now + when.ms : refuse('bad-time', { field: 'in', detail: { code: 'beyond-years' } })
  const today = localDate(now, zone)
  const instant = onDay(today, when.time, zone)
  if (isRefusal(instant)) return instant
  if (instant.at > now) return settled(instant, today, when.time, zone)
  const tomorrow = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10)
  const next = onDay(tomorrow, when.time, zone)
  return isRefusal(next) ? next : settled(next, tomorrow, when.time, zone)
}

interface Spot {
  readonly at: Instant
  /** The clocks skip the time; `at` is the first instant after that. */
  readonly isSkipped: boolean
}

function onDay(date: string, time: string, zone: ZoneName): Spot | Refusal {
  const local = parseLocal(date, time)
  const spot = local.ok ? resolveLocal(local.local, zone) : undefined
  if (spot === undefined || spot.kind === 'range') return refuse('bad-time', { field: 'at', detail: AT_DETAIL })
  return spot.kind === 'gap' ? { at: spot.firstAfter, isSkipped: true } : { at: spot.instant, isSkipped: false }
}

function settled({ at, isSkipped }: Spot, date: string, time: string, zone: ZoneName): Instant | Refusal {
  if (!isSkipped) return at
  return refuse('bad-time', { field: 'at', detail: { code: 'clocks-skip', zone, date, time, firstAfter: at } })
}
