import type { PastReminder, ReminderState } from '../../../../tool-schedule/src/people/wire.ts'
import { decideNotices, noticeTag, readTold } from './notices.ts'

/** Where the tabs of a browser write down what was told. */
const TOLD_KEY = 'dsh-timekeeper.told'

/** Held by every tab that has the focus, so that any tab can ask whether one has. */
const FOCUS_LOCK = 'dsh-timekeeper focus'

/** Longest text of a notification (UTF-16 code units). */
const LONGEST = 160

/** System notifications of one page (requirement T12). */
export interface Announcer {
  /** A state that the tab with the stream has heard. */
  readonly hear: (state: ReminderState) => void
  readonly stop: () => void
}

/**
 * Tell a person who is elsewhere what was delivered.
 *
 * @param title - of a notification, in the language of the page.
 */
export function makeAnnouncer(title: () => string): Announcer {
  const since = Date.now()
  const stopHolding = holdWhileFocused()
  return {
    hear(state) {
      try {
        const { told, tell } = decideNotices(readTold(localStorage.getItem(TOLD_KEY)), state, since)
        localStorage.setItem(TOLD_KEY, JSON.stringify(told))
        // Some browsers have the constructor and throw when it is used.
        if (tell.length > 0) announce(title(), state.sessionId, tell).catch(() => undefined)
      } catch {
        // Without a storage nobody could know what was told: rather none than two.
      }
    },
    stop: stopHolding,
  }
}

async function announce(title: string, sessionId: string, tell: readonly PastReminder[]): Promise<void> {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted' || (await isAnyTabFocused())) return
  for (const past of tell) {
    const notice = new Notification(title, { body: past.prompt.slice(0, LONGEST), tag: noticeTag(sessionId, past) })
    notice.addEventListener('click', () => {
      window.focus()
      notice.close()
    })
  }
}

async function isAnyTabFocused(): Promise<boolean> {
  if (document.hasFocus()) return true
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === FOCUS_LOCK)
}

function holdWhileFocused(): () => void {
  let release: (() => void) | undefined
  const blur = (): void => {
    release?.()
    release = undefined
  }
  const focus = (): void => {
    blur()
    if (!document.hasFocus()) return
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    void navigator.locks.request(FOCUS_LOCK, { mode: 'shared' }, () => held)
  }
  focus()
  window.addEventListener('focus', focus)
  window.addEventListener('blur', blur)
  return () => {
    blur()
    window.removeEventListener('focus', focus)
    window.removeEventListener('blur', blur)
  }
}
