import type { SessionEvent, UserMessage } from '@deepseek-ai/dsh-session'
import type { Follower } from 'dsh-session-host'
import { createInbox } from '../inbox.ts'
import type { ToolPort } from '../tools/definition.ts'
import { isChangeNotice } from './change-notice.ts'

/**
 * Which changes by people the model was never told: closing a session or cancelling a turn drops what waits in the
 * inbox (measured). What the notices carry counts all the same; only their words are lost. Follow it from the session's
 * own start: a fork tells nothing of its parent.
 */
export class UntoldFold implements Follower {
  /** Dropped and not queued again, oldest first, by message id. */
  readonly dropped = new Map<string, UserMessage>()
  readonly #splice = createInbox((message) => (isChangeNotice(message) ? message : undefined))

  apply(event: SessionEvent): void {
    if (event.type !== 'agent/inbox/spliced') return
    const { queued, canceled } = this.#splice(event.data)
    for (const { id } of queued) this.dropped.delete(id)
    for (const message of canceled) this.dropped.set(message.id, message)
  }
}

/**
 * Queue again what was dropped, without waking anybody (R23).
 *
 * @param untold - of the session.
 * @param port - the session.
 * @param isLive - whether it still is.
 */
export async function retell(untold: UntoldFold, port: Pick<ToolPort, 'transact' | 'confirm' | 'note' | 'warn'>, isLive: () => boolean): Promise<void> {
  if (untold.dropped.size === 0) return
  try {
    await port.transact(async () => {
      if (!(await port.confirm()) || !isLive()) return
      for (const message of untold.dropped.values()) port.note(message)
    })
  } catch (error) {
    port.warn('the model is not told again of what a person changed', error)
  }
}
