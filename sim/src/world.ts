import { setImmediate as turn } from 'node:timers/promises'
import { foldNextWake } from '../../packages/tool-schedule/src/owed.ts'
import { createChange } from '../../packages/tool-schedule/src/protocol.ts'
import { formatInstant } from '../../packages/time-core/src/instant.ts'
import { SimClock } from './clock.ts'
import { Disk } from './disk.ts'
import { SimHost } from './host.ts'
import { POLICY, type LiveSession } from './live.ts'
import type { Plant } from './plants.ts'
import { randomOf, type Random } from './random.ts'
import type { Step } from './steps.ts'

/** Where simulated time begins: 2026-10-09T01:00:00Z. */
const START = 1_791_507_600_000

/** On an idle session nothing due may wait longer: the alarm looks at the clock at least every 30 s (milliseconds). */
const MOST_WAIT_MS = 31_000

/** Appends and awaits that one moment may hold; the busiest schedules hold some hundreds. */
const MOST_BEATS = 20_000

interface Gate {
  readonly host: SimHost
  readonly open: () => void
}

/** A machine with one home and up to two hosts on it, and everything that may go wrong with them. */
export class World {
  readonly plant: Plant | undefined
  readonly clock = new SimClock(START)
  readonly disk = new Disk()
  readonly violations: string[] = []
  /** Reminders that somebody wanted no more, as `session/id`. */
  readonly takenBack = new Set<string>()
  /** Who may write a session. A host that is dead holds nothing, though it stands here. */
  readonly leases = new Map<string, SimHost>()
  readonly hosts: SimHost[] = []
  random: Random = randomOf(0)
  readonly #gates: Gate[] = []
  readonly #rows = new Map<string, number>()
  readonly #marks = new Map<string, number>()
  #holdShare = 0
  #names = 0
  #beats = 0

  /** Also demands that what was delivered is heard: see the regressions. */
  readonly #isStrict: boolean

  constructor(plant: Plant | undefined, isStrict = true) {
    this.plant = plant
    this.#isStrict = isStrict
    this.hosts.push(new SimHost(this))
    this.#create(0)
  }

  /** The run is over: what goes on after a broken rule says nothing, and may never end. */
  violation(rule: string): void {
    this.violations.push(rule)
    for (const host of this.hosts) host.isDead = true
  }

