import { randomUUID } from 'node:crypto'
import type { SessionEvent, UserMessage } from '../../packages/session-host/tests/harness.ts'
import { ZoneFold } from '../../packages/session-host/src/request-zone.ts'
import { LedgerFold } from '../../packages/tool-schedule/src/fold.ts'
import { nextWake } from '../../packages/tool-schedule/src/owed.ts'
import { makeOwner, type Owner, type OwnerPort } from '../../packages/tool-schedule/src/owner.ts'
import { deleteChange } from '../../packages/tool-schedule/src/protocol.ts'
import { createTool } from '../../packages/tool-schedule/src/tools/create.ts'
import { defineReminderTool, type ToolPort } from '../../packages/tool-schedule/src/tools/definition.ts'
import { deleteTool } from '../../packages/tool-schedule/src/tools/delete.ts'
import { listTool } from '../../packages/tool-schedule/src/tools/list.ts'
import { snoozeTool } from '../../packages/tool-schedule/src/tools/snooze.ts'
import { checkUpgrade } from '../../e2e/lib/upgrade-check.ts'
import { SimAgent } from './agent.ts'
import { LogAudit } from './audit.ts'
import type { SimHost } from './host.ts'
import type { Wish } from './steps.ts'

/** Limits that a short schedule can reach. */
export const POLICY = { maxUnanswered: 3, maxUnattendedChain: 50 }

const KNOWN = new Set(['schedule/change', 'agent/inbox/spliced', 'turn/start', 'turn/end', 'user/message', 'tool/result'])

type CommonPort = Omit<ToolPort, 'zones' | 'policy' | 'poke'>
type Tools = ReadonlyMap<Wish['tool'], ReturnType<typeof defineReminderTool>>

/** A session that is live in a host: its log in memory, its agent, and our owner and tools on it. */
export class LiveSession {
  readonly events: SessionEvent[] = []
  readonly header: { readonly seedLength: number }
  readonly ledger = new LedgerFold()
  readonly audit: LogAudit
  readonly agent: SimAgent
  isLive = true
  /** A barrier has failed and nobody has asked since: the owner waits on purpose (requirement S26). */
  isDisturbed = false
  /** When each due reminder was first seen due, by the clock of the machine (milliseconds). */
  readonly dueSince = new Map<string, number>()
  #isReplaying = true
  #plug: { readonly owner: Owner; readonly tools: Tools } | undefined
  readonly #wishes = new Map<string, readonly Wish[]>()
  readonly #zones = new ZoneFold()
  readonly host: SimHost
  readonly id: string

