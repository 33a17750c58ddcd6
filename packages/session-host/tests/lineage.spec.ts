import { expect, it } from 'vitest'
import { isLive, isTopLevel } from '../src/lineage.ts'
import { mountHost } from './harness.ts'

it.each([
  ['a session that a person started', {}, true],
  ['a fork by a person', { parentSession: 'p' }, true],
  ['a background subagent, which the host lists among its roots', { parentSession: 'p', origin: 'subagent', delegationDepth: 1 }, false],
  ['a child that says its depth only', { parentSession: 'p', delegationDepth: 1 }, false],
  ['a session with depth zero', { delegationDepth: 0 }, true],
])('S2 tells a conversation from delegated work: %s', (_name, header, expected) => {
  expect(isTopLevel(header)).toBe(expected)
})

it('an agent is live until it is disposed, and never again under its old id', async () => {
  const host = await mountHost()
  const { agent, dispose } = await host.ctx.agents.create({ sessionId: 'a' as never, agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
  expect(isLive(host.ctx.agents, agent)).toBe(true)
  agent.session.append('turn/start', { turn: 1 })
  await host.ctx.sessions.flush(agent.session)
  await dispose()
  expect(isLive(host.ctx.agents, agent)).toBe(false)
  const again = await host.resume('a')
  expect(isLive(host.ctx.agents, agent)).toBe(false)
  expect(isLive(host.ctx.agents, again)).toBe(true)
  await host.dispose()
})
