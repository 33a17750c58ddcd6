import { createAlarmClock, createFifo, type AlarmClock } from 'dsh-session-host'
import { LedgerFold } from '../src/fold.ts'
import { makeOwner, type Owner, type OwnerPort } from '../src/owner.ts'
import { createChange, type ReminderId, type ScheduleChange } from '../src/protocol.ts'
import type { SessionEvent, UserMessage } from './harness.ts'

/** When each world begins (epoch milliseconds). */
export const START = 1_000_000_000_000

/** A session in memory: the real fold, queue and alarm clock, with every effect under the test's hand. */
export class World implements OwnerPort {
  readonly ledger = new LedgerFold()
  readonly hostStartedAt = START - 60_000
  readonly said: UserMessage[] = []
  readonly noted: UserMessage[] = []
  readonly warnings: string[] = []
  wall = START
  isBusy = false
  /** By a maintenance task, which the agent does not show. */
  isHeld = false
  isAlive = true
  isMine = true
  isStored = true
  confirms = 0
  looks = 0
  idleWaits = 0
  failure: { say?: Error; append?: Error; idle?: Error; claim?: Error } = {}
  /** Held open, each await of the owner waits for it. */
  gate: Promise<void> = Promise.resolve()
  readonly #fifo = createFifo()
  readonly #idle: { resolve(): void; reject(error: Error): void }[] = []
  readonly #key = {}
  #seq = 0
  #timer: { at: number; callback: () => void } | undefined
  readonly alarm: AlarmClock
  readonly owner: Owner

  constructor() {
    this.alarm = createAlarmClock({
      now: () => this.wall,
      startTimer: (delay, callback) => {
        const timer = { at: this.wall + delay, callback }
        this.#timer = timer
        return () => (this.#timer === timer ? (this.#timer = undefined) : undefined)
      },
      report: (error) => this.warnings.push(String(error)),
    })
    this.owner = makeOwner(this, this.alarm, { maxUnanswered: 10 })
  }

  now = (): number => this.wall
  isLive = (): boolean => this.isAlive
  isOurs = (): boolean => this.isMine
  isIdle = (): boolean => !this.isBusy
  async confirm(): Promise<boolean> {
    this.confirms += 1
    await this.gate
    return this.isStored
  }
  claimIdle<T>(job: () => T): Promise<T> | 'busy' {
    if (this.isBusy || this.isHeld) return 'busy'
    return this.gate.then(() => {
      if (this.failure.claim) throw this.failure.claim
      return job()
    })
  }
  whenIdle(): Promise<void> {
    this.idleWaits += 1
    return new Promise((resolve, reject) => this.#idle.push({ resolve, reject }))
  }
  say(message: UserMessage): void {
    if (this.failure.say) throw this.failure.say
    this.said.push(message)
    this.event('agent/inbox/spliced', { target: 'next-turn', start: this.said.length - 1, inserted: [message] })
  }
  note(message: UserMessage): void {
    this.noted.push(message)
    this.event('agent/inbox/spliced', { target: 'next-step', start: this.noted.length - 1, inserted: [message] })
  }
  wakeWith = (): boolean => true
  append(change: ScheduleChange): void {
    if (this.failure.append) throw this.failure.append
    this.event('schedule/change', change)
  }
  transact(job: () => Promise<void>): Promise<void> {
    this.looks += 1
    return this.queue(job)
  }
  /** As a tool does. */
  queue = (job: () => Promise<void>): Promise<void> => this.#fifo.run(this.#key, job)
  warn = (what: string): void => void this.warnings.push(what)

  event(type: string, data: unknown): void {
    this.ledger.apply({ type, seq: this.#seq++, time: this.wall, data } as SessionEvent)
  }
  set(id: string, delayMs: number): void {
    this.append(createChange({ id: id as ReminderId, kind: 'at', prompt: id, scheduledAt: new Date(this.wall + delayMs).toISOString() }))
    this.owner.poke()
  }
  becomeIdle(error?: Error): void {
    this.isBusy = false
    this.isHeld = false
    for (const wait of this.#idle.splice(0)) {
      if (error === undefined) wait.resolve()
      else wait.reject(error)
    }
  }
  get hasTimer(): boolean {
    return this.#timer !== undefined
  }
  async settle(): Promise<void> {
    for (let n = 0; n < 30; n += 1) await Promise.resolve()
  }
  async pass(ms: number): Promise<void> {
    const end = this.wall + ms
    await this.settle()
    while (this.#timer !== undefined && this.#timer.at <= end) {
      const { at, callback } = this.#timer
      this.#timer = undefined
      this.wall = Math.max(this.wall, at)
      callback()
      await this.settle()
    }
    this.wall = end
  }
  dispatches(): number {
    return this.ledger.outcomes.length
  }
}
