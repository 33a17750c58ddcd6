import type { IncomingMessage } from 'node:http'
import type { Context } from '@deepseek-ai/cordis'
import type { HostConnectionHandle } from '@deepseek-ai/dsh-client-connection'
import type { WebRoute } from '@deepseek-ai/dsh-host-webserver'
import { eventRoute } from 'dsh-session-host'
import type { Desk } from './desk.ts'
import { CHANNEL, membersOf, PUSH_PATH } from './protocol.ts'
import type { Pushes } from './push.ts'

type RpcHandler = Parameters<HostConnectionHandle['rpc']['handle']>[1]

/** What 0.2 hosts offer beside `rpc`: their own check of a request, with browser tokens (`host/versions.md` §7). */
interface Admission {
  requestRejection?(request: IncomingMessage): number | undefined
}

const LONGEST_ID = 200

/**
 * Serve the page, each way where the host has the means; a host without a page mounts none of them.
 *
 * @param ctx - the plugin's context.
 * @param desk - answers the page's questions.
 * @param pushes - open streams of the page.
 */
export function mountRoutes(ctx: Context, desk: Desk, pushes: Pushes): void {
  ctx.inject(['webServer'], (web) => {
    const { handler, upgrade } = eventRoute({
      refuses: (request) => (ctx.get('connection') as Admission | undefined)?.requestRejection?.(request),
      open: (connect) => pushes.open(connect()),
    })
    const route: WebRoute = { kind: 'exact', path: PUSH_PATH, handler }
    web.effect(() => web.webServer.register(route), 'receipts push')
    web.effect(() => web.webServer.registerUpgrade({ path: PUSH_PATH, handler: upgrade }), 'receipts push for the page')
  })
  ctx.inject(['connection'], (page) => {
    page.connection.rpc.handle(CHANNEL, channel(desk), { authority: 'loopback' })
  })
}

function channel(desk: Desk): RpcHandler {
  return async (endpoint, payload) => {
    const { sessionId, dispatchSeq } = membersOf(payload)
    if (!isId(sessionId)) return refusal('sessionId must be a session id.')
    if (endpoint === 'cursor') return { ok: true, value: await desk.cursor(sessionId) }
    if (endpoint !== 'creates') return refusal('The endpoints are cursor and creates.')
    if (!Number.isSafeInteger(dispatchSeq)) return refusal('dispatchSeq must be an integer.')
    return { ok: true, value: { events: await desk.creates(sessionId, dispatchSeq as number) } }
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_ID
}

function refusal(message: string): Awaited<ReturnType<RpcHandler>> {
  return { ok: false, error: { code: 'bad-request', message, details: { issues: [] } } }
}
