import { describe, expect, it, vi } from 'vitest'
import { alarmClock } from '../../src/alarm.ts'
import { wakeIndex, type WakeIndex } from '../../src/wake-index/wake-index.ts'
import { mountEggs } from './egg.ts'
import { MINUTE, START, useHome, type EggHost } from './world.ts'

const home = useHome()

/** Asks for the index as a plugin does. */
async function ask(host: EggHost, options: Parameters<typeof wakeIndex>[1]): Promise<{ index: WakeIndex; unload(): Promise<void> }> {
  const asked: WakeIndex[] = []
  const fiber = await host.ctx.plugin({ apply: (ctx: EggHost['ctx']) => void asked.push(wakeIndex(ctx, options)) })
  return { index: asked[0]!, unload: () => fiber.dispose() }
}

describe('the index of a host', () => {
  it('is one for all plugins, and the first decides where it is', async () => {
    const host = await home.mount()
    expect((await ask(host, { path: home.path })).index).toBe(host.eggs.index)
    expect(host.log).toEqual([])
    expect((await ask(host, { path: '/elsewhere/wake.sqlite' })).index).toBe(host.eggs.index)
    expect(host.log).toEqual([expect.stringMatching(/wake\.sqlite is in use already; .*elsewhere.* is not used/)])
  })

  it('T9 brings a session back for several plugins at once', async () => {
    const host = await home.mount({ refuse: 'agent-busy' })
    await mountEggs(host.ctx, { path: home.path }, 'second-egg')
    await host.eggs.set(await host.open('s'), START + MINUTE)
    await host.close('s')
    await home.pass(MINUTE + 1000, host)
    expect(host.resolved).toEqual(['s'])
    expect(host.log).toEqual([expect.stringContaining('its egg and second-egg due')])
  })

  it('does nothing for a plugin that has turned it off', async () => {
    const host = await home.mount()
    const { index } = await ask(host, { enabled: false })
    const agent = await host.open('s')
    index.register('egg', { foldOwed: () => undefined, regained: () => undefined })()
    index.owes('egg', agent.session, START)
    expect(index.isOurs(agent.session)).toBe(true)
    await index.settled()
    expect(index.stats).toEqual({ listings: 0, logsRead: 0, wakes: 0 })
    expect(home.store().owing()).toEqual(new Set())
  })

  it.each(['Egg', 'egg:1', 'egg,two', ''])('refuses %j as the name of a kind', async (kind) => {
    const host = await home.mount()
    expect(() => host.eggs.index.register(kind, { foldOwed: () => undefined, regained: () => undefined })).toThrow(TypeError)
  })

  it('refuses a kind that is known already', async () => {
    const host = await home.mount()
    expect(() => host.eggs.index.register('egg', { foldOwed: () => undefined, regained: () => undefined })).toThrow('already delivers egg')
  })

  it('runs in the default home when no path is given', async () => {
    vi.stubEnv('DSH_HOME', home.directory)
    const host = await home.mount()
    await host.eggs.unload()
    const { unload } = await ask(host, undefined)
    expect(home.files()).toContain('timekeeper')
    await unload()
    vi.unstubAllEnvs()
  })
})

describe('unloading', () => {
  it('S29 P3 leaves no timer, no file handle and no answer behind', async () => {
    const host = await home.mount()
    const agent = await host.open('s')
    await host.eggs.set(agent, START + 90 * MINUTE)
    let clock: ReturnType<typeof alarmClock> | undefined
    await host.ctx.plugin({ apply: (ctx: EggHost['ctx']) => void (clock = alarmClock(ctx)) })
    await home.pass(MINUTE, host)
    expect(clock?.size).toBeGreaterThan(0)
    await host.eggs.unload()
    expect(clock?.size).toBe(1) // the egg itself, in the agent's own scope
    expect(home.files().filter((name) => name.startsWith('wake')), 'the last to close the file takes its companions along').toEqual(['wake.sqlite'])
    const { index } = host.eggs
    index.owes('egg', agent.session, START)
    expect(index.isOurs(agent.session)).toBe(false)
    index.register('late', { foldOwed: () => undefined, regained: () => undefined })
    await home.pass(5 * MINUTE)
    expect(host.log).toEqual([])
  })

  it('S29 waits for a session that is being brought back', async () => {
    const gate = Promise.withResolvers<void>()
    const host = await home.mount({ wait: gate.promise })
    await host.eggs.set(await host.open('s'), START + MINUTE)
    await host.close('s')
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(host.resolved).toEqual(['s'])
    let isUnloaded = false
    const unloading = host.eggs.unload().then(() => (isUnloaded = true))
    await vi.advanceTimersByTimeAsync(1000)
    expect(isUnloaded).toBe(false)
    gate.resolve()
    await unloading
    expect(home.store().lease('s')?.holder.pid, 'it is live here now').toBe(process.pid)
  })

  it('S29 stops a check of the logs that is under way', async () => {
    const host = await home.mount()
    for (const id of ['a', 'b', 'c']) {
      await host.eggs.set(await host.open(id), START + 90 * MINUTE)
      await host.close(id)
    }
    await vi.advanceTimersByTimeAsync(500)
    await host.eggs.unload()
    expect(host.eggs.index.stats.logsRead).toBeLessThan(3)
    expect(host.log).toEqual([])
  })

  it('R20 gives back closed sessions and keeps live ones, and a plugin that comes again still has them', async () => {
    const host = await home.mount()
    const live = await host.open('live')
    await host.eggs.set(live, START + 90 * MINUTE)
    await host.eggs.set(await host.open('closed'), START + 90 * MINUTE)
    await host.close('closed')
    await host.eggs.unload()
    expect([...home.store().leases().keys()]).toEqual(['live'])
    const { index } = await ask(host, { path: home.path })
    expect(index.isOurs(live.session)).toBe(true)
  })

  it('R20 gives back a session that stays closed, two beats later', async () => {
    const host = await home.mount()
    await host.eggs.set(await host.open('s'), START + 90 * MINUTE)
    await host.close('s')
    await home.pass(MINUTE, host)
    expect(home.store().lease('s')).toBeDefined()
    await home.pass(MINUTE, host)
    expect(home.store().lease('s')).toBeUndefined()
    expect(home.store().owed('s')).toEqual(new Map([['egg', START + 90 * MINUTE]]))
  })

  it('a plugin that cannot take over does not disturb the others', async () => {
    const host = await home.mount()
    const agent = await host.open('s')
    const regained: string[] = []
    const broken = (): never => {
      throw new Error('broken plugin')
    }
    host.eggs.index.register('broken', { foldOwed: () => undefined, regained: broken })
    host.eggs.index.register('whole', { foldOwed: () => undefined, regained: ({ id }) => void regained.push(id) })
    const other = home.store()
    const fence = other.take('s', { hostId: 'x', pid: 1, started: '', machine: 'far', boot: '', space: '' }, Date.now() + 5 * MINUTE, undefined)!
    host.eggs.index.owes('whole', agent.session, START + 90 * MINUTE)
    expect(other.owed('s')).toEqual(new Map())
    other.release('s', fence)
    await home.pass(2 * MINUTE, host)
    expect(regained).toEqual(['s'])
    expect(host.log).toEqual([expect.stringMatching(/session s: broken did not take over.*broken plugin/)])
    expect(other.owed('s')).toEqual(new Map([['whole', START + 90 * MINUTE]]))
  })
})
