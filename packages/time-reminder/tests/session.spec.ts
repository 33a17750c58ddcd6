import { afterEach, expect, it, vi } from 'vitest'
import { Clock } from '../src/clock.ts'
import { Lineage } from '../src/counters/lineage.ts'
import { timeTools } from '../src/session.ts'
import { mountClock, value, type TestHost } from './harness.ts'

let host: TestHost
afterEach(async () => {
  vi.restoreAllMocks()
  await host.dispose()
})

it.each([
  ['time_mode', { mode: 'turn' }, () => vi.spyOn(Clock.prototype, 'rhythm')],
  ['time_counter', { action: 'list' }, () => vi.spyOn(Lineage.prototype, 'seenBy')],
] as const)('R2 R8 a failure inside %s is a refusal for the model, and is reported with its session', async (name, args, part) => {
  host = await mountClock({ persistence: false })
  const agent = await host.create('one')
  part().mockImplementation(() => {
    throw new Error('secret')
  })
  const answer = await value(host, agent, name, args)
  expect(answer).toMatchObject({ code: 'internal' })
  expect(JSON.stringify(answer)).not.toContain('secret')
  expect(host.log.join()).toContain(`session one: ${name} failed`)
})

it('R2 a call that no agent makes is about no session', async () => {
  host = await mountClock({ persistence: false })
  const answers = await Promise.all(timeTools(new Map()).map((tool) => tool.execute({ mode: 'turn', action: 'list' }, {} as never)))
  expect(answers).toEqual(answers.map(() => expect.objectContaining({ code: 'not-live' }) as unknown))
})
