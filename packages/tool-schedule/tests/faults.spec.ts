import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { faultyPersistence } from '../../session-host/tests/faulty-persistence.ts'
import { changes, delivered, foldAll, mountSchedule, quiet, rested, SessionId, until, value, type Agent } from './harness.ts'

const START = Date.parse('2026-10-09T01:00:00.000Z')
type Host = Awaited<ReturnType<typeof mountSchedule>>
let hosts: Host[] = []
let disks: ReturnType<typeof faultyPersistence>[] = []

async function faulty(root?: string) {
  const disk = faultyPersistence()
  const host = await mountSchedule({ persistence: disk.Persistence, checkpoints: false, ...(root !== undefined && { root }) })
  hosts.push(host)
  disks.push(disk)
  return { host, disk }
}
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START }))
afterEach(async () => {
  for (const disk of disks) {
    disk.faults.length = 0
    disk.release()
  }
  for (const host of hosts) await host.dispose().catch(() => undefined) // a disk that failed is reported once more at the end
  hosts = []
  disks = []
  vi.useRealTimers()
})

function storedSeqs(root: string, id: string): number[] {
  const name = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((file) => file.includes(id) && file.endsWith('.jsonl'))
  const lines = name === undefined ? [] : readFileSync(join(root, name), 'utf8').trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { seq?: number }).seq).filter((seq) => seq !== undefined)
}

/** New, forked and resumed: the three ways in which a live session comes about. */
const KINDS: readonly (readonly [string, (host: Host) => Promise<Agent>])[] = [
  ['new', (host) => host.create('one')],
  [
    'forked',
    async (host) => {
      const parent = await host.create('parent')
      await host.type(parent, 'hello')
      return host.create('one', { seed: parent.session.events, meta: { parentSession: parent.id, seedLength: parent.session.seq } })
    },
  ],
  [
    'resumed',
    async (host) => {
      const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId('one'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
      await host.type(agent, 'hello')
      await dispose()
      return host.resume('one')
    },
  ],
]

describe.each(KINDS)('a disk that fails under a %s session', (_kind, open) => {
  async function opened(): Promise<{ host: Host; disk: ReturnType<typeof faultyPersistence>; agent: Agent }> {
    const { host, disk } = await faulty()
    const agent = await open(host)
    await host.type(agent, 'hello')
    await host.ctx.sessions.flush(agent.session) // the first write is behind us, and nothing waits to be written
    return { host, disk, agent }
  }

  it('S13 S14 B49 a create whose barrier fails is uncertain, and a later list confirms and arms it', async () => {
    const { host, disk, agent } = await opened()
    disk.faults.push('reject-before')
    const answer = await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
    expect(answer).toMatchObject({ code: 'persistence_uncertain', operation: 'create', id: 'r-1' })
    expect(JSON.stringify(answer)).not.toContain('injected')
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 1, reminders: [{ id: 'r-1' }] })
    await vi.advanceTimersByTimeAsync(60_000)
    await until(() => delivered(agent).length === 1)
    await quiet(agent)
    const seqs = storedSeqs(host.root, 'one')
    expect(seqs).toEqual([...seqs.keys()])
  })

  it('S13 a series whose barrier fails is said in full, and stays a series', async () => {
    const { host, agent } = await opened()
    host.model.replies.push({ tool: 'schedule_create', args: { prompt: 'x', every_seconds: 300 } })
    const flush = host.ctx.sessions.flush.bind(host.ctx.sessions)
    let flushes = 0
    host.ctx.sessions.flush = (session) => (++flushes === 2 ? Promise.reject(new Error('disk')) : flush(session))
    await host.type(agent, 'every five minutes')
    const result = JSON.stringify(agent.session.events.findLast((event) => event.type === 'tool/result'))
    expect(result).toContain('persistence_uncertain')
    expect(foldAll(agent).series.get('r-1' as never)).toMatchObject({ rule: { everySeconds: 300 } })
  })

  it('S13 a delete whose barrier fails is uncertain and names its reminder, and a later list tells the truth', async () => {
    const { host, disk, agent } = await opened()
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
    disk.faults.push('reject-before')
    expect(await value(host, agent, 'schedule_delete', { id: 'r-1' })).toEqual({ deliveryMode: 'session-local', id: 'r-1', code: 'persistence_uncertain', message: expect.any(String), operation: 'delete' })
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 0 })
  })

  it('S12 a preflight that fails answers nothing from the log and appends nothing', async () => {
    const { host, disk, agent } = await opened()
    agent.session.append('turn/start', { turn: 99 }) // something is waiting to be written
    const before = agent.session.seq
    disk.faults.push('reject-before')
    expect(await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })).toMatchObject({ code: 'persistence_uncertain' })
    expect(agent.session.seq).toBe(before)
  })

  it('S26 a due reminder whose preflight fails stays active without a timer of its own, and the next idle delivers it', async () => {
    const { host, disk, agent } = await opened()
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
    await vi.advanceTimersByTimeAsync(59_900)
    agent.session.append('turn/start', { turn: 98 })
    agent.session.append('turn/end', { turn: 98, reason: { kind: 'completed' } })
    disk.faults.push('reject-before')
    await vi.advanceTimersByTimeAsync(150)
    await rested()
    await vi.advanceTimersByTimeAsync(600_000)
    await rested()
    expect(delivered(agent)).toEqual([])
    expect(foldAll(agent).active.size).toBe(1)
    await host.type(agent, 'anything')
    await until(() => delivered(agent).length === 1)
    expect(delivered(agent)[0]).toContain('persistence')
  })

  it('S23 a write that hangs holds the answer back until it is stored', async () => {
    const { host, disk, agent } = await opened()
    disk.faults.push('hang')
    let answered = false
    const answer = value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 }).finally(() => (answered = true))
    await until(() => changes(agent).length === 1)
    await rested()
    expect(answered).toBe(false)
    disk.release()
    expect(await answer).toMatchObject({ id: 'r-1', set: true })
  })

  it('S28 a dispatch barrier that fails takes nothing back: one delivery, now and after a restart', async () => {
    const { host, disk, agent } = await opened()
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
    disk.faults.push('reject-before')
    await vi.advanceTimersByTimeAsync(60_000)
    await until(() => delivered(agent).length === 1)
    await quiet(agent)
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 0 })
    const { host: second } = await faulty(host.root)
    const again = await second.resume('one')
    await quiet(again)
    expect(delivered(again)).toHaveLength(1)
    expect(foldAll(again).active.size).toBe(0)
  })
})

