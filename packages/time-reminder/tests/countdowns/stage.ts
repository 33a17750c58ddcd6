import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Config } from '../../src/config.ts'
import { firedMarks } from '../../src/countdowns/protocol.ts'
import { provideTypert } from '../../../session-host/tests/wake-index/world.ts'
import { HOUR, mountClock, THURSDAY, value, type Agent, type ClockHost, type SessionEvent } from '../harness.ts'

/** 11:50 in Shanghai. */
export const START = THURSDAY - 12 * HOUR

export interface CountdownHost extends ClockHost {
  /** Sessions that were asked for to be brought back. */
  readonly resolved: string[]
  /** Let the model of a session call `time_countdown`, so that the call and its result are in the log. */
  countdown(agent: Agent, args: Record<string, unknown>): Promise<Record<string, unknown>>
}

/** How a host brings sessions back: it resumes them, refuses with a code of 0.1.0-rc.8, or cannot. */
export type Resolver = 'resume' | 'none' | { readonly refuse: string }

/** A home under a clock that moves only when told. Everything that a test mounts goes with it. */
export function useHome() {
  let home = ''
  const hosts: ClockHost[] = []
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START })
    home = mkdtempSync(join(tmpdir(), 'timekeeper-countdowns-'))
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.dispose()
    vi.useRealTimers()
    vi.restoreAllMocks()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    get path() {
      return join(home, 'wake.sqlite')
    },
    async mount(config: Partial<Config> = {}, { resolver = 'resume', persistence = true }: { resolver?: Resolver; persistence?: boolean } = {}): Promise<CountdownHost> {
      const host = await mountClock({ ...(persistence ? { root: join(home, 'sessions') } : { persistence }), config: { defaultMode: 'off', pendingPath: join(home, 'wake.sqlite'), ...config } })
      hosts.push(host)
      const resolved: string[] = []
      if (resolver !== 'none') provide(host, resolver, resolved)
      return {
        ...host,
        resolved,
        async countdown(agent, args) {
          host.model.replies.push({ tool: 'time_countdown', args }, { text: 'ok' })
          await host.type(agent, 'go on')
          const result = agent.session.events.findLast((event) => event.type === 'tool/result')
          return JSON.parse(textOf(result)) as Record<string, unknown>
        },
        async dispose() {
          const at = hosts.indexOf(host)
          if (at >= 0) hosts.splice(at, 1)
          await host.dispose()
        },
      }
    },
  }
}

function provide(host: ClockHost, resolver: Exclude<Resolver, 'none'>, resolved: string[]): void {
  const resolve = async (id: string): Promise<Agent> => {
    resolved.push(id)
    if (resolver === 'resume') return host.resume(id)
    throw Object.assign(new Error('refused'), { failure: { code: resolver.refuse } })
  }
  provideTypert(host, { get: () => ({ resolve }) })
}

/** A turn of the event loop in which real disk work may come to its end. */
async function breath(): Promise<void> {
  for (const end = performance.now() + 20; performance.now() < end; ) await new Promise((resolve) => setImmediate(resolve))
}

/** Time passes in small steps, and what runs in the background comes to rest in each. */
export async function pass(ms: number, ...agents: readonly Agent[]): Promise<void> {
  const step = Math.max(5000, ms / 10)
  for (let left = ms; left >= 0; left -= step) {
    await vi.advanceTimersByTimeAsync(Math.min(left, step))
    await breath()
    for (const agent of agents) await agent.whenIdle()
  }
  await breath()
}

/**
 * The notices of a session once there are so many, and no more have come for a while. Real disk work takes as long as it
 * takes: this gives up after 5 s of real time, and shows what there is by then.
 */
export async function rings(session: Pick<Agent, 'session'> | (() => Agent | undefined), count = 1, read = rung): Promise<Rung[]> {
  const now = (): Rung[] => {
    const found = typeof session === 'function' ? session() : session
    return found === undefined ? [] : read(found)
  }
  for (const end = performance.now() + 5000; now().length < count && performance.now() < end; ) await new Promise((resolve) => setImmediate(resolve))
  await breath()
  return now()
}

/** The clock jumps while no timer runs: the machine sleeps. */
export function sleep(ms: number): void {
  vi.setSystemTime(Date.now() + ms)
}

/** One notice of a countdown in a log. */
export interface Rung {
  readonly names: readonly string[]
  readonly at: number
  readonly lines: readonly string[]
}

type Message = { readonly content: readonly unknown[]; readonly source: unknown }

/** Notices that entered the conversation. */
export function rung({ session }: Pick<Agent, 'session'>): Rung[] {
  return session.events.flatMap((event) => (event.type === 'user/message' ? rungOf(event.data, event.time) : []))
}

/** Notices that were queued, whatever became of them. */
export function queued({ session }: Pick<Agent, 'session'>): Rung[] {
  return session.events.flatMap((event) => (event.type === 'agent/inbox/spliced' ? event.data.inserted.flatMap((message) => rungOf(message, event.time)) : []))
}

function rungOf({ content, source }: Message, at: number): Rung[] {
  const names = firedMarks(source).map(({ name }) => name)
  const lines = content.map((block) => (block as { text?: string }).text ?? '').join('').split('\n')
  return names.length === 0 ? [] : [{ names, at, lines }]
}

function textOf(event: SessionEvent | undefined): string {
  const { message } = event?.data as { message: { content: readonly { content: readonly { text?: string }[] }[] } }
  return message.content.flatMap(({ content }) => content.map(({ text = '' }) => text)).join('')
}

/** What a session lists. */
export async function listed(host: ClockHost, agent: Agent, includeFired = false): Promise<{ pending: string[]; fired: string[] }> {
  const list = await value(host, agent, 'time_countdown', { action: 'list', includeFired })
  const names = (rows: unknown): string[] => ((rows ?? []) as { name: string }[]).map(({ name }) => name)
  return { pending: names(list['pending']), fired: names(list['fired']) }
}
