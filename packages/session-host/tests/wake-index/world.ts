import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { openSqliteStore } from '../../src/wake-index/sqlite-store.ts'
import type { WakeStore } from '../../src/wake-index/store.ts'
import { mountHost, SessionId, type Agent, type HostOptions, type TestHost } from '../harness.ts'
import { mountEggs, type EggPlugin } from './egg.ts'

/** A host of a home with the egg timer plugin, and the sessions that this test opened in it. */
export interface EggHost extends TestHost {
  readonly eggs: EggPlugin
  open(id: string, more?: { meta?: Record<string, unknown> }): Promise<Agent>
  close(id: string): Promise<void>
  /** Sessions that were asked for to be brought back. */
  readonly resolved: string[]
}

/** How a host brings sessions back: it resumes them, refuses with a code of 0.1.0-rc.8, or cannot. */
export type Resolver = 'resume' | 'none' | { refuse: string } | { wait: Promise<unknown> }

export const START = Date.parse('2026-11-30T08:00:00.000Z')
export const MINUTE = 60_000

/** A home on disk under a clock that moves only when told. Everything that a test mounts goes with it. */
export function useHome() {
  let home = ''
  const hosts: TestHost[] = []
  const stores: WakeStore[] = []
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START })
    home = mkdtempSync(join(tmpdir(), 'timekeeper-home-'))
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.dispose()
    for (const store of stores.splice(0)) store.close()
    vi.useRealTimers()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    get directory() {
      return home
    },
    get path() {
      return join(home, 'wake.sqlite')
    },
    get logs() {
      return join(home, 'sessions')
    },
    files: () => readdirSync(home),
    /** The index file, as another host sees it. */
    store(): WakeStore {
      const store = openSqliteStore(this.path, Date.now(), 50)
      stores.push(store)
      return store
    },
    async mount(resolver: Resolver = 'resume', options: HostOptions = {}): Promise<EggHost> {
      const host = await mountHost({ root: this.logs, ...options })
      hosts.push(host)
      const resolved: string[] = []
      if (resolver !== 'none') provideResolver(host, resolver, resolved)
      const eggs = await mountEggs(host.ctx, { path: this.path })
      const handles = new Map<string, { dispose(): unknown }>()
      return {
        ...host,
        eggs,
        resolved,
        async open(id, more = {}) {
          const handle = await host.ctx.agents.create({ sessionId: SessionId(id), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/', ...more.meta } })
          handles.set(id, handle)
          return handle.agent
        },
        async close(id) {
          await handles.get(id)?.dispose()
        },
        async dispose() {
          const at = hosts.indexOf(host)
          if (at >= 0) hosts.splice(at, 1)
          await host.dispose()
        },
      }
    },
    /** Time passes in small steps, and what runs in the background ends in each. */
    async pass(ms: number, ...where: readonly EggHost[]): Promise<void> {
      for (let left = ms; left >= 0; left -= 5000) {
        await vi.advanceTimersByTimeAsync(Math.min(left, 5000))
        for (const { eggs } of where) {
          await eggs.index.settled()
          await vi.advanceTimersByTimeAsync(0)
          await eggs.settled()
        }
      }
    },
  }
}

export function provideResolver(host: TestHost, resolver: Exclude<Resolver, 'none'>, resolved: string[]): void {
  const resolve = async (id: string): Promise<Agent> => {
    resolved.push(id)
    if (resolver === 'resume') return host.resume(id)
    if ('wait' in resolver) return resolver.wait.then(() => host.resume(id))
    throw Object.assign(new Error('refused'), { failure: { code: resolver.refuse } })
  }
  provideTypert(host, { get: () => ({ resolve }) })
}

/** The registry of 0.1.0-rc.8; the host's own packages register things in it. */
export function provideTypert(host: TestHost, lookups: Readonly<Record<string, unknown>>): void {
  const register = () => () => undefined
  host.ctx.root.provide('typert', { lookups: { register, ...lookups }, contexts: { registerHost: register } })
}