describe('limits of the published host (0.1.0-rc.8), each with what it means for reminders', () => {
  it('S24 a first write that fails before the disk is repeated by the next flush: nothing is lost or doubled', async () => {
    const { host, disk } = await faulty()
    const agent = await host.create('one')
    agent.session.append('turn/start', { turn: 1 })
    disk.faults.push('reject-before')
    expect(await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })).toMatchObject({ code: 'persistence_uncertain' })
    expect(await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })).toMatchObject({ set: true, id: 'r-1' })
    const seqs = storedSeqs(host.root, 'one')
    expect(seqs).toEqual([...seqs.keys()])
  })

  it('S24 a first write that fails after the disk stays failed for that live session: uncertain, not doubled, and a resume is sound', async () => {
    const { host, disk } = await faulty()
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId('one'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    agent.session.append('turn/start', { turn: 1 })
    disk.faults.push('reject-after')
    for (let n = 0; n < 3; n += 1) {
      expect(await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })).toMatchObject({ code: 'persistence_uncertain', message: expect.stringContaining('reopen the session') })
    }
    expect(changes(agent)).toEqual([])
    const seqs = storedSeqs(host.root, 'one')
    expect(seqs).toEqual([...seqs.keys()])
    await dispose().catch(() => undefined)
    const { host: second } = await faulty(host.root)
    const again = await second.resume('one')
    expect(await value(second, again, 'schedule_create', { prompt: 'x', after_seconds: 60 })).toMatchObject({ set: true })
  })

  it('S24 a backend that breaks its contract and reports a stored batch as failed makes the host write it twice', async () => {
    const { host, disk } = await faulty()
    const agent = await host.create('one')
    await host.type(agent, 'hello')
    await host.ctx.sessions.flush(agent.session)
    disk.faults.push('reject-after')
    expect(await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })).toMatchObject({ code: 'persistence_uncertain', id: 'r-1' })
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 1 })
    const seqs = storedSeqs(host.root, 'one')
    expect(seqs.length).toBeGreaterThan(new Set(seqs).size)
  })
})
