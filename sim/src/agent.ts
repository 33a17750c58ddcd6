import type { UserMessage } from '../../packages/session-host/tests/harness.ts'

/** What an agent needs of the process that it lives in. */
export interface AgentPort {
  append(type: string, data: unknown): void
  /** The wall clock. */
  now(): number
  /** Plugins of the host look at a step before it begins. */
  prepare(): Promise<void>
  /** A turn works: resolves when the model has answered. */
  think(): Promise<void>
  /** Do what a message asks for, in the middle of its turn. */
  act(message: UserMessage): Promise<void>
  becameIdle(): void
}

type Target = 'next-turn' | 'next-step'

/** The host's agent as far as reminders notice it: two durable waiting lists, turns, and the true idle phase. */
export class SimAgent {
  readonly lists: Readonly<Record<Target, UserMessage[]>> = { 'next-turn': [], 'next-step': [] }
  readonly #port: AgentPort
  #phase: 'idle' | 'running' | 'maintenance' = 'idle'
  #isWakeLatched = false
  #activity: Promise<void> = Promise.resolve()
  #abort = Promise.withResolvers<void>()
  #isAborted = false
  #turn = 0
  #step = 0
  #busyUntil = -Infinity

  constructor(port: AgentPort) {
    this.#port = port
  }

  get isIdle(): boolean {
    return this.#phase === 'idle'
  }

  /** A turn is under way. */
  get isRunning(): boolean {
    return this.#phase === 'running'
  }

  /** The latest reading of the wall clock at which somebody held the agent; infinite while a turn is under way. */
  get busyUntil(): number {
    return this.isRunning ? Infinity : this.#busyUntil
  }

  #wasBusy(): void {
    this.#busyUntil = Math.max(this.#busyUntil, this.#port.now())
  }

  /** Somebody wanted the idle phase, and it was not to be had. */
  refuse(): 'busy' {
    this.#wasBusy()
    return 'busy'
  }

  /** Take over a waiting list from a stored log. */
  replay(target: Target, start: number, removed: number, inserted: readonly UserMessage[]): void {
    this.lists[target].splice(start, removed, ...inserted)
  }

  /** Queue a turn of its own, and wake. */
  followup(message: UserMessage): void {
    this.#splice('next-turn', this.lists['next-turn'].length, 0, [message])
    this.#wake()
  }

  /** Queue for the next step, without waking. */
  inject(message: UserMessage): void {
    this.#splice('next-step', this.lists['next-step'].length, 0, [message])
  }

  /** Take a waiting message out, as a cancellation. @returns the message. */
  remove(messageId: string): UserMessage | undefined {
    for (const target of ['next-turn', 'next-step'] as const) {
      const at = this.lists[target].findIndex(({ id }) => id === messageId)
      const message = this.lists[target][at]
      if (message === undefined) continue
      this.#splice(target, at, 1, [], 'canceled')
      return message
    }
    return undefined
  }

  /** Queue a waiting message once more, with a wake. @param isKept - a planted fault: it also stays where it was. */
  wakeWith(messageId: string, isKept: boolean): void {
    const waiting = [...this.lists['next-turn'], ...this.lists['next-step']].find(({ id }) => id === messageId)
    if (waiting === undefined) return
    if (!isKept) this.remove(messageId)
    this.followup(waiting)
  }

  /** Drop all that waits, and end the running turn at its next boundary. */
  cancel(): void {
    for (const target of ['next-step', 'next-turn'] as const) {
      if (this.lists[target].length > 0) this.#splice(target, 0, this.lists[target].length, [], 'canceled')
    }
    this.#isWakeLatched = false
    this.#isAborted = true
    this.#abort.resolve()
  }

  /** @throws at once while something else holds the agent. */
  runMaintenance<T>(job: () => T | Promise<T>): Promise<T> {
    if (this.#phase !== 'idle') throw new Error('the agent already has active work')
    this.#phase = 'maintenance'
    const done = Promise.withResolvers<void>()
    this.#activity = done.promise
    return (async () => {
      try {
        return await job()
      } finally {
        this.#phase = 'idle'
        this.#wasBusy()
        const isWanted = this.#isWakeLatched && this.lists['next-turn'].length + this.lists['next-step'].length > 0
        this.#isWakeLatched = false
        if (isWanted) this.#wake()
        done.resolve()
      }
    })()
  }

  async whenIdle(): Promise<void> {
    for (let activity; activity !== this.#activity; ) {
      activity = this.#activity
      await activity
    }
  }

  #wake(): void {
    if (this.#phase === 'maintenance') this.#isWakeLatched = true
    if (this.#phase !== 'idle') return
    this.#phase = 'running'
    this.#isAborted = false
    this.#abort = Promise.withResolvers()
    this.#activity = this.#drive()
  }

  async #drive(): Promise<void> {
    try {
      do await this.#runTurn()
      while (this.lists['next-turn'].length > 0)
    } catch {
      // The process is gone; nothing of it is heard any more.
      return
    }
    this.#phase = 'idle'
    this.#wasBusy()
    this.#port.becameIdle()
  }

  async #runTurn(): Promise<void> {
    this.#turn += 1
    this.#step = 0
    this.#port.append('turn/start', { turn: this.#turn })
    const claimed = [...this.#take('next-step', Infinity), ...this.#take('next-turn', 1)]
    await this.#runStep(claimed)
    while (this.lists['next-step'].length > 0 && !this.#isAborted) await this.#runStep(this.#take('next-step', Infinity))
    this.#port.append('turn/end', { turn: this.#turn, reason: { kind: this.#isAborted ? 'aborted' : 'completed' } })
  }

  async #runStep(messages: readonly UserMessage[]): Promise<void> {
    await this.#port.prepare()
    // What was taken out of the inbox by then is not shown, as in the host.
    if (this.#hasEnded()) return
    this.#port.append('step/start', { turn: this.#turn, step: (this.#step += 1) })
    for (const message of messages) this.#port.append('user/message', message)
    for (const message of messages) if (!this.#hasEnded()) await this.#port.act(message)
    if (!this.#hasEnded()) await Promise.race([this.#port.think(), this.#abort.promise])
  }

  /** The turn is to end at its next boundary; asked anew after each await. */
  #hasEnded(): boolean {
    return this.#isAborted
  }

  #take(target: Target, most: number): UserMessage[] {
    const count = Math.min(most, this.lists[target].length)
    return count === 0 ? [] : this.#splice(target, 0, count, [])
  }

  #splice(target: Target, start: number, removedCount: number, inserted: readonly UserMessage[], outcome?: 'canceled'): UserMessage[] {
    this.#port.append('agent/inbox/spliced', { target, start, ...(removedCount > 0 && { removedCount }), inserted, ...(outcome && { outcome }) })
    return this.lists[target].splice(start, removedCount, ...inserted)
  }
}