  /** An append or an await. What never comes to rest is a fault as well, and would hang the run. */
  beat(): void {
    if ((this.#beats += 1) === MOST_BEATS) this.violation(`S26 ${MOST_BEATS} appends and awaits without a rest`)
  }

  /** Give way until everything that can run has run. */
  async rest(): Promise<void> {
    this.#beats = 0
    await turn()
    await turn()
  }

  async hold(host: SimHost, _what: string): Promise<void> {
    if (!host.isDead && !this.random.chance(this.#holdShare / 100)) return
    await this.#held(host)
  }

  #held(host: SimHost): Promise<void> {
    return new Promise((open) => this.#gates.push({ host, open }))
  }

  /** Awaits of a process that is gone never end. */
  release(host: SimHost): void {
    for (let at = this.#gates.length - 1; at >= 0; at -= 1) if (this.#gates[at]?.host === host) this.#gates.splice(at, 1)
  }

  take(host: SimHost, id: string): void {
    const holder = this.leases.get(id)
    if (holder === undefined || holder.isDead) this.leases.set(id, host)
  }

  letGo(host: SimHost, live: LiveSession): void {
    if (this.leases.get(live.id) === host) this.leases.delete(live.id)
  }

  owes(id: string, dueAt: number | undefined): void {
    if (dueAt === undefined) this.#rows.delete(id)
    else this.#rows.set(id, dueAt)
  }

  /** Play one step to its end. */
  async play(step: Step): Promise<void> {
    this.random = randomOf(step.salt)
    const host = this.hosts[step.host % this.hosts.length] as SimHost
    const ids = [...this.disk.logs.keys()]
    const id = ids[step.session % Math.max(ids.length, 1)]
    const live = id === undefined || host.isDead ? undefined : host.sessions.get(id)
    try {
      await this.#happen(step, host, id, live)
    } catch (error) {
      if (!host.isDead) throw error
    }
    await this.rest()
    for (const one of this.hosts) this.#look(one)
    await this.rest()
    this.#checkWaiting()
  }

  async #happen(step: Step, host: SimHost, id: string | undefined, live: LiveSession | undefined): Promise<void> {
    const mine = live !== undefined && host.holds(live.id) ? live : undefined
    switch (step.kind) {
      case 'pass':
        return this.pass(step.ms)
      case 'set-clock':
        return this.clock.shift(step.ms)
      case 'block':
        this.clock.block(step.ms)
        return this.pass(0)
      case 'release':
        return this.#gates.splice(step.pick % Math.max(this.#gates.length, 1), 1)[0]?.open()
      case 'hold':
        this.#holdShare = step.share
        return
      case 'disk':
        return void this.disk.faults.push(step.fault)
      case 'crash':
        return host.dieAfter(step.after)
      case 'boot':
        return this.boot(step.host)
      case 'open':
        return void (id === undefined ? undefined : host.open(id))
      case 'new':
        return this.#create(this.hosts.indexOf(host))
      case 'lose-index':
        this.#rows.clear()
        return this.#marks.clear()
      case 'unload':
        return this.#unload(host)
      case 'load':
        host.isLoaded = true
        return host.isDead ? undefined : host.sessions.forEach((one) => one.plugIn())
      default:
        return mine === undefined ? undefined : this.#happenIn(step, mine)
    }
  }

  #happenIn(step: Step, live: LiveSession): void {
    switch (step.kind) {
      case 'prompt':
        return live.prompt(step.wishes)
      case 'close':
        return void live.host.close(live).catch(() => undefined)
      case 'fork':
        return this.#fork(live)
      case 'cancel':
        return live.agent.cancel()
      case 'maintenance':
        // Another plugin holds the idle phase: the agent's status stays idle all the while.
        return void (live.agent.isIdle && live.agent.runMaintenance(() => this.#held(live.host)).catch(() => undefined))
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

  #create(hostIndex: number): void {
    const host = this.hosts[hostIndex] as SimHost
    if (host.isDead || this.disk.logs.size >= 4) return
    const id = `s${(this.#names += 1)}`
    this.disk.logs.set(id, { seedLength: 0, lines: [] })
    host.open(id)
  }

  #fork(live: LiveSession): void {
    const isQuiet = live.agent.isIdle && live.agent.lists['next-turn'].length + live.agent.lists['next-step'].length === 0
    if (!isQuiet || this.disk.logs.size >= 6) return
    const id = `${live.id}-f${(this.#names += 1)}`
    this.disk.store(id, live.seq, live.events, live.seq)
    live.host.open(id)
  }

  #unload(host: SimHost): void {
    host.isLoaded = false
    for (const live of host.sessions.values()) void live.plugOut()
  }

  /** A process of its own takes the place of one that is gone; the second one comes when it is first asked for. */
  boot(at: number): void {
    if (at === 1 && this.hosts.length === 1) this.hosts.push(new SimHost(this))
    else if (this.hosts[at]?.isDead === true) this.hosts[at] = new SimHost(this)
  }

  /** The machine runs for a while. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.mono + ms
    await this.rest()
    while (this.clock.fireUntil(end)) await this.rest()
  }

  /** What a host does with the wake index: correct it by the logs, then open what is due. */
  #look(host: SimHost): void {
    if (host.isDead || !host.isLoaded) return
    host.regain()
    for (const [id, { seedLength, lines }] of this.disk.logs) {
      if (this.#isLive(id) || this.#marks.get(id) === lines.length || this.plant?.trustsIndex === true) continue
      this.owes(id, foldNextWake(this.disk.read(id), { seedLength } as never, POLICY))
      this.#marks.set(id, lines.length)
    }
    for (const [id, dueAt] of this.#rows) if (dueAt <= this.clock.wall && !this.#isLive(id)) host.open(id)
  }

  #isLive(id: string): boolean {
    return this.hosts.some((host) => !host.isDead && (host.sessions.has(id) || [...host.closing].some((live) => live.id === id)))
  }

  #checkWaiting(): void {
    for (const host of this.hosts) {
      for (const live of host.isDead ? [] : host.sessions.values()) this.#checkLive(host, live)
    }
  }

  #checkLive(host: SimHost, live: LiveSession): void {
    const canDeliver = live.isPlugged && live.agent.isIdle && !live.isDisturbed && host.holds(live.id) && !this.#gates.some((gate) => gate.host === host)
    const overdue = canDeliver ? live.audit.overdue(this.clock.wall, POLICY.maxUnanswered) : []
    for (const id of live.dueSince.keys()) if (!overdue.includes(id)) live.dueSince.delete(id)
    for (const id of overdue) {
      const since = live.dueSince.get(id) ?? this.clock.mono
      live.dueSince.set(id, since)
      if (this.clock.mono - since > MOST_WAIT_MS) this.violation(`${live.id}: S26 ${id} is due, the agent is idle, and nothing happens for ${this.clock.mono - since} ms`)
    }
  }

  /** Nothing goes wrong any more: everything that is owed has to come, and everything has to end. */
  async finish(): Promise<void> {
    this.#holdShare = 0
    this.disk.faults.length = 0
    for (const host of this.hosts) host.heal()
    while (this.#gates.length > 0) {
      this.#gates.shift()?.open()
      await this.rest()
    }
    this.boot(0)
    await this.#wakeAll()
    await this.#openAll()
    await this.#endAll()
  }

  /** T9: what asks for it comes without anybody opening its session. */
  async #wakeAll(): Promise<void> {
    for (const host of this.hosts) {
      host.isLoaded = true
      for (const live of host.isDead ? [] : host.sessions.values()) live.plugIn()
    }
    this.clock.shift(31 * 86_400_000)
    for (let n = 0; n < 3; n += 1) {
      for (const host of this.hosts) this.#look(host)
      await this.pass(35_000)
    }
    for (const live of this.#isStrict ? this.#writers() : []) {
      for (const id of live.agent.isIdle ? live.audit.unheard('waiting') : []) this.violation(`${live.id}: S30 ${id} is recorded as delivered, and its message waits in the inbox of an idle agent that nobody wakes`)
    }
    for (const [id, audit] of this.#coldAudits()) {
      for (const one of this.#isStrict ? audit.unheard('waiting') : []) {
        if (audit.planOf(one)?.wake === true) this.violation(`${id}: S30 ${one} is recorded as delivered, and its message waits in the inbox of a session that nobody opens`)
      }
      for (const one of audit.overdue(this.clock.wall, POLICY.maxUnanswered)) {
        if (audit.planOf(one)?.wake === true) this.violation(`${id}: T9 ${one} asked to be woken for, and its session stays closed`)
      }
    }
  }

  *#coldAudits() {
    for (const id of this.disk.logs.keys()) {
      if (this.#isLive(id)) continue
      const reader = new SimHost(this)
      const live = reader.show(id)
      yield [id, live.audit] as const
    }
  }

  async #openAll(): Promise<void> {
    const [host] = this.hosts
    for (const id of this.disk.logs.keys()) if (!this.#isLive(id)) host?.open(id)
    for (const live of this.#writers()) live.prompt([])
    for (let n = 0; n < 4; n += 1) {
      await this.pass(35_000)
      for (const live of this.#writers()) live.poke()
    }
    await this.rest()
    for (const live of this.#writers()) {
      for (const id of live.audit.overdue(this.clock.wall, POLICY.maxUnanswered)) this.violation(`${live.id}: nothing may be lost, and ${id} never came`)
      for (const id of this.#isStrict ? live.audit.unheard('claimed') : []) this.violation(`${live.id}: S30 ${id} is recorded as delivered, and its message was lost between the inbox and the conversation`)
    }
  }

  #writers(): LiveSession[] {
    return this.hosts.flatMap((host) => (host.isDead ? [] : [...host.sessions.values()].filter((live) => host.holds(live.id))))
  }

  async #endAll(): Promise<void> {
    let open = 0
    for (const host of this.hosts) {
      for (const live of host.isDead ? [] : [...host.sessions.values()]) {
        open += 1
        const end = host.holds(live.id) ? host.close(live) : live.plugOut()
        void end.then(() => (open -= 1))
      }
    }
    for (let n = 0; n < 5; n += 1) await this.rest()
    if (open > 0) this.violation(`S29 ${open} sessions do not end`)
    for (const host of this.hosts) {
      if (!host.isDead && (host.alarm.size > 0 || host.alarm.running || this.clock.running(host) > 0)) this.violation(`S29 ${host.alarm.size} alarms and ${this.clock.running(host)} timers are left`)
    }
    if (this.#gates.length > 0) this.violation(`S29 ${this.#gates.length} promises are left`)
  }
}
