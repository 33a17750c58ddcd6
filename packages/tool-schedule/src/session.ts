import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Session } from '@deepseek-ai/dsh-session'
import { alarmClock, checkpoints, claimIdle, createFifo, isLive, ownStart, sessionLogs, wakeIndex, wakeWith, ZoneFold, type NotDurable, type WakeIndex } from 'dsh-session-host'
import type { Config } from './config.ts'
import { LedgerFold } from './fold.ts'
import { chooseNames } from './names.ts'
import { makeOwner, type Owner, type OwnerPort } from './owner.ts'
import { makeDesk } from './people/desk.ts'
import { PersonFold } from './people/person-fold.ts'
import type { LiveSession } from './people/reception.ts'
import { makeRevisions, type Revisions } from './people/revisions.ts'
import { foldNextWake, nextWake } from './owed.ts'
import { retell, UntoldFold } from './people/untold.ts'
import type { ScheduleChange } from './protocol.ts'
import { createTool } from './tools/create.ts'
import { defineReminderTool, type ToolPort } from './tools/definition.ts'
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
  readonly live: Map<string, LiveSession>
  readonly revisions: Revisions
  readonly index: WakeIndex
  readonly owners: WeakMap<Session, Owner>
}

/** Name of our kind in the wake index. */
const WAKE_KIND = 'reminder'

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
  const owners = new WeakMap<Session, Owner>()
  ctx.effect(() => index.register(WAKE_KIND, { foldOwed: (events, header) => foldNextWake(events, header, config), regained: (session) => owners.get(session)?.poke() }), 'tool-schedule wake index')
  return { ctx, config, logs: sessionLogs(ctx), checkpoints: checkpoints(ctx), alarm, fifo: createFifo(), live: new Map(), revisions, index, owners }
}

/**
 * Give one root agent its tools and its owner (requirement S2). Everything lives in the agent's own scope.
 *
 * @param shared - what the sessions share.
 * @param agent - a root agent that was just published.
 * @returns takes everything back and settles when nothing of it runs any more (requirement S29).
 */
export function openSession(shared: SharedParts, agent: Agent): () => Promise<void> {
  const { ctx, config, alarm, live } = shared
  const ledger = new LedgerFold()
  const zones = new ZoneFold()
  const person = new PersonFold(() => tellRevision())
  const tellRevision = (): void => shared.revisions.changed({ sessionId: agent.id, revision: person.revision })
  const untold = new UntoldFold()
  const common = commonPort(shared, agent, ledger)
  const owner = makeOwner(ownerPort(shared, agent, common), alarm, config)
  shared.owners.set(agent.session, owner)
  const unfollow = [
    shared.logs.follow(agent.session, ledger, ownStart(agent.session)),
    shared.logs.follow(agent.session, zones, 0),
    shared.logs.follow(agent.session, person, 0),
    shared.logs.follow(agent.session, untold, ownStart(agent.session)),
  ]
  const port: ToolPort = { ...common, zones, policy: config, poke: () => owner.poke() }
  const ungive = giveTools(ctx, agent, config, port)
  const unwatch = watchIdle(agent, () => {
    owner.poke()
    // What the conversation has shown by now is owed no longer, once that is stored.
    if (common.isOwedStale()) void common.confirm()
  })
  live.set(agent.id, { ledger, person, desk: makeDesk({ ...port, sessionId: agent.id, config, person }) })
  const retelling = retell(untold, common, () => live.has(agent.id))
  shared.index.owes(WAKE_KIND, agent.session, nextWake(ledger, config))
  owner.poke()
  return async () => {
    live.delete(agent.id)
    tellRevision()
    for (const take of [unwatch, ...ungive, ...unfollow]) take()
    await Promise.all([owner.dispose(), retelling])
  }
}

type CommonPort = Omit<ToolPort, 'zones' | 'policy' | 'poke'> & {
  /** Whether the index holds something else than the log says. */
  isOwedStale(): boolean
}

function commonPort({ ctx, checkpoints: barrier, fifo, index, config }: SharedParts, agent: Agent, ledger: LedgerFold): CommonPort {
  const warn: CommonPort['warn'] = (what, error) => ctx.logger('tool-schedule').error(`session ${agent.id}: ${what}`, error)
  let said = nextWake(ledger, config)
  return {
    ledger,
    warn,
    isOwedStale: () => nextWake(ledger, config) !== said,
    now: () => Date.now(),
    transact: (job) => fifo.run(agent, job),
    append: (change) => append(agent, change),
    note: (message) => agent.inject(message),
    confirm() {
      const owed = nextWake(ledger, config)
      return barrier.confirm(agent.session).then(
        () => {
          // Only what is stored may be said to be owed no longer: after a crash the index counts until the log changes.
          said = owed
          index.owes(WAKE_KIND, agent.session, owed)
          return true
        },
        ({ cause }: NotDurable) => {
          warn('the session log is not confirmed as stored', cause)
          return false
        },
      )
    },
  }
}

/** `schedule/change` is declared to the host by its own schedule plugin only, so its type is not known here. */
function append(agent: Agent, change: ScheduleChange): void {
  const log = agent.session as unknown as { append(type: string, data: ScheduleChange): unknown }
  log.append('schedule/change', change)
}

function ownerPort({ ctx, index }: SharedParts, agent: Agent, common: CommonPort): OwnerPort {
  return {
    ...common,
    hostStartedAt: performance.timeOrigin,
    isLive: () => isLive(ctx.agents, agent),
    isOurs: () => index.isOurs(agent.session),
    // Without this, the turn that a reminder starts would be attributed to whoever happened to run the timer.
    transact: (job) => ctx.agents.withoutInitiator(() => common.transact(job)),
    claimIdle: (job) => claimIdle(agent, job),
    whenIdle: () => agent.whenIdle(),
    say: (message) => agent.followup(message),
    wakeWith: (messageId) => wakeWith(agent, messageId),
  }
}

function giveTools(ctx: Context, agent: Agent, config: Config, port: ToolPort): (() => void)[] {
  const taken = new Set(ctx.get('tools')?.schemas(agent).map((schema) => schema.name))
  const names = chooseNames(config.toolNames, (name) => taken.has(name))
  if (taken.size > 0 && names.create !== 'schedule_create') ctx.logger('tool-schedule').info(`the reminder tools are mounted as ${Object.values(names).join(', ')}`)
  const specs = [createTool(names.create, port, config), listTool(names.list, port), deleteTool(names.delete, port), snoozeTool(names.snooze, port, config)]
  return specs.map((spec) => agent.ctx.tools.register(defineReminderTool(spec, port)))
}

function watchIdle(agent: Agent, onIdle: () => void): () => void {
  const stop = agent.ctx.on('agent/status', ({ status }) => {
    if (status === 'idle') onIdle()
  })
  return () => void stop()
}
