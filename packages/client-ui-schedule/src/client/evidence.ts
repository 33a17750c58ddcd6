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
  const { creates, deliveries, plans } = indexOf(evidence)
  const [own, ofSeries] = [plans.get(id), plans.get(seriesOf(id) ?? id)]
  const newest = (ofSeries?.place ?? 0) > (own?.place ?? 0) ? ofSeries : own
  return { event, creates: (creates.get(id) ?? []).toReversed(), delivery: deliveries.get(id), setBy: newest?.plan.setBy }
}

/** What evidence says by id, up to some piece of it; what is said later counts. */
interface Index {
  readonly creates: Map<string, DurableEvent[]>
  readonly deliveries: Map<string, Delivery>
  /** Places count from 1. */
  readonly plans: Map<string, { readonly plan: Plan; readonly place: number }>
  places: number
}

/**
 * By the newest piece that they hold. An index moves on with its window: were all pieces looked through for each
 * dispatch, the time for a window would grow with the square of its length.
 */
const INDEXES = new WeakMap<Evidence, Index>()

function indexOf(evidence: Evidence | undefined): Index {
  const missing: Evidence[] = []
  let known = evidence
  for (; known !== undefined && !INDEXES.has(known); known = known.earlier) missing.push(known)
  const index = (known === undefined ? undefined : INDEXES.get(known)) ?? { creates: new Map(), deliveries: new Map(), plans: new Map(), places: 0 }
  for (const piece of missing.toReversed()) addTo(index, piece)
  if (known !== undefined) INDEXES.delete(known)
  if (evidence !== undefined) INDEXES.set(evidence, index)
  return index
}

function addTo(index: Index, { create, createId, deliveries, plans }: Evidence): void {
  if (create !== undefined && createId !== undefined) {
    const creates = index.creates.get(createId)
    if (creates === undefined) index.creates.set(createId, [create])
    else creates.push(create)
  }
  // The first of a piece counts.
  for (const delivery of deliveries.toReversed()) index.deliveries.set(delivery.id, delivery)
  for (const plan of plans.toReversed()) {
    index.places += 1
    index.plans.set(plan.id, { plan, place: index.places })
  }
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
