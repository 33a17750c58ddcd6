import type { Answer, Change, Preview, ReminderState, RevisionLine } from '../../../../tool-schedule/src/people/wire.ts'
import type { PageAnswer } from '../page.ts'
import { isAnswer, NOTHING_KNOWN, receiveState, type Known } from './known.ts'

/** The browser and the host as the feed reaches them. */
export interface PanelPort {
  /** Ask the host; rejects when it cannot be reached. */
  ask(endpoint: string, payload: Readonly<Record<string, unknown>>): Promise<PageAnswer>
  now(): number
  /** IANA zone of the browser. */
  readonly zone: string
  /** Of the page. */
  language(): 'zh' | 'en'
  /** Run a job after some milliseconds. */
  later(job: () => void, ms: number): void
  /** Told each state that the host has answered. */
  heard(state: ReminderState): void
}

/** Changes that a person can ask for. */
export type ChangeEndpoint = 'create' | 'edit' | 'snooze' | 'delete' | 'undo'

/** Reminders of the sessions of a page. */
export interface PanelFeed {
  readonly getSnapshot: () => ReadonlyMap<string, Known>
  readonly subscribe: (listener: () => void) => () => void
  readonly knownOf: (sessionId: string) => Known
  /** Keep a session up to date until the returned function is called. */
  readonly watch: (sessionId: string) => () => void
  readonly refresh: (sessionId: string) => void
  /**
   * A line of the event stream.
   *
   * @param isAll - look at sessions that nobody watches, too.
   */
  readonly line: (text: string, isAll: boolean) => void
  /** Look at the sessions that lines were let pass of. */
  readonly catchUp: () => void
  /** The connection to the host was made, perhaps again. */
  readonly reconnected: () => void
  /** @returns undefined when the host did not answer. */
  readonly change: (endpoint: ChangeEndpoint, sessionId: string, body?: Readonly<Record<string, unknown>>) => Promise<Answer<Change> | undefined>
  readonly preview: (sessionId: string, text: string) => Promise<Answer<Preview> | undefined>
}

/** The other endpoints do not read a text, and refuse a member that they do not know. */
const WITH_ZONE: ReadonlySet<string> = new Set(['state', 'create', 'preview', 'edit', 'snooze'])

/** What was not stored is asked for again after this (milliseconds). */
const AGAIN_MS = 3000

/**
 * Keep what the host says about reminders. Nothing is polled, except what is not stored yet.
 *
 * @param port - browser and host.
 */
export function makePanelFeed(port: PanelPort): PanelFeed {
  return new Feed(port)
}

class Feed implements PanelFeed {
  readonly #port: PanelPort
  #known: ReadonlyMap<string, Known> = new Map()
  readonly #listeners = new Set<() => void>()
  readonly #watched = new Map<string, number>()
  /** The newest line of each session that nobody watches. */
  readonly #passed = new Map<string, RevisionLine>()
  #questions = 0
  /** The newest question of each session that was answered: a late answer to an older one says less. */
  readonly #answered = new Map<string, number>()

  constructor(port: PanelPort) {
    this.#port = port
  }

  readonly getSnapshot = (): ReadonlyMap<string, Known> => this.#known

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly knownOf = (sessionId: string): Known => this.#known.get(sessionId) ?? NOTHING_KNOWN

  readonly watch = (sessionId: string): (() => void) => {
    this.#watched.set(sessionId, (this.#watched.get(sessionId) ?? 0) + 1)
    this.refresh(sessionId)
    return () => {
      const left = (this.#watched.get(sessionId) ?? 1) - 1
      if (left > 0) this.#watched.set(sessionId, left)
      else this.#watched.delete(sessionId)
    }
  }

  readonly refresh = (sessionId: string): void => {
    void this.#look(sessionId)
  }

  readonly line = (text: string, isAll: boolean): void => {
    const line = readLine(text)
    if (line === undefined) return
    if (isAll || this.#watched.has(line.sessionId)) this.#take(line)
    else this.#passed.set(line.sessionId, line)
  }

  readonly catchUp = (): void => {
    const lines = [...this.#passed.values()]
    this.#passed.clear()
    for (const line of lines) this.#take(line)
  }

  readonly reconnected = (): void => {
    for (const sessionId of this.#watched.keys()) this.refresh(sessionId)
  }

  readonly change = async (endpoint: ChangeEndpoint, sessionId: string, body: Readonly<Record<string, unknown>> = {}): Promise<Answer<Change> | undefined> => {
    this.#update(sessionId, (known) => ({ ...known, saving: known.saving + 1, isLost: false }))
    const answer = await this.#ask<Change>(endpoint, sessionId, body)
    await this.#look(sessionId)
    this.#update(sessionId, (known) => ({ ...known, saving: known.saving - 1, isLost: known.isLost || answer === undefined }))
    return answer
  }

  readonly preview = (sessionId: string, text: string): Promise<Answer<Preview> | undefined> => this.#ask<Preview>('preview', sessionId, { text })

  #take({ sessionId, revision }: RevisionLine): void {
    const { state } = this.knownOf(sessionId)
    // After a restart the numbers go on, so a smaller one is an older line.
    if (state?.live !== true || revision > state.revision) this.refresh(sessionId)
  }

  async #look(sessionId: string): Promise<void> {
    this.#questions += 1
    const mine = this.#questions
    const answer = await this.#ask<ReminderState>('state', sessionId, {})
    if (mine < (this.#answered.get(sessionId) ?? 0)) return
    this.#answered.set(sessionId, mine)
    this.#update(sessionId, (known) => receiveState(known, answer, this.#port.now()))
    if (answer?.outcome !== 'done') return
    this.#port.heard(answer)
    if (!answer.stored && this.#watched.has(sessionId)) this.#port.later(() => this.refresh(sessionId), AGAIN_MS)
  }

  async #ask<T>(endpoint: string, sessionId: string, body: Readonly<Record<string, unknown>>): Promise<Answer<T> | undefined> {
    const zone = WITH_ZONE.has(endpoint) ? { timeZone: this.#port.zone } : {}
    try {
      const answer = await this.#port.ask(endpoint, { sessionId, language: this.#port.language(), ...zone, ...body })
      return answer.ok && isAnswer(answer.value) ? (answer.value as Answer<T>) : undefined
    } catch {
      return undefined
    }
  }

  #update(sessionId: string, change: (known: Known) => Known): void {
    this.#known = new Map([...this.#known, [sessionId, change(this.knownOf(sessionId))]])
    for (const listener of this.#listeners) listener()
  }
}

function readLine(text: string): RevisionLine | undefined {
  try {
    const { sessionId, revision } = JSON.parse(text) as Partial<RevisionLine>
    return typeof sessionId === 'string' && typeof revision === 'number' ? { sessionId, revision } : undefined
  } catch {
    return undefined
  }
}
