import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { foldNextWake } from '../src/owed.ts'
import { delivered, foldAll, mountSchedule, quiet, SessionId, until, value, type Agent } from './harness.ts'

type Host = Awaited<ReturnType<typeof mountSchedule>>
const START = Date.parse('2026-10-09T01:00:00.000Z')
let hosts: Host[] = []
const roots: string[] = []

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START }))
afterEach(async () => {
  for (const host of hosts) await host.dispose()
  hosts = []
  for (const root of roots.splice(0)) rmSync(root, { recursive: true })
  vi.useRealTimers()
})

/** A host of a home, with what brings cold sessions back in a web profile of 0.1.0-rc.8. */
async function open(root: string): Promise<Host & { readonly woken: string[] }> {
  const woken: string[] = []
  const host = await mountSchedule({ root, config: { wakeIndex: true, wakeIndexPath: join(root, 'wake.sqlite') } })
  const resolve = async (id: string): Promise<Agent> => {
    woken.push(id)
    return host.resume(id)
  }
  host.ctx.root.provide('typert' as never, { lookups: { get: () => ({ resolve }) } } as never)
  hosts.push(host)
  return { ...host, woken }
}

async function homeWith(args: Record<string, unknown>): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'timekeeper-wake-'))
  roots.push(root)
  const first = await open(root)
  const { agent, dispose } = await first.ctx.agents.create({ sessionId: SessionId('one'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
  first.model.replies.push({ tool: 'schedule_create', args })
  await first.type(agent, 'please')
  await quiet(agent)
  await dispose()
  await first.dispose()
  hosts = hosts.filter((host) => host.ctx !== first.ctx)
  return root
}

describe('a reminder that asks for it', () => {
  it('T9 opens its own closed session on time, and is delivered once', async () => {
    const root = await homeWith({ prompt: 'deploy', after_seconds: 600, wake: true })
    const host = await open(root)
    await vi.advanceTimersByTimeAsync(599_000)
    expect(host.ctx.agents.list()).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    const agent = await until(() => host.ctx.agents.list()[0], 'the session to be opened')
    await until(() => delivered(agent).length === 1)
    await quiet(agent)
    expect(host.woken).toEqual(['one'])
    expect(foldAll(agent).active.size).toBe(0)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(delivered(agent)).toHaveLength(1)
  })

  it('T9 R18 what came due while the host was down is delivered at its start, late and with the reason', async () => {
    const root = await homeWith({ prompt: 'deploy', after_seconds: 600, wake: true })
    vi.setSystemTime(START + 3_600_000)
    const host = await open(root)
    await vi.advanceTimersByTimeAsync(1000)
    const agent = await until(() => host.ctx.agents.list()[0], 'the session to be opened')
    await until(() => delivered(agent).length === 1)
    expect(delivered(agent)[0]).toContain('host-down')
  })

  it('T9 by default a reminder stays session-local: its closed session is left alone', async () => {
    const root = await homeWith({ prompt: 'deploy', after_seconds: 600 })
    vi.setSystemTime(START + 3_600_000)
    const host = await open(root)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(host.woken).toEqual([])
  })
})

it('R20 B38 of two hosts that have a session, one delivers; the other does when the first has let go', async () => {
  const home = mkdtempSync(join(tmpdir(), 'timekeeper-wake-'))
  roots.push(home)
  const mount = async (): Promise<Host> => {
    const host = await mountSchedule({ config: { wakeIndex: true, wakeIndexPath: join(home, 'wake.sqlite') } })
    hosts.push(host)
    return host
  }
  const [first, second] = [await mount(), await mount()]
  const { agent: holder, dispose } = await first.ctx.agents.create({ sessionId: SessionId('one'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
  await value(first, holder, 'schedule_create', { prompt: 'x', after_seconds: 10 })
  await vi.advanceTimersByTimeAsync(10_000)
  await until(() => delivered(holder).length === 1)
  const other = await second.create('one')
  await value(second, other, 'schedule_create', { prompt: 'y', after_seconds: 10 })
  await vi.advanceTimersByTimeAsync(30_000)
  await quiet(other)
  expect(delivered(other)).toEqual([])
  await dispose()
  await vi.advanceTimersByTimeAsync(300_000)
  await until(() => delivered(other).length === 1)
})

it('T9 T8 a paused series, a corrupt log and a fork\'s inherited part ask for nothing', async () => {
  const host = await mountSchedule({})
  hosts.push(host)
  const agent = await host.create('one')
  host.model.replies.push({ tool: 'schedule_create', args: { prompt: 'x', every_seconds: 300, wake: true } })
  await host.type(agent, 'please')
  host.model.replies.push({ tool: 'schedule_create', args: { prompt: 'later', after_seconds: 9000, wake: true } })
  await host.type(agent, 'please')
  const { events, header } = agent.session
  const policy = { maxUnanswered: 10 }
  expect(foldNextWake(events, header, policy)).toBe(START + 300_000)
  expect(foldNextWake(events, header, { maxUnanswered: 0 })).toBe(START + 9_000_000)
  expect(foldNextWake(events, { ...header, seedLength: events.length }, policy)).toBeUndefined()
  await value(host, agent, 'schedule_delete', { id: 'r-2' })
  const corrupt = { ...events.at(-1)!, type: 'schedule/change', data: { version: 2 } }
  expect(foldNextWake([...events, corrupt as never], header, policy)).toBeUndefined()
})
