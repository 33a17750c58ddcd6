/**
 * Durable, session-local reminders for DSH agents. The session's own log is their only authority.
 *
 * @module dsh-tool-schedule
 */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { isTopLevel, keepsSessions } from 'dsh-session-host'
import { Config } from './config.ts'
import { coldSessions } from './people/cold-sessions.ts'
import { registerCommands } from './people/commands.ts'
import { mountRoutes } from './people/routes.ts'
import { openSession, sharedParts } from './session.ts'

export { Config }

/** Plugin name: of the fiber and the logger. */
export const name = 'tool-schedule'

/** Services that every supported host has; all others are looked up at use. */
export const inject = ['agents', 'sessions', 'tools']

/**
 * Offer reminders to every root agent that is published from now on (requirement S2).
 *
 * @param ctx - the plugin's context.
 * @param config - the row's config.
 */
export function apply(ctx: Context, config: Config): void {
  const shared = sharedParts(ctx, config)
  const open = new Map<Agent, () => Promise<void>>()
  ctx.on('agent/created', ({ agent }) => {
    if (!isTopLevel(agent.session.header) || (config.activate === 'auto' && !keepsSessions(ctx))) return
    try {
      open.set(agent, agent.ctx.effect(() => openSession(shared, agent, () => open.delete(agent)), 'tool-schedule session'))
    } catch (error) {
      // Thrown on, it would veto the creation of this and every other session of the host.
      ctx.logger('tool-schedule').error(`session ${agent.id}: reminders are not available`, error)
    }
  })
  registerCommands(ctx, shared.live)
  mountRoutes({ ...shared, cold: coldSessions(ctx), now: () => Date.now() })
  ctx.effect(() => async () => void (await Promise.allSettled([...open.values()].map((close) => close()))), 'tool-schedule sessions')
}
