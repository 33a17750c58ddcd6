import type { ServerResponse } from 'node:http'
import { MAX_SEGMENT_MS, type AlarmClock } from 'dsh-session-host'
import type { RevisionLine } from './wire.ts'

/** Most streams at a time: more tabs than anybody has, few enough that a page in a loop harms nobody. */
export const MAX_CLIENTS = 64

/** A silent stream is told that it lives this often, so that a dead connection is noticed (milliseconds). */
const HEARTBEAT_MS = MAX_SEGMENT_MS

/** A browser that lost the stream asks again after this (milliseconds). */
const RETRY_MS = 2000

/** The event streams of one host: one line for each change of a session's reminders. */
export interface Revisions {
  /**
   * Take over a response as a stream.
   *
   * @param response - of a request that has passed the fence.
   * @param sessionId - whose changes are told; `undefined` for those of every live session.
   * @param known - told at once, so that nothing between a page's first look and its stream is lost.
   * @returns false when there are too many streams; nothing is written then.
   */
  open(response: ServerResponse, sessionId: string | undefined, known: readonly RevisionLine[]): boolean
  /** Tell a change. Lines of one burst are told once, with the newest revision. */
  changed(line: RevisionLine): void
  /** End every stream. */
  close(): void
}

/**
 * The event streams of one host. All heartbeats are one entry in the host's alarm clock: there is no further timer.
 *
 * @param alarm - the host's alarm clock.
 * @param now - the wall clock.
 */
export function makeRevisions(alarm: AlarmClock, now: () => number): Revisions {
  const streams = new Map<ServerResponse, string | undefined>()
  const waiting = new Map<string, RevisionLine>()
  const key = {}
  const beat = (): void => {
    for (const response of streams.keys()) response.write(': \n\n')
    plan()
  }
  const plan = (): void => (streams.size === 0 ? alarm.clear(key) : alarm.set(key, now() + HEARTBEAT_MS, beat))
  const tell = (): void => {
    for (const line of waiting.values()) {
      for (const [response, sessionId] of streams) if (sessionId === undefined || sessionId === line.sessionId) response.write(data(line))
    }
    waiting.clear()
  }
  return {
    open(response, sessionId, known) {
      if (streams.size >= MAX_CLIENTS) return false
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      response.write(`retry: ${RETRY_MS}\n\n${known.map(data).join('')}`)
      streams.set(response, sessionId)
      response.on('close', () => {
        streams.delete(response)
        plan()
      })
      if (streams.size === 1) plan()
      return true
    },
    changed(line) {
      if (streams.size === 0) return
      // Not at once: the change is told from inside the log's own notification, and one wish makes several events.
      if (waiting.size === 0) queueMicrotask(tell)
      waiting.set(line.sessionId, line)
    },
    close() {
      for (const response of streams.keys()) response.end()
      streams.clear()
      plan()
    },
  }
}

function data({ sessionId, revision }: RevisionLine): string {
  return `data: ${JSON.stringify({ sessionId, revision })}\n\n`
}
