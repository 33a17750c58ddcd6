import { randomUUID } from 'node:crypto'
import { parseJson } from './json.ts'

/** What the host answered instead of a value. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/** A part of a message: text, a call of a tool, or a tool's result, which holds parts of its own. */
export interface Block {
  readonly type: string
  readonly text?: string
  readonly toolCallId?: string
  readonly content?: readonly Block[]
}

/** What was said, and who says that it was. */
export interface Message {
  readonly content: readonly Block[]
  readonly source: Readonly<Record<string, unknown>>
}

/** One event of a session log, as the wire and the file carry it. */
export interface LogEvent {
  readonly type: string
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  /** The data of a `user/message` is the message itself. */
  readonly data: Readonly<Record<string, unknown>> & Partial<Message> & {
    /** On `assistant/message` and `tool/result`. */
    readonly message?: Message
    /** On `tool/call`, as `callId` is. */
    readonly name?: string
    readonly callId?: string
  }
}

/** One row of the session list, as far as it is read here. */
export interface SessionRow {
  readonly sessionId: string
  readonly running: boolean
  readonly parentSessionId?: string
}

/** How a prompt is sent. */
export interface PromptOptions {
  /** The IANA zone that a browser would tell; none when absent. */
  readonly zone?: string
  /** `queue` waits for its own turn, `steer` joins the running one. */
  readonly mode?: 'queue' | 'steer'
}

/** The host's HTTP interface, seen from a process on the same machine. Every call throws RpcError on a refusal. */
export interface DshClient {
  /**
   * @param method the method, for the host's own interface `session.create` and the like
   * @param payload its argument
   * @param channel the path that it is served under; plugins have their own
   */
  readonly call: <T>(method: string, payload: unknown, channel?: string) => Promise<T>
  /** Makes a session with its agent, working in an existing folder; resolves with its id. */
  readonly createSession: (cwd: string) => Promise<string>
  /** Resolves when the message is accepted: its turn runs afterwards. */
  readonly prompt: (sessionId: string, text: string, options?: PromptOptions) => Promise<void>
  /** All events of a session, live or cold. Does not resume it. */
  readonly history: (sessionId: string) => Promise<readonly LogEvent[]>
  /** Resumes a cold session as opening it in the page does; resolves with the model that answers in it. */
  readonly open: (sessionId: string) => Promise<{ readonly provider: string; readonly model: string }>
  /** Forks after the turn that holds the event `atSeq`, or after the last completed turn; resolves with the child's id. */
  readonly fork: (sessionId: string, atSeq?: number) => Promise<string>
  readonly sessions: () => Promise<readonly SessionRow[]>
  /** Runs a slash command as the page does: it is logged, and the model is not asked. */
  readonly command: (sessionId: string, line: string) => Promise<{ readonly kind: string; readonly text?: string }>
}

type Answer<T> = { ok: true; value: T } | { ok: false; error: { code: string; message: string } }

const caller = (url: string): DshClient['call'] =>
  async <T>(method: string, payload: unknown, channel = '/api'): Promise<T> => {
    const body = JSON.stringify({ type: 'client-request', rpcId: randomUUID(), method, payload })
    const response = await fetch(`${url}${channel}/${method}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = await response.text()
    if (!response.ok) throw new RpcError(`http-${response.status}`, text.slice(0, 500))
    const { result } = parseJson<{ result: Answer<T> }>(text)
    if (!result.ok) throw new RpcError(result.error.code, result.error.message)
    return result.value
  }

type Page = { readonly events: readonly { readonly event: LogEvent }[]; readonly hasMore: boolean }

/**
 * @param url where a host serves, without a slash at the end
 * @returns its interface
 */
export const connect = (url: string): DshClient => {
  const call = caller(url)

  const history: DshClient['history'] = async sessionId => {
    const events: LogEvent[] = []
    for (let more = true; more; ) {
      const page = await call<Page>('session.history', { sessionId, ...(events[0] === undefined ? {} : { beforeSeq: events[0].seq }) })
      events.unshift(...page.events.map(({ event }) => event))
      more = page.hasMore && page.events.length > 0
    }
    return events
  }

  return {
    call,
    history,
    createSession: async cwd => (await call<{ sessionId: string }>('session.create', { cwd })).sessionId,
    prompt: async (sessionId, text, { zone, mode = 'queue' } = {}) => {
      const content = [{ type: 'text', text }]
      await call('session.prompt', { sessionId, mode, content, ...(zone === undefined ? {} : { clientTimeZone: zone }) })
    },
    open: async sessionId => (await call<{ current: { provider: string; model: string } }>('session.models', { sessionId })).current,
    fork: async (sessionId, atSeq) =>
      (await call<{ sessionId: string }>('session.fork', { sessionId, ...(atSeq === undefined ? {} : { atSeq }) })).sessionId,
    sessions: async () => (await call<{ items: readonly SessionRow[] }>('session.list', {})).items,
    command: async (sessionId, line) => {
      const done = await call<{ result: { kind: string; text?: string } }>('commands/execute', { args: { agentId: sessionId, line, images: [] } })
      return done.result
    },
  }
}
