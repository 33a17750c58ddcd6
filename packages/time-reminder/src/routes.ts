import { languageIn, type Language } from 'dsh-time-core'
import type { IncomingMessage } from 'node:http'
import type { Context } from '@deepseek-ai/cordis'
import type { HostConnectionHandle } from '@deepseek-ai/dsh-client-connection'
import type { WebRoute } from '@deepseek-ai/dsh-host-webserver'
import { fencedRoute, type JsonAnswer, type JsonRoute } from 'dsh-session-host'
import type { ClockView, Desk } from './desk.ts'
import { isRefusal, type Refusal, type RefusalCode } from './errors.ts'
import { parseSessionId, parseSwitch } from './input.ts'
import { sayRefusal } from './people/refusals.ts'

/** The page's channel. The two documented routes lie below it; the host tries exact paths first. */
const CHANNEL = '/time-reminder'

/** Whatever else is refused is the fault of the request. */
const STATUS: Readonly<Partial<Record<RefusalCode, number>>> = { 'not-found': 404, 'not-live': 409, internal: 500 }

type Answer = ClockView | Refusal | Promise<ClockView | Refusal>
type RpcHandler = Parameters<HostConnectionHandle['rpc']['handle']>[1]

/** What 0.2 hosts offer beside `rpc`: their own check of a request, with browser tokens (`host/versions.md` §7). */
interface Admission {
  requestRejection?(request: IncomingMessage): number | undefined
}

/**
 * Serve a desk to the page and to scripts, each where the host has the means (requirements R22, R24).
 *
 * @param ctx - the plugin's context.
 * @param desk - what is served.
 */
export function mountRoutes(ctx: Context, desk: Desk): void {
  const common: Pick<JsonRoute, 'refuses' | 'report'> = {
    refuses: (request) => (ctx.get('connection') as Admission | undefined)?.requestRejection?.(request),
    report: (error) => ctx.logger('time-reminder').error('a route failed', error),
  }
  ctx.inject(['webServer'], (web) => {
    const serve = (path: string, route: Pick<JsonRoute, 'method' | 'answer'>): void => {
      const exact: WebRoute = { kind: 'exact', path: `${CHANNEL}/api/${path}`, handler: fencedRoute({ ...common, ...route }) }
      web.effect(() => web.webServer.register(exact), `time-reminder ${path}`)
    }
    serve('state', { method: 'GET', answer: async ({ query }) => encode(await stateOf(desk, query.get('sessionId'))) })
    serve('mode', { method: 'POST', answer: async ({ body }) => encode(await switchBy(desk, body), languageIn(body)) })
  })
  ctx.inject(['connection'], (page) => {
    page.connection.rpc.handle(CHANNEL, channel(desk), { authority: 'loopback' })
  })
}

function stateOf(desk: Desk, sessionId: unknown): Answer {
  const id = parseSessionId(sessionId)
  return typeof id === 'string' ? desk.state(id) : id
}

function switchBy(desk: Desk, body: unknown): Answer {
  const wish = parseSwitch(body)
  return isRefusal(wish) ? wish : desk.switchMode(wish)
}

function encode(answer: ClockView | Refusal, language: Language = 'en'): JsonAnswer {
  if (!isRefusal(answer)) return { status: 200, body: answer }
  const { code, field } = answer
  const { message, detail } = sayRefusal(answer, language)
  return { status: STATUS[code] ?? 400, body: { error: { code, message, ...(field !== undefined && { field }), ...(detail !== undefined && { detail }) } } }
}

/** The same two operations; the value is the body that the route would send, because the host's error codes are a closed set. */
function channel(desk: Desk): RpcHandler {
  return async (endpoint, payload) => {
    const answer = endpoint === 'state' ? stateOf(desk, sessionIdOf(payload)) : endpoint === 'mode' ? switchBy(desk, payload) : undefined
    if (answer === undefined) return { ok: false, error: { code: 'bad-request', message: 'The endpoints are state and mode.', details: { issues: [] } } }
    return { ok: true, value: encode(await answer, languageIn(payload)).body }
  }
}

function sessionIdOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null ? (payload as { sessionId?: unknown }).sessionId : undefined
}
