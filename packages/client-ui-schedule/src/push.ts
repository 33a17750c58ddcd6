import type { ServerResponse } from 'node:http'
import type { CursorPush } from './protocol.ts'

/** Open streams of server-sent events, one per page. */
export interface Pushes {
  /** Take over a response that passed the fence. */
  open(response: ServerResponse): void
  send(push: CursorPush): void
  /** End all streams. */
  close(): void
}

/** @returns no open stream yet */
export function makePushes(): Pushes {
  const streams = new Set<ServerResponse>()
  return {
    open(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      // A first byte, so that the page knows at once that it is connected.
      response.write(':\n\n')
      streams.add(response)
      response.once('close', () => streams.delete(response))
    },
    send(push) {
      for (const stream of streams) stream.write(`data: ${JSON.stringify(push)}\n\n`)
    },
    close() {
      for (const stream of streams) stream.end()
      streams.clear()
    },
  }
}
