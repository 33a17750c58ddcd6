import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import AgentRegistry, { type Agent } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import LlmService, { CallId, createUserMessage, LlmAdapter, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'
import SessionStore, { KNOWN_SESSION_EVENT_TYPES, SessionId, type Session, type SessionEvent, type UserMessage } from '@deepseek-ai/dsh-session'
import * as checkpointPolicy from '@deepseek-ai/dsh-session-checkpoint-policy'
import JsonlPersistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { type ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { upgradeViolations } from '../../../e2e/lib/upgrade-logs.ts'

export { CallId, createUserMessage, JsonlPersistence, SessionId, type Agent, type Context, type Session, type SessionEvent, type UserMessage }

/** What the scripted model does next: say a text, or call a tool. */
export type Reply = { readonly text: string } | { readonly tool: string; readonly args: unknown }

/** A model that answers what a test queued, and `ok` when nothing is queued. It can be held and released. */
export class ScriptedModel extends LlmAdapter {
  readonly replies: Reply[] = []
  readonly requests: GenerateOptions[] = []
  /** While set, a request waits for it before it answers. */
  gate: Promise<void> | undefined

  override providerInfo(provider: string): { id: string; name: string } {
    return { id: provider, name: 'scripted' }
  }

  override async *stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    this.requests.push(options)
    const reply = this.replies.shift() ?? { text: 'ok' }
    await this.gate
    options.signal?.throwIfAborted()
    yield* 'tool' in reply ? callChunks(reply.tool, reply.args) : textChunks(reply.text)
    yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
    yield { type: 'finish', reason: { kind: 'tool' in reply ? 'tool-calls' : 'stop' } }
  }
}

let calls = 0

function callChunks(name: string, args: unknown): StreamChunk[] {
  const id = CallId(`call-${++calls}`)
  const json = typeof args === 'string' ? args : JSON.stringify(args)
  return [
    { type: 'block-start', index: 0, blockType: 'tool-call' },
    { type: 'tool-call-delta', index: 0, id, name, argumentsDelta: json },
    { type: 'block-end', index: 0, block: { type: 'tool-call', id, name, arguments: json } },
  ]
}

function textChunks(text: string): StreamChunk[] {
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text },
    { type: 'block-end', index: 0, block: { type: 'text', text } },
  ]
}

export interface HostOptions {
  /** Directory of the session logs; a temporary one that goes with the host when absent. */
  readonly root?: string
  /** False leaves persistence out altogether; a class of JSONL persistence replaces the host's own. */
  readonly persistence?: boolean | typeof JsonlPersistence
  /** False leaves out the host's own flushes before steps and tools, so that a fault meets a barrier of ours. */
  readonly checkpoints?: boolean
  /** The test breaks a log on purpose; every other log has to pass the upgrade check in the end (requirement X7). */
  readonly breaksLogs?: boolean
}

/** The host's real packages in this process: sessions, agents, loop, tools, JSONL files. Only the model is scripted. */
export interface TestHost {
  readonly ctx: Context
  readonly model: ScriptedModel
  readonly root: string
  /** Everything the plugins logged as warning or error. */
  readonly log: string[]
  create(id: string, more?: { seed?: readonly SessionEvent[]; meta?: Record<string, unknown> }): Promise<Agent>
  resume(id: string): Promise<Agent>
  /** Type a message as a person, from a browser in a zone unless it is `null`. */
  type(agent: Agent, text: string, zone?: string | null): Promise<void>
  call(agent: Agent, name: string, args: unknown): Promise<ToolExecutionResult>
  dispose(): Promise<void>
}

export async function mountHost(options: HostOptions = {}): Promise<TestHost> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'timekeeper-host-'))
  const ctx = new Context()
  for (const plugin of [LlmService, SessionStore]) await ctx.plugin(plugin)
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  if (options.persistence !== false) {
    await ctx.plugin(typeof options.persistence === 'function' ? options.persistence : JsonlPersistence, { root, compression: 'none' })
    if (options.checkpoints !== false) await ctx.plugin(checkpointPolicy)
  }
  const model = new ScriptedModel()
  ctx.get('llm')?.registerAdapter(['scripted'], model)
  const log: string[] = []
  ctx.logger.exporter({ levels: { default: 3 }, export: (message) => void (message.type === 'info' || log.push(message.args.map(String).join(' '))) })
  const agentOptions = { provider: 'scripted', model: 'scripted' }
  return {
    ctx,
    model,
    root,
    log,
    async create(id, more = {}) {
      const { agent } = await ctx.agents.create({ sessionId: SessionId(id), agentOptions, ...(more.seed && { seed: more.seed }), meta: { cwd: '/', ...more.meta } })
      return agent
    },
    async resume(id) {
      const { agent } = await ctx.agents.resume({ resumeSessionId: SessionId(id), agentOptions })
      return agent
    },
    async type(agent, text, zone = 'Asia/Shanghai') {
      const source = { kind: 'user', rpcId: `rpc-${++calls}`, ...(zone !== null && { clientTimeZone: zone }) }
      agent.followup(createUserMessage({ content: [{ type: 'text', text }], source: source as { kind: 'user' } }))
      await agent.whenIdle()
    },
    call(agent, name, args) {
      const execution = { signal: new AbortController().signal, callId: CallId(`direct-${++calls}`), name, arguments: args, agent }
      return ctx.agents.withInitiator(agent, () => ctx.get('tools')!.execute(execution as never))
    },
    async dispose() {
      await ctx.fiber.dispose()
      const violations = options.breaksLogs === true ? [] : upgradeViolations(root, KNOWN_SESSION_EVENT_TYPES)
      if (options.root === undefined) rmSync(root, { recursive: true, force: true })
      if (violations.length > 0) throw new Error(`X7 a later host would refuse this log:\n${violations.join('\n')}`)
    },
  }
}

/** Types of a session's events in order, for reading a log at a glance. */
export function eventTypes(session: Session): string[] {
  return session.events.map((event) => event.type)
}
