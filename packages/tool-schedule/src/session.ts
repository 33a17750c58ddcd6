import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { alarmClock, checkpoints, createFifo, ownStart, registerTools, sessionLogs, wakeIndex, ZoneFold, type Follower, type WakeIndex } from 'dsh-session-host'
import type { Instant } from 'dsh-time-core'
import type { Config } from './config.ts'
import { LedgerFold } from './fold.ts'
import { chooseNames, type ToolNames } from './names.ts'
import { foldNextWake, nextWake, REMINDER_KIND } from './owed.ts'
import { makeOwner, type Owner } from './owner.ts'
import { makeDesk, type DeskPort, type ReminderDesk } from './people/desk.ts'
import { PersonFold } from './people/person-fold.ts'
import type { LiveSession } from './people/reception.ts'
import { makeRevisions, type Revisions } from './people/revisions.ts'
import { retell, UntoldFold } from './people/untold.ts'
import { OwnerSide, SessionPort } from './session-port.ts'
import { createTool } from './tools/create.ts'
import { defineReminderTool } from './tools/definition.ts'
import { deleteTool } from './tools/delete.ts'
import { listTool } from './tools/list.ts'
import { snoozeTool } from './tools/snooze.ts'

/** What the sessions of one host share. */
export interface SharedParts {
  readonly ctx: Context
  readonly config: Config
  readonly logs: ReturnType<typeof sessionLogs>
  readonly checkpoints: ReturnType<typeof checkpoints>
  readonly alarm: ReturnType<typeof alarmClock>
  readonly fifo: ReturnType<typeof createFifo>
  /** The sessions that have reminders now, by their ids. */
  readonly live: Map<string, LiveSession & Idler>
  readonly revisions: Revisions
  readonly index: WakeIndex
  /** Of every session that was ever opened here: a call that has begun comes to its end also when its session closes. */
  readonly opened: WeakMap<object, OpenSession>
  /** The tools under their names, made once for all sessions. */
  readonly tools: (names: ToolNames) => readonly ToolDefinition[]
}

/** Somebody who looks after a session when its agent has become idle. */
interface Idler {
  whenIdle(): void
}

/**
 * What the sessions of one host share.
 *
 * @param ctx - the plugin's context.
 * @param config - the row's config.
 */
export function sharedParts(ctx: Context, config: Config): SharedParts {
  const alarm = alarmClock(ctx)
  const revisions = makeRevisions(alarm, () => Date.now())
  const index = wakeIndex(ctx, { enabled: config.wakeIndex, path: config.wakeIndexPath === '' ? undefined : config.wakeIndexPath })
  const opened: SharedParts['opened'] = new WeakMap()
  const live: SharedParts['live'] = new Map()
  ctx.effect(() => index.register(REMINDER_KIND, { foldOwed: (events, header) => foldNextWake(events, header, config), regained: (session) => opened.get(session)?.poke() }), 'tool-schedule wake index')
  // One listener for all sessions: what the host keeps for one of each would be the larger part of their cost (P5).
  ctx.on('agent/status', ({ agent, status }) => {
    if (status === 'idle') live.get(agent.id)?.whenIdle()
  })
  return { ctx, config, logs: sessionLogs(ctx), checkpoints: checkpoints(ctx), alarm, fifo: createFifo(), live, revisions, index, opened, tools: toolMaker(opened, config) }
}

function toolMaker(opened: SharedParts['opened'], config: Config): SharedParts['tools'] {
  const made = new Map<string, readonly ToolDefinition[]>()
  return (names) => {
    const specs = [createTool(names.create, config), listTool(names.list), deleteTool(names.delete), snoozeTool(names.snooze, config)]
    const tools = made.get(names.create) ?? specs.map((spec) => defineReminderTool(spec, (agent) => (agent === undefined ? undefined : opened.get(agent.session))))
    made.set(names.create, tools)
    return tools
  }
}

/**
 * Give one root agent its tools and its owner (requirement S2). Everything lives in the agent's own scope.
 *
 * @param shared - what the sessions share.
 * @param agent - a root agent that was just published.
 * @param onClose - told once when the session begins to close.
 * @returns takes everything back and settles when nothing of it runs any more (requirement S29).
 */
export function openSession(shared: SharedParts, agent: Agent, onClose: () => void): () => Promise<void> {
  const session = new OpenSession(shared, agent)
  return () => {
    onClose()
    return session.close()
  }
}

/** One session that has reminders. What it consists of is one object each, without functions of its own (requirement P5). */
class OpenSession extends SessionPort implements DeskPort, LiveSession, Idler, Follower {
  readonly zones = new ZoneFold()
  readonly person: PersonFold
  readonly desk: ReminderDesk
  readonly #fold: LedgerFold
  readonly #untold = new UntoldFold()
  readonly #ownStart: number
  readonly #owner: Owner
  readonly #undo: readonly (() => void)[]
  readonly #retelling: Promise<void>

  constructor(shared: SharedParts, agent: Agent) {
    const ledger = new LedgerFold()
    const told: { owed: Instant | undefined } = { owed: undefined }
    super(shared, agent, ledger, told)
    this.#fold = ledger
    this.person = new PersonFold(() => this.#tellRevision())
    this.#ownStart = ownStart(agent.session)
    this.#owner = makeOwner(new OwnerSide(shared, agent, ledger, told), shared.alarm, shared.config)
    this.desk = makeDesk(this)
    this.#undo = [...giveTools(shared, agent), shared.logs.follow(agent.session, this, 0)]
    shared.opened.set(agent.session, this)
    shared.live.set(agent.id, this)
    this.#retelling = retell(this.#untold, this, () => shared.live.has(agent.id))
    told.owed = nextWake(ledger, shared.config)
    shared.index.owes(REMINDER_KIND, agent.session, told.owed)
    this.poke()
  }

  get sessionId(): string {
    return this.agent.id
  }

  get config(): Config {
    return this.shared.config
  }

  get policy(): Config {
    return this.shared.config
  }

  /** Reminders and untold notices are a session's own: what it inherited owes nothing. Zone and person are those of the whole log. */
  apply(event: SessionEvent): void {
    const isOwn = event.seq >= this.#ownStart
    if (isOwn) this.#fold.apply(event)
    this.zones.apply(event)
    this.person.apply(event)
    if (isOwn) this.#untold.apply(event)
  }

  poke(): void {
    this.#owner.poke()
  }

  whenIdle(): void {
    this.poke()
    // What the conversation has shown by now is owed no longer, once that is stored.
    if (this.isOwedStale()) void this.confirm()
  }

  async close(): Promise<void> {
    this.shared.live.delete(this.agent.id)
    this.#tellRevision()
    for (const take of this.#undo) take()
    await Promise.all([this.#owner.dispose(), this.#retelling])
  }

  #tellRevision(): void {
    this.shared.revisions.changed({ sessionId: this.agent.id, revision: this.person.revision })
  }
}

/** All of them or none. @returns what takes them back. */
function giveTools({ ctx, config, tools }: SharedParts, agent: Agent): readonly (() => void)[] {
  const taken = new Set(ctx.get('tools')?.schemas(agent).map((schema) => schema.name))
  const names = chooseNames(config.toolNames, (name) => taken.has(name))
  if (taken.size > 0 && names.create !== 'schedule_create') ctx.logger('tool-schedule').info(`the reminder tools are mounted as ${Object.values(names).join(', ')}`)
  return registerTools(agent, tools(names))
}
