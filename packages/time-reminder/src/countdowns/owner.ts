import type { AlarmClock } from 'dsh-session-host'
import type { Instant, ZoneName } from 'dsh-time-core'
import type { UserMessage } from '../frame.ts'
import { decideCountdowns, type DueCountdowns } from './decide.ts'
import { owedAt, type Countdown, type Countdowns } from './fold.ts'
import { countdownMessage } from './frame.ts'
import { Observations } from './lateness.ts'

/** How often what is over and could not be delivered is tried again (milliseconds; requirement R18). */
const SWEEP_MS = 60_000

/** The world as the owner of one session's countdowns sees it. */
export interface CountdownPort {
  readonly countdowns: Countdowns
  now(): Instant
  zone(): ZoneName
  /** Whether the agent is still the live one of its session. */
  isLive(): boolean
  /** Whether this host may deliver into the session; asked directly before (requirement R20). */
  isOurs(): boolean
  /** A step or a turn is running. */
  isBusy(): boolean
  /** The durability barrier: true when everything appended before the call is stored. */
  confirm(): Promise<boolean>
  /** Run a job in the agent's true idle phase. @returns `busy`, at once, when a turn or another task holds the agent. */
  claimIdle(job: () => void): Promise<void> | 'busy'
  whenIdle(): Promise<void>
  /** Queue a message as a turn of its own and wake the agent. */
  wake(message: UserMessage): void
  /** Queue a message for the next step without waking the agent. */
  inject(message: UserMessage): void
  /** Take a message that waits in the inbox and queue it again with a wake. */
  wakeWith(messageId: string): void
  /** Tell the index when the session has to be live next. */
  owes(dueAt: Instant | undefined): void
  /** Run something on nobody's behalf: a turn that a timer starts must not be attributed to who ran when it was set. */
  onOwnBehalf(job: () => Promise<void>): Promise<void>
  warn(what: string, error: unknown): void
}

/** The one live thing that delivers a session's countdowns. */
export interface CountdownOwner {
  /** Look again: something was set, a step began, the right to deliver came back. Never throws. */
  poke(): void
  /** Stop at once, and wait until nothing of it runs any more. */
  dispose(): Promise<void>
}

/**
 * Make the owner of one session's countdowns (requirements R14 to R16).
 *
 * @param port - the world.
 * @param alarm - the host's alarm clock.
 */
export function makeCountdownOwner(port: CountdownPort, alarm: AlarmClock): CountdownOwner {
  const owner = new Owner(port, alarm)
  return { poke: () => owner.poke(), dispose: () => owner.dispose() }
}

class Owner {
  readonly #port: CountdownPort
  readonly #alarm: AlarmClock
  readonly #observed = new Observations()
  readonly #stop = Promise.withResolvers<void>()
  /** Messages that this process has queued. */
  readonly #own = new Set<string>()
  #told: Instant | undefined
  #storedChanges: number
  #requested = false
  #stopping = false
  #running: Promise<void> | undefined
  #idleWait: Promise<void> | undefined

  constructor(port: CountdownPort, alarm: AlarmClock) {
    this.#port = port
    this.#alarm = alarm
    // What a session begins with is what its stored log says.
    this.#storedChanges = port.countdowns.changes
    this.#told = owedAt(port.countdowns)
    port.owes(this.#told)
  }

  poke(): void {
    if (this.#stopping) return
    this.#requested = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Asked for after the last look, when this was still under way.
      if (this.#requested && this.#isRunnable()) this.poke()
    })
  }

  async dispose(): Promise<void> {
    this.#stopping = true
    this.#alarm.clear(this)
    this.#stop.resolve()
    await Promise.allSettled([this.#running, this.#idleWait])
  }

  async #run(): Promise<void> {
    while (this.#requested && this.#isRunnable()) {
      this.#requested = false
      try {
        await this.#port.onOwnBehalf(() => this.#drive())
      } catch (error) {
        this.#port.warn('could not look after the countdowns of this session', error)
      }
    }
  }

  #isRunnable(): boolean {
    return !this.#stopping && this.#port.isLive()
  }

  async #drive(): Promise<void> {
    // Events are folded while they are appended: whoever appended them goes on first.
    await Promise.resolve()
    const now = this.#port.now()
    const { pending, fired } = this.#port.countdowns
    this.#observed.look([...pending.values(), ...fired.filter(({ notice }) => notice !== 'read')], now)
    try {
      await this.#deliver(now)
    } finally {
      this.#arm()
    }
    await this.#report()
  }

