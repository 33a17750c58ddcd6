import { randomUUID } from 'node:crypto'
import type { SessionEvent, UserMessage } from '../../packages/session-host/tests/harness.ts'
import { ZoneFold } from '../../packages/session-host/src/request-zone.ts'
import { checkUpgrade } from '../../e2e/lib/upgrade-check.ts'
import { SimAgent } from './agent.ts'
import { LogAudit, seriesOf } from './audit.ts'
import { CountdownAudit } from './countdown-audit.ts'
import { CountdownPlug } from './countdowns.ts'
import type { SimHost } from './host.ts'
import { ReminderPlug } from './reminders.ts'
import type { CountdownWish, ReminderWish, Wish } from './steps.ts'

const KNOWN = new Set(['schedule/change', 'agent/inbox/spliced', 'turn/start', 'turn/end', 'step/start', 'user/message', 'tool/call', 'tool/result'])

interface Plugs {
  readonly reminders: ReminderPlug
  readonly countdowns: CountdownPlug
}

/** A session that is live in a host: its log in memory, its agent, and our owners and tools on it. */
export class LiveSession {
  readonly events: SessionEvent[] = []
  readonly header: { readonly id: string; readonly seedLength: number }
  readonly zones = new ZoneFold()
  readonly audit: LogAudit
  readonly countdownAudit: CountdownAudit
  readonly agent: SimAgent
  isLive = true
  isClosing = false
  /** A barrier has failed and nobody has asked since: the owner waits on purpose (requirement S26). */
  isDisturbed = false
  /** When each due reminder was first seen due, by the clock of the machine (milliseconds). */
  readonly dueSince = new Map<string, number>()
  #isReplaying = true
  #plugs: Plugs | undefined
  readonly #wishes = new Map<string, readonly Wish[]>()
  readonly host: SimHost
  readonly id: string

