import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import AgentRegistry, { type Agent } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import LlmService, { CallId, createUserMessage, LlmAdapter, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId, type SessionEvent } from '@deepseek-ai/dsh-session'
import * as checkpointPolicy from '@deepseek-ai/dsh-session-checkpoint-policy'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime from '@deepseek-ai/dsh-tools'

const AGENT_OPTIONS = { provider: 'mock', model: 'mock' }
/** What a plain turn of the mock model streams: as many pieces as a short answer has. */
const PIECES = 6

/** A model that costs nothing: it answers at once, after as many calls of `noop` as the person's `steps N` asks for. */
class MockModel extends LlmAdapter {
  /** A call that the next request makes instead. */
  next: { readonly tool: string; readonly args: unknown } | undefined
  /** Pieces that an answer is streamed in. */
  pieces = PIECES
  #calls = 0

  override providerInfo(provider: string): { id: string; name: string } {
    return { id: provider, name: 'mock' }
  }

  override async *stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    const wanted = this.next ?? (wantsCall(options) ? { tool: 'noop', args: {} } : undefined)
    this.next = undefined
    if (wanted === undefined) yield* answer(this.pieces)
    else yield* callOf(wanted.tool, wanted.args, ++this.#calls)
    yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
    yield { type: 'finish', reason: { kind: wanted === undefined ? 'stop' : 'tool-calls' } }
  }
}

function wantsCall({ messages }: GenerateOptions): boolean {
  const asked = messages.findLastIndex(({ role, source }) => role === 'user' && (source as { kind: string }).kind === 'user')
  const steps = /^steps (\d+)/.exec(JSON.stringify(messages[asked]?.content[0]).slice(23))?.[1]
  return messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length < Number(steps ?? 1) - 1
}

function callOf(name: string, args: unknown, number: number): StreamChunk[] {
  const id = CallId(`call-${number}`)
  const json = JSON.stringify(args)
  return [
    { type: 'block-start', index: 0, blockType: 'tool-call' },
    { type: 'tool-call-delta', index: 0, id, name, argumentsDelta: json },
    { type: 'block-end', index: 0, block: { type: 'tool-call', id, name, arguments: json } },
  ]
}

function answer(pieces: number): StreamChunk[] {
  const words = Array.from({ length: pieces }, (_, index) => ` word${index % 10}`)
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    ...words.map((text): StreamChunk => ({ type: 'text-delta', index: 0, text })),
    { type: 'block-end', index: 0, block: { type: 'text', text: words.join('') } },
  ]
}

const NOOP = {
  name: 'noop',
  description: 'no-op',
  parameters: {},
  output: { schema: { type: 'string' }, render: (_args: unknown, text: string) => [{ type: 'text', text }] },
  execute: async () => 'ok',
}

/** A live session with what ends it. */
export interface Live {
  readonly agent: Agent
  readonly dispose: () => Promise<void>
}

/** The host's real packages in this process, on real files; only the model is a mock. */
export interface BenchHost {
  readonly ctx: Context
  readonly model: MockModel
  readonly root: string
  create(id: string, seed?: readonly SessionEvent[]): Promise<Live>
  resume(id: string): Promise<Live>
  dispose(): Promise<void>
}

/**
 * Mount the packages that every shipped profile of the host mounts for a session: agents, loop, tools, prompts, files in
 * the default compression and the checkpoint policy.
 *
 * @param options - `root`: folder of the logs, kept; a temporary one that goes with the host when absent. `stored`: false
 *   leaves persistence out.
 */
export async function mountHost(options: { readonly root?: string; readonly stored?: boolean } = {}): Promise<BenchHost> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'timekeeper-bench-'))
  const ctx = new Context()
  for (const plugin of [LlmService, SessionStore]) await ctx.plugin(plugin)
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  if (options.stored !== false) {
    await ctx.plugin(JsonlPersistence, { root, compression: 'zstd' })
    await ctx.plugin(checkpointPolicy)
  }
  const model = new MockModel()
  ctx.get('llm')?.registerAdapter(['mock'], model)
  ctx.get('tools')?.register(NOOP as never)
  return {
    ctx,
    model,
    root,
    create: (id, seed) => ctx.agents.create({ sessionId: SessionId(id), agentOptions: AGENT_OPTIONS, meta: { cwd: '/' }, ...(seed !== undefined && { seed }) }),
    resume: (id) => ctx.agents.resume({ resumeSessionId: SessionId(id), agentOptions: AGENT_OPTIONS }),
    async dispose() {
      await ctx.fiber.dispose()
      if (options.root === undefined) rmSync(root, { recursive: true, force: true })
    },
  }
}

let numbers = 0

/** Call a tool as the loop does, with the host's own checks of the answer. @throws Error when the tool refuses. */
export async function call({ ctx }: BenchHost, agent: Agent, name: string, args: unknown): Promise<{ readonly value: unknown; readonly text: string }> {
  const execution = { signal: new AbortController().signal, callId: CallId(`direct-${++numbers}`), name, arguments: args, agent }
  const result = await ctx.agents.withInitiator(agent, () => ctx.get('tools')?.execute(execution as never))
  if (result === undefined || result.isError) throw new Error(`${name}: ${JSON.stringify(result)}`)
  return { value: result.value, text: result.content.map((block) => (block.type === 'text' ? block.text : '')).join('') }
}

/** One turn: a person writes from a browser in Berlin, and the agent has answered when this resolves. */
export async function turn(agent: Agent, text = 'hi'): Promise<void> {
  const source = { kind: 'user', rpcId: `rpc-${++numbers}`, clientTimeZone: 'Europe/Berlin' } as { kind: 'user' }
  agent.followup(createUserMessage({ content: [{ type: 'text', text }], source }))
  await agent.whenIdle()
}

/** An event before an operation: in a conversation, the call itself is logged before its tool runs. */
export function bump(agent: Agent): void {
  const log = agent.session as unknown as { append(type: string, data: unknown): unknown }
  log.append('todo/write', { todos: [] })
}