  async #deliver(now: Instant): Promise<void> {
    const { wake, inject, stranded } = this.#decide(now)
    if (wake.length + inject.length + stranded.length === 0 || !this.#port.isOurs()) return
    this.#say('inject', inject, now)
    if (wake.length + stranded.length === 0) return
    const claim = this.#port.claimIdle(() => this.#claimed())
    if (claim !== 'busy') return claim
    this.#observed.busy(wake, now)
    this.#waitForIdle()
  }

  #decide(now: Instant): DueCountdowns {
    return decideCountdowns(this.#port.countdowns, now, (messageId) => this.#own.has(messageId))
  }

  /** Inside the idle phase, with a fresh reading of the clock. */
  #claimed(): void {
    if (!this.#isRunnable()) return
    const now = this.#port.now()
    const { wake, stranded } = this.#decide(now)
    for (const { messageId } of stranded) {
      this.#own.add(messageId)
      this.#port.wakeWith(messageId)
    }
    this.#say('wake', wake, now)
  }

  #say(how: 'wake' | 'inject', due: readonly Countdown[], now: Instant): void {
    if (due.length === 0) return
    const waitsForStep = how === 'inject' && this.#port.isBusy()
    const message = countdownMessage(due.map((countdown) => ({ countdown, late: this.#observed.explain(countdown, now, waitsForStep) })), now, this.#port.zone())
    this.#forgetRead()
    this.#own.add(message.id)
    try {
      this.#port[how](message)
      this.#requested = true // more than one message holds may be over
    } catch (error) {
      this.#port.warn('could not queue the end of a countdown; it stays pending', error)
    }
  }

  #forgetRead(): void {
    const waiting = new Set(this.#port.countdowns.fired.map(({ messageId }) => messageId))
    for (const id of this.#own) if (!waiting.has(id)) this.#own.delete(id)
  }

  #arm(): void {
    if (!this.#isRunnable()) return
    const now = this.#port.now()
    const { wake, inject, nextAt = Infinity } = this.#decide(now)
    const at = wake.length + inject.length > 0 ? Math.min(nextAt, now + SWEEP_MS) : nextAt
    if (at === Infinity) return this.#alarm.clear(this)
    this.#alarm.set(this, at, (ringsAt) => {
      this.#observed.rang(this.#port.countdowns.pending.values(), ringsAt)
      this.poke()
    })
  }

  /** Exactly one wait, however often the agent is found busy. */
  #waitForIdle(): void {
    const ended = (): void => {
      this.#idleWait = undefined
      this.poke()
    }
    this.#idleWait ??= Promise.race([this.#port.whenIdle(), this.#stop.promise]).then(ended, ended)
  }

  /**
   * Tell the index what is owed. More may be told at once. Less only once it is stored: after a crash, what the index
   * says counts until the log changes.
   */
  async #report(): Promise<void> {
    const { countdowns } = this.#port
    const { changes } = countdowns
    const owed = owedAt(countdowns)
    if (isSooner(owed, this.#told)) this.#tell(owed)
    if (changes === this.#storedChanges) return
    const isStored = await this.#port.confirm()
    this.#observed.stored(countdowns.pending.values(), this.#port.now())
    if (!isStored) return
    this.#storedChanges = changes
    const current = owedAt(countdowns)
    this.#tell(isSooner(current, owed) ? current : owed)
    if (countdowns.changes !== changes) this.#requested = true
  }

  #tell(dueAt: Instant | undefined): void {
    this.#told = dueAt
    this.#port.owes(dueAt)
  }
}

function isSooner(a: Instant | undefined, b: Instant | undefined): boolean {
  return (a ?? Infinity) < (b ?? Infinity)
}
