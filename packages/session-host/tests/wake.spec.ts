import { afterEach, describe, expect, it } from 'vitest'
import { keepsSessions, wakeSession } from '../src/wake.ts'
import { mountHost, SessionId, type Agent, type TestHost } from './harness.ts'

const hosts: TestHost[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.dispose()
})
async function mounted(services: Readonly<Record<string, unknown>> = {}): Promise<TestHost> {
  const host = await mountHost({ persistence: false })
  hosts.push(host)
  for (const [name, value] of Object.entries(services)) host.ctx.root.provide(name as never, value as never)
  return host
}
const lookups = (resolve: (id: string) => Promise<Agent | undefined>) => ({ typert: { lookups: { get: (key: string) => (key === 'agent' ? { resolve } : undefined) } } })
const someAgent = { id: 'woken' } as unknown as Agent

describe('waking a session', () => {
  it('hands out the live agent without asking the host', async () => {
    const host = await mounted(lookups(() => Promise.reject(new Error('asked'))))
    const agent = await host.create('live')
    expect(await wakeSession(host.ctx, agent.id)).toEqual({ kind: 'live', agent })
  })

  it('R19 asks the lookup of 0.1.0-rc.8 where there is no controller', async () => {
    const host = await mounted(lookups(async (id) => (id === 'cold' ? someAgent : undefined)))
    expect(await wakeSession(host.ctx, SessionId('cold'))).toEqual({ kind: 'live', agent: someAgent })
  })

  it('R19 without either, a cold session waits', async () => {
    const host = await mounted()
    expect(await wakeSession(host.ctx, SessionId('cold'))).toEqual({ kind: 'refused', reason: 'no-resolver' })
  })

  it.each([
    ['session-not-found', 'not-found'],
    ['agent-busy', 'busy'],
    ['internal', 'failed'],
  ])('B58 says why rc.8 refuses: %s', async (code, reason) => {
    const cause = Object.assign(new Error('no'), { failure: { code } })
    const host = await mounted(lookups(() => Promise.reject(cause)))
    expect(await wakeSession(host.ctx, SessionId('cold'))).toEqual({ kind: 'refused', reason, cause })
  })

  it('X6 what the host says of a damaged log is the cause, and what it threw is kept', async () => {
    const thrown = Object.assign(new Error('rejected'), { failure: { code: 'internal', message: 'corrupt session log: line 7' } })
    const host = await mounted(lookups(() => Promise.reject(thrown)))
    expect(await wakeSession(host.ctx, SessionId('cold'))).toMatchObject({ kind: 'refused', reason: 'failed', cause: { message: 'corrupt session log: line 7', cause: thrown } })
  })

  it('a refusal that is no error of the host is a failure', async () => {
    const host = await mounted(lookups(() => Promise.reject(new Error('broken'))))
    expect(await wakeSession(host.ctx, SessionId('cold'))).toMatchObject({ kind: 'refused', reason: 'failed' })
    const silent = await mounted({ sessionController: { resolveAgent: async () => ({ error: undefined }) } })
    expect(await wakeSession(silent.ctx, SessionId('cold'))).toMatchObject({ kind: 'refused', reason: 'failed' })
  })
})

describe('the shape of later hosts (0.2)', () => {
  it('R19 prefers the session controller', async () => {
    const host = await mounted({ ...lookups(() => Promise.reject(new Error('asked'))), sessionController: { resolveAgent: async () => ({ agent: someAgent }) } })
    expect(await wakeSession(host.ctx, SessionId('cold'))).toEqual({ kind: 'live', agent: someAgent })
  })

  it.each([
    ['session/not-found', 'not-found'],
    ['session/agent-busy', 'busy'],
    ['session/writer-held', 'writer-held'],
    ['gateway/internal', 'failed'],
  ])('B58 says why 0.2 refuses: %s', async (code, reason) => {
    const host = await mounted({ sessionController: { resolveAgent: async () => ({ error: { code } }) } })
    expect(await wakeSession(host.ctx, SessionId('cold'))).toMatchObject({ kind: 'refused', reason })
  })
})

describe('hosts that keep sessions', () => {
  it.each(['sessionController', 'apiProxy', 'webServer'])('B59 a host with %s brings sessions back', async (service) => {
    expect(keepsSessions((await mounted({ [service]: {} })).ctx)).toBe(true)
  })

  it('B59 a headless run does not', async () => {
    expect(keepsSessions((await mounted()).ctx)).toBe(false)
  })
})
