import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'

/**
 * Register tools in an agent's own scope, all or none. There and not in the plugin's scope, because a host restricts
 * what an agent inherits and never what it was given itself (measured on 0.1.0-rc.8): a subagent with a filter for its
 * tools would be without them.
 *
 * The registry is asked for once: with each registration the host keeps the objects that it was reached through, and
 * asked for again they would be new ones.
 *
 * @param agent - a live agent.
 * @param tools - definitions that may be shared by many agents.
 * @returns what takes each of them back.
 * @throws what the host throws, such as for a name that the scope has already.
 */
export function registerTools(agent: Agent, tools: readonly ToolDefinition[]): readonly (() => void)[] {
  const registry = agent.ctx.tools
  const register = registry.register.bind(registry)
  const given: (() => void)[] = []
  try {
    for (const tool of tools) given.push(register(tool))
    return given
  } catch (error) {
    for (const take of given) take()
    throw error
  }
}
