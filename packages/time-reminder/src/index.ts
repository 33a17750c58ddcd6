/**
 * A clock for DSH agents whose precision the person and the model choose, counters that agents share along their lineage,
 * and countdowns that wake. The session's own log is its only memory.
 *
 * @module dsh-time-reminder
 */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { alarmClock, checkpoints, sessionLogs, wakeIndex } from 'dsh-session-host'
import { parseZone, type ZoneName } from 'dsh-time-core'
import { Config, liveSettings } from './config.ts'
import { COUNTDOWN_KIND, foldOwed } from './countdowns/fold.ts'
import { Lineage } from './counters/lineage.ts'
import { makeDesk } from './desk.ts'
import { registerCommands } from './people/commands.ts'
import { listenToSteps } from './pre-step.ts'
import { mountRoutes } from './routes.ts'
import { openSession, timeTools, type SharedParts } from './session.ts'

export { Config }

/** Plugin name: of the fiber and the logger. */
export const name = 'time-reminder'

/** Services that every supported host has; all others are looked up at use. */
export const inject = ['agents', 'sessions', 'tools']

/**
 * Give every agent of the host a clock, counters and countdowns, root agents and subagents alike (requirements R1, R24).
 *
 * @param ctx - the plugin's context.
 * @param config - the row's config.
 * @throws RangeError that names the key, when a config value means nothing (requirement R27).
 */
export function apply(ctx: Context, config: Config): void {
  const warn: SharedParts['warn'] = (what, error) => ctx.logger(name).error(what, error)
  const settings = liveSettings(ctx, config)
  const index = wakeIndex(ctx, { enabled: config.pendingTable, path: config.pendingPath })
  const open: SharedParts['open'] = new Map()
  const shared: SharedParts = {
    ctx,
    warn,
    settings,
    index,
    isIndexed: config.pendingTable,
    logs: sessionLogs(ctx),
    alarm: alarmClock(ctx),
    barrier: checkpoints(ctx),
    lineage: new Lineage(),
    processZone: processZone(),
    notice: () => settings().counterNotice,
    open,
    tools: timeTools(open),
  }
  ctx.effect(() => index.register(COUNTDOWN_KIND, { foldOwed, regained: ({ id }) => open.get(id)?.poke() }), 'time-reminder countdowns')
  const closers = new Map<Agent, () => Promise<void>>()
  const openFor = (agent: Agent): void => {
    try {
      closers.set(agent, agent.ctx.effect(() => openSession(shared, agent, () => closers.delete(agent)), 'time-reminder session'))
    } catch (error) {
      // Thrown on, it would veto the creation of this and every other session of the host.
      warn(`session ${agent.id}: the clock is not available`, error)
    }
  }
  ctx.on('agent/created', ({ agent }) => openFor(agent))
  for (const agent of ctx.agents.list()) openFor(agent)
  ctx.effect(() => async () => void (await Promise.allSettled([...closers.values()].map((close) => close()))), 'time-reminder sessions')
  listenToSteps(ctx, shared)
  mountRoutes(ctx, makeDesk(ctx, shared))
  registerCommands(ctx, open)
}

function processZone(): ZoneName {
  return parseZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? ('UTC' as ZoneName)
}
