import { parseCanonicalInstant, type Instant } from 'dsh-time-core'
import { MIN_EVERY_SECONDS, type ReminderId } from './protocol.ts'

/** Source kind of every message of this plugin. */
export const SOURCE_KIND = 'dsh-tool-schedule'

/** Member of `tool/result.meta` and of our message sources under which facts travel. */
export const CARRIER = 'timekeeper'

/** Who set a reminder: the model by a tool call, or a person in the page or by a command. */
export type SetBy = 'model' | 'person'

/** When a series repeats, and when it ends. Instants are canonical UTC. */
export type SeriesRule = (
  | { readonly kind: 'every'; readonly everySeconds: number; readonly anchor: string }
  | { readonly kind: 'cron'; readonly cron: string; readonly zone: string }
) & { readonly until?: string; readonly count?: number }

/** What version 1 cannot say about a reminder or, with `series`, about a series and all its occurrences. */
export interface PlanFact {
  readonly fact: 'plan'
  /** Id of the reminder, or of the series; an occurrence of a series is `<series id>.<n>`. */
  readonly id: ReminderId
  readonly setBy: SetBy
  /** Set in a turn that no person started. */
  readonly unattended?: true
  /** Zone in which the person thinks of it; for echoing, never for reinterpreting the stored instant. */
  readonly zone?: string
  readonly lateLimitSeconds?: number
  readonly wake?: true
  readonly series?: SeriesRule
  /** This reminder is one extra delivery of another one. */
  readonly snoozeOf?: ReminderId
  /** This reminder stands in for another one, which a person edited, or took back and wanted again. */
  readonly replaces?: ReminderId
}

/** A reminder that was put into the conversation; rides on the very message that delivers it. */
export interface DeliveryFact {
  readonly fact: 'delivery'
  readonly id: ReminderId
  readonly occurrenceAt: string
  readonly deliveredAt: string
  readonly reasons: readonly string[]
  /** The series ended with this delivery. */
  readonly last?: true
}

/** An occurrence that was not delivered because it was later than its limit allows. */
export interface MissedFact {
  readonly fact: 'missed'
  readonly id: ReminderId
  readonly occurrenceAt: string
  readonly decidedAt: string
  readonly reasons: readonly string[]
  /** The series ended with this miss. */
  readonly last?: true
}

/** One durable fact beside the version-1 events. */
export type Fact = PlanFact | DeliveryFact | MissedFact

/** The envelope that carriers hold. */
export interface Carrier {
  readonly v: 1
  readonly facts: readonly Fact[]
}

/**
 * Wrap facts for a carrier.
 *
 * @param facts - lossless JSON.
 * @returns an object to spread into `tool/result.meta` or a message source.
 */
export function carry(facts: readonly Fact[]): { readonly [CARRIER]: Carrier } {
  return { [CARRIER]: { v: 1, facts } }
}

/**
 * The facts that a carrier holds. What is not of our shape is left out: carriers are opaque to the host, and a fact
 * that cannot be read must not make the rest of a session unreadable (requirement X6).
 *
 * @param carrier - a `tool/result.meta` or a message source, of whatever shape.
 */
export function readFacts(carrier: unknown): readonly Fact[] {
  const envelope = member(carrier, CARRIER)
  const facts = member(envelope, 'facts')
  if (member(envelope, 'v') !== 1 || !Array.isArray(facts)) return []
  return facts.filter(isFact)
}

/**
 * What a tool's value says about the reminder that it set. The value is read, not a second copy of the plan, because
 * a call that ran as a sub-call (code mode) leaves nothing behind but its value.
 *
 * @param value - the JSON value of `schedule_create` or `schedule_snooze`, or anything else.
 * @returns the plan as the only fact, or none when the value sets nothing.
 */
