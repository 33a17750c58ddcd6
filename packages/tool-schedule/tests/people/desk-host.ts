import { get, request as ask } from 'node:http'
import * as connection from '@deepseek-ai/dsh-client-connection'
import CommandRuntime from '@deepseek-ai/dsh-commands'
import WebServer from '@deepseek-ai/dsh-host-webserver'
import { vi } from 'vitest'
import type { HostOptions } from '../../../session-host/tests/harness.ts'
import type { Config } from '../../src/config.ts'
import type { Answer, Change, PendingReminder, Preview, ReminderState, WireRefusal } from '../../src/people/wire.ts'
import { mountSchedule, type Agent } from '../harness.ts'

/** A Friday, nine in the morning in Shanghai. */
export const FRIDAY = Date.parse('2026-10-09T01:00:00.000Z')

export interface Reply {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

export type PeopleHost = Awaited<ReturnType<typeof mountPeople>>

/** The real host with reminders, commands, web server and page channel, on a free port. */
export async function mountPeople(options: HostOptions & { config?: Partial<Config>; web?: boolean } = {}) {
  const host = await mountSchedule(options)
  await host.ctx.plugin(CommandRuntime)
  if (options.web !== false) {
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    await host.ctx.plugin(connection as never, { trustedHosts: ['trusted.example'] } as never)
  }
  const port = (): number => host.ctx.get('webServer')!.port

  const post = async (endpoint: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port()}/dsh-reminders/${endpoint}`, { method: 'POST', headers: { 'content-type': 'application/json', connection: 'close', ...headers }, body: JSON.stringify(body) })

  const rpc = async (endpoint: string, payload: unknown): Promise<unknown> => {
    const response = await post(endpoint, { type: 'client-request', rpcId: 'x', method: endpoint, payload })
    const { result } = (await response.json()) as { result: { ok: boolean; value?: unknown; error?: unknown } }
    return result.ok ? result.value : result.error
  }
  return {
    ...host,
    post,
    rpc,
    /** The change that an endpoint made. */
    async change(endpoint: string, payload: unknown): Promise<Change> {
      return done((await rpc(endpoint, payload)) as Answer<Change>)
    },
    async preview(payload: unknown): Promise<Preview> {
      return done((await rpc('preview', payload)) as Answer<Preview>)
    },
    async state(sessionId = 'one', more: object = {}): Promise<ReminderState> {
      return done((await rpc('state', { sessionId, ...more })) as Answer<ReminderState>)
    },
    async refusal(endpoint: string, payload: unknown): Promise<WireRefusal> {
      const answer = (await rpc(endpoint, payload)) as Answer<object>
      if (answer.outcome === 'refused') return answer.refusal
      throw new Error(`not refused: ${JSON.stringify(answer)}`)
    },
    async command(agent: Agent, line: string): Promise<{ readonly kind: string; readonly text: string }> {
      const execution = await host.ctx.get('commands')!.execute(agent, line, [], new AbortController().signal)
      return execution?.result as { kind: string; text: string }
    },
    get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
      return new Promise((resolve, reject) => {
        const request = get({ host: '127.0.0.1', port: port(), path, headers: { host: `localhost:${port()}`, ...headers }, agent: false }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }))
        })
        request.on('error', reject)
      })
    },
    /** The status of a call under another name of this host, which is out of reach of fetch. */
    statusUnder(name: string, endpoint: string, payload: unknown): Promise<number> {
      return new Promise((resolve, reject) => {
        const headers = { host: `${name}:${port()}`, 'content-type': 'application/json' }
        const request = ask({ host: '127.0.0.1', port: port(), path: `/dsh-reminders/${endpoint}`, method: 'POST', headers, agent: false }, (response) => resolve(response.resume().statusCode ?? 0))
        request.on('error', reject)
        request.end(JSON.stringify({ type: 'client-request', rpcId: 'x', method: endpoint, payload }))
      })
    },
    /** An open event stream: its lines so far, and how to leave it. */
    stream(path: string): { readonly lines: string[]; readonly ended: () => boolean; close(): void } {
      const lines: string[] = []
      let ended = false
      const request = get({ host: '127.0.0.1', port: port(), path, headers: { host: `localhost:${port()}` }, agent: false }, (response) => {
        response.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter((line) => line !== '')))
        response.on('close', () => (ended = true))
      })
      request.on('error', () => (ended = true))
      return { lines, ended: () => ended, close: () => request.destroy() }
    },
  }
}

function done<T>(answer: Answer<T>): { readonly outcome: 'done' } & T {
  if (answer.outcome === 'done') return answer
  throw new Error(`refused: ${JSON.stringify(answer.refusal)}`)
}

/** Fake the clock, but not the disk's and the network's own callbacks. */
export function fakeClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: FRIDAY })
}

/** What the model was told of changes by people, as the JSON of each line. */
export function told(agent: Agent): Record<string, unknown>[] {
  return notices(agent).map((text) => JSON.parse(text.split('change_json: ')[1]!) as Record<string, unknown>)
}

/** The texts of our notices that entered the inbox, in order. */
export function notices(agent: Agent): string[] {
  return agent.session.events.flatMap((event) =>
    event.type === 'agent/inbox/spliced' ? event.data.inserted.flatMap(({ content }) => content.flatMap((block) => ('text' in block && block.text.startsWith('[SCHEDULE CHANGE]') ? [block.text] : []))) : [],
  )
}

export async function only(host: PeopleHost, sessionId = 'one'): Promise<PendingReminder> {
  const { pending } = await host.state(sessionId)
  if (pending.length !== 1) throw new Error(`${pending.length} pending`)
  return pending[0]!
}
