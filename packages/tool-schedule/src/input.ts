import { parseCron, parseLocal, parseOffsetInstant, parseZone, type Cron, type CronRefusal, type Instant, type LocalDateTime, type ZoneName } from 'dsh-time-core'
import type { Detail } from './details.ts'
import { isRefusal, refuse, type Refusal } from './errors.ts'
import { MIN_EVERY_SECONDS, type ReminderId } from './protocol.ts'

/** Longest prompt (UTF-16 code units): what a reminder says is repeated in the log and to the model. */
export const MAX_PROMPT_LENGTH = 2000

/** When a reminder is due, as given; nothing is resolved against a clock yet. */
export type Selector =
  | { readonly kind: 'after'; readonly seconds: number }
  | { readonly kind: 'instant'; readonly instant: Instant }
  | { readonly kind: 'local'; readonly local: LocalDateTime; readonly zone: ZoneName | undefined }
  | { readonly kind: 'every'; readonly seconds: number }
  | { readonly kind: 'cron'; readonly cron: Cron; readonly zone: ZoneName }

/** A well-formed request for a reminder. */
export interface CreateInput {
  readonly prompt: string
  readonly selector: Selector
  /** Last instant at which a series may be due. */
  readonly until: Instant | undefined
  /** How often a series is delivered. */
  readonly count: number | undefined
  readonly lateLimitSeconds: number | undefined
  readonly wake: boolean
}

type Arguments = Readonly<Record<string, unknown>>

const SELECTORS = ['after_seconds', 'at', 'every_seconds', 'cron'] as const
const OPTIONS = ['prompt', 'time_zone', 'until', 'count', 'late_limit_seconds', 'wake']

/**
 * Check the arguments of `schedule_create` by their shape alone (requirements S9, S10).
 *
 * @param args - what the model sent, of whatever shape.
 * @returns the request, or a refusal that names the field.
 */
export function parseCreate(args: unknown): CreateInput | Refusal {
  if (!isArguments(args)) return refuse('invalid_selector', { detail: { code: 'not_an_object' } })
  const unknown = unknownField(args, [...SELECTORS, ...OPTIONS])
  if (unknown !== undefined) return refuse('invalid_selector', { field: unknown, detail: { code: 'unknown_field', field: unknown } })
  const prompt = parsePrompt(args['prompt'])
  if (typeof prompt !== 'string') return prompt
  const given = SELECTORS.filter((name) => args[name] !== undefined)
  const [name] = given
  if (name === undefined || given.length > 1) return refuse('invalid_selector', { detail: given.length > 1 ? { code: 'many_selectors', fields: given } : { code: 'no_selector' } })
  const selector = parseSelector(name, args)
  if (isRefusal(selector)) return selector
  const options = parseOptions(args, selector)
  return isRefusal(options) ? options : { prompt, selector, ...options }
}

/**
 * Check the arguments of a tool that takes an id and perhaps a delay.
 *
 * @param args - what the model sent.
 * @param withDelay - whether `after_seconds` is needed as well.
 */
export function parseTarget(args: unknown, withDelay: boolean): { readonly id: ReminderId; readonly seconds: number } | Refusal {
  if (!isArguments(args)) return refuse('invalid_selector', { detail: { code: 'not_an_object' } })
  const fields = withDelay ? ['id', 'after_seconds'] : ['id']
  const unknown = unknownField(args, fields)
  if (unknown !== undefined) return refuse('invalid_selector', { field: unknown, detail: { code: 'known_fields', fields } })
  const { id } = args
  if (typeof id !== 'string' || id.trim() === '') return refuse('invalid_rule', { field: 'id', detail: { code: 'bad_id' } })
  if (!withDelay) return { id: id.trim() as ReminderId, seconds: 0 }
  const seconds = positive(args, 'after_seconds')
  return isRefusal(seconds) ? seconds : { id: id.trim() as ReminderId, seconds: seconds.value }
}

/**
 * Check the arguments of a tool that takes an id or nothing.
 *
 * @param args - what the model sent.
 */
export function parseOptionalTarget(args: unknown): { readonly id: ReminderId | undefined } | Refusal {
  return isArguments(args) && Object.keys(args).length === 0 ? { id: undefined } : parseTarget(args, false)
}

function parsePrompt(value: unknown): string | Refusal {
  const prompt = typeof value === 'string' ? value.trim() : ''
  return !/[^\p{Cf}\p{Z}]/u.test(prompt) || prompt.length > MAX_PROMPT_LENGTH ? refuse('invalid_prompt', { field: 'prompt' }) : prompt
}

