import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { registerTools } from '../src/agent-tools.ts'
import { mountHost, type Agent, type TestHost } from './harness.ts'

let host: TestHost
beforeEach(async () => {
  host = await mountHost()
})
afterEach(() => host.dispose())

const tool = (name: string): ToolDefinition =>
  ({ name, description: '', parameters: { type: 'object', properties: {} }, output: { schema: { type: 'object', additionalProperties: true, properties: {} }, render: () => [] }, execute: async () => ({}) }) as never

const names = (agent: Agent): string[] => host.ctx.get('tools')!.schemas(agent).map((schema) => schema.name)

it('S29 what was given is taken back one by one', async () => {
  const agent = await host.create('one')
  const [one, two] = registerTools(agent, [tool('a'), tool('b')])
  expect(names(agent)).toEqual(['a', 'b'])
  one?.()
  expect(names(agent)).toEqual(['b'])
  two?.()
  expect(names(agent)).toEqual([])
})

it('S29 a name that is taken leaves none of them behind', async () => {
  const agent = await host.create('one')
  registerTools(agent, [tool('b')])
  expect(() => registerTools(agent, [tool('a'), tool('b')])).toThrow('already registered')
  expect(names(agent)).toEqual(['b'])
})

it('S2 R2 only the agent sees them, and one definition serves many agents', async () => {
  const [one, two] = [await host.create('one'), await host.create('two')]
  const shared = tool('a')
  registerTools(one, [shared])
  expect([names(one), names(two)]).toEqual([['a'], []])
  registerTools(two, [shared])
  expect(host.ctx.get('tools')!.get('a', two)).toBe(host.ctx.get('tools')!.get('a', one))
})

it('R2 a filter for the tools of a subagent takes what is offered to everyone, and leaves what was given to the agent itself', async () => {
  for (const name of ['everyone-a', 'everyone-b']) host.ctx.get('tools')!.register(tool(name))
  const agent = await host.create('filtered')
  agent.ctx.tools.restrict({ allow: ['everyone-a'] })
  registerTools(agent, [tool('own')])
  expect(names(agent)).toEqual(['everyone-a', 'own'])
})