  constructor(host: SimHost, id: string, events: readonly SessionEvent[], seedLength: number) {
    this.host = host
    this.id = id
    this.header = { id, seedLength }
    const violation = (rule: string): void => host.world.violation(`${id}: ${rule}`)
    const isReplay = (): boolean => this.#isReplaying
    this.audit = new LogAudit({ wasTakenBack: (one) => host.world.takenBack.has(`${id}/${one}`), isStored: (seq) => this.#isReplaying || host.world.disk.length(id) > seq, isReplay, violation })
    this.agent = new SimAgent({
      append: (type, data) => this.append(type, data),
      now: () => host.world.clock.wall,
      prepare: () => host.gate(),
      think: () => host.gate(),
      act: (message) => this.#act(message),
      becameIdle: () => this.#onIdle(),
    })
    this.countdownAudit = new CountdownAudit({ isReplay, violation, truth: () => this.#truth() })
    for (const event of events) this.#take(event)
    this.#closeTornTurn()
    this.#isReplaying = false
  }

  /** As the host does when it loads a log that ends inside a turn. */
  #closeTornTurn(): void {
    const last = this.events.findLast(({ type }) => type === 'turn/start' || type === 'turn/end')
    if (last?.type !== 'turn/start' || last.seq < this.header.seedLength) return
    this.#take({ type: 'turn/end', seq: this.seq, time: this.host.world.clock.wall, data: { turn: last.data.turn, reason: { kind: 'interrupted' } } } as unknown as SessionEvent)
  }

  get seq(): number {
    return this.events.length
  }

  get isPlugged(): boolean {
    return this.#plugs !== undefined
  }

  /** Events that are this session's own, not inherited. */
  get own(): readonly SessionEvent[] {
    return this.events.slice(this.header.seedLength)
  }

  #truth() {
    const { clock } = this.host.world
    return { now: clock.wall, leaptTo: clock.leaptTo, busyUntil: this.agent.busyUntil, isBusy: this.agent.isRunning, pluggedAt: this.#plugs?.countdowns.pluggedAt ?? Infinity, barrierEnd: this.#plugs?.countdowns.barrierEnd ?? -Infinity }
  }

  append(type: string, data: unknown): void {
    this.host.beat()
    this.#take({ type, seq: this.seq, time: this.host.world.clock.wall, data } as unknown as SessionEvent)
  }

  #take(event: SessionEvent): void {
    this.events.push(event)
    this.zones.apply(event)
    if (event.type === 'agent/inbox/spliced' && this.#isReplaying && event.seq >= this.header.seedLength) {
      this.agent.replay(event.data.target, event.data.start, event.data.removedCount ?? 0, event.data.inserted)
    }
    if (event.seq >= this.header.seedLength) {
      this.audit.apply(event)
      this.countdownAudit.apply(event)
      for (const { rule } of checkUpgrade([event], KNOWN)) this.host.world.violation(`${this.id}: X7 event ${event.seq}: ${rule}`)
    }
    this.#plugs?.reminders.apply(event)
    this.#plugs?.countdowns.apply(event)
    this.#plugs?.countdowns.compare()
  }

  /** Mount the plugins on this session. */
  plugIn(): void {
    if (this.#plugs !== undefined || !this.isLive) return
    this.#plugs = { countdowns: new CountdownPlug(this), reminders: new ReminderPlug(this) }
    this.poke()
  }

  /** Unmount them; settles when nothing of them runs any more. */
  async plugOut(): Promise<void> {
    const plugs = this.#plugs
    this.#plugs = undefined
    await Promise.all([plugs?.reminders.dispose(), plugs?.countdowns.dispose()])
  }

  /** Ask the owners to look. */
  poke(): void {
    this.isDisturbed = false
    this.#plugs?.reminders.poke()
    this.#plugs?.countdowns.poke()
  }

  #onIdle(): void {
    this.isDisturbed = false
    this.#plugs?.reminders.onIdle()
  }

  /** The host takes the agent down: waiting input is cancelled, the turn ends, then the plugins go. */
  async close(): Promise<void> {
    this.isClosing = true
    this.agent.cancel()
    await this.agent.whenIdle()
    this.isLive = false
    await this.plugOut()
  }

  /** A person writes; when the message is read, its wishes are done by tools. */
  prompt(wishes: readonly Wish[]): void {
    const id = randomUUID()
    this.#wishes.set(id, wishes)
    this.agent.followup({ id, role: 'user', content: [], source: { kind: 'user', rpcId: id, clientTimeZone: 'Asia/Shanghai' } } as unknown as UserMessage)
  }

  /** A person changes a countdown by a command. */
  command(wish: CountdownWish): void {
    this.#plugs?.countdowns.command(wish)
  }

  async #act({ id }: UserMessage): Promise<void> {
    for (const wish of this.#wishes.get(id) ?? []) {
      if (wish.tool === 'countdown') await this.#plugs?.countdowns.call(wish)
      else await this.#plugs?.reminders.call(wish, this.#argumentsOf(wish))
    }
    this.#wishes.delete(id)
  }

  #argumentsOf(wish: ReminderWish): unknown {
    if (wish.tool === 'create') return wish.args
    if (wish.tool === 'list') return {}
    const ids = [...this.audit.created.keys()]
    const id = ids[wish.pick % Math.max(ids.length, 1)] ?? 'r-1'
    // A series is known by its own id; whatever of it waits goes with it.
    this.takeBack(id)
    return wish.tool === 'delete' ? { id } : { id, after_seconds: wish.seconds }
  }

  /** Somebody wants this reminder, or all of its series, no more. */
  takeBack(id: string): void {
    const series = seriesOf(id)
    for (const one of [id, ...this.audit.created.keys()].filter((name) => name === id || name.startsWith(`${series}.`))) this.host.world.takenBack.add(`${this.id}/${one}`)
  }

  /** Another plugin of this host writes version 1 as well. */
  foreign(change: unknown): void {
    this.append('schedule/change', change)
    this.poke()
  }

  /** Another plugin takes a reminder back. */
  foreignDelete(pick: number): void {
    const ids = [...this.audit.created].flatMap(([id, { isActive }]) => (isActive ? [id] : []))
    const id = ids[pick % Math.max(ids.length, 1)]
    if (id === undefined) return
    this.takeBack(id)
    this.foreign({ version: 1, operation: 'delete', id })
  }
}
