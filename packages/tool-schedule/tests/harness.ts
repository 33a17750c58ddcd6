import * as plugin from '../src/index.ts'
import type { Config } from '../src/config.ts'
import { LedgerFold } from '../src/fold.ts'
import { ownStart } from 'dsh-session-host'
import { CallId, mountHost, type Agent, type HostOptions, type SessionEvent, type TestHost } from '../../session-host/tests/harness.ts'

export { createUserMessage, eventTypes, SessionId, type Agent, type Session, type SessionEvent, type TestHost, type UserMessage } from '../../session-host/tests/harness.ts'

/** The index is off unless a test is about it: it would lie in the home of whoever runs the tests. */
export const QUIET_CONFIG: Config = { activate: 'always', toolNames: 'auto', maxUnanswered: 10, maxUnattendedChain: 50, wakeIndex: false, wakeIndexPath: '' }

/** The real host with the reminders plugin; `activate: always`, because this host has no page. */
export async function mountSchedule(options: HostOptions & { config?: Partial<Config> } = {}): Promise<TestHost & { unload(): Promise<void> }> {
  const host = await mountHost(options)
  const fiber = await host.ctx.plugin(plugin, { ...QUIET_CONFIG, ...options.config })
  return { ...host, unload: () => fiber.dispose() }
}

/** Wait for a fact. Timers may be faked: this gives way to real input and output only, and gives up after 5 s. */
export async function until<T>(probe: () => T | undefined | false, what = 'the fact'): Promise<T> {
  const end = performance.now() + 5000
  for (;;) {
    const found = probe()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Let everything that runs come to rest. A list waits in the session's queue behind whatever the owner is doing and asks
 * it to look again, so when two lists in a row find an idle agent and an unchanged log, nothing is under way. Where the
 * tools are gone, a while of real disk time has to do.
 */
export async function quiet(agent: Agent): Promise<void> {
  const tools = agent.ctx.get('tools')
  const list = { signal: new AbortController().signal, callId: CallId('quiet'), name: 'schedule_list', arguments: {}, agent }
  for (let [seq, calm] = [-1, 0]; calm < 2; ) {
    await agent.whenIdle()
    const result = await tools?.execute(list)
    if (result?.isError !== false) await rested()
    await agent.whenIdle()
    calm = agent.session.seq === seq ? calm + 1 : 0
    seq = agent.session.seq
  }
}

/** A while of real disk time, in which a barrier that waits for the disk is passed. */
export async function rested(): Promise<void> {
  const end = performance.now() + 50
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve))
}

/** The value of a tool call. */
export async function value(host: TestHost, agent: Agent, name: string, args: unknown): Promise<Record<string, unknown>> {
  const result = await host.call(agent, name, args)
  if (result.isError) throw new Error(`${name}: ${result.error.message}`)
  return result.value as Record<string, unknown>
}

/** The `schedule/change` events of a session. */
export function changes(agent: Agent): Record<string, unknown>[] {
  return agent.session.events.filter((event) => (event.type as string) === 'schedule/change').map((event) => event.data as Record<string, unknown>)
}

/** The texts of our messages that entered the conversation. */
export function delivered(agent: Agent): string[] {
  return agent.session.events.flatMap((event) =>
    event.type === 'user/message' && (event.data.source as { kind: string }).kind === 'dsh-tool-schedule' ? [textOf(event)] : [],
  )
}

function textOf(event: SessionEvent): string {
  const { content } = event.data as { content: readonly { text?: string }[] }
  return content.map((block) => block.text ?? '').join('')
}

/** What the log of a session says, folded from nothing. */
export function foldAll(agent: Pick<Agent, 'session'>): LedgerFold {
  const ledger = new LedgerFold()
  for (const event of agent.session.events.slice(ownStart(agent.session))) ledger.apply(event)
  return ledger
}
