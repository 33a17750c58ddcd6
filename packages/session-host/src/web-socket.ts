import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { EventListener } from './event-route.ts'

/** What a key is joined with before it is hashed (RFC 6455, 1.3). */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** First bytes of a frame: whole, and of this kind (RFC 6455, 5.2). */
const [TEXT, CLOSE, PING, PONG] = [0x81, 0x88, 0x89, 0x8a]

/** Header and mask of the only frames that are read: control frames, which are never longer than 125 bytes. */
const CONTROL_HEAD = 6
const LONGEST_CONTROL = 125

/** "Cannot accept this kind of data" (RFC 6455, 7.4.1). */
const NOT_ACCEPTED = 1003

/**
 * Whether a request asks for the version of the protocol that is spoken here.
 *
 * @param request - an upgrade.
 */
export function isSocketRequest({ headers }: IncomingMessage): boolean {
  const key = headers['sec-websocket-key']
  return headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-version'] === '13' && key !== undefined && /^[+/0-9A-Za-z]{22}==$/.test(key)
}

/**
 * Take over a socket as a WebSocket that only tells. It needs no room for messages of the other side: whoever sends one
 * is told that nothing is read here, and the connection ends.
 *
 * @param request - for which `isSocketRequest` holds.
 * @param socket - of the request; nothing is written to it yet.
 * @param head - what came behind the request.
 */
export function eventSocket(request: IncomingMessage, socket: Duplex, head: Buffer): EventListener {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${ACCEPT_SUFFIX}`).digest('base64')
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`)
  const end = (code?: number): void => {
    if (!socket.writableEnded) socket.end(code === undefined ? frame(CLOSE, Buffer.alloc(0)) : frame(CLOSE, Buffer.from([code >> 8, code & 255])))
  }
  let rest: Buffer = Buffer.alloc(0)
  const hear = (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes])
    for (let [kind, length] = headOf(rest); kind !== undefined; [kind, length] = headOf(rest)) {
      if (kind < CLOSE || length > LONGEST_CONTROL) return end(NOT_ACCEPTED)
      if (rest.length < CONTROL_HEAD + length) return
      if (kind === CLOSE) return end()
      if (kind === PING) socket.write(frame(PONG, unmasked(rest, length)))
      rest = rest.subarray(CONTROL_HEAD + length)
    }
  }
  socket.on('data', hear)
  // A server's sockets stay half open when the other side goes without a word.
  socket.once('end', () => socket.end())
  if (head.length > 0) hear(head)
  return {
    tell: (text) => void socket.write(frame(TEXT, Buffer.from(text))),
    beat: () => void socket.write(frame(PING, Buffer.alloc(0))),
    end: () => end(),
    onGone: (job) => void socket.once('close', job),
  }
}

/** @returns first byte and length of a frame; nothing before both are there */
function headOf(bytes: Buffer): readonly [number | undefined, number] {
  return bytes.length < 2 ? [undefined, 0] : [bytes.readUInt8(0), bytes.readUInt8(1) & 127]
}

function unmasked(bytes: Buffer, length: number): Buffer {
  return Buffer.from(bytes.subarray(CONTROL_HEAD, CONTROL_HEAD + length).map((byte, index) => byte ^ bytes.readUInt8(2 + (index % 4))))
}

function frame(kind: number, payload: Buffer): Buffer {
  const { length } = payload
  if (length <= 125) return Buffer.concat([Buffer.from([kind, length]), payload])
  const head = Buffer.alloc(length <= 0xffff ? 4 : 10)
  head[0] = kind
  head[1] = length <= 0xffff ? 126 : 127
  if (length <= 0xffff) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}
