/**
 * The browser half of the clock: the header of a session tells the time and what is due next (requirements R21, R24).
 *
 * @module dsh-time-reminder/client
 */
import { NO_ANNEX, type Annex } from './annex.ts'
import { Clock } from './clock.tsx'
import { makeClockFeed } from './clock-feed.ts'
import { en, NAMESPACE, zh } from './locales.ts'
import type { ClockPage } from './page.ts'
import { addStyles } from './styles.ts'

/** A plugin of the page that waits for a service fails the whole page: this one is always there. */
export const inject = ['slots']

const HEADER = 'conversation.session.header.utilities'

/**
 * Mount the clock.
 *
 * @param page - the page's context of this plugin.
 * @param owner - id that the page loaded the bundle under.
 * @param annex - shows reminders; without one the card has no button for them.
 */
export function apply(page: ClockPage, owner: string = NAMESPACE, annex: Annex = NO_ANNEX): void {
  page.inject(['locale', 'connection'], (ctx) => {
    addStyles(owner)
    ctx.effect(() => ctx.locale.register(NAMESPACE, { zh, en }), 'clock wording')
    const feed = makeClockFeed(
      async (endpoint, payload) => ctx.connection.rpc.call('/time-reminder', endpoint, payload),
      (job, ms) => void setTimeout(job, ms),
    )
    ctx.on('connection/reset', () => feed.reconnected())
    // Left of what the page itself has there.
    const entry = { name: HEADER, id: NAMESPACE, order: -10, locale: NAMESPACE, inject: () => ({ feed, annex }) }
    ctx.slots.inject(HEADER, () => ctx.slots.register(entry, Clock))
  })
}
