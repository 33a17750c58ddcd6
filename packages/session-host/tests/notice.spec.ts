import { expect, it } from 'vitest'
import { isSourceOf, notice } from '../src/notice.ts'
import { mountHost } from './harness.ts'

it('is a message of our own kind that the host stores as it is', async () => {
  const host = await mountHost()
  const agent = await host.create('one')
  const message = notice('dsh-test', 'one\nline', 'for the model', { ticket: { n: 7 } })
  agent.followup(message)
  await agent.whenIdle()
  const stored = agent.session.events.find((event) => event.type === 'user/message' && isSourceOf(event.data.source, 'dsh-test'))
  expect(stored?.data).toMatchObject({ content: [{ type: 'text', text: 'for the model' }], source: { kind: 'dsh-test', form: 'notice', summary: 'one line', ticket: { n: 7 } } })
  await host.dispose()
})

it('bounds the summary to what the host shows on a row', () => {
  const { source } = notice('dsh-test', 'x'.repeat(500), '', {})
  expect([...(source as unknown as { summary: string }).summary].length).toBeLessThanOrEqual(120)
})

it.each([
  [{ kind: 'k' }, true],
  [{ kind: 'plugin', plugin: 'k' }, true],
  [{ kind: 'plugin:k' }, true],
  [{ kind: 'plugin', plugin: 'other' }, false],
  [{ kind: 'other', plugin: 'k' }, false],
  [undefined, false],
  ['k', false],
  [null, false],
])('recognises the three spellings that hosts have written: %j', (source, expected) => {
  expect(isSourceOf(source, 'k')).toBe(expected)
})
