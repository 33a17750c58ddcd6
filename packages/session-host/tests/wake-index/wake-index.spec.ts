import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { MAX_WAKES, SETTLE_MS } from '../../src/wake-index/decide.ts'
import { ringsOf } from './egg.ts'
import { MINUTE, provideResolver, provideTypert, START, useHome, type EggHost } from './world.ts'

const home = useHome()

/** A session that was closed while it owed something. */
async function closedSession(host: EggHost, id: string, egg: number, more: { meta?: Record<string, unknown> } = {}): Promise<void> {
  await host.eggs.set(await host.open(id, more), egg)
  await host.close(id)
}

describe('a session that was closed', () => {
  it('R18 T9 is brought back on time, and its own owner delivers once', async () => {
    const host = await home.mount()
    await closedSession(host, 's', START + 10 * MINUTE)
    await home.pass(10 * MINUTE - 1, host)
    expect(host.resolved).toEqual([])
    await home.pass(2000, host)
    expect(host.resolved).toEqual(['s'])
    expect(host.eggs.rang).toEqual([`s@${START + 10 * MINUTE}`])
    await home.pass(5 * MINUTE, host)
    expect(host.eggs.rang).toHaveLength(1)
    expect(home.store().owing()).toEqual(new Set())
    expect(host.log).toEqual([])
  })

  it('P4 R18 is known after a restart without a log being read, and gets what came due meanwhile at once', async () => {
    const before = await home.mount()
    for (const id of ['a', 'b', 'c']) await closedSession(before, id, START + (id === 'b' ? 10 : 1000) * MINUTE)
    await home.pass(3 * MINUTE, before)
    await before.dispose()
    vi.setSystemTime(START + 60 * MINUTE)
    const host = await home.mount()
    await home.pass(5000, host)
    expect(host.eggs.rang).toEqual([`b@${START + 10 * MINUTE}`])
    expect(host.eggs.index.stats).toEqual({ listings: 1, logsRead: 0, wakes: 1 })
  })

  it('R17 R18 is found in its log when the index is lost', async () => {
    const before = await home.mount()
    await closedSession(before, 's', START + 10 * MINUTE)
    await before.dispose()
    for (const end of ['', '-wal', '-shm']) rmSync(home.path + end, { force: true })
    vi.setSystemTime(START + 60 * MINUTE)
    const host = await home.mount()
    await home.pass(SETTLE_MS - 5000, host)
    expect(host.eggs.rang, 'another host may have it live, and not have noticed the loss').toEqual([])
    await home.pass(5000, host)
    expect(host.eggs.rang).toEqual([`s@${START + 10 * MINUTE}`])
    expect(host.eggs.index.stats).toMatchObject({ listings: 2, logsRead: 1 })
  })

  it('R17 gets nothing from a row that its log does not bear out', async () => {
    const host = await home.mount()
    await host.open('s').then((agent) => host.type(agent, 'hello'))
    await host.close('s')
    await home.pass(2 * MINUTE, host)
    home.store().put('s', 'egg', START, home.store().lease('s')?.fence)
    await home.pass(MINUTE, host)
    expect(host.resolved).toEqual(['s'])
    expect(host.eggs.rang).toEqual([])
    expect(home.store().owing()).toEqual(new Set())
  })

  it.each([
    ['session-not-found', 'not-found'],
    ['agent-busy', 'busy'],
  ])('B58 that the host refuses for good (%s) ends with the reason, once', async (code, reason) => {
    const host = await home.mount({ refuse: code })
    await closedSession(host, 's', START + MINUTE)
    await home.pass(15 * MINUTE, host)
    expect(host.resolved).toEqual(['s'])
    expect(host.log).toEqual([expect.stringMatching(`session s: its egg due 2026-11-30T08:01:00.000Z will not be delivered: ${reason}`)])
    expect(home.store().owing()).toEqual(new Set())
    expect(home.store().leases()).toEqual(new Map())
  })

  it('B58 that cannot be brought back now stays, is tried more and more rarely, and is complained of once', async () => {
    const host = await home.mount({ refuse: 'internal' })
    await closedSession(host, 's', START + MINUTE)
    await home.pass(MINUTE + 30_000, host)
    expect(host.resolved).toHaveLength(3)
    await home.pass(10 * MINUTE, host)
    expect(host.resolved.length).toBeLessThan(16)
    expect(host.log).toEqual([expect.stringContaining('is tried again: failed')])
    expect(home.store().owed('s')).toEqual(new Map([['egg', START + MINUTE]]))
    expect(home.store().lease('s'), 'others may try').toBeUndefined()
  })

  it('R19 waits where nothing brings sessions back, says so once, and gets its delivery as soon as something does', async () => {
    const host = await home.mount('none')
    await closedSession(host, 's', START + MINUTE)
    await closedSession(host, 't', START + 2 * MINUTE)
    await home.pass(10 * MINUTE, host)
    expect(host.log).toEqual([
      expect.stringContaining('session s: its egg due 2026-11-30T08:01:00.000Z waits until the session is opened: no-resolver'),
      expect.stringContaining('session t'),
    ])
    provideResolver(host, 'resume', host.resolved)
    await home.pass(1000, host)
    expect(host.eggs.rang).toEqual([`s@${START + MINUTE}`, `t@${START + 2 * MINUTE}`])
  })

  /** A host that comes back to a closed session that owes something, and does not find yet what brings it back. */
  const mountDeaf = async (at: number): Promise<Awaited<ReturnType<typeof home.mount>>> => {
    const before = await home.mount()
    await closedSession(before, 's', START + MINUTE)
    await before.dispose()
    vi.setSystemTime(at)
    return home.mount('none')
  }

  it('R18 R20 a first try that comes too early costs nothing: also in a new index the session is woken as soon as something can', async () => {
    const host = await mountDeaf(START + MINUTE + 1000)
    await home.pass(2000, host)
    expect(host.eggs.index.stats.wakes).toBe(1)
    expect(home.store().lease('s'), 'others may try').toBeUndefined()
    provideResolver(host, 'resume', host.resolved)
    await home.pass(1000, host)
    expect(host.eggs.rang).toEqual([`s@${START + MINUTE}`])
  })

  it('R18 R19 nothing is said where whatever brings sessions back comes after the plugins, as in each start of 0.1.0-rc.8', async () => {
    const host = await mountDeaf(START + 60 * MINUTE)
    await home.pass(5000, host)
    expect(host.eggs.index.stats.wakes).toBe(1)
    provideResolver(host, 'resume', host.resolved)
    await home.pass(2 * MINUTE, host)
    expect(host.eggs.rang).toEqual([`s@${START + MINUTE}`])
    expect(host.log).toEqual([])
  })

  it('R18 R19 what waits because nothing brings sessions back is said once a minute has passed', async () => {
    const host = await mountDeaf(START + 60 * MINUTE)
    await home.pass(MINUTE - 5000, host)
    expect(host.log).toEqual([])
    await home.pass(5000, host)
    expect(host.log).toEqual([expect.stringContaining('waits until the session is opened: no-resolver')])
    await home.pass(5 * MINUTE, host)
    expect(host.log).toHaveLength(1)
  })

  it('R19 is asked for only now and then where nothing brings sessions back, however many wait', async () => {
    const host = await home.mount('none')
    for (let at = 0; at < MAX_WAKES + 4; at += 1) await closedSession(host, `s${at}`, START + 5000)
    await home.pass(55_000, host)
    expect(host.eggs.index.stats.wakes).toBe(MAX_WAKES)
    await home.pass(MINUTE, host)
    expect(host.eggs.index.stats.wakes).toBe(2 * MAX_WAKES)
  })

  it('R19 hears of a lookup that is configured after its registry has come', async () => {
    const host = await home.mount('none')
    let configured = (): void => undefined
    let resolve: ((id: string) => Promise<unknown>) | undefined
    provideTypert(host, { get: () => resolve && { resolve }, subscribe: (listener: () => void) => (configured = listener) })
    await closedSession(host, 's', START + MINUTE)
    await home.pass(2 * MINUTE, host)
    resolve = (id) => host.resume(id)
    configured()
    await home.pass(0, host)
    expect(host.eggs.rang).toEqual([`s@${START + MINUTE}`])
  })

  it('R18 T9 hears of the session controller of later hosts', async () => {
    const host = await home.mount('none')
    await closedSession(host, 's', START + MINUTE)
    await home.pass(2 * MINUTE, host)
    host.ctx.root.provide('sessionController', { resolveAgent: async (id: string) => ({ agent: await host.resume(id) }) })
    await home.pass(0, host)
    expect(host.eggs.rang).toEqual([`s@${START + MINUTE}`])
  })

  it('a wake that breaks in the host is a failed one', async () => {
    const host = await home.mount('none')
    provideTypert(host, {
      get() {
        throw new Error('registry broken')
      },
    })
    await closedSession(host, 's', START + MINUTE)
    await home.pass(MINUTE + 1000, host)
    expect(host.log).toEqual([expect.stringMatching(/is tried again: failed.*registry broken/)])
  })

  it('R18 does not wait behind more than a few others that hang', async () => {
    const gate = Promise.withResolvers<void>()
    const host = await home.mount({ wait: gate.promise })
    const ids = Array.from({ length: MAX_WAKES + 2 }, (_, at) => `s${at}`)
    for (const id of ids) await closedSession(host, id, START + MINUTE)
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(host.resolved).toHaveLength(MAX_WAKES)
    gate.resolve()
    await home.pass(5000, host)
    expect(host.resolved.toSorted()).toEqual(ids)
    expect(host.eggs.rang).toHaveLength(ids.length)
  })

  it('R18 that was brought back in vain is not brought back again at once when it is closed', async () => {
    const host = await home.mount()
    await closedSession(host, 's', START + MINUTE)
    // A plugin without an owner in the session: nobody delivers, nobody says that nothing is owed.
    const off = host.eggs.index.register('ghost', { foldOwed: () => undefined, regained: () => undefined })
    home.store().put('s', 'ghost', START + MINUTE, home.store().lease('s')?.fence)
    await home.pass(2 * MINUTE, host)
    expect(host.resolved).toEqual(['s'])
    off()
    await home.pass(5 * MINUTE, host)
    expect(host.resolved).toEqual(['s'])
  })
})

