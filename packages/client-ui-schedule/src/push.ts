import type { EventListener } from 'dsh-session-host'
import type { CursorPush } from './protocol.ts'

/** Open streams of pushes, one per page. */
export interface Pushes {
  /** Take a listener that passed the fence; there is no bound on them, and so never a reason against one. */
  open(listener: EventListener): undefined
  send(push: CursorPush): void
  /** End all streams. */
  close(): void
}

/** @returns no open stream yet */
export function makePushes(): Pushes {
  const listeners = new Set<EventListener>()
  return {
    open(listener) {
      listeners.add(listener)
      listener.onGone(() => listeners.delete(listener))
    },
    send(push) {
      for (const listener of listeners) listener.tell(JSON.stringify(push))
    },
    close() {
      for (const listener of listeners) listener.end()
      listeners.clear()
    },
  }
}
