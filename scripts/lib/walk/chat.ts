import { textOfMessage, turnsEnded } from '../../../e2e/lib/transcript.ts'
import { waitFor } from '../../../e2e/lib/waiting.ts'
import { connect, type LogEvent } from '../dsh-client.ts'
import { matchInOrder } from './expect.ts'

/** A reminder of a walked page is due within a minute; the rest is patience with a busy machine. */
const ANSWER_LIMIT_MS = 90_000

/** One thing that a person types, and what has to be in the conversation after it. */
export interface Exchange {
  readonly typed: string
  readonly expected: readonly string[]
}

/** A conversation in a running host. */
export interface Chat {
  /**
   * Types one thing and waits for what is expected.
   * @returns what is wrong, or undefined
   */
  readonly exchange: (exchange: Exchange) => Promise<string | undefined>
}

/**
 * @param text of a `chat` block: lines that begin with `> ` are typed, others are expected
 * @throws when the block does not begin with a line that is typed
 */
export const exchangesIn = (text: string): readonly Exchange[] => {
  const exchanges: { typed: string; expected: string[] }[] = []
  for (const line of text.split('\n').filter(candidate => candidate.trim() !== '')) {
    const typed = /^> (.+)$/.exec(line)?.[1]
    if (typed !== undefined) exchanges.push({ typed: typed.trim(), expected: [] })
    else if (exchanges.length === 0) throw new Error('a chat block begins with a line "> …" that is typed')
    else exchanges.at(-1)?.expected.push(line)
  }
  return exchanges
}

/** What of an event a person can read in the page, besides what that person typed. */
const linesOf = (event: LogEvent): readonly string[] => {
  const { source } = event.data
  const isNotice = event.type === 'user/message' && source?.['kind'] !== 'user'
  if (!isNotice && event.type !== 'assistant/message') return []
  const summary = typeof source?.['summary'] === 'string' ? [source['summary']] : []
  return [...summary, ...textOfMessage(event).split('\n')]
}

const isDelivery = ({ type, data }: LogEvent): boolean => type === 'schedule/change' && data['operation'] === 'dispatch'

/**
 * Begins a conversation as the page does.
 * @param url where a host serves
 * @param folder that the session works in
 * @param zone of the person, as a browser tells it
 * @param delivered told each time that a reminder was seen to be delivered
 */
export const openChat = async (url: string, folder: string, zone: string, delivered: () => void): Promise<Chat> => {
  const host = connect(url)
  const sessionId = await host.createSession(folder)
  const heard: string[] = []
  let nextSeq = 0
  const listen = async (): Promise<readonly LogEvent[]> => {
    const events = await host.history(sessionId)
    const fresh = events.filter(({ seq }) => seq >= nextSeq)
    nextSeq = (events.at(-1)?.seq ?? -1) + 1
    heard.push(...fresh.flatMap(linesOf))
    if (fresh.some(isDelivery)) delivered()
    return events
  }
  const say = async (typed: string): Promise<void> => {
    if (typed.startsWith('/')) {
      const { text = '' } = await host.command(sessionId, typed)
      heard.push(...text.split('\n'))
      return
    }
    const before = turnsEnded(await listen())
    await host.prompt(sessionId, typed, { zone })
    await waitFor(`an answer to: ${typed}`, async () => turnsEnded(await listen()) > before, { timeout: ANSWER_LIMIT_MS })
  }
  return {
    async exchange({ typed, expected }) {
      await listen()
      const from = heard.length
      try {
        await say(typed)
        await waitFor('the expected lines', async () => {
          const { missing } = matchInOrder(expected, heard.slice(from))
          if (missing !== undefined) await listen()
          return missing === undefined
        }, { timeout: ANSWER_LIMIT_MS, every: 200 })
        return undefined
      } catch (error) {
        const { missing } = matchInOrder(expected, heard.slice(from))
        return `${missing === undefined ? String(error) : `this line did not come: ${missing}`}\nWhat came:\n${heard.slice(from).slice(-30).join('\n')}`
      }
    },
  }
}
