import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE, value, type Agent } from '../harness.ts'
import { pass, queued, rings, rung, START, useHome, type CountdownHost } from './stage.ts'

const home = useHome()

/** A host with one session that owes a countdown; both are gone when this resolves. */
async function leave(args: Record<string, unknown> = { in: '10m' }, meta: Record<string, unknown> = {}): Promise<void> {
  const host = await home.mount()
  const agent = await host.create('one', { meta })
  await host.countdown(agent, { action: 'start', name: 'tea', ...args })
  await pass(0, agent)
  await host.dispose()
}

const live = (host: CountdownHost, id = 'one'): Agent | undefined => host.ctx.agents.list().find((agent) => agent.id === id)

describe('a session that nobody has open', () => {
  it('R17 R18 is brought back when its countdown is due, and gets it on time, once', async () => {
    await leave()
    const host = await home.mount()
    await pass(9 * MINUTE)
    expect([host.resolved, host.ctx.agents.list()]).toEqual([[], []])
    await pass(MINUTE)
    expect(await rings(() => live(host))).toMatchObject([{ names: ['tea'], at: START + 10 * MINUTE }])
    expect(host.resolved).toEqual(['one'])
    expect(rung(live(host)!)[0]?.lines).toHaveLength(4)
  })

  it('R18 R16 B35 gets at once what came due while no host was running, with the lateness, and only once', async () => {
    await leave()
    vi.setSystemTime(START + HOUR)
    const host = await home.mount()
    await pass(1000)
    expect((await rings(() => live(host))).map(({ lines }) => lines[3])).toEqual([expect.stringMatching(/^It came due before this session's countdown timers were running again, so this is the first chance to deliver it \(50m\d?s? late\)\.$/)])
    await pass(HOUR)
    await host.dispose()
    const again = await home.mount()
    await pass(HOUR)
    expect(again.resolved).toEqual([])
    expect(rung(await again.resume('one'))).toHaveLength(1)
  })

  it('R14 is not brought back for a countdown that does not wake; it has it when it is opened', async () => {
    await leave({ in: '10m', onFire: 'inject' })
    const host = await home.mount()
    await pass(HOUR)
    expect(host.resolved).toEqual([])
    const agent = await host.resume('one')
    await pass(0, agent)
    expect(await rings(agent, 1, queued)).toMatchObject([{ names: ['tea'] }])
    expect(queued(agent)[0]?.lines[3]).toContain('(50m late)')
    await host.type(agent, 'hello')
    expect(await rings(agent)).toHaveLength(1)
  })

  it('R18 is brought back as soon as something can do that', async () => {
    await leave()
    const host = await home.mount({}, { resolver: 'none' })
    await pass(11 * MINUTE)
    expect(host.log.join('\n')).toContain('waits until the session is opened')
    const found: string[] = []
    host.ctx.root.provide('sessionController' as never, { resolveAgent: async (id: string) => (found.push(id), { agent: await host.resume(id) }) } as never)
    await pass(5000)
    expect(await rings(() => live(host))).toHaveLength(1)
    expect(found).toEqual(['one'])
  })

  it('R19 without a controller the countdown waits for the session to come back, and this is logged', async () => {
    await leave()
    const host = await home.mount({}, { resolver: 'none' })
    await pass(HOUR)
    expect(host.log.filter((line) => line.includes('session one: its countdown due 2026-10-08T04:00:00.000Z waits until the session is opened'))).toHaveLength(1)
    const agent = await host.resume('one')
    await pass(0, agent)
    expect(await rings(agent)).toHaveLength(1)
  })

  it.each(['session-not-found', 'agent-busy'])('B58 one that cannot be brought back (%s) ends with a reason, not with an error each minute', async (code) => {
    await leave()
    const host = await home.mount({}, { resolver: { refuse: code } })
    await pass(3 * HOUR)
    // Once more when the log is first compared with the index, and then never again.
    expect(host.resolved.length).toBeLessThanOrEqual(2)
    expect(host.log.filter((line) => line.includes('will not be delivered'))).toHaveLength(1)
  })

  it('B58 B59 a subagent is told that its countdown ends with its work, and it does, with a reason', async () => {
    const host = await home.mount()
    const agent = await host.create('one', { meta: { parentSession: 'zero', origin: 'subagent', delegationDepth: 1 } })
    expect(await host.countdown(agent, { action: 'start', name: 'tea', in: '10m' })).toMatchObject({ set: true, limit: expect.stringContaining('session of a subagent') as unknown })
    await pass(0, agent)
    await host.dispose()
    const next = await home.mount()
    await pass(HOUR)
    expect(next.resolved).toEqual([])
    expect(next.log.filter((line) => line.includes('it belongs to the work of a subagent'))).toHaveLength(1)
  })

  it('R14 a subagent that is live gets its countdown like anyone else', async () => {
    const host = await home.mount()
    const agent = await host.create('one', { meta: { parentSession: 'zero', origin: 'subagent', delegationDepth: 1 } })
    await host.countdown(agent, { action: 'start', name: 'tea', in: '10m' })
    await pass(10 * MINUTE, agent)
    expect(await rings(agent)).toHaveLength(1)
  })

  it('R19 B59 a host that cannot bring sessions back says so with every countdown', async () => {
    const host = await home.mount({}, { resolver: 'none' })
    const agent = await host.create('one')
    expect(await value(host, agent, 'time_countdown', { action: 'start', name: 'tea', in: '1m' })).toMatchObject({ set: true, limit: expect.stringContaining('cannot bring a session back') as unknown })
    host.ctx.root.provide('apiProxy' as never, {} as never)
    expect(await value(host, agent, 'time_countdown', { action: 'start', name: 'tea', in: '1m' })).not.toHaveProperty('limit')
    await host.unload()
    await host.mount({ pendingTable: false })
    expect(await value(host, agent, 'time_countdown', { action: 'start', name: 'tea', in: '1m' })).toMatchObject({ limit: expect.stringContaining('pendingTable is off') as unknown })
  })

  it('R27 pendingTable off: no index file, and countdowns of open sessions only', async () => {
    const host = await home.mount({ pendingTable: false })
    const agent = await host.create('one')
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    await pass(MINUTE, agent)
    expect(await rings(agent)).toHaveLength(1)
    expect(existsSync(home.path)).toBe(false)
  })

  it('R27 pendingPath is where the index is', async () => {
    await leave()
    expect(existsSync(home.path)).toBe(true)
  })
})

describe('the index is a hint, never the truth', () => {
  it('R17 a stale row creates nothing, and is corrected', async () => {
    await leave()
    const stale = readFileSync(home.path)
    const host = await home.mount()
    await host.countdown(await host.resume('one'), { action: 'cancel', name: 'tea' })
    await pass(0, live(host)!)
    await host.dispose()
    writeFileSync(home.path, stale)
    vi.setSystemTime(START + HOUR)
    const next = await home.mount()
    await pass(2 * MINUTE)
    expect(queued(live(next) ?? (await next.resume('one')))).toEqual([])
    await next.dispose()
    const last = await home.mount()
    await pass(HOUR)
    expect(last.resolved).toEqual([])
  })

  it.each([
    ['missing', undefined],
    ['cut off', 'SQLite format 3\0'],
    ['something else', 'hello'],
  ])('R17 B47 an index that is %s is made anew from the logs', async (_what, bytes) => {
    await leave()
    for (const end of ['', '-wal', '-shm']) rmSync(home.path + end, { force: true })
    if (bytes !== undefined) writeFileSync(home.path, bytes)
    vi.setSystemTime(START + HOUR)
    const host = await home.mount()
    // As long as another host might have it live, without having noticed that the index was lost.
    await pass(2 * MINUTE)
    expect(await rings(() => live(host))).toHaveLength(1)
  })

  it('R17 an index that cannot be written is a warning with its path, and delivery goes on', async () => {
    const host = await home.mount({ pendingPath: '/dev/null/wake.sqlite' })
    const agent = await host.create('one')
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    await pass(MINUTE, agent)
    expect(await rings(agent)).toHaveLength(1)
    expect(host.log.filter((line) => line.includes('/dev/null/wake.sqlite'))).not.toEqual([])
  })

  it('P4 R18 a start at which nothing has changed lists the logs once and reads none', async () => {
    await leave({ in: '10h' })
    const before = await home.mount()
    const first = vi.spyOn(before.ctx.get('sessionPersistence')!, 'readFrom')
    await pass(5000)
    for (const end = performance.now() + 5000; first.mock.settledResults.length === 0 && performance.now() < end; ) await pass(0)
    await pass(0)
    await before.dispose()
    const host = await home.mount()
    const persistence = host.ctx.get('sessionPersistence')!
    const [list, read] = [vi.spyOn(persistence, 'listSnapshots'), vi.spyOn(persistence, 'readFrom')]
    await pass(5000)
    expect([list.mock.calls.length, read.mock.calls.length]).toEqual([1, 0])
  })
})

describe('two hosts on one home', () => {
  it('R20 B38 B39 only one of them delivers, in one session, once', async () => {
    await leave()
    const hosts = [await home.mount(), await home.mount()]
    await pass(HOUR)
    await rings(() => hosts.map((host) => live(host)).find((agent) => agent !== undefined))
    const brought = hosts.filter((host) => live(host) !== undefined)
    expect(brought).toHaveLength(1)
    expect(rung(live(brought[0]!)!)).toHaveLength(1)
  })

  it('R20 B43 a countdown whose host has gone in the middle of a delivery comes from the other', async () => {
    const first = await home.mount()
    const agent = await first.create('one')
    await first.countdown(agent, { action: 'start', name: 'tea', in: '10m' })
    await pass(0, agent)
    const second = await home.mount()
    await pass(9 * MINUTE, agent)
    await first.dispose()
    await pass(2 * MINUTE)
    expect(await rings(() => live(second))).toHaveLength(1)
  })

  it('R20 a session that another host holds is left to it, and taken over when it has gone', async () => {
    const first = await home.mount()
    const agent = await first.create('one')
    await first.countdown(agent, { action: 'start', name: 'tea', in: '10m' })
    await pass(0, agent)
    const second = await home.mount()
    const copy = await second.resume('one')
    const blocked = vi.spyOn(agent, 'followup').mockImplementation(() => {
      throw new Error('stuck')
    })
    await pass(11 * MINUTE, copy)
    expect(queued(copy)).toEqual([])
    blocked.mockRestore()
    await first.dispose()
    await pass(20_000, copy) // less than until the owner would look again by itself
    expect(await rings(copy)).toHaveLength(1)
  })
})

describe('what a crash leaves behind', () => {
  /** The log as a process leaves it that dies at a moment, and the next host an hour later. */
  async function crashAt(stop: (agent: Agent) => Promise<() => void>): Promise<CountdownHost> {
    const host = await home.mount()
    const agent = await host.create('one')
    await host.countdown(agent, { action: 'start', name: 'tea', in: '10m' })
    await pass(0, agent)
    const release = await stop(agent)
    await host.ctx.sessions.flush(agent.session)
    cpSync(host.root, `${host.root}-crash`, { recursive: true })
    release()
    await host.dispose()
    cpSync(`${host.root}-crash`, host.root, { recursive: true })
    vi.setSystemTime(START + HOUR)
    return home.mount()
  }

  it('R15 R19 a notice that waits in the inbox is woken, not sent twice', async () => {
    const next = await crashAt(async (agent) => {
      const held = Promise.withResolvers<void>()
      void agent.runMaintenance(() => held.promise)
      const mark = { name: 'tea', dueAt: '2026-10-08T04:00:00.000Z' }
      agent.inject({ id: 'left-behind', role: 'user', content: [{ type: 'text', text: 'over' }], source: { kind: 'dsh-time-reminder', form: 'notice', summary: 's', countdown: [mark] } } as never)
      return held.resolve
    })
    await pass(MINUTE)
    expect(await rings(() => live(next))).toMatchObject([{ names: ['tea'], lines: ['over'] }])
    await pass(HOUR)
    expect(await rings(() => live(next))).toHaveLength(1)
  })

  it('R19 B43 a notice that a turn had taken and nobody had read comes again', async () => {
    const next = await crashAt(async (agent) => {
      const held = Promise.withResolvers<void>()
      agent.ctx.on('agent/pre-step', async (_payload, go) => {
        await held.promise
        return go()
      })
      await pass(10 * MINUTE)
      expect(await rings(agent, 1, queued)).toHaveLength(1)
      expect(rung(agent)).toEqual([])
      return held.resolve
    })
    await pass(MINUTE)
    expect(await rings(() => live(next))).toHaveLength(1)
    expect(rung(live(next)!)[0]?.lines[3]).toContain('this is the first chance')
  })
})
