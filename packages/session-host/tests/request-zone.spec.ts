import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sessionLogs, type SessionLogs } from '../src/log.ts'
import { notice } from '../src/notice.ts'
import { isReading, ZoneFold, type RequestZone } from '../src/request-zone.ts'
import { createUserMessage, mountHost, type Agent, type TestHost } from './harness.ts'

let host: TestHost
let logs: SessionLogs

beforeEach(async () => {
  host = await mountHost({ breaksLogs: true }) // spellings of other versions are written on purpose
  await host.ctx.plugin({ apply: (ctx) => void (logs = sessionLogs(ctx)) })
})
afterEach(() => host.dispose())

function followed(agent: Agent): ZoneFold {
  const zones = new ZoneFold()
  logs.follow(agent.session, zones, 0)
  return zones
}

/** What the fold says inside the open turn, at each model request. */
async function during(agent: Agent, zones: ZoneFold, act: () => Promise<void>): Promise<{ request: RequestZone; isMarked: boolean }[]> {
  const seen: { request: RequestZone; isMarked: boolean }[] = []
  const stop = agent.ctx.on('agent/request', async (_payload, next) => {
    seen.push({ request: zones.request, isMarked: zones.isMarked })
    return next()
  })
  await act()
  stop()
  return seen
}

describe('session zone', () => {
  it('S16 is the zone of the first request, and no later request changes it', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    await host.type(agent, 'hello', 'Asia/Shanghai')
    await host.type(agent, 'from a plane', 'Europe/Berlin')
    expect(zones.session).toBe('Asia/Shanghai')
  })

  it('S16 a session that began without a zone stays without one for ever', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    await host.type(agent, 'hello', null)
    await host.type(agent, 'now with one', 'Asia/Shanghai')
    expect(zones.session).toBeUndefined()
  })

  it('S16 is kept by a resume and inherited by a fork, because the log is', async () => {
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: 'one' as never, agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    await host.type(agent, 'hello', 'Asia/Shanghai')
    const child = host.ctx.sessions.fork(agent.id)
    const inherited = new ZoneFold()
    logs.follow(child, inherited, 0)
    expect(inherited.session).toBe('Asia/Shanghai')
    await dispose()
    expect(followed(await host.resume('one')).session).toBe('Asia/Shanghai')
  })

  it('S16 a zone that does not exist counts as none', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    await host.type(agent, 'hello', 'Mars/Olympus')
    expect(zones.session).toBeUndefined()
  })
})

describe('request zone', () => {
  const user = (clientTimeZone: string | undefined) =>
    createUserMessage({ content: [{ type: 'text', text: 'hi' }], source: { kind: 'user', rpcId: 'r', ...(clientTimeZone !== undefined && { clientTimeZone }) } as { kind: 'user' } })

  it('S17 S18 is the one zone of the messages of the open turn, and nothing between turns', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    const seen = await during(agent, zones, () => host.type(agent, 'hello', 'Asia/Kolkata'))
    expect(seen).toEqual([{ request: { kind: 'one', zone: 'Asia/Kolkata' }, isMarked: false }])
    expect(zones.request).toEqual({ kind: 'unavailable' })
  })

  it('S18 B13 messages from two tabs are mixed, sorted; two names of one zone are one', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    const seen = await during(agent, zones, async () => {
      agent.inject(user('Europe/Berlin'))
      agent.inject(user('Asia/Calcutta'))
      agent.followup(user('Asia/Kolkata'))
      await agent.whenIdle()
    })
    expect(seen[0]?.request).toEqual({ kind: 'mixed', zones: ['Asia/Calcutta', 'Europe/Berlin'] })
  })

  it('S18 is unavailable as soon as one of the messages carries none', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    const seen = await during(agent, zones, async () => {
      agent.inject(user('Europe/Berlin'))
      agent.followup(user(undefined))
      await agent.whenIdle()
    })
    expect(seen[0]?.request).toEqual({ kind: 'unavailable' })
  })

  it('S17 a queued message keeps the zone it came with while another tab writes', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    const seen = await during(agent, zones, async () => {
      agent.followup(user('Asia/Shanghai'))
      agent.followup(user('Europe/Berlin'))
      gate.resolve()
      await agent.whenIdle()
    })
    expect(seen.map(({ request }) => request)).toEqual([
      { kind: 'one', zone: 'Asia/Shanghai' },
      { kind: 'one', zone: 'Europe/Berlin' },
    ])
  })
})