  constructor(host: SimHost, id: string, events: readonly SessionEvent[], seedLength: number) {
    this.host = host
    this.id = id
    this.header = { seedLength }
    const violation = (rule: string): void => host.world.violation(`${id}: ${rule}`)
    this.audit = new LogAudit({ wasTakenBack: (one) => host.world.takenBack.has(`${id}/${one}`), isStored: (seq) => this.#isReplaying || host.world.disk.length(id) > seq, isReplay: () => this.#isReplaying, violation })
    this.agent = new SimAgent({
      append: (type, data) => this.append(type, data),
      think: () => host.gate('turn'),
      act: (message) => this.#act(message),
      becameIdle: () => this.poke(),
    })
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
    return this.#plug !== undefined
  }

  append(type: string, data: unknown): void {
    this.host.beat()
    if (!this.host.holds(this.id)) this.host.world.violation(`${this.id}: R20 ${type} is appended by a host that does not hold the session`)
    this.#take({ type, seq: this.seq, time: this.host.world.clock.wall, data } as unknown as SessionEvent)
  }

  #take(event: SessionEvent): void {
    this.events.push(event)
    this.#zones.apply(event)
    if (event.type === 'agent/inbox/spliced' && this.#isReplaying && event.seq >= this.header.seedLength) {
      this.agent.replay(event.data.target, event.data.start, event.data.removedCount ?? 0, event.data.inserted)
    }
    if (event.seq >= (this.host.world.plant?.forkInherits === true ? 0 : this.header.seedLength)) this.ledger.apply(event)
    if (event.seq < this.header.seedLength) return
    this.audit.apply(event)
    for (const { rule } of checkUpgrade([event], KNOWN)) this.host.world.violation(`${this.id}: X7 event ${event.seq}: ${rule}`)
    if (this.ledger.corruption !== undefined) this.host.world.violation(`${this.id}: S8 the fold calls the log corrupt: ${this.ledger.corruption.rule}`)
  }

  /** Mount the plugin on this session. */
  plugIn(): void {
    if (this.#plug !== undefined || !this.isLive) return
    const common = this.#commonPort()
    const port = this.host.world.plant?.port?.(this.#ownerPort(common)) ?? this.#ownerPort(common)
    const alarm = this.host.world.plant?.alarmUse?.(this.host.alarm) ?? this.host.alarm
    const owner = this.host.world.plant?.owner?.(port, POLICY) ?? makeOwner(port, alarm, POLICY)
    const tool: ToolPort = { ...common, zones: this.#zones, policy: POLICY, poke: () => this.poke() }
    const specs = { create: createTool('schedule_create', POLICY), delete: deleteTool('schedule_delete'), snooze: snoozeTool('schedule_snooze', POLICY), list: listTool('schedule_list') }
    this.#plug = { owner, tools: new Map(Object.entries(specs).map(([name, spec]) => [name as Wish['tool'], defineReminderTool(spec, () => tool)])) }
    this.host.world.owes(this.id, nextWake(this.ledger, POLICY))
    this.poke()
  }

  /** Unmount it; settles when nothing of it runs any more. */
  async plugOut(): Promise<void> {
    const plug = this.#plug
    this.#plug = undefined
    await plug?.owner.dispose()
  }

  /** Ask the owner to look. */
  poke(): void {
    this.isDisturbed = false
    this.#plug?.owner.poke()
  }

  /** The host takes the agent down: waiting input is cancelled, the turn ends, then the plugin goes. */
  async close(): Promise<void> {
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

  async #act({ id }: UserMessage): Promise<void> {
    for (const wish of this.#wishes.get(id) ?? []) await this.#call(wish)
    this.#wishes.delete(id)
  }

  async #call(wish: Wish): Promise<void> {
    const definition = this.#plug?.tools.get(wish.tool)
    if (definition === undefined) return
    const args = this.#argumentsOf(wish)
    const value = (await definition.execute(args, {} as never)) as Readonly<Record<string, unknown>>
    this.#checkAnswer(value)
    const meta: unknown = definition.output.presentationMeta?.(args, value as never)
    this.append('tool/result', { turn: 1, step: 1, message: { source: { kind: 'tool' }, content: [] }, meta })
  }

  #argumentsOf(wish: Wish): unknown {
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

  /** S12 to S14: what a tool says was done is on the disk. */
  #checkAnswer(value: Readonly<Record<string, unknown>>): void {
    if ('code' in value || (value['set'] !== true && value['deleted'] !== true)) return
    const operation = value['set'] === true ? 'create' : 'delete'
    const changes = this.events.findIndex((event) => {
      const change = event.data as { readonly operation?: string; readonly id?: string; readonly schedule?: { readonly id: string } }
      return (event.type as string) === 'schedule/change' && change.operation === operation && seriesOf(change.schedule?.id ?? change.id) === seriesOf(value['id'])
    })
    if (this.host.world.disk.length(this.id) <= changes) this.host.world.violation(`${this.id}: S12 ${JSON.stringify(value['id'])} is answered before it is stored`)
  }

  /** Another plugin of this host writes version 1 as well. */
  foreign(change: unknown): void {
    this.append('schedule/change', change)
    this.poke()
  }

  foreignDelete(pick: number): void {
    const ids = [...this.ledger.active.keys()]
    const id = ids[pick % Math.max(ids.length, 1)]
    if (id === undefined) return
    this.takeBack(id)
    this.foreign(deleteChange(id))
  }

  #commonPort(): CommonPort {
    const { host, ledger } = this
    return {
      ledger,
      now: () => host.world.clock.wall,
      transact: (job) => host.fifo.run(this, job),
      append: (change) => this.append('schedule/change', change),
      note: (message) => this.agent.inject(message),
      warn: (what) => {
        if (what.startsWith('stopped') && !host.isDead) host.world.violation(`${this.id}: the owner ${what}`)
      },
      confirm: async () => {
        const owed = nextWake(ledger, POLICY)
        try {
          await host.checkpoints.confirm(this as never)
        } catch {
          this.isDisturbed = true
          return false
        }
        host.world.owes(this.id, owed)
        return true
      },
    }
  }

  #ownerPort(common: CommonPort): OwnerPort {
    const { agent, host } = this
    return {
      ...common,
      hostStartedAt: host.startedAt,
      isLive: () => this.isLive && !host.isDead,
      isOurs: () => host.holds(this.id),
      isIdle: () => agent.isIdle,
      claimIdle: (job) => (agent.isIdle ? agent.runMaintenance(async () => job()) : 'busy'),
      whenIdle: () => agent.whenIdle(),
      say: (message) => agent.followup(message),
      wakeWith: (messageId) => {
        const waiting = [...agent.lists['next-turn'], ...agent.lists['next-step']].find(({ id }) => id === messageId)
        if (waiting === undefined) return
        if (host.world.plant?.wakeDoubles !== true) agent.remove(messageId)
        agent.followup(waiting)
      },
    }
  }
}

function seriesOf(id: unknown): string {
  return String(id).replace(/\.\d+$/, '')
}
