import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostConnectionHandle } from '@deepseek-ai/dsh-client-connection'
import { eventRoute, fencedStream, type EventListener } from 'dsh-session-host'
import { FIELDS, type Endpoint } from './bodies.ts'
import { calendarTag, calendarText, type CalendarPart } from './calendar.ts'
import { receive, type LiveSession, type ReceptionPort } from './reception.ts'
import { MAX_CLIENTS, type Revisions } from './revisions.ts'
import type { RevisionLine } from './wire.ts'

/** The channel of the page; the two plain routes lie below it, because the host tries exact paths first. */
const CHANNEL = '/dsh-reminders'

/** What the routes serve. */
export interface RoutesPort extends ReceptionPort {
  readonly revisions: Revisions
}

type RpcHandler = Parameters<HostConnectionHandle['rpc']['handle']>[1]

/** What 0.2 hosts offer beside `rpc`: their own check of a request, with browser tokens (`host/versions.md` §7). */
interface Admission {
  requestRejection?(request: IncomingMessage): number | undefined
}

/**
 * Serve people, each means where the host has it: nothing here is needed for reminders to work.
 *
 * @param port - the host.
 */
export function mountRoutes(port: RoutesPort): void {
  const { ctx } = port
  ctx.inject(['connection'], (page) => {
    page.connection.rpc.handle(CHANNEL, channel(port), { authority: 'loopback' })
  })
  ctx.inject(['webServer'], (web) => {
    const refuses = (request: IncomingMessage): number | undefined => (ctx.get('connection') as Admission | undefined)?.requestRejection?.(request)
    const calendar = fencedStream({ refuses, open: (response) => void sendCalendar(port, response) })
    web.effect(() => web.webServer.register({ kind: 'exact', path: `${CHANNEL}/calendar.ics`, handler: calendar }), 'tool-schedule calendar')
    const { handler, upgrade } = eventRoute({ refuses, open: (connect, query) => openStream(port, connect, query.get('sessionId') ?? undefined) })
    web.effect(() => web.webServer.register({ kind: 'exact', path: `${CHANNEL}/events`, handler }), 'tool-schedule events')
    web.effect(() => web.webServer.registerUpgrade({ path: `${CHANNEL}/events`, handler: upgrade }), 'tool-schedule events for the page')
    // Open streams would keep the server from closing.
    web.effect(() => () => port.revisions.close(), 'tool-schedule streams')
  })
}

function channel(port: RoutesPort): RpcHandler {
  return async (endpoint, payload) => {
    if (!isEndpoint(endpoint)) return { ok: false, error: { code: 'bad-request', message: `The endpoints are ${Object.keys(FIELDS).join(', ')}.`, details: { issues: [] } } }
    return { ok: true, value: await receive(port, endpoint, payload) }
  }
}

function isEndpoint(name: string): name is Endpoint {
  return Object.hasOwn(FIELDS, name)
}

function openStream({ live, revisions }: RoutesPort, connect: () => EventListener, sessionId: string | undefined): string | undefined {
  const known: RevisionLine[] = [...live].map(([id, { person }]) => ({ sessionId: id, revision: person.revision })).filter((line) => sessionId === undefined || line.sessionId === sessionId)
  return revisions.open(connect, sessionId, known) ? undefined : `At most ${MAX_CLIENTS} streams are open at a time.`
}

async function sendCalendar(port: RoutesPort, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(response.req.url as string, 'http://localhost') // Node sets it on every request of a server
  const sessionId = searchParams.get('sessionId') ?? undefined
  const parts = await calendarParts(port, sessionId).catch((error: unknown) => {
    port.ctx.logger('tool-schedule').error('the calendar failed', error)
    return 'failed' as const
  })
  if (parts === 'failed') return send(response, 500, 'The calendar failed.\n')
  if (parts === undefined) return send(response, 404, 'There is no such session.\n')
  const etag = calendarTag(parts)
  if (response.req.headers['if-none-match'] === etag) return send(response, 304, '', { etag })
  send(response, 200, calendarText(parts, port.config), { etag, 'content-type': 'text/calendar; charset=utf-8' })
}

async function calendarParts({ live, cold }: RoutesPort, sessionId: string | undefined): Promise<readonly CalendarPart[] | undefined> {
  const partOf = (id: string, { ledger, person }: Pick<LiveSession, 'ledger' | 'person'>): CalendarPart => ({ sessionId: id, revision: person.revision, ledger })
  if (sessionId === undefined) return [...live].map(([id, session]) => partOf(id, session))
  const session = live.get(sessionId) ?? (await cold.read(sessionId))
  return session === undefined ? undefined : [partOf(sessionId, session)]
}

function send(response: ServerResponse, status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...headers })
  response.end(text)
}
