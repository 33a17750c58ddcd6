import { MAX_SEGMENT_MS, type AlarmClock, type EventListener } from 'dsh-session-host'
import type { RevisionLine } from './wire.ts'

/** Most streams at a time: more tabs than anybody has, few enough that a page in a loop harms nobody. */
export const MAX_CLIENTS = 64

/** A silent stream is told that it lives this often, so that a dead connection is noticed (milliseconds). */
const HEARTBEAT_MS = MAX_SEGMENT_MS

/** The event streams of one host: one line for each change of a session's reminders. */
export interface Revisions {
  /**
   * Take a listener that has passed the fence.
   *
   * @param connect - takes its connection.
   * @param sessionId - whose changes are told; `undefined` for those of every live session.
   * @param known - told at once, so that nothing between a page's first look and its stream is lost.
   * @returns false when there are too many streams; it is not connected then.
   */
  open(connect: () => EventListener, sessionId: string | undefined, known: readonly RevisionLine[]): boolean
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
  const streams = new Map<EventListener, string | undefined>()
  const waiting = new Map<string, RevisionLine>()
  const key = {}
  const beat = (): void => {
    for (const listener of streams.keys()) listener.beat()
    plan()
  }
  const plan = (): void => (streams.size === 0 ? alarm.clear(key) : alarm.set(key, now() + HEARTBEAT_MS, beat))
  const tell = (): void => {
    for (const line of waiting.values()) {
      for (const [listener, sessionId] of streams) if (sessionId === undefined || sessionId === line.sessionId) listener.tell(textOf(line))
    }
    waiting.clear()
  }
  return {
    open(connect, sessionId, known) {
      if (streams.size >= MAX_CLIENTS) return false
      const listener = connect()
      for (const line of known) listener.tell(textOf(line))
      streams.set(listener, sessionId)
      listener.onGone(() => {
        streams.delete(listener)
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
      for (const listener of streams.keys()) listener.end()
      streams.clear()
      plan()
    },
  }
}

function textOf({ sessionId, revision }: RevisionLine): string {
  return JSON.stringify({ sessionId, revision })
}
