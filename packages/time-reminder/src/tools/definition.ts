import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { jsonLine } from 'dsh-time-core'
import { inEnglish, isRefusal, refuse, type Refusal } from '../errors.ts'

/** What a tool answers: a value, or a refusal; both are results, not errors, so that the model can act on them. */
export type Answer = Readonly<Record<string, unknown>> | Refusal

/** What every tool needs of the session that calls it. */
export interface ToolPort {
  warn(what: string, error: unknown): void
}

/** The session of the agent that makes a call; `undefined` when it has none that is open. */
export type PortOf<P> = (agent: Agent | undefined) => P | undefined

/** A tool of ours before it is wrapped for the host. */
export interface ToolSpec<P extends ToolPort> {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, for the model. What is really accepted is decided by the tool's input module. */
  readonly parameters: Readonly<Record<string, unknown>>
  run(args: unknown, port: P): Answer
  /** What `tool/result.meta` carries of a value. */
  meta(value: unknown): Readonly<Record<string, unknown>>
  /** One line about a call, for people. */
  title(args: unknown): string
}

/**
 * Wrap a tool for the host, once for all sessions: which one a call is about is said by the agent that makes it
 * (requirement P5). The host's own argument check is passed by (the schema is open), because a refusal has to name the
 * field.
 *
 * @param spec - the tool.
 * @param portOf - the open sessions.
 */
export function defineTimeTool<P extends ToolPort>(spec: ToolSpec<P>, portOf: PortOf<P>): ToolDefinition {
  const definition = {
    name: spec.name,
    description: spec.description,
    parameters: { type: 'object', ...spec.parameters },
    output: {
      schema: { type: 'object', additionalProperties: true, properties: {} },
      render: (_args: unknown, value: unknown) => [{ type: 'text' as const, text: jsonLine(value) }],
      presentationMeta: (_args: unknown, value: unknown) => spec.meta(value),
    },
    async execute(args: unknown, { agent }: { readonly agent?: Agent }): Promise<unknown> {
      const port = portOf(agent)
      const answer = port === undefined ? refuse('not-live') : run(spec, args, port)
      return isRefusal(answer) ? inEnglish(answer) : answer
    },
    presentCall: (args: unknown) => ({ card: 'generic' as const, title: spec.title(args), kind: 'other' as const }),
  }
  return definition as unknown as ToolDefinition
}

function run<P extends ToolPort>(spec: ToolSpec<P>, args: unknown, port: P): Answer {
  try {
    return spec.run(args, port)
  } catch (error) {
    port.warn(`${spec.name} failed`, error)
    return refuse('internal')
  }
}