it.each([[null], [undefined]])('X3 X6 a message whose source is %s says nothing of a zone and stops nothing', (source) => {
  const zones = new ZoneFold()
  zones.apply({ type: 'user/message', seq: 0, time: 0, data: { id: 'm1', source } } as never)
  expect([zones.session, zones.request.kind]).toEqual([undefined, 'unavailable'])
})

describe('time marker', () => {
  it.each([
    ['our clock', { kind: 'dsh-time-reminder', form: 'notice', summary: 'cron reading' }],
    ['our clock as 0.2 migrates it', { kind: 'plugin:dsh-time-reminder', form: 'notice' }],
    ['the host\'s clock', { kind: 'plugin', plugin: 'time-context' }],
    ['the host\'s clock after 0.2', { kind: 'time-context' }],
  ])('S19 S20 %s marks the open turn, continuation steps included, and no later turn', async (_name, source) => {
    const agent = await host.create('one')
    const zones = followed(agent)
    host.ctx.get('tools')!.register({ name: 'noop', description: '', parameters: { type: 'object', properties: {} }, output: { schema: { type: 'object', additionalProperties: true, properties: {} }, render: () => [] }, execute: async () => ({}) } as never)
    host.model.replies.push({ tool: 'noop', args: {} })
    const seen = await during(agent, zones, async () => {
      agent.inject({ ...notice('x', 's', 'it is noon', {}), source: source as never })
      await host.type(agent, 'hello')
    })
    expect(seen.map(({ isMarked }) => isMarked)).toEqual([true, true])
    expect(await during(agent, zones, () => host.type(agent, 'again'))).toMatchObject([{ isMarked: false }])
  })

  it.each([
    ['a change of the mode', { kind: 'dsh-time-reminder', form: 'notice', mode: 'off' }],
    ['a countdown that fired', { kind: 'dsh-time-reminder', form: 'notice', countdown: { name: 'tea' } }],
    ['a countdown that a person set', { kind: 'dsh-time-reminder', form: 'notice', countdownSet: { fact: 'countdown', action: 'cancel', name: 'tea' } }],
    ['a relay of a counter', { kind: 'dsh-time-reminder', form: 'relay', senderSessionId: 's' }],
    ['a message without a form', { kind: 'dsh-time-reminder' }],
    ['a person', { kind: 'user' }],
    ['nothing', undefined],
  ])('R7 S19 %s is no reading and marks no turn', async (_name, source) => {
    expect(isReading(source)).toBe(false)
    const zones = new ZoneFold()
    zones.apply({ type: 'user/message', seq: 0, time: 0, data: { ...notice('x', 's', 't', {}), source: source ?? { kind: 'other' } } } as never)
    expect(zones.isMarked).toBe(false)
  })
})

describe('zones of a batch that is about to enter', () => {
  const from = (...zones: readonly (string | undefined)[]): unknown[] => zones.map((clientTimeZone) => ({ kind: 'user', ...(clientTimeZone !== undefined && { clientTimeZone }) }))

  it('S16 S18 are those that the log will say, and asking changes nothing', async () => {
    const zones = new ZoneFold()
    expect(zones.preview(from('Asia/Shanghai'))).toEqual({ session: 'Asia/Shanghai', request: { kind: 'one', zone: 'Asia/Shanghai' } })
    expect(zones.preview(from('Asia/Shanghai', 'Europe/Berlin')).request).toEqual({ kind: 'mixed', zones: ['Asia/Shanghai', 'Europe/Berlin'] })
    expect(zones.preview([...from('Asia/Shanghai', undefined), { kind: 'tool' }]).request).toEqual({ kind: 'unavailable' })
    expect(zones.preview([])).toEqual({ session: undefined, request: { kind: 'unavailable' } })
  })

  it('S18 are added to what the open turn has already', async () => {
    const agent = await host.create('one')
    const zones = followed(agent)
    const seen: RequestZone[] = []
    agent.ctx.on('agent/request', async (_payload, next) => {
      seen.push(zones.preview(from('Europe/Berlin')).request)
      return next()
    })
    await host.type(agent, 'hello', 'Asia/Shanghai')
    expect(seen).toEqual([{ kind: 'mixed', zones: ['Asia/Shanghai', 'Europe/Berlin'] }])
  })
})
