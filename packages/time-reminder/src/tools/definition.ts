import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { jsonLine } from 'dsh-time-core'
import { refuse, type Refusal } from '../errors.ts'

/** What a tool answers: a value, or a refusal; both are results, not errors, so that the model can act on them. */
export type Answer = Readonly<Record<string, unknown>> | Refusal

/** A tool of ours before it is wrapped for the host. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, for the model. What is really accepted is decided by the tool's input module. */
  readonly parameters: Readonly<Record<string, unknown>>
  run(args: unknown): Promise<Answer>
  /** What `tool/result.meta` carries of a value. */
  meta(value: unknown): Readonly<Record<string, unknown>>
  /** One line about a call, for people. */
  title(args: unknown): string
}

/**
 * Wrap a tool for the host. The host's own argument check is passed by (the schema is open), because a refusal has to
 * name the field.
 *
 * @param spec - the tool.
 * @param warn - told of what must not reach the model.
 */
export function defineTimeTool(spec: ToolSpec, warn: (what: string, error: unknown) => void): ToolDefinition {
  const definition = {
    name: spec.name,
    description: spec.description,
    parameters: { type: 'object', ...spec.parameters },
    output: {
      schema: { type: 'object', additionalProperties: true, properties: {} },
      render: (_args: unknown, value: unknown) => [{ type: 'text' as const, text: jsonLine(value) }],
      presentationMeta: (_args: unknown, value: unknown) => spec.meta(value),
    },
    async execute(args: unknown): Promise<unknown> {
      try {
        return await spec.run(args)
      } catch (error) {
        warn(`${spec.name} failed`, error)
        return refuse('internal')
      }
    },
    presentCall: (args: unknown) => ({ card: 'generic' as const, title: spec.title(args), kind: 'other' as const }),
  }
  return definition as unknown as ToolDefinition
}
