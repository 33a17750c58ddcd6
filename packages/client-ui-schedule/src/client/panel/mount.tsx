import { makeAnnouncer } from './announcer.tsx'
import { makePanelFeed } from './feed.ts'
import { hearStream } from '../lasting-stream.ts'
import { nextDueOf } from './known.ts'
import { makeOpening } from './opening.ts'
import type { PanelPage } from './page.ts'
import { PanelHost } from './panel.tsx'
import { shareStream, type StreamPort } from './stream.ts'
import { addPanelStyles } from './styles.ts'
import { en, PANEL_NAMESPACE, zh } from './words.ts'

const CHANNEL = '/dsh-reminders'
const OVERLAY = 'shell.overlay'

/** What the panel offers to whatever opens it. */
export interface PanelHandle {
  readonly subscribe: (listener: () => void) => () => void
  /** Keep a session up to date until the returned function is called. */
  readonly watch: (sessionId: string) => () => void
  /** @returns epoch milliseconds of the browser's clock; undefined when nothing will come by itself. */
  readonly nextDue: (sessionId: string) => number | undefined
  /**
   * Show the reminders of a session.
   *
   * @param opener - gets the focus back.
   */
  readonly open: (sessionId: string, opener: HTMLElement | null) => void
}

const language = (): 'zh' | 'en' => (document.documentElement.lang.startsWith('zh') ? 'zh' : 'en')

/**
 * Mount the panel of reminders and the notifications (requirements T11, T12).
 *
 * @param page - the page's context of this plugin.
 * @param owner - id that the page loaded the bundle under.
 * @returns how to open it; nothing is shown by itself.
 */
export function mountPanel(page: PanelPage, owner: string): PanelHandle {
  const opening = makeOpening()
  let ask: PanelPage['connection']['rpc']['call'] = () => Promise.reject(new Error('the page has no connection'))
  let isLeader = false
  const announcer = typeof navigator.locks === 'object' ? makeAnnouncer(() => (language() === 'zh' ? zh : en)['notice.title']) : undefined
  const feed = makePanelFeed({
    ask: (endpoint, payload) => ask(CHANNEL, endpoint, payload),
    now: () => Date.now(),
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    language,
    later: (job, ms) => void setTimeout(job, ms),
    heard: (state) => (isLeader ? announcer?.hear(state) : undefined),
  })
  page.inject(['locale', 'connection'], (ctx) => {
    addPanelStyles(owner)
    ask = (channel, endpoint, payload) => ctx.connection.rpc.call(channel, endpoint, payload)
    ctx.effect(() => ctx.locale.register(PANEL_NAMESPACE, { zh, en }), 'reminders wording')
    ctx.on('connection/reset', () => feed.reconnected())
    ctx.effect(() => {
      const stopHearing = shareStream(browserStream(feed.reconnected), (text, leads) => {
        isLeader ||= leads
        feed.line(text, isLeader)
      })
      return () => {
        stopHearing()
        announcer?.stop()
      }
    }, 'reminders stream')
    const entry = { name: OVERLAY, id: PANEL_NAMESPACE, locale: PANEL_NAMESPACE, inject: () => ({ feed, opening }) }
    ctx.slots.inject(OVERLAY, () => ctx.slots.register(entry, PanelHost))
  })
  return { subscribe: feed.subscribe, watch: feed.watch, nextDue: (sessionId) => nextDueOf(feed.knownOf(sessionId)), open: opening.open }
}

function browserStream(opened: () => void): StreamPort {
  return {
    locks: typeof navigator.locks === 'object' ? navigator.locks : undefined,
    open: (line) => hearStream(`${CHANNEL}/events`, { opened, line }),
    join(heard) {
      const room = new BroadcastChannel('dsh-timekeeper')
      room.addEventListener('message', ({ data }: MessageEvent<string>) => heard(data))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it is of one origin
      return { tell: (text) => room.postMessage(text), leave: () => room.close() }
    },
  }
}
