import { Context } from '@deepseek-ai/cordis'
import AgentRegistry from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import CodeRuntime from '@deepseek-ai/dsh-code-runtime-worker-thread'
import LlmService from '@deepseek-ai/dsh-llm'
import SessionStore from '@deepseek-ai/dsh-session'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import { expect, it } from 'vitest'
import { ScriptedModel } from '../../session-host/tests/harness.ts'
import * as plugin from '../src/index.ts'
import { createUserMessage, places, SessionId } from './harness.ts'

it('R2 R11 R25 a call from inside code, which leaves no meta behind, switches the mode too', async () => {
  const ctx = new Context()
  for (const service of [LlmService, SessionStore]) await ctx.plugin(service)
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(CodeRuntime, {})
  await ctx.plugin(ToolRuntime, { mode: 'code' })
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  const model = new ScriptedModel()
  ctx.get('llm')!.registerAdapter(['scripted'], model)
  await ctx.plugin(plugin, { defaultMode: 'off', pendingTable: false } as plugin.Config)
  const { agent } = await ctx.agents.create({ sessionId: SessionId('one'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
  const code = 'await tools.time_mode({ mode: "turn", cron: "61 * * * *" }); return await tools.time_mode({ mode: "fine" })'
  model.replies.push({ tool: 'run_code', args: { code, description: 'be exact' } }, { text: 'ok' })
  agent.followup(createUserMessage({ content: [{ type: 'text', text: 'be exact' }], source: { kind: 'user', rpcId: 'r' } as never }))
  await agent.whenIdle()
  const dispatched = agent.session.events.filter((event) => event.type === 'tool/code-dispatch')
  expect(JSON.stringify(agent.session.events.filter((event) => event.type === 'tool/result'))).not.toContain('timekeeper')
  expect(dispatched).toHaveLength(2)
  expect(places(agent)).toEqual(['1.2'])
  await ctx.fiber.dispose()
})
