import { isReceiptEvent } from '../presentation.ts'
import { membersOf, readEvent, type DurableEvent } from '../protocol.ts'
import { deliveriesOf, evidenceIn, receiptData, type Evidence, type ReceiptData } from './evidence.ts'
import type { PageContext, PageDefinition, PageMatch, PageNode, PageReader } from './page.ts'

/** Kind of the row, and of the slot entry that draws it. */
export const RECEIPT = 'dsh-receipts.receipt'

const EVIDENCE = 'dsh-receipts.evidence'
const ANSWER = 'dsh-receipts.answer'

/** What became of the turn that brought a reminder to the model; says nothing about the delivery itself. */
export type Outcome = 'waiting' | 'running' | 'answered' | 'failed' | 'stopped'

const OUTCOMES: Readonly<Record<string, Outcome>> = { completed: 'answered', 'max-tokens': 'answered', error: 'failed', aborted: 'stopped', blocked: 'stopped', interrupted: 'stopped' }

/** What is known of a turn that carries a reminder. */
export interface AnswerData {
  readonly outcome: Outcome
}

/** The definitions of this package, and where the row finds what became of its message. */
export interface Definitions {
  readonly evidence: PageDefinition<Evidence>
  readonly receipt: PageDefinition<ReceiptData>
  readonly answer: PageDefinition<AnswerData>
  /** Key of the hidden node of a message; undefined while the message is in no turn. */
  readonly answerKey: (messageId: string) => string | undefined
}

const NO_EVIDENCE: Omit<Evidence, 'earlier'> = { create: undefined, createId: undefined, deliveries: [], plans: [] }

/** What a context of unreadable content holds: the page stops a session whose definition has no state. */
const NO_EVENT: DurableEvent = { seq: 0, type: '', time: 0, data: undefined }

/**
 * The definitions of one page. Contexts are named by `seq`, because the id of a reminder may come again in a fork, and
 * the page breaks off when one name is started twice. What belongs together is linked backwards.
 */
export function makeDefinitions(): Definitions {
  // A key is a pure function of the page's from kind and message, so it holds in every session.
  const answerKeys = new Map<string, string>()
  return {
    evidence: {
      kind: EVIDENCE,
      match: (event) => total(null, () => (evidenceIn(event) === undefined ? null : startOf(event.seq))),
      start: (_context, { event }, reader) => ({ ...total(NO_EVIDENCE, () => evidenceIn(event) ?? NO_EVIDENCE), earlier: earlierEvidence(reader) }),
      update: ({ state }) => state,
    },
    receipt: {
      kind: RECEIPT,
      target: 'chat',
      match: (event) => total(null, () => (isReceiptEvent(event) ? startOf(event.seq) : null)),
      start: (_context, { event }, reader) => total(receiptData(NO_EVENT, undefined), () => receiptData(readEvent(event) ?? NO_EVENT, earlierEvidence(reader))),
      update: ({ state }) => state,
      buildViewNode: (context) => nodeOf(context, RECEIPT, 'visible'),
    },
    answer: {
      kind: ANSWER,
      target: 'chat',
      match: (event) =>
        total(null, () => (event.type === 'user/message' && event.surfaceOp === 'append' && deliveriesOf(event.data).length > 0 ? { id: messageIdOf(event.data), role: 'start' } : null)),
      start: (_context, match) => total<AnswerData>({ outcome: 'running' }, () => ({ outcome: outcomeOf(match) })),
      update: ({ state }) => state,
      buildViewNode(context) {
        answerKeys.set(context.id, context.key)
        return nodeOf(context, ANSWER, 'hidden')
      },
    },
    answerKey: (messageId) => answerKeys.get(messageId),
  }
}

/**
 * What became of the turn that a hidden node stands for.
 *
 * @param node - the node under the key of the message, if there is one yet.
 */
export function outcomeIn(node: PageNode | undefined): Outcome {
  const { outcome } = membersOf(node?.data)
  return node === undefined ? 'waiting' : ((outcome as Outcome | undefined) ?? 'running')
}

function outcomeOf({ location }: PageMatch): Outcome {
  const end = location.turn?.end
  return end === undefined ? 'running' : (OUTCOMES[String(membersOf(membersOf(end.data)['reason'])['kind'])] ?? 'stopped')
}

function earlierEvidence(reader: PageReader): Evidence | undefined {
  return total(undefined, () => reader.previous(EVIDENCE)?.state as Evidence | undefined)
}

function messageIdOf(message: unknown): string {
  return String(membersOf(message)['id'])
}

function startOf(seq: number): { readonly id: string; readonly role: 'start' } {
  return { id: String(seq), role: 'start' }
}

function nodeOf(context: PageContext<unknown>, kind: string, visibility: PageNode['visibility']): PageNode | null {
  const { key, id, start, state } = context
  if (state === undefined || start === undefined) return null
  return { key, kind, id, target: 'chat', anchorSeq: start.event.seq, location: start.location, visibility, data: state }
}

/** A definition that throws would stop the transcript. */
function total<T>(fallback: T, job: () => T): T {
  try {
    return job()
  } catch {
    return fallback
  }
}
