import { expect, it } from 'vitest'
import { createTool } from '../src/tools/create.ts'
import { defineReminderTool, type ToolPort, type ToolSpec } from '../src/tools/definition.ts'
import { deleteTool } from '../src/tools/delete.ts'
import { listTool } from '../src/tools/list.ts'
import { snoozeTool } from '../src/tools/snooze.ts'

const warnings: string[] = []
const port = { warn: (what: string, error: unknown) => void warnings.push(`${what}: ${String(error)}`) } as unknown as ToolPort

it('S15 a failure of ours is a refusal that says nothing of its cause', async () => {
  const spec: ToolSpec = { name: 'broken', description: '', parameters: {}, run: () => Promise.reject(new Error('/home/ann/secret')), title: () => '' }
  const value = (await defineReminderTool(spec, () => port).execute({}, {} as never)) as { code: string }
  expect(value).toMatchObject({ deliveryMode: 'session-local', code: 'internal_error' })
  expect(JSON.stringify(value)).not.toContain('secret')
  expect(warnings).toEqual(['broken failed: Error: /home/ann/secret'])
})

it('S15 a call by an agent that has no session of ours is refused', async () => {
  const agent = {} as never
  const asked: unknown[] = []
  const spec: ToolSpec = { name: 'lost', description: '', parameters: {}, run: () => Promise.reject(new Error('not to be run')), title: () => '' }
  const tool = defineReminderTool(spec, (caller) => void asked.push(caller))
  expect(await tool.execute({}, { agent } as never)).toMatchObject({ deliveryMode: 'session-local', code: 'internal_error' })
  expect(asked).toEqual([agent])
})

const tools = [createTool('c', { maxUnattendedChain: 1 }), listTool('l'), deleteTool('d'), snoozeTool('s', { maxUnattendedChain: 1 })]

it.each([
  [{ prompt: 'stretch\nand\u202e drink', id: 'r-1' }, ['Reminder: stretch and drink', 'Reminder r-1', 'Cancel reminder r-1', 'Snooze reminder r-1']],
  [{ prompt: 7, id: {} }, ['Reminder: ', 'Reminders', 'Cancel reminder ', 'Snooze reminder ']],
  [null, ['Reminder: ', 'Reminders', 'Cancel reminder ', 'Snooze reminder ']],
  ['text', ['Reminder: ', 'Reminders', 'Cancel reminder ', 'Snooze reminder ']],
])('X4 a call is shown to people in one plain line, whatever the model sent: %j', (args, titles) => {
  expect(tools.map((tool) => defineReminderTool(tool, () => port).presentCall?.(args))).toEqual(titles.map((title) => ({ card: 'generic', title, kind: 'other' })))
})

it.each([[{ id: 7 }], [{ id: ' ' }], [{ id: 'r-1', more: 1 }], [[]], ['r-1'], [{}]])('S10 a target that is none is refused by name: %j', async (args) => {
  expect(await tools[2]!.run(args, port)).toHaveProperty('code')
  expect(await tools[3]!.run(args, port)).toHaveProperty('code')
})

it.each([[{ all: true }], [[]], ['all'], [null]])('S10 a list takes no field but an id: %j', async (args) => {
  expect(await tools[1]!.run(args, port)).toMatchObject({ code: 'invalid_selector' })
})
