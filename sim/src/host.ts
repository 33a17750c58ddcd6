import { createAlarmClock, type AlarmClock } from '../../packages/session-host/src/alarm.ts'
import { checkpoints, type Checkpoints } from '../../packages/session-host/src/checkpoint.ts'
import { createFifo } from '../../packages/session-host/src/fifo.ts'
import { LiveSession } from './live.ts'
import { NODE_TIMER_LIMIT_MS } from './clock.ts'
import type { World } from './world.ts'

/** A host process: what is in memory goes with it. */
export class SimHost {
  readonly world: World
  readonly startedAt: number
  readonly fifo = createFifo()
  readonly alarm: AlarmClock
  readonly checkpoints: Checkpoints
  readonly sessions = new Map<string, LiveSession>()
  /** Sessions that are being taken down; they are not live for anybody, and not yet free. */
  readonly closing = new Set<LiveSession>()
  isDead = false
  isLoaded = true
  #beatsLeft = Infinity

  constructor(world: World) {
    this.world = world
    this.startedAt = world.clock.wall
    const port = {
      now: () => world.clock.wall,
      startTimer: (delayMs: number, callback: () => void) => {
        if (delayMs > NODE_TIMER_LIMIT_MS) world.violation(`S25 a timer of ${delayMs} ms is longer than Node can hold`)
        return world.clock.startTimer(this, delayMs, callback)
      },
      report: (error: unknown) => {
        if (!this.isDead) world.violation(`an alarm threw ${String(error)}`)
      },
    }
    this.alarm = world.plant?.alarm?.(port) ?? createAlarmClock(port)
    this.checkpoints = checkpoints(this.#context())
    this.checkpoints.watch((session, through) => {
      if (world.disk.length(session.id) < through) world.violation(`${session.id}: R15 a receipt cursor stands at ${through}, the disk at ${world.disk.length(session.id)}`)
    })
  }

  /** As much of a host's context as the checkpoints ask for. */
  #context(): Parameters<typeof checkpoints>[0] {
    const services: Readonly<Record<string, unknown>> = { sessionPersistence: {}, sessions: { flush: (session: LiveSession) => this.#flush(session) } }
    const context = { root: undefined as unknown, effect: () => undefined, get: (name: string) => services[name] }
    context.root = context
    return context as unknown as Parameters<typeof checkpoints>[0]
  }

  /** Let the process die after so many more appends and awaits. */
  dieAfter(beats: number): void {
    if (beats === 0) this.die()
    else this.#beatsLeft = Math.min(this.#beatsLeft, beats)
  }

  /** The process will not die of what was planned for it. */
  heal(): void {
    this.#beatsLeft = Infinity
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

  /** Memory is lost; of what was not confirmed, any beginning may have reached the disk. */
  die(): void {
    if (this.isDead) return
    this.isDead = true
    this.world.clock.drop(this)
    for (const live of [...this.sessions.values(), ...this.closing]) {
      if (!this.holds(live.id)) continue
      const stored = this.world.disk.length(live.id)
      this.world.disk.store(live.id, live.header.seedLength, live.events, stored + this.world.random.below(Math.max(live.seq - stored, 0) + 1))
    }
    this.world.release(this)
  }

  /** An await that the schedule may hold open; of a process that is gone, it never ends. */
  async gate(what: string): Promise<void> {
    this.beat()
    await this.world.hold(this, what)
    this.beat()
  }

  async #flush(live: LiveSession): Promise<boolean> {
    const { disk, random } = this.world
    const through = live.seq
    const stored = disk.length(live.id)
    const fault = through > stored ? disk.faults.shift() : undefined
    await this.gate('flush')
    if (fault === 'reject') throw new Error('the disk refused')
    const reached = fault === 'partial' ? stored + random.below(Math.max(through - stored, 1)) : through
    disk.store(live.id, live.header.seedLength, live.events, reached)
    if (fault !== undefined) throw new Error('the disk failed half-way')
    return true
  }

  holds(sessionId: string): boolean {
    return this.world.leases.get(sessionId) === this
  }

  /** Make a stored session live. One that another host has is shown, and nothing more. */
  open(id: string): LiveSession | undefined {
    if (this.isDead || this.sessions.has(id) || [...this.closing].some((live) => live.id === id)) return undefined
    this.world.take(this, id)
    const live = this.show(id)
    this.sessions.set(id, live)
    if (this.isLoaded) live.plugIn()
    return live
  }

  async close(live: LiveSession): Promise<void> {
    this.sessions.delete(live.id)
    this.closing.add(live)
    await live.close()
    await this.#flush(live).catch(() => undefined)
    this.closing.delete(live)
    if (!this.isDead) this.world.letGo(this, live)
  }

  /** Another host is gone, or has let go: what is shown here is ours if nothing of its log is lacking. */
  regain(): void {
    for (const live of this.sessions.values()) {
      if (this.holds(live.id) || this.world.disk.length(live.id) !== live.seq) continue
      this.world.take(this, live.id)
      if (this.holds(live.id)) live.poke()
    }
  }
}
