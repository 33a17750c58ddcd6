import type { Session } from '../../packages/session-host/tests/harness.ts'
import { createAlarmClock, type AlarmClock } from '../../packages/session-host/src/alarm.ts'
import { checkpoints, type Checkpoints } from '../../packages/session-host/src/checkpoint.ts'
import { createFifo } from '../../packages/session-host/src/fifo.ts'
import type { WakeResult } from '../../packages/session-host/src/wake.ts'
import type { StoredLogs } from '../../packages/session-host/src/wake-index/check.ts'
import { verdictOf, type Holder } from '../../packages/session-host/src/wake-index/holder.ts'
import { WakeRuntime, type RuntimePort } from '../../packages/session-host/src/wake-index/runtime.ts'
import { StoreSlot } from '../../packages/session-host/src/wake-index/slot.ts'
import { StoreUnusable } from '../../packages/session-host/src/wake-index/store.ts'
import { COUNTDOWN_KIND } from '../../packages/time-reminder/src/countdowns/fold.ts'
import { REMINDER_KIND } from '../../packages/tool-schedule/src/owed.ts'
import { NODE_TIMER_LIMIT_MS } from './clock.ts'
import { foldCountdowns } from './countdowns.ts'
import { INDEX_PATH } from './index-file.ts'
import { LiveSession } from './live.ts'
import { foldReminders } from './reminders.ts'
import type { World } from './world.ts'

/** Share of wakes that the host refuses for a reason that passes. */
const REFUSED_WAKES = 0.05

/** A host process: what is in memory goes with it. */
export class SimHost {
  readonly world: World
  readonly startedAt: number
  /** This process as others see it. */
  readonly me: Holder
  readonly fifo = createFifo()
  readonly alarm: AlarmClock
  readonly checkpoints: Checkpoints
  /** Published sessions; while one is taken down it is still there. */
  readonly sessions = new Map<string, LiveSession>()
  /** Sessions whose last events are being written; they are not live for anybody, and not yet free. */
  readonly closing = new Map<string, Promise<void>>()
  /** Sessions that the index is bringing back. */
  readonly waking = new Set<string>()
  isDead = false
  #index: WakeRuntime | undefined
  #unloading: Promise<void> | undefined
  #beatsLeft = Infinity
  #indexBeatsLeft = Infinity

