import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { faultyPersistence } from '../../packages/session-host/tests/faulty-persistence.ts'
import { delivered, foldAll, mountSchedule, quiet, SessionId, value, type Agent } from '../../packages/tool-schedule/tests/harness.ts'

type Host = Awaited<ReturnType<typeof mountSchedule>>
const START = Date.parse('2026-10-09T01:00:00.000Z')
const YEAR = 365 * 86_400_000
const OPTIONS = { provider: 'scripted', model: 'scripted' }

const hosts: Host[] = []
const roots: string[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START }))
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.dispose().catch(() => undefined) // logs are broken here on purpose
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
  vi.useRealTimers()
})

async function mount(root: string, disk = faultyPersistence()): Promise<Host> {
  const host = await mountSchedule({ root, persistence: disk.Persistence, checkpoints: false, breaksLogs: true })
  hosts.push(host)
  return host
}

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'timekeeper-degraded-'))
  roots.push(root)
  return root
}

function fileOf(root: string, id: string): string {
  const name = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((path) => path.includes(id) && path.endsWith('session.jsonl'))
  return join(root, name ?? '')
}

async function remind(host: Host, agent: Agent, prompt: string, seconds: number): Promise<void> {
  host.model.replies.push({ tool: 'schedule_create', args: { prompt, after_seconds: seconds } })
  await host.type(agent, 'please')
  await quiet(agent)
}

/** A home with two sessions, each with a reminder in ten minutes, whose host has gone. */
async function storedHome(): Promise<string> {
  const root = folder()
  const host = await mount(root)
  for (const id of ['one', 'two']) {
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId(id), agentOptions: OPTIONS, meta: { cwd: '/' } })
    await remind(host, agent, `in ${id}`, 600)
    await dispose()
  }
  return root
}

describe('a disk that is full or read-only', () => {
  it.each(['reject-before', 'partial'] as const)('X6 S13 a write that ends with %s is called uncertain, other sessions go on, and when there is room again nothing is lost or doubled', async (fault) => {
    const root = folder()
    const disk = faultyPersistence()
    const host = await mount(root, disk)
    const [one, two] = [await host.create('one'), await host.create('two')]
    await remind(host, one, 'before', 600)
    await remind(host, two, 'elsewhere', 600)
    await host.ctx.sessions.flush(one.session)
    const before = readFileSync(fileOf(root, 'one'))
    disk.faults.push(fault)
    const answer = await value(host, one, 'schedule_create', { prompt: 'meanwhile', after_seconds: 600 })
    expect(answer).toMatchObject({ code: 'persistence_uncertain', message: expect.any(String) })
    expect(readFileSync(fileOf(root, 'one')).subarray(0, before.length).equals(before)).toBe(true)
    await vi.advanceTimersByTimeAsync(600_000)
    for (const agent of [one, two]) await quiet(agent)
    expect(delivered(two)).toHaveLength(1)
    const texts = delivered(one).join('\n')
    expect([texts.includes('before'), texts.includes('meanwhile'), foldAll(one).active.size]).toEqual([true, true, 0])
  })
})

describe('a clock that is years off', () => {
  it.each([12, -12])('X6 S25 set by %i years and back, it delivers nothing early and nothing twice', async (years) => {
    const root = await storedHome()
    vi.setSystemTime(START + years * YEAR)
    const host = await mount(root)
    const agent = await host.resume('one')
    await vi.advanceTimersByTimeAsync(120_000)
    await quiet(agent)
    expect(delivered(agent)).toHaveLength(years > 0 ? 1 : 0)
    vi.setSystemTime(START + 700_000)
    await vi.advanceTimersByTimeAsync(120_000)
    await quiet(agent)
    expect(delivered(agent)).toHaveLength(1)
    expect(await value(host, agent, 'schedule_create', { prompt: 'after', after_seconds: 60 })).toMatchObject({ set: true })
    await vi.advanceTimersByTimeAsync(61_000)
    await quiet(agent)
    expect(delivered(agent)).toHaveLength(2)
  })
})

describe('a log that is cut', () => {
  it.each([0.2, 0.5, 0.8, 0.97])('X6 at %d of its length: its session opens with what is whole, the other one is delivered, and no byte of the rest is lost', async (share) => {
    const root = await storedHome()
    const file = fileOf(root, 'one')
    const bytes = readFileSync(file)
    const end = Math.floor(bytes.length * share)
    truncateSync(file, end)
    const whole = bytes.subarray(0, bytes.subarray(0, end).lastIndexOf(10) + 1)
    const host = await mount(root)
    const [one, two] = [await host.resume('one'), await host.resume('two')]
    const hadReminder = whole.includes('"operation":"create"')
    await vi.advanceTimersByTimeAsync(601_000)
    for (const agent of [one, two]) await quiet(agent)
    await host.ctx.sessions.flush(one.session)
    expect(delivered(two)).toHaveLength(1)
    expect(delivered(one)).toHaveLength(hadReminder ? 1 : 0)
    expect(readFileSync(file).subarray(0, whole.length).equals(whole)).toBe(true)
  })

  it('X6 S8 one bad record: the tools name its event and its rule, the file keeps it, and the other session is delivered', async () => {
    const root = await storedHome()
    const file = fileOf(root, 'one')
    copyFileSync(file, join(dirname(file), 'kept'))
    const bad = readFileSync(file, 'utf8').replace('"operation":"create"', '"operation":"crate"')
    writeFileSync(file, bad)
    const host = await mount(root)
    const [one, two] = [await host.resume('one'), await host.resume('two')]
    const answer = await value(host, one, 'schedule_list', {})
    expect(answer).toMatchObject({ code: 'corrupt_schedule_log', detail: expect.stringMatching(/^Event \d+: operation is not create, delete or dispatch\.$/) })
    await vi.advanceTimersByTimeAsync(601_000)
    for (const agent of [one, two]) await quiet(agent)
    expect([delivered(one).length, delivered(two).length]).toEqual([0, 1])
    expect(readFileSync(file, 'utf8').startsWith(bad)).toBe(true)
  })
})
