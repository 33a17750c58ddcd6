import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { fakeClock, mountPeople } from '../../../tool-schedule/tests/people/desk-host.ts'
import type { Config } from '../../src/config.ts'
import * as plugin from '../../src/index.ts'
import type { Agent } from '../harness.ts'

/** The real host with its commands, the reminders and the clock: as people have them. */
export interface CommandHost extends Awaited<ReturnType<typeof mountPeople>> {
  /** The plugin again, as the host mounts it anew. */
  remount(): Promise<void>
  unmount(): Promise<void>
}

/** A home under a clock that moves only when told: nine in the morning of a Friday in Shanghai. */
export function useHome() {
  let home = ''
  const hosts: CommandHost[] = []
  beforeEach(() => {
    fakeClock()
    home = mkdtempSync(join(tmpdir(), 'timekeeper-people-'))
  })
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.dispose()
    vi.useRealTimers()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    async mount(config: Partial<Config> = {}): Promise<CommandHost> {
      const host = await mountPeople({ web: false, root: join(home, 'sessions') })
      const row = { defaultMode: 'off', pendingPath: join(home, 'wake.sqlite'), ...config } as Config
      let unmount = async (): Promise<void> => undefined
      const remount = async (): Promise<void> => {
        const fiber = await host.ctx.plugin(plugin, row)
        unmount = () => fiber.dispose()
      }
      await remount()
      hosts.push({ ...host, remount, unmount: () => unmount() })
      return hosts.at(-1)!
    },
    /** The process ends, and another begins over the same files. */
    async end(host: CommandHost): Promise<void> {
      hosts.splice(hosts.indexOf(host), 1)
      await host.dispose()
    },
  }
}

interface Said {
  readonly text: string
  readonly source: Readonly<Record<string, unknown>>
}

/** Messages of the clock that were queued, whatever became of them. */
export function queued({ session }: Pick<Agent, 'session'>): Said[] {
  return session.events.flatMap((event) => (event.type === 'agent/inbox/spliced' ? event.data.inserted.flatMap(said) : []))
}

function said({ content, source }: { readonly content: readonly unknown[]; readonly source: unknown }): Said[] {
  const text = content.map((block) => (block as { readonly text?: string }).text ?? '').join('')
  return (source as { kind?: unknown }).kind === 'dsh-time-reminder' ? [{ text, source: source as Said['source'] }] : []
}