  /** @param space - name space of process ids; hosts in different ones do not see each other's processes. */
  constructor(world: World, space: string) {
    this.world = world
    this.startedAt = world.clock.wall
    this.me = world.machine.start(space)
    const port = {
      now: () => world.clock.wall,
      startTimer: (delayMs: number, callback: () => void) => {
        if (delayMs > NODE_TIMER_LIMIT_MS) world.violation(`S25 a timer of ${delayMs} ms is longer than Node can hold`)
        if (this.isDead) return () => undefined
        return world.clock.startTimer(this, delayMs, callback)
      },
      report: (error: unknown) => this.fail('an alarm threw', error),
    }
    this.alarm = world.plant?.alarm?.(port) ?? createAlarmClock(port)
    this.checkpoints = checkpoints(this.#context())
    this.checkpoints.watch((session, through) => {
      if (world.disk.length(session.id) < through) world.violation(`${session.id}: R15 a receipt cursor stands at ${through}, the disk at ${world.disk.length(session.id)}`)
    })
    this.load()
  }

  /** As much of a host's context as the checkpoints ask for. */
  #context(): Parameters<typeof checkpoints>[0] {
    const services: Readonly<Record<string, unknown>> = { sessionPersistence: {}, sessions: { flush: (session: LiveSession) => this.#flush(session) } }
    const context = { root: undefined as unknown, effect: () => undefined, get: (name: string) => services[name] }
    context.root = context
    return context as unknown as Parameters<typeof checkpoints>[0]
  }

  /** The wake index, while the plugins are mounted. */
  get index(): WakeRuntime | undefined {
    return this.#index
  }

  /** Mount the plugins, unless they are there or still being taken down. */
  load(): void {
    if (this.isDead || this.#index !== undefined || this.#unloading !== undefined) return
    const port = this.#indexPort()
    this.#index = new WakeRuntime(this.world.plant?.index?.(port) ?? port)
    this.#index.register(REMINDER_KIND, { foldOwed: this.world.plant?.foldReminders ?? foldReminders, regained: (session) => (session as unknown as LiveSession).poke() })
    this.#index.register(COUNTDOWN_KIND, { foldOwed: this.world.plant?.foldCountdowns ?? foldCountdowns, regained: (session) => (session as unknown as LiveSession).poke() })
    for (const live of this.sessions.values()) live.plugIn()
  }

  /** Take the plugins down: first those of the sessions, then the index. */
  unload(isLeaving = false): Promise<void> {
    if (this.#index === undefined) return this.#unloading ?? Promise.resolve()
    const index = this.#index
    this.#index = undefined
    const sessions = [...this.sessions.values()].map((live) => live.plugOut())
    this.#unloading = Promise.all(sessions)
      .then(() => index.close(() => isLeaving))
      .then(() => void (this.#unloading = undefined))
      .catch((error: unknown) => this.fail('the plugins cannot be unloaded', error))
    return this.#unloading
  }

  #indexPort(): RuntimePort {
    const { clock, index, machine } = this.world
    const now = (): number => clock.wall
    const warn = (): void => undefined
    return {
      slot: new StoreSlot({ path: INDEX_PATH, now, files: index.filesOf(this), warn }),
      alarm: this.alarm,
      me: this.me,
      verdict: (holder) => verdictOf(holder, this.me, machine),
      now,
      live: (id) => this.sessions.get(id) as unknown as Session | undefined,
      wake: (id) => this.#wake(id),
      logs: () => this.#logs(),
      onOwnBehalf: (job) => job(),
      warn,
    }
  }

  #logs(): Required<StoredLogs> {
    const { disk } = this.world
    return {
      listSnapshots: async () => {
        await this.gate()
        return [...disk.logs].map(([id, { seedLength, lines }]) => ({ header: { id, seedLength } as never, revision: `${lines.length}` }))
      },
      readFrom: async (id) => {
        await this.gate()
        return { meta: { id, seedLength: disk.logs.get(id)?.seedLength } as never, events: disk.read(id) }
      },
    }
  }

  /** Bring a session back, as the host does for whoever asks. */
  async #wake(id: string): Promise<WakeResult> {
    this.waking.add(id)
    try {
      await this.gate()
      await this.closing.get(id)
      this.beat()
      this.waking.delete(id)
      if (!this.world.disk.logs.has(id)) return { kind: 'refused', reason: 'not-found' }
      if (this.world.random.chance(REFUSED_WAKES)) return { kind: 'refused', reason: 'failed' }
      this.world.woken += 1
      return { kind: 'live', agent: (this.sessions.get(id) ?? this.open(id)) as never }
    } catch (error) {
      this.fail(`${id}: bringing it back threw`, error)
      return new Promise(() => undefined)
    }
  }

  /** Something threw that must not; in a process that is gone, everything throws. */
  fail(what: string, error: unknown): void {
    if (!this.isDead) this.world.violation(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }

  /** Let the process die after so many more appends and awaits. */
  dieAfter(beats: number): void {
    if (beats === 0) this.die()
    else this.#beatsLeft = Math.min(this.#beatsLeft, beats)
  }

  /** Let the process die before one of its next writes to the index. */
  dieAtIndexWrite(writes: number): void {
    this.#indexBeatsLeft = Math.min(this.#indexBeatsLeft, writes)
  }

  /** The process will not die of what was planned for it. */
  heal(): void {
    this.#beatsLeft = Infinity
    this.#indexBeatsLeft = Infinity
  }

  /** A stored session as a reader sees it, with nothing of ours mounted. */
  show(id: string): LiveSession {
    return new LiveSession(this, id, this.world.disk.read(id), this.world.disk.logs.get(id)?.seedLength ?? 0)
  }

  /** One append or await. @throws when the process dies here. */
  beat(): void {
    this.world.beat()
    if (!this.isDead && (this.#beatsLeft -= 1) < 0) this.die()
    if (this.isDead) throw new Error('the process is gone')
  }

  /** One write to the index, before which the process may die: then nothing of it is heard any more. */
  beatIndex(): void {
    this.world.beat()
    if (!this.isDead && (this.#indexBeatsLeft -= 1) < 0) this.die()
    if (this.isDead) throw new StoreUnusable('inaccessible', INDEX_PATH)
  }

  /** Memory is lost; of what was not confirmed, any beginning may have reached the disk. */
  die(): void {
    if (this.isDead) return
    this.isDead = true
    const { clock, disk, gates, machine, random } = this.world
    clock.drop(this)
    machine.end(this.me, random.chance(0.8))
    for (const live of this.#unwritten()) {
      const stored = disk.length(live.id)
      disk.store(live.id, live.header.seedLength, live.events, stored + random.below(Math.max(live.seq - stored, 0) + 1))
    }
    gates.drop(this)
  }

  readonly #flushing = new Set<LiveSession>()

  #unwritten(): Iterable<LiveSession> {
    return new Set([...this.sessions.values(), ...this.#flushing])
  }

  /** An await that the schedule may hold open; of a process that is gone, it never ends. */
  async gate(): Promise<void> {
    this.beat()
    await this.world.hold(this)
    this.beat()
  }

  /** @param isLast - of a session that is gone already; nobody promises anything where that takes a minute. */
  async #flush(live: LiveSession, isLast = false): Promise<boolean> {
    const { disk, random } = this.world
    const through = live.seq
    const stored = disk.length(live.id)
    const fault = through > stored ? disk.faults.shift() : undefined
    if (isLast) this.beat()
    else await this.gate()
    if (fault === 'reject') throw new Error('the disk refused')
    const reached = fault === 'partial' ? stored + random.below(Math.max(through - stored, 1)) : through
    disk.store(live.id, live.header.seedLength, live.events, reached)
    if (fault !== undefined) throw new Error('the disk failed half-way')
    return true
  }

  /** The session is open here, or the last of its log is being written. */
  has(id: string): boolean {
    return this.sessions.has(id) || this.closing.has(id)
  }

  /** Make a stored session live. */
  open(id: string): LiveSession | undefined {
    if (this.isDead || this.has(id)) return undefined
    const other = this.world.hosts.find((host) => !host.isDead && host.has(id))
    if (other !== undefined) this.world.violation(`${id}: R20 ${this.me.hostId} opens it while it is open in ${other.me.hostId}`)
    const live = this.show(id)
    this.sessions.set(id, live)
    if (this.#index !== undefined) live.plugIn()
    return live
  }

  /** Take a session down: the agent, the plugins, the registry, and last its log. */
  close(live: LiveSession): Promise<void> {
    const known = this.closing.get(live.id)
    if (known !== undefined || live.isClosing) return known ?? Promise.resolve()
    const done = this.#close(live).catch((error: unknown) => {
      this.fail(`${live.id}: closing it threw`, error)
      return new Promise<void>(() => undefined)
    })
    return done
  }

  async #close(live: LiveSession): Promise<void> {
    this.world.plant?.closes?.(this, live.id)
    await live.close()
    const written = this.#writeLast(live)
    this.closing.set(live.id, written)
    this.sessions.delete(live.id)
    await written
  }

  async #writeLast(live: LiveSession): Promise<void> {
    this.#flushing.add(live)
    await this.#flush(live, true).catch(() => undefined)
    if (this.isDead) return new Promise(() => undefined)
    this.#flushing.delete(live)
    this.closing.delete(live.id)
  }
}
