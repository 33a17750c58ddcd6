import { formatInstant, parseCanonicalInstant, type Instant } from 'dsh-time-core'

/** The one version of `schedule/change` that is ever written (design, host mapping). */
export const SCHEDULE_CHANGE_VERSION = 1

/** Shortest interval that version 1 can carry (seconds). */
export const MIN_EVERY_SECONDS = 300

/** Identity of a reminder; never reused within its session (requirement S7). */
export type ReminderId = string & { readonly __reminderId: true }

/** Due a number of seconds after its creation. */
export interface AfterRecord {
  readonly id: ReminderId
  readonly kind: 'after'
  readonly prompt: string
  readonly afterSeconds: number
  /** Canonical UTC instant. */
  readonly scheduledAt: string
}

/** Due at one instant. */
export interface AtRecord {
  readonly id: ReminderId
  readonly kind: 'at'
  readonly prompt: string
  /** Canonical UTC instant. */
  readonly scheduledAt: string
}

/** Due again and again at a fixed distance. Never written by us, but the host's own plugin writes it. */
export interface EveryRecord {
  readonly id: ReminderId
  readonly kind: 'every'
  readonly prompt: string
  readonly everySeconds: number
  /** Canonical UTC instant of the earliest occurrence that was not accepted yet. */
  readonly scheduledAt: string
}

/** What a create event stores. */
export type ScheduleRecord = AfterRecord | AtRecord | EveryRecord

/** One decoded `schedule/change` event. */
export type ScheduleChange =
  | { readonly version: 1; readonly operation: 'create'; readonly schedule: ScheduleRecord }
  | { readonly version: 1; readonly operation: 'delete'; readonly id: ReminderId }
  | { readonly version: 1; readonly operation: 'dispatch'; readonly id: ReminderId; readonly acceptedAt?: string }

/** The log breaks a rule of version 1: nothing may be concluded from what follows (requirement S8). */
export class CorruptLog extends Error {
  override readonly name = 'CorruptLog'
}

/**
 * The create event of a record.
 *
 * @param schedule - record with canonical instants.
 */
export function createChange(schedule: ScheduleRecord): ScheduleChange {
  return { version: SCHEDULE_CHANGE_VERSION, operation: 'create', schedule }
}

/** The delete event of an active reminder. */
export function deleteChange(id: ReminderId): ScheduleChange {
  return { version: SCHEDULE_CHANGE_VERSION, operation: 'delete', id }
}

/**
 * The dispatch event of an active reminder.
 *
 * @param record - the active record.
 * @param acceptedAt - the decision's instant; version 1 stores it for `every` and for nothing else.
 */
export function dispatchChange(record: ScheduleRecord, acceptedAt: Instant): ScheduleChange {
  const change = { version: SCHEDULE_CHANGE_VERSION, operation: 'dispatch', id: record.id } as const
  return record.kind === 'every' ? { ...change, acceptedAt: formatInstant(acceptedAt) } : change
}

/**
 * Decode the data of a `schedule/change` event: exactly the members of version 1, nothing guessed.
 *
 * @param data - the event's data, of whatever shape.
 * @throws CorruptLog naming the member that is wrong.
 */
export function decodeChange(data: unknown): ScheduleChange {
  const change = object(data, 'schedule/change')
  if (change['version'] !== SCHEDULE_CHANGE_VERSION) throw new CorruptLog('version is not 1')
  switch (change['operation']) {
    case 'create':
      members(change, ['version', 'operation', 'schedule'])
      return Object.freeze(createChange(decodeRecord(change['schedule'])))
    case 'delete':
      members(change, ['version', 'operation', 'id'])
      return Object.freeze(deleteChange(decodeId(change['id'])))
    case 'dispatch':
      return Object.freeze(decodeDispatch(change))
    default:
      throw new CorruptLog('operation is not create, delete or dispatch')
  }
}

function decodeDispatch(change: Readonly<Record<string, unknown>>): ScheduleChange {
  const dispatch = { version: SCHEDULE_CHANGE_VERSION, operation: 'dispatch', id: decodeId(change['id']) } as const
  if (!('acceptedAt' in change)) {
    members(change, ['version', 'operation', 'id'])
    return dispatch
  }
  members(change, ['version', 'operation', 'id', 'acceptedAt'])
  return { ...dispatch, acceptedAt: decodeInstant(change['acceptedAt'], 'acceptedAt') }
}

function decodeRecord(value: unknown): ScheduleRecord {
  const record = object(value, 'schedule')
  const shared = ['id', 'kind', 'prompt', 'scheduledAt']
  switch (record['kind']) {
    case 'at':
      members(record, shared)
      return Object.freeze({ ...decodeShared(record), kind: 'at' })
    case 'after':
      members(record, [...shared, 'afterSeconds'])
      return Object.freeze({ ...decodeShared(record), kind: 'after', afterSeconds: decodeSeconds(record, 'afterSeconds', 1) })
    case 'every':
      members(record, [...shared, 'everySeconds'])
      return Object.freeze({ ...decodeShared(record), kind: 'every', everySeconds: decodeSeconds(record, 'everySeconds', MIN_EVERY_SECONDS) })
    default:
      throw new CorruptLog('schedule.kind is not after, at or every')
  }
}

function decodeShared(record: Readonly<Record<string, unknown>>): { id: ReminderId; prompt: string; scheduledAt: string } {
  const { prompt } = record
  if (typeof prompt !== 'string' || prompt === '' || prompt !== prompt.trim()) throw new CorruptLog('schedule.prompt is empty or not trimmed')
  return { id: decodeId(record['id']), prompt, scheduledAt: decodeInstant(record['scheduledAt'], 'schedule.scheduledAt') }
}

function decodeSeconds(record: Readonly<Record<string, unknown>>, name: string, least: number): number {
  const seconds = record[name]
  // In milliseconds it has to stay a safe integer as well, or arithmetic on it would lie.
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < least) throw new CorruptLog(`schedule.${name} is not an integer of at least ${least}`)
  if (name === 'everySeconds' && !Number.isSafeInteger(seconds * 1000)) throw new CorruptLog('schedule.everySeconds is too large')
  return seconds
}

function decodeId(value: unknown): ReminderId {
  if (typeof value !== 'string' || value === '' || value !== value.trim()) throw new CorruptLog('id is empty or not trimmed')
  return value as ReminderId
}

function decodeInstant(value: unknown, name: string): string {
  if (parseCanonicalInstant(value) === undefined) throw new CorruptLog(`${name} is not a canonical UTC instant`)
  return value as string
}

function object(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new CorruptLog(`${name} is not an object`)
  return value as Record<string, unknown>
}

function members(value: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const foreign = Object.keys(value).find((key) => !names.includes(key))
  if (foreign !== undefined) throw new CorruptLog(`member ${JSON.stringify(foreign)} is not part of version 1`)
  const missing = names.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) throw new CorruptLog(`member ${JSON.stringify(missing)} is missing`)
}
