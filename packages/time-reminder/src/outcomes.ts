import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Instant } from 'dsh-time-core'
import { factsIn } from './carrier.ts'

/** A call that reports success: what it stated, and when it was made. */
export interface Outcome {
  readonly facts: readonly unknown[]
  /** When the call was logged (requirement R11). */
  readonly calledAt: Instant
}

/** A tool whose successful calls are state: its name, and the facts that its value states. */
export interface StatefulTool {
  readonly name: string
  /** @param value - what the tool answered, of whatever shape; a refusal states nothing. */
  facts(value: unknown): readonly unknown[]
}

/**
 * Pairs the calls of one tool with their results. A call that ran inside code mode leaves no `meta` behind, so there the
 * value is read that the host logged as text; by the tool's name, because any other tool may return any text.
 */
export class Outcomes {
  readonly #tool: StatefulTool
  readonly #calls = new Map<string, Instant>()

  constructor(tool: StatefulTool) {
    this.#tool = tool
  }

  /**
   * Take the next event of the log.
   *
   * @returns the outcome that it completes, if any: only a result that reports success is one (requirement R11).
   */
  take(event: SessionEvent): Outcome | undefined {
    switch (event.type) {
      case 'tool/call':
        return this.#call(event.data.name, event.data.callId, event.time)
      case 'tool/code-dispatch-start':
        return this.#call(event.data.name, event.data.subCallId, event.time)
      case 'tool/result':
        return this.#result(event)
      case 'tool/code-dispatch':
        return this.#settle(event.data.subCallId, event.data.isError, () => this.#tool.facts(textValue(event.data.content)))
      default:
        return undefined
    }
  }

  #call(name: string, id: string, time: Instant): undefined {
    if (name === this.#tool.name) this.#calls.set(id, time)
  }

  #result({ data: { message, error, meta } }: Extract<SessionEvent, { type: 'tool/result' }>): Outcome | undefined {
    const [block] = message.content
    return this.#settle(block.toolCallId, error !== undefined || block.isError === true, () => factsIn(meta))
  }

  /** A result that was shortened later is logged once more: by then its call is no longer waited for. */
  #settle(id: string, hasFailed: boolean, read: () => readonly unknown[]): Outcome | undefined {
    const calledAt = this.#calls.get(id)
    if (calledAt === undefined) return undefined
    this.#calls.delete(id)
    return hasFailed ? undefined : { facts: read(), calledAt }
  }
}

/**
 * The JSON value in the text blocks of a result.
 *
 * @param content - the logged blocks.
 * @returns `undefined` for a text that is no JSON, such as one that a host policy has shortened.
 */
export function textValue(content: readonly { readonly type: string }[]): unknown {
  const text = content.flatMap((block) => (block.type === 'text' ? [(block as { readonly text?: unknown }).text] : [])).join('')
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
