import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type VerifyClientCallbackAsync, type WebSocket } from 'ws'
import type { EventListener } from './event-route.ts'
import { refuseRequest, type JsonAnswer } from './fence.ts'

/** An upgrade as `webServer.registerUpgrade` hands it over. */
export interface Upgrade {
  readonly request: IncomingMessage
  /** Of the request; nothing is written to it yet. */
  readonly socket: Duplex
  /** What came behind the request. */
  readonly head: Buffer
}

/** How the library is told whether it may answer a handshake. */
type Answer = Parameters<VerifyClientCallbackAsync>[1]

/** "Cannot accept this kind of data" (RFC 6455, 7.4.1). */
const NOT_ACCEPTED = 1003

/** Who does not answer the end of a connection within this is cut off (milliseconds). */
const CLOSE_TIMEOUT_MS = 1000

/**
 * Nothing of the other side is read, so nothing needs room: a message is at most as long as a control frame (bytes), and
 * in one piece.
 */
const LIMITS = { maxPayload: 125, maxFragments: 1, perMessageDeflate: false, closeTimeout: CLOSE_TIMEOUT_MS }

/**
 * Take an upgrade as a WebSocket that only tells: whoever sends a message is told that nothing is read here, and the
 * connection ends. A handshake that breaks the protocol is refused without a question.
 *
 * @param upgrade - taken over, with its errors.
 * @param admit - asked while nothing is answered yet. `connect` takes the connection; otherwise the refusal is sent.
 */
export function takeUpgrade({ request, socket, head }: Upgrade, admit: (connect: () => EventListener) => JsonAnswer | undefined): void {
  // Whoever has left by now is dropped by the library without a word, and nobody would learn that they are gone.
  if (!socket.readable || !socket.writable) return void socket.destroy()
  let client: WebSocket | undefined
  const connect = (answer: Answer): EventListener => {
    answer(true)
    return listenerOf(client as WebSocket) // the answer has taken it
  }
  const verifyClient: VerifyClientCallbackAsync = (_, answer) => {
    const refused = isVersion13(request) ? admit(() => connect(answer)) : refuseRequest(400, 'bad-request', 'Only WebSockets of version 13 are served here.')
    if (refused !== undefined) answer(false, refused.status, JSON.stringify(refused.body), { 'Content-Type': 'application/json; charset=utf-8' })
  }
  // One for each upgrade: it holds nothing but these options.
  const server = new WebSocketServer({ ...LIMITS, noServer: true, clientTracking: false, verifyClient })
  server.handleUpgrade(request, socket, head, (taken) => (client = taken))
}

/** The library speaks version 8 too, whose Origin stands in a header that the fence does not read. */
function isVersion13({ headers }: IncomingMessage): boolean {
  return headers['sec-websocket-version'] === '13'
}

function listenerOf(client: WebSocket): EventListener {
  // Of what the other side does wrong. The library tells it so and closes, which is all that is to be done.
  client.on('error', () => undefined)
  client.on('message', () => client.close(NOT_ACCEPTED))
  return {
    tell: (text) => client.send(text),
    beat: () => client.ping(),
    end: () => client.close(),
    onGone: (job) => void client.once('close', job),
  }
}
