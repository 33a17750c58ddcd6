import type { Block, DshClient, LogEvent, PromptOptions } from '../../scripts/lib/dsh-client.ts'
import { parseJson } from '../../scripts/lib/json.ts'
import { waitFor, type Patience } from './waiting.ts'

const textOf = (blocks: readonly Block[]): string => blocks.map(block => block.text ?? textOf(block.content ?? [])).join('')

const contentOf = (event: LogEvent): readonly Block[] => (event.data.message ?? event.data).content ?? []

/** @returns the text of a `user/message`, an `assistant/message` or a `tool/result` */
export const textOfMessage = (event: LogEvent): string => textOf(contentOf(event))

/** @returns how many turns have ended */
export const turnsEnded = (events: readonly LogEvent[]): number => events.filter(event => event.type === 'turn/end').length

/** @returns the parsed JSON results of a tool, in order; a call that failed gives its error text */
export const resultsOf = (events: readonly LogEvent[], tool: string): readonly unknown[] => {
  const calls = new Set(events.filter(event => event.type === 'tool/call' && event.data.name === tool).map(event => event.data.callId))
  const results = events.filter(event => event.type === 'tool/result' && contentOf(event).some(block => calls.has(block.toolCallId)))
  return results.map(event => {
    const text = textOfMessage(event)
    try {
      return parseJson<unknown>(text)
    } catch {
      return text
    }
  })
}

/**
 * Sends a prompt and waits until one more turn has ended.
 * @returns the whole log by then
 */
export const talk = async (host: DshClient, sessionId: string, text: string, options: PromptOptions & Patience = {}): Promise<readonly LogEvent[]> => {
  const before = turnsEnded(await host.history(sessionId))
  await host.prompt(sessionId, text, options)
  return waitFor(`an answer to: ${text}`, async () => {
    const events = await host.history(sessionId)
    return turnsEnded(events) > before && events
  }, options)
}