export function planFacts(value: unknown): readonly PlanFact[] {
  // Lists and deletions, which are most of the calls, have no rule to look for.
  if (member(value, 'set') !== true) return []
  const rule = ruleOf(value)
  const plan = {
    fact: 'plan',
    id: member(value, 'id'),
    setBy: member(value, 'setBy') ?? 'model',
    ...pick(value, ['unattended', 'zone', 'lateLimitSeconds', 'wake', 'snoozeOf']),
    ...(rule !== undefined && { series: { ...rule, ...pick(value, ['until', 'count']) } }),
  }
  return isPlan(plan) ? [plan] : []
}

/** Tools of ours whose value sets a reminder, under either family of names. */
const SETTING_TOOLS = /^(?:schedule|reminder)_(?:create|snooze)$/

/**
 * The plan in the result of a tool that a program called (code mode). Such a call has no `meta`, so the value that the
 * host logged as text is read; by the tool's name, because any other tool may return any text.
 *
 * @param tool - name of the called tool.
 * @param content - its logged content blocks.
 */
export function subCallFacts(tool: string, content: readonly unknown[]): readonly PlanFact[] {
  const text = member(content[0], 'text')
  if (!SETTING_TOOLS.test(tool) || typeof text !== 'string') return []
  try {
    return planFacts(JSON.parse(text))
  } catch {
    return [] // shortened by a host policy: the reminder stays, as a plain one
  }
}

function ruleOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  switch (member(value, 'kind')) {
    case 'cron':
      return { kind: 'cron', cron: member(value, 'cron'), zone: member(value, 'zone') }
    case 'every':
      return { kind: 'every', everySeconds: member(value, 'everySeconds'), anchor: member(value, 'scheduledAt') }
    default:
      return undefined
  }
}

function pick(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, member(value, name)] as const).filter(([, found]) => found !== undefined))
}

function isFact(value: unknown): value is Fact {
  if (!isId(member(value, 'id'))) return false
  switch (member(value, 'fact')) {
    case 'plan':
      return isPlan(value)
    case 'delivery':
      return isInstant(member(value, 'occurrenceAt')) && isInstant(member(value, 'deliveredAt')) && isWords(member(value, 'reasons'))
    case 'missed':
      return isInstant(member(value, 'occurrenceAt')) && isInstant(member(value, 'decidedAt')) && isWords(member(value, 'reasons'))
    default:
      return false
  }
}

function isPlan(value: unknown): value is PlanFact {
  const setBy = member(value, 'setBy')
  return (
    isId(member(value, 'id')) &&
    (setBy === 'model' || setBy === 'person') &&
    optional(member(value, 'zone'), isText) &&
    optional(member(value, 'lateLimitSeconds'), isCount) &&
    optional(member(value, 'wake'), (wake) => wake === true) &&
    optional(member(value, 'unattended'), (unattended) => unattended === true) &&
    optional(member(value, 'snoozeOf'), isId) &&
    optional(member(value, 'replaces'), isId) &&
    optional(member(value, 'series'), isSeriesRule)
  )
}

function isSeriesRule(value: unknown): boolean {
  const ends = optional(member(value, 'until'), isInstant) && optional(member(value, 'count'), isCount)
  switch (member(value, 'kind')) {
    case 'every':
      return ends && isInterval(member(value, 'everySeconds')) && isInstant(member(value, 'anchor'))
    case 'cron':
      return ends && isText(member(value, 'cron')) && isText(member(value, 'zone'))
    default:
      return false
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function optional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isId(value: unknown): boolean {
  return isText(value) && value === value.trim()
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

/** In milliseconds it has to stay a safe integer as well, or arithmetic on it would throw. */
function isInterval(value: unknown): boolean {
  return isCount(value) && (value as number) >= MIN_EVERY_SECONDS && Number.isSafeInteger((value as number) * 1000)
}

function isInstant(value: unknown): boolean {
  return parseCanonicalInstant(value) !== undefined
}

function isWords(value: unknown): boolean {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
}

/**
 * The instant of a canonical text that a decoder has already accepted.
 *
 * @param text - canonical UTC instant.
 */
export function instantOf(text: string): Instant {
  return Date.parse(text)
}
