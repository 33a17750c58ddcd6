import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { isReading, type Follower } from 'dsh-session-host'
import type { Cron } from 'dsh-time-core'
import { textValue } from './outcomes.ts'
import { MODE_TOOL, modeOfMeta, modeOfSource, modeOfValue, type Mode, type ModeChange } from './protocol.ts'
import { Stamps } from './stamps.ts'

/** What a session's log says about its clock. Only `fold.ts` moves it forward; everyone else reads. */
export interface ClockState {
  /** As last switched; `undefined` while the config decides. */
  readonly mode: Mode | undefined
  /** The plan as last given; `undefined` while the config decides. */
  readonly cron: Cron | undefined
  /** When readings were recorded. */
  readonly readings: Pick<Stamps, 'any' | 'before'>
  /** When anything was recorded that the model sees. */
  readonly messages: Pick<Stamps, 'any' | 'before'>
  /** When the model spoke, and when a person wrote. */
  readonly model: Pick<Stamps, 'before'>
  readonly person: Pick<Stamps, 'before'>
  /** The session was brought back, and nothing was read since. */
  readonly isResumed: boolean
  /** The newest reading was folded into a summary, so that the model sees it no more. */
  readonly isCompacted: boolean
  /** The model waits to go on: the last thing that it sees is the result of a tool. */
  readonly isMidTurn: boolean
}

type SurfaceEvent = Extract<SessionEvent, { type: 'user/message' | 'assistant/message' | 'tool/result' }>

/**
 * A clock's state that is advanced event by event (requirements R7, R11, R23, R25). It asks neither clock, zone nor
 * config: the same log gives the same state on every machine.
 */
export class ClockFold implements Follower, ClockState {
  mode: Mode | undefined
  cron: Cron | undefined
  isResumed = false
  isCompacted = false
  isMidTurn = false
  readonly readings = new Stamps()
  readonly messages = new Stamps()
  readonly model = new Stamps()
  readonly person = new Stamps()
  readonly #ownStart: number
  #readingSeq: number | undefined
  /** Switches that have counted since they were queued, so that entering the conversation does not repeat them. */
  readonly #queued = new Set<string>()

  /** @param ownStart - first `seq` that is the session's own; a fork's history ends there. */
  constructor(ownStart: number) {
    this.#ownStart = ownStart
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'user/message':
      case 'assistant/message':
      case 'tool/result':
        return this.#surface(event)
      case 'tool/code-dispatch':
        return this.#codeDispatch(event.data)
      case 'agent/inbox/spliced':
        return this.#queue(event.data.inserted)
      case 'session/end-seed':
        // A fork ends its inherited history with this mark too; only a later one means that a process has ended.
        if (event.seq > this.#ownStart) this.isResumed = true
        return
      default:
    }
  }

  #surface(event: SurfaceEvent): void {
    if (event.surfaceOp !== undefined && event.surfaceOp !== 'append') return this.#replace(event)
    this.messages.add(event.time)
    this.isMidTurn = event.type === 'tool/result'
    switch (event.type) {
      case 'user/message':
        return this.#userMessage(event)
      case 'assistant/message':
        return this.model.add(event.time)
      case 'tool/result':
        return this.#toolResult(event.data)
    }
  }

  /** A summary or a shortened result is an old message in new words: it says nothing new, and hides what it replaces. */
  #replace(event: SurfaceEvent): void {
    if (this.#readingSeq !== undefined && event.sourceEventSeqs?.includes(this.#readingSeq) === true) this.isCompacted = true
  }

  #userMessage(event: Extract<SessionEvent, { type: 'user/message' }>): void {
    const { id, source } = event.data
    if (source.kind === 'user') this.person.add(event.time)
    if (isReading(source)) this.#reading(event)
    const change = this.#queued.delete(id) ? undefined : modeOfSource(source)
    if (change !== undefined) this.#switch(change)
  }

  #reading(event: SessionEvent): void {
    this.readings.add(event.time)
    this.#readingSeq = event.seq
    this.isResumed = false
    this.isCompacted = false
  }

  /** R11: only a call that reports success changes anything; a policy may have blocked it after it ran. */
  #toolResult({ message, error, meta }: Extract<SessionEvent, { type: 'tool/result' }>['data']): void {
    const hasFailed = error !== undefined || message.content.some(({ isError }) => isError === true)
    const change = hasFailed ? undefined : modeOfMeta(meta)
    if (change !== undefined) this.#switch(change)
  }

  #codeDispatch({ name, isError, content }: Extract<SessionEvent, { type: 'tool/code-dispatch' }>['data']): void {
    if (name !== MODE_TOOL || isError) return
    const change = modeOfValue(textValue(content))
    if (change !== undefined) this.#switch(change)
  }

  /** What a person switches counts from the moment it is queued, also when the message is never delivered: it was their wish. */
  #queue(inserted: readonly { readonly id: string; readonly source: unknown }[]): void {
    for (const { id, source } of inserted) {
      const change = modeOfSource(source)
      if (change === undefined) continue
      this.#queued.add(id)
      this.#switch(change)
    }
  }

  #switch({ mode, cron }: ModeChange): void {
    this.mode = mode
    this.cron = cron ?? this.cron
  }
}
