import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { refusal, refuseRequest, send, type JsonAnswer, type StreamRoute } from './fence.ts'
import { takeUpgrade } from './web-socket.ts'

/** Whoever hears a one-way stream of texts, by whatever transport. */
export interface EventListener {
  tell(text: string): void
  /** A sign of life, so that a dead connection is noticed. */
  beat(): void
  end(): void
  /** Run a job when the other side is gone. */
  onGone(job: () => void): void
}

/** A one-way stream of texts. */
export interface EventRoute extends Pick<StreamRoute, 'refuses'> {
  /**
   * Somebody wants to hear.
   *
   * @param connect - takes the connection; it is refused where this is not called.
   * @param query - of the request.
   * @returns why it is refused, for a person; undefined when it is not.
   */
  open(connect: () => EventListener, query: URLSearchParams): string | undefined
}

/** What is registered for a stream. */
export interface EventHandlers {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** A browser that lost a stream of server-sent events asks again after this (milliseconds). */
const RETRY_MS = 2000

/**
 * The two ways to hear one stream, for `webServer.register` and `webServer.registerUpgrade`, both behind the fence. A
 * page takes the WebSocket: a browser has six HTTP/1.1 connections to one host for all its tabs together, and a stream of
 * server-sent events keeps one of them for good (measured on 0.1.0-rc.8, whose own page keeps one in each tab: the sixth
 * tab cannot be loaded). Server-sent events are for scripts.
 *
 * @param route - what to serve.
 */
export function eventRoute(route: EventRoute): EventHandlers {
  const admit = (request: IncomingMessage, connect: () => EventListener): JsonAnswer | undefined => {
    const refused = refusal(request, { ...route, method: 'GET' })
    if (refused !== undefined) return refused
    const { searchParams } = new URL(request.url as string, 'http://localhost') // Node sets it on every request of a server
    const why = route.open(connect, searchParams)
    return why === undefined ? undefined : refuseRequest(503, 'too-many', why)
  }
  return {
    handler: (request, response) => {
      const refused = admit(request, () => eventResponse(response))
      if (refused !== undefined) send(response, refused)
    },
    upgrade: (request, socket, head) => takeUpgrade({ request, socket, head }, (connect) => admit(request, connect)),
  }
}

/** Take over a response as a stream of server-sent events (WHATWG HTML, "server-sent events"). */
function eventResponse(response: ServerResponse): EventListener {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  // Sent at once, so that the other side knows that it is connected.
  response.write(`retry: ${RETRY_MS}\n\n`)
  return {
    tell: (text) => void response.write(`data: ${text}\n\n`),
    beat: () => void response.write(': \n\n'),
    end: () => void response.end(),
    onGone: (job) => void response.once('close', job),
  }
}
