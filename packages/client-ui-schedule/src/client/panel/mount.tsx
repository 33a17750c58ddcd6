import { makeAnnouncer } from './announcer.tsx'
import { makePanelFeed } from './feed.ts'
import { hearStream } from '../lasting-stream.ts'
import { nextDueOf } from './known.ts'
import { makeOpening } from './opening.ts'
import type { PanelPage } from './page.ts'
import { PanelHost } from './panel.tsx'
import { takeLead, type LeadPort } from './lead.ts'
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
    ctx.effect(() => hearStream(`${CHANNEL}/events`, { opened: feed.reconnected, line: (text) => feed.line(text, isLeader) }), 'reminders stream')
    if (announcer !== undefined) {
      ctx.effect(() => {
        const stopLeading = takeLead(browserLead(), (leads) => {
          isLeader = leads
          if (leads) feed.catchUp()
        })
        return () => {
          stopLeading()
          announcer.stop()
        }
      }, 'reminders notices')
    }
    const entry = { name: OVERLAY, id: PANEL_NAMESPACE, locale: PANEL_NAMESPACE, inject: () => ({ feed, opening }) }
    ctx.slots.inject(OVERLAY, () => ctx.slots.register(entry, PanelHost))
  })
  return { subscribe: feed.subscribe, watch: feed.watch, nextDue: (sessionId) => nextDueOf(feed.knownOf(sessionId)), open: opening.open }
}

function browserLead(): LeadPort {
  return {
    locks: navigator.locks,
    watchSleep(asleep, awake) {
      document.addEventListener('freeze', asleep)
      document.addEventListener('resume', awake)
      return () => {
        document.removeEventListener('freeze', asleep)
        document.removeEventListener('resume', awake)
      }
    },
  }
}
