import { afterEach, describe, expect, it } from 'vitest'
import { checkpoints, NotDurable, type Checkpoints } from '../src/checkpoint.ts'
import { mountHost, type HostOptions, type Session, type TestHost } from './harness.ts'

const hosts: TestHost[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.dispose()
})

async function mounted(options: HostOptions = {}): Promise<{ host: TestHost; barrier: Checkpoints; session: Session }> {
  const host = await mountHost(options)
  hosts.push(host)
  let barrier: Checkpoints | undefined
  await host.ctx.plugin({ inject: ['sessions'], apply: (ctx) => void (barrier = checkpoints(ctx)) })
  const { session } = await host.create('one')
  return { host, barrier: barrier!, session }
}

function append(session: Session, turn: number): void {
  session.append('turn/start', { turn })
}

describe('checkpoint', () => {
  it('S12 S23 acknowledges with the exclusive end captured when it was called', async () => {
    const { barrier, session } = await mounted()
    append(session, 1)
    const end = session.seq
    const confirmed = barrier.confirm(session)
    append(session, 2)
    expect(await confirmed).toBe(end)
    expect(barrier.storedThrough(session)).toBe(end)
  })

  it('S12 without persistence nothing is confirmed', async () => {
    const { barrier, session } = await mounted({ persistence: false })
    await expect(barrier.confirm(session)).rejects.toThrow(NotDurable)
    expect(barrier.storedThrough(session)).toBe(0)
  })

  it('S23 a listener that only observes acknowledges nothing, though the host then answers true', async () => {
    const { host, barrier, session } = await mounted({ persistence: false })
    host.ctx.on('session/flush', () => undefined)
    expect(await host.ctx.sessions.flush(session)).toBe(true)
    await expect(barrier.confirm(session)).rejects.toThrow(NotDurable)
  })

  it('S23 one listener that rejects blocks the observation, after all have settled', async () => {
    const { host, barrier, session } = await mounted()
    append(session, 1)
    const order: string[] = []
    const stop = host.ctx.on('session/flush', () => Promise.reject(new Error('disk on fire')))
    host.ctx.on('session/flush', async () => {
      await Promise.resolve()
      order.push('settled')
    })
    const heard: number[] = []
    barrier.watch((_session, throughSeq) => heard.push(throughSeq))
    const failure = await barrier.confirm(session).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NotDurable)
    expect((failure as NotDurable).message).not.toContain('fire')
    expect(((failure as NotDurable).cause as Error).message).toBe('disk on fire')
    expect(order).toEqual(['settled'])
    expect(heard).toEqual([])
    stop()
    await barrier.confirm(session)
    expect(heard).toEqual([session.seq])
  })

  it('S12 a session that is no longer live is not confirmed', async () => {
    const { host, barrier } = await mounted()
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: 'gone' as never, agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    const { session } = agent
    await dispose()
    await expect(barrier.confirm(session)).rejects.toThrow(NotDurable)
  })

  it('S12 only the literal true is an acknowledgement', async () => {
    const { host, barrier, session } = await mounted()
    host.ctx.sessions.flush = async () => 'yes' as unknown as boolean
    await expect(barrier.confirm(session)).rejects.toThrow(NotDurable)
  })

  it('S32 the stored end never goes back when flushes finish out of order', async () => {
    const { host, barrier, session } = await mounted()
    const gates = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
    let flushes = 0
    host.ctx.sessions.flush = () => gates[flushes++]!.promise
    const heard: number[] = []
    barrier.watch((_session, throughSeq) => heard.push(throughSeq))
    const early = barrier.confirm(session)
    append(session, 1)
    const late = barrier.confirm(session)
    const end = session.seq
    gates[1]!.resolve(true)
    await late
    gates[0]!.resolve(true)
    await early
    expect(barrier.storedThrough(session)).toBe(end)
    expect(heard).toEqual([end])
  })

  it('S32 a session that is opened again under its old id starts at nothing', async () => {
    const { host, barrier } = await mounted()
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: 'twice' as never, agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    append(agent.session, 1)
    await barrier.confirm(agent.session)
    await dispose()
    const again = await host.resume('twice')
    expect(barrier.storedThrough(again.session)).toBe(0)
    await barrier.confirm(again.session)
    expect(barrier.storedThrough(again.session)).toBe(again.session.seq)
  })

  it('tells nobody any more who has stopped watching', async () => {
    const { barrier, session } = await mounted()
    const heard: number[] = []
    barrier.watch((_session, throughSeq) => heard.push(throughSeq))()
    append(session, 1)
    await barrier.confirm(session)
    expect(heard).toEqual([])
  })

  it('S12 where the sessions service is gone, nothing is confirmed', async () => {
    const { host, barrier, session } = await mounted()
    const get = host.ctx.root.get.bind(host.ctx.root)
    host.ctx.root.get = ((name: string) => (name === 'sessions' ? undefined : get(name as never))) as never
    await expect(barrier.confirm(session)).rejects.toThrow(NotDurable)
  })
})
