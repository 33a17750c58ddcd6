import type { SessionEvent } from './harness.ts'

/** A log that is written by hand, for folds: the shapes are those of the host's own events. */
export class HandLog {
  readonly events: SessionEvent[] = []
  #ids = 0

  /** Append an event of any type. */
  add(time: number, type: string, data: unknown, more: Record<string, unknown> = {}): SessionEvent {
    const event = { type, seq: this.events.length, time, data, ...more } as unknown as SessionEvent
    this.events.push(event)
    return event
  }

  /** A message that enters the conversation. */
  message(time: number, source: unknown, more: Record<string, unknown> = {}): SessionEvent {
    return this.add(time, 'user/message', { id: `m-${++this.#ids}`, role: 'user', content: [{ type: 'text', text: 'x' }], source }, { surfaceOp: 'append', ...more })
  }

  person(time: number): SessionEvent {
    return this.message(time, { kind: 'user', rpcId: 'r', clientTimeZone: 'Asia/Shanghai' })
  }

  reading(time: number): SessionEvent {
    return this.message(time, { kind: 'dsh-time-reminder', form: 'notice', summary: 's', why: 'plan' })
  }

  model(time: number): SessionEvent {
    return this.add(time, 'assistant/message', { turn: 1, step: 1, message: { content: [] } }, { surfaceOp: 'append' })
  }

  /** The result of a tool, with or without our carrier. */
  result(time: number, meta?: unknown, failure: { isError?: boolean; error?: unknown } = {}, more: Record<string, unknown> = {}): SessionEvent {
    const block = { type: 'tool-result', toolCallId: 'c', content: [], isError: failure.isError ?? false }
    const data = { turn: 1, step: 1, message: { content: [block] }, ...(meta !== undefined && { meta }), ...(failure.error !== undefined && { error: failure.error }) }
    return this.add(time, 'tool/result', data, { surfaceOp: 'append', ...more })
  }

  /** Queue messages for the next step, as `agent.inject` does. */
  queued(time: number, messages: readonly unknown[]): SessionEvent {
    return this.add(time, 'agent/inbox/spliced', { target: 'next-step', start: 0, inserted: messages })
  }
}