function parseSelector(name: (typeof SELECTORS)[number], args: Arguments): Selector | Refusal {
  if (args['time_zone'] !== undefined && name !== 'cron') {
    return refuse('invalid_selector', { field: 'time_zone', detail: name === 'at' ? { code: 'zone_inside_at' } : { code: 'zone_without_meaning', selector: name } })
  }
  switch (name) {
    case 'after_seconds': {
      const seconds = positive(args, name)
      return isRefusal(seconds) ? seconds : { kind: 'after', seconds: seconds.value }
    }
    case 'every_seconds': {
      const seconds = positive(args, name)
      if (isRefusal(seconds)) return seconds
      return seconds.value < MIN_EVERY_SECONDS ? refuse('frequency_too_high', { field: name }) : { kind: 'every', seconds: seconds.value }
    }
    case 'at':
      return typeof args['at'] === 'string' ? parseInstantAt(args['at']) : parseLocalAt(args['at'])
    case 'cron':
      return parseCalendar(args)
  }
}

function parseInstantAt(text: string): Selector | Refusal {
  const parsed = parseOffsetInstant(text)
  if (parsed.ok) return { kind: 'instant', instant: parsed.instant }
  return refuse(parsed.reason === 'range' ? 'time_out_of_range' : 'invalid_rule', { field: 'at', detail: { code: 'bad_instant', why: parsed.reason } })
}

function parseLocalAt(value: unknown): Selector | Refusal {
  if (!isArguments(value)) return refuse('invalid_rule', { field: 'at', detail: { code: 'bad_at' } })
  const unknown = unknownField(value, ['date', 'time', 'time_zone'])
  if (unknown !== undefined) return refuse('invalid_rule', { field: `at.${unknown}`, detail: { code: 'known_fields_of_at' } })
  const { date, time } = value
  if (typeof date !== 'string' || typeof time !== 'string') return refuse('invalid_rule', { field: 'at', detail: { code: 'date_and_time_needed' } })
  const parsed = parseLocal(date, time)
  if (!parsed.ok) {
    const detail: Detail = parsed.reason === 'calendar' ? { code: 'does_not_exist' } : { code: 'bad_local', field: parsed.field }
    return refuse('invalid_rule', { field: `at.${parsed.field}`, detail })
  }
  const zone = value['time_zone'] === undefined ? undefined : parseZone(value['time_zone'])
  if (zone === undefined && value['time_zone'] !== undefined) return refuse('invalid_time_zone', { field: 'at.time_zone' })
  return { kind: 'local', local: parsed.local, zone }
}

function parseCalendar(args: Arguments): Selector | Refusal {
  const zone = parseZone(args['time_zone'])
  if (zone === undefined) return refuse('invalid_time_zone', { field: 'time_zone', detail: { code: 'cron_needs_zone' } })
  const parsed = parseCron(args['cron'])
  if (parsed.ok) return { kind: 'cron', cron: parsed.cron, zone }
  return refuse(codeOf(parsed.refusal), { field: 'cron', detail: { code: 'bad_cron', refusal: parsed.refusal } })
}

/**
 * The code under which what `parseCron` refuses is refused.
 *
 * @param refusal - of `parseCron`.
 */
export function codeOf(refusal: CronRefusal): 'no_future_occurrence' | 'invalid_rule' {
  return refusal.code === 'never' ? 'no_future_occurrence' : 'invalid_rule'
}

function parseOptions(args: Arguments, selector: Selector): Omit<CreateInput, 'prompt' | 'selector'> | Refusal {
  const repeats = selector.kind === 'every' || selector.kind === 'cron'
  for (const name of ['until', 'count']) {
    if (args[name] !== undefined && !repeats) return refuse('invalid_selector', { field: name, detail: { code: 'only_of_series', field: name } })
  }
  const count = optionalPositive(args, 'count')
  if (isRefusal(count)) return count
  const lateLimit = optionalPositive(args, 'late_limit_seconds')
  if (isRefusal(lateLimit)) return lateLimit
  if (args['wake'] !== undefined && typeof args['wake'] !== 'boolean') return refuse('invalid_rule', { field: 'wake', detail: { code: 'bad_wake' } })
  const until = parseUntil(args['until'])
  if (typeof until === 'object') return until
  return { until, count: count.value, lateLimitSeconds: lateLimit.value, wake: args['wake'] === true }
}

function parseUntil(value: unknown): Instant | undefined | Refusal {
  if (value === undefined) return undefined
  const parsed = typeof value === 'string' ? parseOffsetInstant(value) : undefined
  return parsed?.ok === true ? parsed.instant : refuse('invalid_rule', { field: 'until', detail: { code: 'bad_until' } })
}

function positive(args: Arguments, name: string): { readonly value: number } | Refusal {
  const value = args[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return { value }
  return refuse('invalid_rule', { field: name, detail: { code: 'bad_number', field: name } })
}

function optionalPositive(args: Arguments, name: string): { readonly value: number | undefined } | Refusal {
  return args[name] === undefined ? { value: undefined } : positive(args, name)
}

function isArguments(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unknownField(args: Arguments, known: readonly string[]): string | undefined {
  return Object.keys(args).find((name) => !known.includes(name))
}
