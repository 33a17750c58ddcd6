import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Host } from './host.ts'

/** A request as no browser would send it. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** What came back. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends a request with exactly these headers; `fetch` would not let go of some, `Host` among them. */
export const send = (host: Host, { method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(host.url)
    const outgoing = request({ hostname, port, path, method, headers, agent: false }, incoming => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

/**
 * Writes bytes to a host's port and leaves the connection as it is.
 *
 * @returns the connection.
 */
export const write = (host: Host, bytes: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(host.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => resolve(socket)))
    socket.on('error', reject)
  })
