import { nextTick } from 'node:process'
import { createChange } from '../../packages/tool-schedule/src/protocol.ts'
import { formatInstant } from '../../packages/time-core/src/instant.ts'
import { SimClock } from './clock.ts'
import { Disk } from './disk.ts'
import { Gates } from './gates.ts'
import { SimHost } from './host.ts'
import { IndexFile } from './index-file.ts'
import type { LiveSession } from './live.ts'
import { Machine } from './machine.ts'
import type { Plant } from './plants.ts'
import { randomOf, type Random } from './random.ts'
import type { Step } from './steps.ts'
import { Waiting } from './waiting.ts'

/** Where simulated time begins: 2026-10-09T01:00:00Z. */
const START = 1_791_507_600_000

/** Appends, awaits and index writes that one moment may hold; the busiest schedules hold some hundreds. */
const MOST_BEATS = 20_000

/** Name spaces of process ids: where hosts usually run, and a container of its own. */
const SPACES = ['pid:[1]', 'pid:[2]'] as const

/** A machine with one home and up to two hosts on it, and everything that may go wrong with them. */
export class World {
  readonly plant: Plant | undefined
  readonly clock = new SimClock(START)
  readonly disk = new Disk()
  readonly machine = new Machine()
  readonly gates = new Gates()
  readonly index = new IndexFile(this)
  readonly violations: string[] = []
  /** Reminders that somebody wanted no more, as `session/id`. */
  readonly takenBack = new Set<string>()
  readonly hosts: SimHost[] = []
  /** How many closed sessions the index has brought back. */
  woken = 0
  random: Random = randomOf(0)
  /** Name spaces that a host has run in. */
  readonly spaces = new Set<string>(SPACES.slice(0, 1))
  readonly #waiting = new Waiting(this)
  #holdShare = 0
  #names = 0
  #beats = 0

  constructor(plant: Plant | undefined) {
    this.plant = plant
    this.hosts.push(new SimHost(this, SPACES[0]))
    this.#create(0)
  }

  /** The run is over: what goes on after a broken rule says nothing, and may never end. */
  violation(rule: string): void {
    this.violations.push(rule)
    for (const host of this.hosts) host.isDead = true
  }

