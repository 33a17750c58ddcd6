// A whole plugin: one fold per session, one tool that says what it knows. It imports nothing of DSH itself.
import { ownStart, sessionLogs } from 'dsh-session-host'
import { formatDuration, jsonLine, localDate, parseZone } from 'dsh-time-core'
import { ToolHours } from './tool-hours.js'

export const name = 'tool-hours'

/** Only services that every supported host has: one that is missing would stop the host. */
export const inject = ['agents', 'sessions', 'tools']

/**
 * @param ctx - the plugin's context.
 * @param config - of the row: `{ zone?: string }`.
 */
export function apply(ctx, config) {
  const zone = parseZone(config?.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? parseZone('UTC')
  const logs = sessionLogs(ctx) // one listener for all sessions; each log is read once, then event by event
  const open = new Map()

  const attach = (agent) => {
    const hours = new ToolHours(zone)
    // What a fork has inherited is not its own work.
    const unfollow = logs.follow(agent.session, hours, ownStart(agent.session))
    const unregister = agent.ctx.tools.register(hoursTool(hours, zone))
    open.set(agent, () => {
      open.delete(agent)
      unregister()
      unfollow()
    })
    agent.ctx.effect(() => () => open.get(agent)?.(), 'tool-hours session')
  }

  ctx.on('agent/created', ({ agent }) => {
    try {
      attach(agent)
    } catch (error) {
      ctx.logger(name).error(error) // thrown on, it would stop this session from being made
    }
  })
  for (const agent of ctx.agents.list()) attach(agent)
  ctx.effect(() => () => open.forEach((close) => close()), 'tool-hours')
}

function hoursTool(hours, zone) {
  return {
    name: 'tool_hours',
    description: 'How often each tool was called today in this session, and how long the calls took.',
    parameters: { type: 'object', properties: {} },
    output: {
      schema: { type: 'object', additionalProperties: true, properties: {} },
      render: (_args, value) => [{ type: 'text', text: jsonLine(value) }],
    },
    async execute() {
      const day = localDate(Date.now(), zone)
      const tools = [...(hours.days.get(day) ?? [])].map(([tool, { calls, ms }]) => ({ tool, calls, took: ms < 1000 ? `${ms}ms` : formatDuration(ms) }))
      return { day, zone, tools }
    },
    presentCall: () => ({ card: 'generic', title: 'Tool hours', kind: 'other' }),
  }
}
