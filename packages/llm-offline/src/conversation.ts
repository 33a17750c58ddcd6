import type { GenerateOptions, Message } from '@deepseek-ai/dsh-llm'
import type { ToolOutcome } from './answers.ts'
import { readFired } from './notices.ts'
import type { Fired } from './notices.ts'
import { readingIn } from './reading.ts'
import type { Reading } from './reading.ts'
import { isObject, textMember } from './values.ts'

/** What the newest part of a conversation calls for. Read from the messages alone, so that replay, resume and fork agree. */
export interface Conversation {
  /** The newest message a person wrote. */
  readonly human: { readonly id: string; readonly text: string } | undefined
  /** Answers given since that message. */
  readonly step: number
  /** Nobody has answered that message yet. */
  readonly fresh: boolean
  /** Outcome of the last tool call since the last answer. */
  readonly outcome: ToolOutcome | undefined
  /** What fired since the last answer, oldest first. */
  readonly fired: readonly Fired[]
  /** A delivery is newer than the person's message and opened a turn of its own: nothing but presenting it is asked. */
  readonly delivery: boolean
  /** The newest time reading, if the conversation holds one. */
  readonly reading: Reading | undefined
}

/**
 * The text blocks of a message, joined by line breaks.
 *
 * @param message any message
 */
export const textOf = (message: Pick<Message, 'content'>): string =>
  message.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')

/**
 * Whether a person wrote a message; also true for the task text that a parent agent gives its child.
 *
 * @param message any message
 */
export const isHuman = (message: Message): boolean => message.role === 'user' && message.source.kind === 'user'

/** Context and notices: neither a person's words, nor a model's, nor a tool's. */
const isContext = (message: Message): boolean =>
  message.role !== 'assistant' && !isHuman(message) && message.source.kind !== 'tool' && message.source.kind !== 'model'

function outcomeOf(messages: readonly Message[], since: readonly Message[]): ToolOutcome | undefined {
  const block = since.flatMap(message => message.content).findLast(part => part.type === 'tool-result')
  if (block === undefined) return undefined
  const calls = messages.flatMap(message => message.content).filter(part => part.type === 'tool-call')
  const tool = calls.findLast(call => call.id === block.toolCallId)?.name ?? ''
  return { tool, text: textOf(block), isError: block.isError === true }
}

/** Deliveries and words from other sessions may quote instants: they are no readings. */
function newestReading(messages: readonly Message[]): Reading | undefined {
  for (const message of messages.toReversed()) {
    if (!isContext(message) || textMember(message.source, 'form') === 'relay') continue
    const text = textOf(message)
    const reading = readFired(text, message.source) === undefined ? readingIn(text) : undefined
    if (reading !== undefined) return reading
  }
  return undefined
}

/**
 * Reads the state of a conversation.
 *
 * @param messages all messages of a request, oldest first
 */
export function readConversation(messages: GenerateOptions['messages']): Conversation {
  const humanAt = messages.findLastIndex(isHuman)
  const answeredAt = messages.findLastIndex(message => message.role === 'assistant')
  const since = messages.slice(answeredAt + 1)
  const outcome = outcomeOf(messages, since)
  const fired = since.flatMap((message, index) => {
    const what = isContext(message) ? readFired(textOf(message), message.source) : undefined
    return what === undefined ? [] : [{ what, at: answeredAt + 1 + index }]
  })
  const newest = fired.at(-1)
  const human = messages[humanAt]
  return {
    human: human === undefined ? undefined : { id: String(human.id), text: textOf(human) },
    step: messages.slice(humanAt + 1).filter(message => message.role === 'assistant').length,
    fresh: humanAt > answeredAt,
    outcome,
    fired: fired.map(({ what }) => what),
    delivery: newest !== undefined && newest.at > humanAt && (newest.what.kind === 'reminder' || outcome === undefined),
    reading: newestReading(messages),
  }
}

/**
 * Names of the tools a request offers.
 *
 * @param tools the request's tool list, possibly absent
 */
export const toolNames = (tools: GenerateOptions['tools']): ReadonlySet<string> =>
  new Set((tools ?? []).filter(tool => isObject(tool)).map(tool => tool.name))