  /** An append, an await or an index write. What never comes to rest is a fault as well, and would hang the run. */
  beat(): void {
    if ((this.#beats += 1) === MOST_BEATS) this.violation(`S26 ${MOST_BEATS} appends and awaits without a rest`)
  }

  /** Give way until everything that can run has run. */
  async rest(): Promise<void> {
    this.#beats = 0
    // Runs when no promise is left to go on; a turn of the event loop would say the same and cost a hundred times as much.
    await new Promise<void>((resolve) => nextTick(resolve))
  }

  async hold(host: SimHost): Promise<void> {
    if (!host.isDead && !this.random.chance(this.#holdShare / 100)) return
    await this.gates.hold(host)
  }

  /** Nothing goes wrong any more, and nothing is held from now on. */
  heal(): void {
    this.#holdShare = 0
    this.disk.faults.length = 0
    this.index.heal()
    for (const host of this.hosts) host.heal()
  }

  get running(): readonly SimHost[] {
    return this.hosts.filter((host) => !host.isDead)
  }

  /** Play one step to its end. */
  async play(step: Step): Promise<void> {
    this.random = randomOf(step.salt)
    const host = this.hosts[step.host % this.hosts.length] as SimHost
    const ids = [...this.disk.logs.keys()]
    const id = ids[step.session % Math.max(ids.length, 1)]
    try {
      await this.#happen(step, host, id)
    } catch (error) {
      if (!host.isDead) throw error
    }
    await this.pass(0)
    this.#waiting.check()
  }

  async #happen(step: Step, host: SimHost, id: string | undefined): Promise<void> {
    switch (step.kind) {
      case 'pass':
        return this.pass(step.ms)
      case 'set-clock':
        return this.clock.shift(step.ms)
      case 'block':
        return this.clock.block(step.ms)
      case 'release':
        return this.gates.open(step.pick)
      case 'hold':
        this.#holdShare = step.share
        return
      case 'disk':
        return void this.disk.faults.push(step.fault)
      case 'index':
        return this.index.happen(step.fault)
      case 'boot':
        return this.boot(step.host, step.apart === true)
      case 'restart':
        for (const one of this.hosts) one.die()
        return this.machine.restart()
      default:
        if (!host.isDead) this.#happenTo(host, step, id)
    }
  }

  #happenTo(host: SimHost, step: Step, id: string | undefined): void {
    switch (step.kind) {
      case 'crash':
        return host.dieAfter(step.after)
      case 'crash-in-index':
        return host.dieAtIndexWrite(step.after)
      case 'open':
        return void (id !== undefined && this.#mayOpen(host, id) ? host.open(id) : undefined)
      case 'new':
        return this.#create(this.hosts.indexOf(host))
      case 'unload':
        // Nobody writes or prolongs the leases of a host without plugins, and who cannot see it takes them: see docs/reliability.md.
        return void (this.spaces.size > 1 || this.index.isDisturbed ? undefined : host.unload())
      case 'load':
        return this.#mayRead() ? host.load() : undefined
      case 'leave':
        return void this.#leave(host)
      default: {
        const live = id === undefined ? undefined : host.sessions.get(id)
        if (live?.isClosing === false) this.#happenIn(step, live)
      }
    }
  }

  #happenIn(step: Step, live: LiveSession): void {
    switch (step.kind) {
      case 'prompt':
        return live.prompt(step.wishes)
      case 'command':
        return live.command(step.wish)
      case 'close':
        if (step.slowly === true) this.#maintain(live)
        return void live.host.close(live)
      case 'fork':
        return this.#fork(live)
      case 'cancel':
        return live.agent.cancel()
      case 'maintenance':
        return this.#maintain(live)
      case 'poke-storm':
        for (let n = 0; n < 5; n += 1) live.poke()
        return
      case 'foreign-delete':
        return live.foreignDelete(step.pick)
      case 'foreign-every': {
        const scheduledAt = formatInstant(this.clock.wall + step.seconds * 1000)
        return live.foreign(createChange({ id: `schedule-${step.salt}` as never, kind: 'every', prompt: 'foreign', everySeconds: step.seconds, scheduledAt }))
      }
      default:
    }
  }

  /** Another plugin holds the idle phase: the agent's status stays idle all the while. */
  #maintain(live: LiveSession): void {
    if (live.agent.isIdle) void live.agent.runMaintenance(() => this.gates.hold(live.host)).catch(() => undefined)
  }

  /** A person opens a session where no other running host has it, opens it, nor has had it just now, nor one out of sight: see docs/reliability.md. */
  #mayOpen(host: SimHost, id: string): boolean {
    // Without plugins nothing says that it is open.
    if (host.index === undefined) return false
    const holder = this.index.leaseOf(id)?.holder
    if (holder !== undefined && holder.space !== host.me.space) return false
    return this.running.every((other) => other === host || (!other.has(id) && !other.waking.has(id) && other.me.hostId !== holder?.hostId))
  }

  #create(hostIndex: number): void {
    const host = this.hosts[hostIndex] as SimHost
    if (host.isDead || this.disk.logs.size >= 4) return
    const id = `s${(this.#names += 1)}`
    this.disk.logs.set(id, { seedLength: 0, lines: [], events: [] })
    host.open(id)
  }

  #fork(live: LiveSession): void {
    const isQuiet = live.agent.isIdle && live.agent.lists['next-turn'].length + live.agent.lists['next-step'].length === 0
    if (!isQuiet || this.disk.logs.size >= 6) return
    const id = `${live.id}-f${(this.#names += 1)}`
    this.disk.store(id, live.seq, live.events, live.seq)
    live.host.open(id)
  }

  /** A host is shut down in order. */
  async #leave(host: SimHost): Promise<void> {
    await Promise.all([...host.sessions.values()].map((live) => host.close(live)))
    await host.unload(true)
    host.die()
  }

  /** Nobody reads an index anew which others that run have still to find: see docs/reliability.md. */
  #mayRead(): boolean {
    return !this.index.isDisturbed || this.running.length === 0
  }

  /** A process of its own takes the place of one that is gone; the second one comes when it is first asked for. */
  boot(at: number, isApart: boolean): void {
    if (!this.#mayRead()) return
    const space = SPACES[isApart && this.running.every(({ index }) => index !== undefined) ? 1 : 0]
    this.spaces.add(space)
    if (at === 1 && this.hosts.length === 1) this.hosts.push(new SimHost(this, space))
    else if (this.hosts[at]?.isDead === true) this.hosts[at] = new SimHost(this, space)
  }

  /** The machine runs for a while. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.mono + ms
    await this.rest()
    while (this.clock.fireUntil(end)) await this.rest()
  }
}
