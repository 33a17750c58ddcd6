import type { SessionEvent } from '../../packages/session-host/tests/harness.ts'
import { LedgerFold } from '../../packages/tool-schedule/src/fold.ts'
import { foldNextWake, nextWake, REMINDER_KIND } from '../../packages/tool-schedule/src/owed.ts'
import { makeOwner, type Owner, type OwnerPort } from '../../packages/tool-schedule/src/owner.ts'
import { createTool } from '../../packages/tool-schedule/src/tools/create.ts'
import { defineReminderTool, type ToolPort } from '../../packages/tool-schedule/src/tools/definition.ts'
import { deleteTool } from '../../packages/tool-schedule/src/tools/delete.ts'
import { listTool } from '../../packages/tool-schedule/src/tools/list.ts'
import { snoozeTool } from '../../packages/tool-schedule/src/tools/snooze.ts'
import { seriesOf } from './audit.ts'
import type { LiveSession } from './live.ts'
import type { ReminderWish } from './steps.ts'

/** Limits that a short schedule can reach. */
export const POLICY = { maxUnanswered: 3, maxUnattendedChain: 50 }

/** What a stored log owes of reminders. */
export const foldReminders = (events: readonly SessionEvent[], header: Parameters<typeof foldNextWake>[1]): number | undefined => foldNextWake(events, header, POLICY)

type CommonPort = Omit<ToolPort, 'zones' | 'policy' | 'poke'>

/** The reminders of a live session, wired as `tool-schedule/src/session.ts` wires them to a host's services. */
export class ReminderPlug {
  readonly ledger = new LedgerFold()
  readonly #live: LiveSession
  readonly #owner: Owner
  readonly #common: CommonPort
  readonly #tools: ReadonlyMap<string, ReturnType<typeof defineReminderTool>>
  readonly #nextWake: () => number | undefined
  #said: number | undefined

  constructor(live: LiveSession) {
    this.#live = live
    const { alarm, world } = live.host
    const start = world.plant?.forkInherits === true ? 0 : live.header.seedLength
    for (const event of live.events.slice(start)) this.#fold(event)
    this.#nextWake = () => (world.plant?.nextWake ?? nextWake)(this.ledger, POLICY)
    this.#said = this.#nextWake()
    this.#common = this.#commonPort()
    const port = world.plant?.port?.(this.#ownerPort()) ?? this.#ownerPort()
    this.#owner = world.plant?.owner?.(port, POLICY) ?? makeOwner(port, world.plant?.alarmUse?.(alarm) ?? alarm, POLICY)
    const tool: ToolPort = { ...this.#common, zones: live.zones, policy: POLICY, poke: () => live.poke() }
    const specs = [createTool('create', POLICY), deleteTool('delete'), snoozeTool('snooze', POLICY), listTool('list')]
    this.#tools = new Map(specs.map((spec) => [spec.name, defineReminderTool(spec, () => tool)]))
    live.host.index?.owes(REMINDER_KIND, live as never, this.#said)
  }

  apply(event: SessionEvent): void {
    this.#fold(event)
    if (this.ledger.corruption !== undefined) this.#live.host.world.violation(`${this.#live.id}: S8 the fold calls the log corrupt: ${this.ledger.corruption.rule}`)
  }

  #fold(event: SessionEvent): void {
    this.ledger.apply(event)
  }

  poke(): void {
    this.#owner.poke()
  }

  /** What the conversation has shown by now is owed no longer, once that is stored. */
  onIdle(): void {
    this.#owner.poke()
    if (this.#nextWake() !== this.#said) {
      void this.#common.confirm().catch((error: unknown) => this.#live.host.fail(`${this.#live.id}: a barrier threw`, error))
    }
  }

  dispose(): Promise<void> {
    return this.#owner.dispose()
  }

  /** A model calls a tool. */
  async call(wish: ReminderWish, args: unknown): Promise<void> {
    const definition = this.#tools.get(wish.tool)
    if (definition === undefined) return
    const value = (await definition.execute(args, {} as never)) as Readonly<Record<string, unknown>>
    this.#checkAnswer(value)
    const meta: unknown = definition.output.presentationMeta?.(args, value as never)
    this.#live.append('tool/result', { turn: 1, step: 1, message: { source: { kind: 'tool' }, content: [{ type: 'tool-result', toolCallId: 'reminder', content: [] }] }, meta })
  }

  /** S12 to S14: what a tool says was done is on the disk. */
  #checkAnswer(value: Readonly<Record<string, unknown>>): void {
    if ('code' in value || (value['set'] !== true && value['deleted'] !== true)) return
    const { events, host, id } = this.#live
    const operation = value['set'] === true ? 'create' : 'delete'
    const changes = events.findIndex((event) => {
      const change = event.data as { readonly operation?: string; readonly id?: string; readonly schedule?: { readonly id: string } }
      return (event.type as string) === 'schedule/change' && change.operation === operation && seriesOf(change.schedule?.id ?? change.id) === seriesOf(value['id'])
    })
    if (host.world.disk.length(id) <= changes) host.world.violation(`${id}: S12 ${JSON.stringify(value['id'])} is answered before it is stored`)
  }

  #commonPort(): CommonPort {
    const { ledger } = this
    const { host, agent, id } = this.#live
    return {
      ledger,
      now: () => host.world.clock.wall,
      transact: (job) => host.fifo.run(this.#live, job),
      append: (change) => this.#live.append('schedule/change', change),
      note: (message) => agent.inject(message),
      warn: (what) => {
        if (what.startsWith('stopped') && !host.isDead) host.world.violation(`${id}: the owner ${what}`)
      },
      confirm: async () => {
        const owed = this.#nextWake()
        try {
          await host.checkpoints.confirm(this.#live as never)
        } catch {
          this.#live.isDisturbed = true
          return false
        }
        this.#said = owed
        host.index?.owes(REMINDER_KIND, this.#live as never, owed)
        return true
      },
    }
  }

  #ownerPort(): OwnerPort {
    const live = this.#live
    const { agent, host } = live
    return {
      ...this.#common,
      hostStartedAt: host.startedAt,
      isLive: () => live.isLive && !host.isDead,
      isOurs: () => host.index?.isOurs(live as never) === true,
      isIdle: () => agent.isIdle,
      claimIdle: (job) => (agent.isIdle ? agent.runMaintenance(async () => job()) : agent.refuse()),
      whenIdle: () => agent.whenIdle(),
      say: (message) => agent.followup(message),
      wakeWith: (messageId) => agent.wakeWith(messageId, host.world.plant?.wakeDoubles === true),
    }
  }
}
