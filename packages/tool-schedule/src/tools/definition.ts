import type { Agent } from '@deepseek-ai/dsh-agent'
import type { UserMessage } from '@deepseek-ai/dsh-session'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { ZoneFacts } from 'dsh-session-host'
import { jsonLine, plainLine, type Instant } from 'dsh-time-core'
import type { DeliveryPolicy } from '../decide.ts'
import { inEnglish, isRefusal, refuse, type Refusal, type RefusalCode } from '../errors.ts'
import { carry, planFacts } from '../facts.ts'
import type { Ledger } from '../ledger.ts'
import type { ScheduleChange } from '../protocol.ts'
import { DELIVERY_MODE } from '../view.ts'

/** What the tools of one session work with. */
export interface ToolPort {
  readonly ledger: Ledger
  readonly zones: ZoneFacts
  readonly policy: DeliveryPolicy
  now(): Instant
  /** The durability barrier: true when everything appended before the call is stored. */
  confirm(): Promise<boolean>
  /** One transaction after the other, shared with the owner (requirement S11). */
  transact<T>(job: () => Promise<T>): Promise<T>
  append(change: ScheduleChange): void
  /** Queue a message for the next step without waking the agent; in the log when this returns. */
  note(message: UserMessage): void
  /** Ask the owner to look again. */
  poke(): void
  warn(what: string, error: unknown): void
}

/** How much of an argument a title shows (code points). */
const TITLE_LENGTH = 80

type Json = NonNullable<Parameters<NonNullable<ToolDefinition['output']['presentationMeta']>>[1]>

/** What a tool answers: a value, or a refusal; both are results, not errors, so that the model can act on them. */
export type Answer = Readonly<Record<string, unknown>> | Refusal

/** A tool of ours before it is wrapped for the host. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, for the model. What is really accepted is decided by `input.ts`. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The transaction: input → queue → confirm → fold → answer. */
  run(args: unknown, port: ToolPort): Promise<Answer>
  /** One line about a call, for people. */
  title(args: unknown): string
}

/** What every answer looks like to the host; the same object for all tools of all sessions (requirement P5). */
const OUTPUT: ToolDefinition['output'] = {
  schema: { type: 'object', additionalProperties: true, properties: { deliveryMode: { type: 'string', const: DELIVERY_MODE } }, required: ['deliveryMode'] },
  render: (_args: unknown, value: unknown) => [{ type: 'text' as const, text: jsonLine(value) }],
  presentationMeta: (_args: unknown, value: unknown) => carry(planFacts(value)) as unknown as Json,
}

/**
 * Wrap a tool for the host, once for all sessions: which one a call is about is said by the agent that makes it. The
 * host's own argument check is passed by (the schema is open), because a refusal has to name the field with a stable
 * code (requirement S10).
 *
 * @param spec - the tool.
 * @param portOf - the session of an agent; `undefined` when it has none of ours.
 */
export function defineReminderTool(spec: ToolSpec, portOf: (agent: Agent | undefined) => ToolPort | undefined): ToolDefinition {
  const definition = {
    name: spec.name,
    description: spec.description,
    parameters: { type: 'object', ...spec.parameters },
    output: OUTPUT,
    async execute(args: unknown, { agent }: { readonly agent?: Agent }): Promise<unknown> {
      const port = portOf(agent)
      const answer = port === undefined ? refuse('internal_error') : await run(spec, args, port)
      return { deliveryMode: DELIVERY_MODE, ...(isRefusal(answer) ? inEnglish(answer) : answer) }
    },
    presentCall: (args: unknown) => ({ card: 'generic' as const, title: spec.title(args), kind: 'other' as const }),
  }
  return definition
}

function run(spec: ToolSpec, args: unknown, port: ToolPort): Promise<Answer> {
  return spec.run(args, port).catch((error: unknown) => {
    port.warn(`${spec.name} failed`, error)
    return refuse('internal_error')
  })
}

/** Every answer of a change names what it is about. */
interface Changed {
  readonly id?: unknown
}

/** How a transaction ended. */
export interface Settled<T> {
  readonly answer: T | Refusal
  /** Something was appended, and it is not confirmed as stored. */
  readonly isUnconfirmed: boolean
}

/**
 * The common course of everything that people and the model do with reminders (requirements S11 to S14): in the queue,
 * confirm, refuse on a corrupt log, let the owner look again, then do the work, and confirm what it appended.
 *
 * @param port - the session.
 * @param work - reads the fold, may append; its answer is given after a second barrier when it does.
 */
export function settle<T>(port: Omit<ToolPort, 'zones' | 'policy'>, work: (now: Instant) => Work<T>): Promise<Settled<T>> {
  return port.transact(async () => {
    if (!(await port.confirm())) return { answer: refuse('persistence_uncertain'), isUnconfirmed: false }
    port.poke()
    const { corruption } = port.ledger
    if (corruption !== undefined) return { answer: refuse('corrupt_schedule_log', { detail: { code: 'corrupt_event', ...corruption } }), isUnconfirmed: false }
    const { answer, changes, notice } = work(port.now())
    if (changes.length === 0) return { answer, isUnconfirmed: false }
    for (const change of changes) port.append(change)
    // The plan in it is read against the create, so it comes after.
    if (notice !== undefined) port.note(notice)
    const isStored = await port.confirm()
    port.poke()
    return { answer, isUnconfirmed: !isStored }
  })
}

/**
 * A transaction of a tool: what is not confirmed is a refusal that names the operation, and the id where there is one.
 *
 * @param port - the session.
 * @param operation - named in `persistence_uncertain`.
 * @param work - see `settle`.
 */
export async function transaction(port: ToolPort, operation: string, work: (now: Instant) => Work): Promise<Answer> {
  const { answer, isUnconfirmed } = await settle(port, work)
  // What was set is said in full even then: its plan is read from this value, and it may well turn out to be stored.
  if (isUnconfirmed) return { ...('set' in answer ? answer : { id: (answer as Changed).id }), ...uncertain(operation) }
  return isRefusal(answer) && answer.code === 'persistence_uncertain' ? uncertain(operation) : answer
}

/**
 * An argument of a call for people to read, whatever the model put there.
 *
 * @param args - what the model sent.
 * @param name - of the argument.
 */
export function shownArgument(args: unknown, name: string): string {
  const value: unknown = typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>)[name] : undefined
  return typeof value === 'string' ? plainLine(value, TITLE_LENGTH) : ''
}

/** What a transaction decided: the events to append, if any, and what to answer once they are stored. */
export interface Work<T = Answer> {
  readonly answer: T
  readonly changes: readonly ScheduleChange[]
  /** Told to the model beside the changes; carries the plan of a reminder that a person set. */
  readonly notice?: UserMessage
}

/** A decision that changes nothing. */
export function only<T>(answer: T): Work<T> {
  return { answer, changes: [] }
}

function uncertain(operation: string): Refusal & { readonly operation: string } {
  return { ...refuse('persistence_uncertain' satisfies RefusalCode), operation }
}