describe('a session that is live', () => {
  it('is left to its owner, however overdue', async () => {
    const host = await home.mount()
    const agent = await host.open('s')
    host.eggs.index.owes('egg', agent.session, START - MINUTE)
    await home.pass(5 * MINUTE, host)
    expect(host.resolved).toEqual([])
    expect(home.store().owed('s')).toEqual(new Map([['egg', START - MINUTE]]))
  })

  it('R17 P1 touches the index only when what it owes changes', async () => {
    const host = await home.mount()
    const agent = await host.open('s')
    const { index } = host.eggs
    const watcher = new DatabaseSync(home.path)
    const version = (): unknown => watcher.prepare('PRAGMA data_version').get()?.['data_version']
    const idle = version()
    for (let turn = 0; turn < 100; turn += 1) index.owes('egg', agent.session, undefined)
    expect(version(), 'a session that owes nothing').toBe(idle)
    index.owes('egg', agent.session, START + MINUTE)
    const owing = version()
    expect(owing).not.toBe(idle)
    for (let turn = 0; turn < 100; turn += 1) index.owes('egg', agent.session, START + MINUTE)
    expect(version()).toBe(owing)
    watcher.close()
  })

  it('R17 X6 delivers although the index cannot be written, with one warning, and the row follows', async () => {
    const host = await home.mount()
    const agent = await host.open('s')
    await home.pass(0, host)
    const file = new DatabaseSync(home.path)
    file.exec('BEGIN IMMEDIATE')
    await host.eggs.set(agent, START + 5000)
    await host.eggs.set(agent, START + 90 * MINUTE)
    await home.pass(6000, host)
    expect(host.eggs.rang).toEqual([`s@${START + 5000}`])
    expect(ringsOf(agent.session)).toEqual([START + 5000])
    expect(host.log).toEqual([expect.stringMatching(/wake\.sqlite cannot be used: locked/)])
    file.close()
    await home.pass(2 * MINUTE, host)
    expect(home.store().owed('s')).toEqual(new Map([['egg', START + 90 * MINUTE]]))
  })

  it('X6 is written again to an index that was removed', async () => {
    const host = await home.mount()
    await host.eggs.set(await host.open('live'), START + 90 * MINUTE)
    await closedSession(host, 'closed', START + 80 * MINUTE)
    for (const end of ['', '-wal', '-shm']) rmSync(home.path + end, { force: true })
    await home.pass(2 * MINUTE, host)
    expect([...home.store().owing()].toSorted()).toEqual(['closed', 'live'])
  })
})
