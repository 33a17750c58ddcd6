import { membersOf, type DurableEvent } from './protocol.ts'

/** Type of the only event that reminders write. */
export const SCHEDULE_CHANGE = 'schedule/change'

/** What a receipt says, from the log alone. */
export interface ReminderPresentation {
  readonly scheduleId: string
  readonly prompt: string
  /** Canonical UTC instant that the reminder was due at. */
  readonly occurrenceAt: string
}

/** A create event, as far as a receipt needs it. */
export interface CreateChange {
  readonly id: string
  readonly prompt: string
  readonly scheduledAt: string
  /** Of a fixed-rate reminder. */
  readonly everySeconds: number | undefined
}

/** A dispatch event. */
export interface DispatchChange {
  readonly id: string
  /** Of a fixed-rate reminder: the instant of the decision. */
  readonly acceptedAt: string | undefined
}

/**
 * What the receipt of a dispatch says: the dispatch and the nearest earlier create of the same id (requirement S31).
 * The edge of a fork holds for the child's own dispatches, which must not pair with the parent's work; an inherited
 * dispatch lies before the edge together with its create.
 *
 * @param events - events of one log, of any type and in any order.
 * @param dispatchSeq - `seq` of the dispatch.
 * @param seedLength - first `seq` of the session's own work; 0 when nothing was inherited.
 * @returns undefined when the two do not pair.
 */
export function scheduleReminderPresentation(events: readonly DurableEvent[], dispatchSeq: number, seedLength: number): ReminderPresentation | undefined {
  const dispatch = dispatchAt(events, dispatchSeq)
  const create = readCreate(pairedCreate(events, dispatchSeq, seedLength))
  if (dispatch === undefined || create === undefined) return undefined
  const occurrenceAt = occurrenceOf(create, dispatch.acceptedAt)
  return occurrenceAt === undefined ? undefined : { scheduleId: dispatch.id, prompt: create.prompt, occurrenceAt }
}

/**
 * The create event that a dispatch belongs to, by the rule of `scheduleReminderPresentation`.
 *
 * @param events - events of one log, of any type and in any order.
 * @param dispatchSeq - `seq` of the dispatch.
 * @param seedLength - first `seq` of the session's own work; 0 when nothing was inherited.
 */
export function pairedCreate(events: readonly DurableEvent[], dispatchSeq: number, seedLength: number): DurableEvent | undefined {
  const id = dispatchAt(events, dispatchSeq)?.id
  const from = dispatchSeq >= seedLength ? seedLength : 0
  let nearest: DurableEvent | undefined
  for (const event of events) {
    const isNearer = event.seq >= from && event.seq < dispatchSeq && event.seq > (nearest?.seq ?? -1)
    if (id !== undefined && isNearer && readCreate(event)?.id === id) nearest = event
  }
  return nearest
}

function dispatchAt(events: readonly DurableEvent[], dispatchSeq: number): DispatchChange | undefined {
  return readDispatch(events.find(({ seq }) => seq === dispatchSeq))
}

/** A fixed-rate reminder delivers the newest instant of its grid that had passed. */
function occurrenceOf({ scheduledAt, everySeconds }: CreateChange, acceptedAt: string | undefined): string | undefined {
  if ((everySeconds === undefined) !== (acceptedAt === undefined)) return undefined
  if (everySeconds === undefined || acceptedAt === undefined) return scheduledAt
  const [first, accepted, period] = [Date.parse(scheduledAt), Date.parse(acceptedAt), everySeconds * 1000]
  return accepted < first ? undefined : new Date(first + Math.floor((accepted - first) / period) * period).toISOString()
}

/**
 * Read a create event of version 1.
 *
 * @param event - any event.
 */
export function readCreate(event: DurableEvent | undefined): CreateChange | undefined {
  const { version, operation, schedule } = changeOf(event)
  const { id, prompt, scheduledAt, kind, everySeconds } = membersOf(schedule)
  if (version !== 1 || operation !== 'create' || !isText(id) || !isText(prompt) || !isInstant(scheduledAt)) return undefined
  if (kind !== 'every') return { id, prompt, scheduledAt, everySeconds: undefined }
  return Number.isSafeInteger(everySeconds) && (everySeconds as number) > 0 ? { id, prompt, scheduledAt, everySeconds: everySeconds as number } : undefined
}

/**
 * Read a dispatch event of version 1.
 *
 * @param event - any event.
 */
export function readDispatch(event: DurableEvent | undefined): DispatchChange | undefined {
  const { version, operation, id, acceptedAt } = changeOf(event)
  if (version !== 1 || operation !== 'dispatch' || !isText(id)) return undefined
  if (acceptedAt === undefined) return { id, acceptedAt: undefined }
  return isInstant(acceptedAt) ? { id, acceptedAt } : undefined
}

/**
 * Whether an event is shown as a row: a dispatch, or a change that this version does not know and shows as it is.
 *
 * @param event - any event.
 */
export function isReceiptEvent(event: DurableEvent): boolean {
  if (event.type !== SCHEDULE_CHANGE) return false
  const { version, operation } = membersOf(event.data)
  return version !== 1 || (operation !== 'create' && operation !== 'delete')
}

function changeOf(event: DurableEvent | undefined): Readonly<Record<string, unknown>> {
  return event?.type === SCHEDULE_CHANGE ? membersOf(event.data) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value))
}
