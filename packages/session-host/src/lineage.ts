import type { Agent } from '@deepseek-ai/dsh-agent'

/** The members of a session header that tell where a session comes from; the same on 0.1.0-rc.8 and 0.2. */
export interface LineageHeader {
  readonly origin?: string
  readonly delegationDepth?: number
  readonly parentSession?: string
}

/**
 * Whether a session is a conversation of its own, not work that an agent delegated.
 * The host's `agents.roots()` also lists background subagents (measured on 0.1.0-rc.8), so the durable header
 * decides instead.
 *
 * @param header - the session's durable header.
 */
export function isTopLevel(header: LineageHeader): boolean {
  return header.origin !== 'subagent' && (header.delegationDepth ?? 0) === 0
}

/**
 * Whether this exact agent is still the live one of its session.
 *
 * @param agents - the host's registry (`ctx.agents`).
 * @param agent - the agent that was seen earlier.
 */
export function isLive(agents: { get(id: Agent['id']): Agent | undefined }, agent: Agent): boolean {
  return agents.get(agent.id) === agent
}
