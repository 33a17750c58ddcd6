import { readCreate, readDispatch, SCHEDULE_CHANGE } from '../presentation.ts'
import { membersOf, readEvent, type DurableEvent } from '../protocol.ts'
import type { PageEvent } from './page.ts'

/** Source kind of the messages that deliver reminders, and the member of it that carries their facts. */
const SENDER = 'dsh-tool-schedule'
const CARRIER = 'timekeeper'

/** What the delivering message says about one reminder. */
export interface Delivery {
  readonly id: string
  readonly messageId: string
  /** Canonical UTC instants. */
  readonly occurrenceAt: string
  readonly deliveredAt: string
  /** Why it was late, in the words of the log; empty when it was on time. */
  readonly reasons: readonly string[]
}

/** Who set a reminder. */
export interface Plan {
  readonly id: string
  readonly setBy: 'model' | 'person'
}

/** What one event contributes to the receipts that come after it, linked to what earlier events contributed. */
export interface Evidence {
  readonly create: DurableEvent | undefined
  /** Of the create: each dispatch looks through all that was before it. */
  readonly createId: string | undefined
  readonly deliveries: readonly Delivery[]
  readonly plans: readonly Plan[]
  readonly earlier: Evidence | undefined
}

/** What is known in the window about one dispatch, for its row. */
export interface ReceiptData {
  /** The dispatch, or a change of a kind that is not known here. */
  readonly event: DurableEvent
  /** Creates with its id in the window, oldest last. */
  readonly creates: readonly DurableEvent[]
  readonly delivery: Delivery | undefined
  readonly setBy: 'model' | 'person' | undefined
}

/**
 * What an event contributes, without its link.
 *
 * @param event - any event of a log.
 * @returns undefined when it contributes nothing.
 */
export function evidenceIn(event: PageEvent): Omit<Evidence, 'earlier'> | undefined {
  const createId = event.type === SCHEDULE_CHANGE ? readCreate(event)?.id : undefined
  const create = createId === undefined ? undefined : readEvent(event)
  const deliveries = event.type === 'agent/inbox/spliced' ? listOf(membersOf(event.data)['inserted']).flatMap(deliveriesOf) : []
  const plans = event.type === 'tool/result' ? factsOf(membersOf(event.data)['meta']).flatMap(planOf) : []
  return create === undefined && deliveries.length === 0 && plans.length === 0 ? undefined : { create, createId, deliveries, plans }
}

/**
 * The deliveries that a message brings.
 *
 * @param message - a message of the log, of whatever shape.
 */
export function deliveriesOf(message: unknown): readonly Delivery[] {
  const { id: messageId, source } = membersOf(message)
  if (typeof messageId !== 'string' || membersOf(source)['kind'] !== SENDER) return []
  return factsOf(source).flatMap(({ fact, id, occurrenceAt, deliveredAt, reasons }) =>
    fact === 'delivery' && isText(id) && isText(occurrenceAt) && isText(deliveredAt) ? [{ id, messageId, occurrenceAt, deliveredAt, reasons: listOf(reasons).filter(isText) }] : [],
  )
}

/**
 * Everything that the window says about a dispatch.
 *
 * @param event - the dispatch.
 * @param evidence - what came before it, newest first.
 */
export function receiptData(event: DurableEvent, evidence: Evidence | undefined): ReceiptData {
  const id = readDispatch(event)?.id
  if (id === undefined) return { event, creates: [], delivery: undefined, setBy: undefined }
  const creates: DurableEvent[] = []
  let delivery: Delivery | undefined
  let plan: Plan | undefined
  const series = seriesOf(id)
  for (let one = evidence; one !== undefined; one = one.earlier) {
    if (one.create !== undefined && one.createId === id) creates.push(one.create)
    delivery ??= one.deliveries.find((candidate) => candidate.id === id)
    plan ??= one.plans.find((candidate) => candidate.id === id || candidate.id === series)
  }
  return { event, creates, delivery, setBy: plan?.setBy }
}

/** `<series>.<n>` is an occurrence of a series. */
function seriesOf(id: string): string | undefined {
  return /^(.+)\.[1-9]\d*$/.exec(id)?.[1]
}

function factsOf(carrier: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { v, facts } = membersOf(membersOf(carrier)[CARRIER])
  return v === 1 ? listOf(facts).map(membersOf) : []
}

function planOf({ fact, id, setBy }: Readonly<Record<string, unknown>>): readonly Plan[] {
  return fact === 'plan' && isText(id) && (setBy === 'model' || setBy === 'person') ? [{ id, setBy }] : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
