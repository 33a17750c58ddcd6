import { appendFileSync, globSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { mountHost, type TestHost } from '../harness.ts'
import { mountEggs } from './egg.ts'
import { MINUTE, START, useHome, type EggHost } from './world.ts'

const home = useHome()
const LATER = START + 1000 * MINUTE

async function closedSession(host: EggHost, id: string, egg = LATER, more: { meta?: Record<string, unknown> } = {}): Promise<void> {
  await host.eggs.set(await host.open(id, more), egg)
  await host.close(id)
}

/** Three closed sessions whose logs are known, in a home without a running host. */
async function knownHome(): Promise<void> {
  const host = await home.mount()
  for (const id of ['a', 'b', 'c']) await closedSession(host, id)
  await home.pass(3 * MINUTE, host)
  await host.dispose()
}

/** Adds an event that no host knows to a log. @returns takes it back. */
function addUnknownEvent(path: string): () => void {
  const before = readFileSync(path, 'utf8')
  const { seq } = JSON.parse(before.trimEnd().split('\n').at(-1)!) as { seq: number }
  appendFileSync(path, `${JSON.stringify({ type: 'acme/own', seq: seq + 1, time: 0, data: {} })}\n`)
  return () => truncateSync(path, before.length)
}

/** Where the log of a session is. */
function logOf(id: string): string {
  const [path] = globSync(join(home.logs, '**', id, 'session.jsonl'))
  return path!
}

describe('comparing the index with the logs', () => {
  it('P4 R18 reads no log when nothing has changed, and lists them once at the start', async () => {
    await knownHome()
    const host = await home.mount()
    await home.pass(30_000, host)
    expect(host.eggs.index.stats).toEqual({ listings: 1, logsRead: 0, wakes: 0 })
  })

  it('P4 R18 reads exactly the log that has changed', async () => {
    await knownHome()
    const without = await mountHost({ root: home.logs })
    const agent = await without.resume('b')
    await without.ctx.sessions.flush(agent.session)
    await without.dispose()
    const host = await home.mount()
    await home.pass(30_000, host)
    expect(host.eggs.index.stats).toEqual({ listings: 1, logsRead: 1, wakes: 0 })
    await home.pass(10 * MINUTE, host)
    expect(host.eggs.index.stats).toMatchObject({ logsRead: 1 })
  })

  it('R18 lists again every minute, and as soon as persistence comes', async () => {
    const host = await home.mount()
    await home.pass(1000, host)
    expect(host.eggs.index.stats.listings).toBe(1)
    await home.pass(5 * MINUTE, host)
    expect(host.eggs.index.stats.listings).toBe(6)
  })

  it('R17 finds in the logs what another host without the plugin left behind', async () => {
    await knownHome()
    const store = home.store()
    for (const id of store.owing()) store.end(id, undefined)
    store.mark(new Map([['b', { revision: 'another', kinds: ['egg'] }]]))
    const host = await home.mount()
    await home.pass(1000, host)
    expect(store.owed('b')).toEqual(new Map([['egg', LATER]]))
    expect(store.owed('a'), 'known as it is').toEqual(new Map())
  })

  it('B58 drops what a deleted session owes, with a reason', async () => {
    await knownHome()
    rmSync(dirname(logOf('b')), { recursive: true })
    const host = await home.mount()
    await home.pass(5 * MINUTE, host)
    expect(host.log).toEqual(['session b: what it owes will not be delivered: its log is gone, or has lost its first line'])
    expect([...home.store().owing()]).toEqual(['a', 'c'])
    expect([...home.store().marks().keys()]).toEqual(['a', 'c'])
  })

  it('forgets a deleted session that owed nothing without a word', async () => {
    const host = await home.mount()
    await host.open('s').then((agent) => host.type(agent, 'hello'))
    await host.close('s')
    await home.pass(2 * MINUTE, host)
    expect(home.store().marks().has('s')).toBe(true)
    rmSync(dirname(logOf('s')), { recursive: true })
    await home.pass(2 * MINUTE, host)
    expect(home.store().marks().has('s')).toBe(false)
    expect(host.log).toEqual([])
  })

  it.each([
    ['holds an unknown event', addUnknownEvent],
    ['has lost its beginning', (path: string) => truncateSync(path, 10)],
  ])('X6 skips a log that %s with one warning, and reads the others', async (_what, damage) => {
    const first = await home.mount('none')
    for (const id of ['a', 'b', 'c']) await closedSession(first, id)
    await first.dispose()
    for (const end of ['', '-wal', '-shm']) rmSync(home.path + end, { force: true })
    damage(logOf('b'))
    const host = await home.mount('resume', { breaksLogs: true })
    await home.pass(30 * MINUTE, host)
    expect([...home.store().owing()]).toEqual(['a', 'c'])
    expect(host.log.filter((line) => line.includes('session b')).length).toBeLessThanOrEqual(1)
    expect(host.eggs.index.stats.logsRead).toBeLessThanOrEqual(3)
    expect(host.eggs.index.stats.listings).toBeGreaterThan(20)
  })

  it('X6 names the log that cannot be read, and tries it again when it changes', async () => {
    const first = await home.mount('none')
    await closedSession(first, 'b')
    await first.dispose()
    rmSync(home.path)
    const repair = addUnknownEvent(logOf('b'))
    const host = await home.mount()
    await home.pass(2 * MINUTE, host)
    expect(host.log).toEqual([expect.stringMatching(/^session b: its log cannot be read, so what it owes is not known/)])
    repair()
    await home.pass(2 * MINUTE, host)
    expect(home.store().owed('b')).toEqual(new Map([['egg', LATER]]))
    expect(host.log).toHaveLength(1)
  })

  it('R18 the log of a live session without an owner is read once it is closed', async () => {
    const host = await home.mount()
    await host.eggs.unload()
    await host.type(await host.open('s'), 'hello')
    const eggs = await mountEggs(host.ctx, { path: home.path })
    await home.pass(5 * MINUTE, { ...host, eggs })
    expect(eggs.index.stats.logsRead).toBe(0)
    await host.close('s')
    await home.pass(2 * MINUTE, { ...host, eggs })
    expect(eggs.index.stats.logsRead).toBe(1)
  })

  it('B58 ends what a subagent owes, and never reads its log', async () => {
    const host = await home.mount()
    await closedSession(host, 'child', LATER, { meta: { origin: 'subagent', delegationDepth: 1 } })
    await home.pass(5 * MINUTE, host)
    expect(host.log).toEqual(['session child: what it owes will not be delivered: it belongs to the work of a subagent'])
    expect(home.store().owing()).toEqual(new Set())
    expect(host.eggs.index.stats.logsRead).toBe(0)
  })

  it('T9 reads the logs again for a plugin that was not there before', async () => {
    await knownHome()
    const host = await home.mount()
    await home.pass(5000, host)
    await mountEggs(host.ctx, { path: home.path }, 'late-egg')
    await home.pass(5000, host)
    expect(host.eggs.index.stats).toEqual({ listings: 2, logsRead: 3, wakes: 0 })
    expect(home.store().owed('a')).toEqual(new Map([['egg', LATER], ['late-egg', LATER]]))
  })

  it('X6 goes on when the logs cannot be listed', async () => {
    const host = await home.mount()
    await closedSession(host, 's', START + 2 * MINUTE)
    const logs = host.ctx.get('sessionPersistence')!
    const listing = vi.spyOn(Object.getPrototypeOf(logs) as { listSnapshots(): unknown }, 'listSnapshots').mockRejectedValue(new Error('no directory'))
    await home.pass(3 * MINUTE, host)
    expect(host.eggs.rang).toEqual([`s@${START + 2 * MINUTE}`])
    expect(host.log).toEqual([expect.stringMatching(/logs cannot be listed.*no directory/)])
    listing.mockRestore()
    await home.pass(2 * MINUTE, host)
    expect(home.store().marks().size).toBe(1)
  })

  it('R17 serves live sessions where nothing is stored', async () => {
    const host: TestHost = await mountHost({ persistence: false })
    const eggs = await mountEggs(host.ctx, { path: home.path })
    const agent = await host.create('s')
    eggs.index.owes('egg', agent.session, LATER)
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    expect(eggs.index.isOurs(agent.session)).toBe(true)
    expect(eggs.index.stats.listings).toBe(0)
    expect(home.store().owed('s')).toEqual(new Map([['egg', LATER]]))
    await host.dispose()
  })
})
