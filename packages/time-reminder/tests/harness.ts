import { join } from 'node:path'
import * as plugin from '../src/index.ts'
import type { Config } from '../src/config.ts'
import { SOURCE_KIND } from '../src/protocol.ts'
import { isReading } from 'dsh-session-host'
import { mountHost, type Agent, type HostOptions, type Session, type SessionEvent, type TestHost } from '../../session-host/tests/harness.ts'

export { createUserMessage, SessionId, type Agent, type Session, type SessionEvent, type TestHost } from '../../session-host/tests/harness.ts'

/** 2026-10-08T23:50:00+08:00, a Thursday night in Shanghai. */
export const THURSDAY = Date.parse('2026-10-08T15:50:00Z')

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export interface ClockHost extends TestHost {
  unload(): Promise<void>
  /** Mount the clock again, as the host does when a row's config was edited. */
  mount(config?: Partial<Config>): Promise<void>
}

/** The real host with the clock. A tool `noop` is there, so that turns can have more than one step. */
export async function mountClock(options: HostOptions & { config?: Partial<Config> } = {}): Promise<ClockHost> {
  const host = await mountHost(options)
  host.ctx.get('tools')!.register({
    name: 'noop',
    description: '',
    parameters: { type: 'object', properties: {} },
    output: { schema: { type: 'object', additionalProperties: true, properties: {} }, render: () => [{ type: 'text', text: 'done' }] },
    execute: async () => ({}),
  } as never)
  let unload = async (): Promise<void> => undefined
  const mount = async (config: Partial<Config> = {}): Promise<void> => {
    const fiber = await host.ctx.plugin(plugin, { pendingPath: join(host.root, 'wake.sqlite'), ...config } as Config)
    unload = () => fiber.dispose()
  }
  await mount(options.config).catch(async (error: unknown) => {
    await host.dispose()
    throw error
  })
  return { ...host, mount, unload: () => unload() }
}

/** One message of ours in a log. */
export interface Ours {
  readonly seq: number
  readonly time: number
  readonly text: string
  readonly lines: readonly string[]
  readonly source: Readonly<Record<string, unknown>>
}

/** Our messages that entered the conversation. */
export function ours(session: Pick<Session, 'events'>): Ours[] {
  return session.events.flatMap((event) => (event.type === 'user/message' && (event.data.source as { kind: string }).kind === SOURCE_KIND ? [asOurs(event)] : []))
}

/** Our readings among them. */
export function readings(agent: Pick<Agent, 'session'>): Ours[] {
  return ours(agent.session).filter(({ source }) => isReading(source))
}

/** Why each reading was made. */
export function reasons(agent: Pick<Agent, 'session'>): unknown[] {
  return readings(agent).map(({ source }) => source['why'])
}

/** The turn and the step that each reading was made for, as `turn.step`. */
export function places(agent: Pick<Agent, 'session'>): string[] {
  return readings(agent).map(({ text }) => /turn (\d+), step (\d+):/.exec(text)?.slice(1).join('.') ?? '')
}

function asOurs(event: Extract<SessionEvent, { type: 'user/message' }>): Ours {
  const text = event.data.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return { seq: event.seq, time: event.time, text, lines: text.split('\n'), source: event.data.source as never }
}

/** Let a turn have `count` steps: all but the last call a tool. */
export function steps(host: TestHost, count: number): void {
  host.model.replies.push(...Array.from({ length: count - 1 }, () => ({ tool: 'noop', args: {} })), { text: 'ok' })
}

/** The value of a tool call. */
export async function value(host: TestHost, agent: Agent, name: string, args: unknown): Promise<Record<string, unknown>> {
  const result = await host.call(agent, name, args)
  if (result.isError) throw new Error(`${name}: ${result.error.message}`)
  return result.value as Record<string, unknown>
}
