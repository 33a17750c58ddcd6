import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Longest body of a request (bytes), unless its route takes more. */
export const MAX_BODY_BYTES = 4096

/** A request that has passed the fence. */
export interface FencedRequest {
  readonly query: URLSearchParams
  /** The parsed body of a POST; `undefined` for a GET. */
  readonly body: unknown
}

/** What a route answers; `body` is sent as JSON. */
export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: OutgoingHttpHeaders
}

/** One JSON route for people and scripts on this machine. */
export interface JsonRoute {
  readonly method: 'GET' | 'POST'
  /** Longest body of a POST (bytes); `MAX_BODY_BYTES` unless told. */
  readonly maxBytes?: number
  answer(request: FencedRequest): JsonAnswer | Promise<JsonAnswer>
  /** A further check by the host, such as the browser tokens of 0.2. @returns the status to refuse with. */
  refuses?(request: IncomingMessage): number | undefined
  /** Told what `answer` threw; the caller sees a plain 500. */
  report(error: unknown): void
}

/** With any port. Not `127.0.0.2` and not `localhost.`: the shorter the list, the less a name server can do. */
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** What the Fetch standard says of a request that this page itself, or a person by hand, has made. */
const OWN_SITE = new Set(['same-origin', 'none'])

/**
 * A handler for `webServer.register`, which on 0.1.0-rc.8 lets every request through (measured: a foreign Host and a
 * foreign Origin both reach a route). Loopback Host, same Origin, one method, JSON only, a bounded body (requirements
 * R22, X5). It is a fence against other sites in the browser, not a login: any process of this machine passes.
 *
 * @param route - what to serve.
 */
export function fencedRoute(route: JsonRoute): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    send(response, refusal(request, route) ?? (await serve(request, route)))
  }
}

/** A response that stays open, such as server-sent events. */
export interface StreamRoute extends Pick<JsonRoute, 'refuses'> {
  /** Take over the response of a request that has passed; nothing is written to it yet. */
  open(response: ServerResponse): void
}

/**
 * The same fence before a stream, which is asked for with GET.
 *
 * @param route - what to serve.
 */
export function fencedStream(route: StreamRoute): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const refused = refusal(request, { ...route, method: 'GET' })
    if (refused === undefined) route.open(response)
    else send(response, refused)
  }
}

async function serve(request: IncomingMessage, route: JsonRoute): Promise<JsonAnswer> {
  const { method, maxBytes = MAX_BODY_BYTES } = route
  const body = method === 'GET' ? { value: undefined } : parseBody(await readBody(request, maxBytes), maxBytes)
  if ('status' in body) return body
  const { searchParams } = new URL(request.url as string, 'http://localhost') // Node sets it on every request of a server
  try {
    return await route.answer({ query: searchParams, body: body.value })
  } catch (error) {
    route.report(error)
    return refuseRequest(500, 'internal', 'The request failed.')
  }
}

/** Why a request does not pass the fence; undefined when it does. */
export function refusal(request: IncomingMessage, route: Pick<JsonRoute, 'method' | 'refuses'>): JsonAnswer | undefined {
  const { host = '', origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers
  if (!LOOPBACK_HOST.test(host)) return refuseRequest(403, 'foreign-host', 'Only 127.0.0.1, localhost and [::1] are served.')
  if (origin !== undefined && !isOwnOrigin(origin, host)) return refuseRequest(403, 'foreign-origin', 'Only the page of this host may ask.')
  if (typeof site === 'string' && !OWN_SITE.has(site)) return refuseRequest(403, 'foreign-origin', 'Only the page of this host may ask.')
  const status = route.refuses?.(request)
  if (status !== undefined) return refuseRequest(status, 'refused', 'The host refuses this request.')
  if (request.method !== route.method) return { ...refuseRequest(405, 'bad-method', `Only ${route.method} is served here.`), headers: { allow: route.method } }
  if (route.method === 'POST' && !/^application\/json\s*(?:;|$)/i.test(type)) return refuseRequest(415, 'not-json', 'The body must be application/json.')
  return undefined
}

function isOwnOrigin(origin: string, host: string): boolean {
  const own = URL.parse(`http://${host}`)
  return own !== null && URL.parse(origin)?.origin === own.origin
}

/** @returns the body, or `undefined` for one that is too long; its rest is read and thrown away, so that the answer arrives. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks)
}

function parseBody(bytes: Buffer | undefined, maxBytes: number): { readonly value: unknown } | JsonAnswer {
  if (bytes === undefined) return refuseRequest(413, 'too-long', `The body may have ${maxBytes} bytes.`)
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown }
  } catch {
    return refuseRequest(400, 'bad-request', 'The body is not JSON.')
  }
}

/**
 * A refusal as programs and people read it: `{ error: { code, message } }`.
 *
 * @param status - of HTTP.
 * @param code - stable, for programs.
 * @param message - one English sentence.
 */
export function refuseRequest(status: number, code: string, message: string): JsonAnswer {
  return { status, body: { error: { code, message } } }
}

/** Send an answer as JSON. */
export function send(response: ServerResponse, { status, body, headers = {} }: JsonAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers })
  response.end(JSON.stringify(body))
}
