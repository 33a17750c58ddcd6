import type { LiveSession } from './live.ts'
import { POLICY } from './reminders.ts'
import type { World } from './world.ts'

/** On an idle session nothing due may wait longer: the alarm looks at the clock at least every 30 s (milliseconds). */
const MOST_WAIT_MS = 31_000

/** A closed session that asks to be woken may not wait longer, while a host runs whose view nothing bars (milliseconds). */
const MOST_COLD_WAIT_MS = 240_000

/** The same where a lease of a host stands that nobody can look at: it has to run out first (milliseconds). */
const MOST_UNSEEN_WAIT_MS = 900_000

/** A stored session as the auditors read it, as long as its log does not change. */
interface Stored {
  readonly length: number
  readonly live: LiveSession
}

/** Nothing that is due waits for longer than is promised; looked at after every step, by the clock of the machine. */
export class Waiting {
  readonly #world: World
  readonly #stored = new Map<string, Stored>()
  readonly #coldSince = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  check(): void {
    for (const host of this.#world.running) for (const live of host.sessions.values()) this.#checkLive(live)
    for (const id of this.#world.disk.logs.keys()) this.#checkCold(id)
  }

  #checkLive(live: LiveSession): void {
    const { host } = live
    const { clock, gates } = this.#world
    const canDeliver = live.isPlugged && !live.isClosing && live.agent.isIdle && !live.isDisturbed && !gates.holds(host) && this.#isOurs(live)
    const overdue = canDeliver ? [...live.audit.overdue(clock.wall, POLICY.maxUnanswered), ...live.countdownAudit.overdue(clock.wall).map((name) => `countdown ${name}`)] : []
    for (const id of live.dueSince.keys()) if (!overdue.includes(id)) live.dueSince.delete(id)
    for (const id of overdue) {
      const since = live.dueSince.get(id) ?? clock.mono
      live.dueSince.set(id, since)
      if (clock.mono - since > MOST_WAIT_MS) this.#world.violation(`${live.id}: S26 ${id} is due, the agent is idle, and nothing happens for ${clock.mono - since} ms`)
    }
  }

  /** No lease of another host stands, whoever that was. */
  #isOurs(live: LiveSession): boolean {
    const holder = this.#world.index.leaseOf(live.id)?.holder.hostId
    return holder === undefined || holder === live.host.me.hostId
  }

  #checkCold(id: string): void {
    const { clock, gates, index, running } = this.#world
    const owed = running.some((host) => host.has(id)) ? [] : this.owed(id)
    const canWake = running.length > 0 && running.every((host) => host.index !== undefined && !gates.holds(host)) && index.isUsable
    if (owed.length === 0 || !canWake) return void this.#coldSince.delete(id)
    const since = this.#coldSince.get(id) ?? clock.mono
    this.#coldSince.set(id, since)
    const holder = index.leaseOf(id)?.holder
    const isUnseen = holder !== undefined && running.some(({ me }) => me.space !== holder.space)
    const waited = clock.mono - since
    if (waited > (isUnseen ? MOST_UNSEEN_WAIT_MS : MOST_COLD_WAIT_MS)) this.#world.violation(`${id}: T9 R18 ${owed.join(', ')} asked to be woken for; a host runs, and its session stays closed for ${waited} ms`)
  }

  /** What a closed session owes to whom asked to be woken, by its stored log. */
  owed(id: string): readonly string[] {
    const { clock } = this.#world
    const { audit, countdownAudit } = this.#read(id)
    const due = [...audit.overdue(clock.wall, POLICY.maxUnanswered), ...audit.unheard('waiting')]
    const reminders = due.filter((one) => audit.planOf(one)?.wake === true)
    const countdowns = [...countdownAudit.overdue(clock.wall, true), ...countdownAudit.unread('waiting')]
    return [...reminders, ...countdowns.map((name) => `countdown ${name}`)]
  }

  #read(id: string): LiveSession {
    const length = this.#world.disk.length(id)
    const known = this.#stored.get(id)
    if (known?.length === length) return known.live
    const [host] = this.#world.hosts
    if (host === undefined) throw new Error('there is always a host, dead or alive')
    const live = host.show(id)
    this.#stored.set(id, { length, live })
    return live
  }
}
