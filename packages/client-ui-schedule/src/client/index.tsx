/**
 * The browser half of receipts: rows of the transcript for reminders that were delivered.
 *
 * @module dsh-client-ui-schedule/client
 */
import { CHANNEL, PUSH_PATH } from '../protocol.ts'
import { makeDefinitions, RECEIPT } from './definitions.ts'
import { makeFeed, type Feed } from './feed.ts'
import { hearStream } from './lasting-stream.ts'
import { en, NAMESPACE, zh } from './locales.ts'
import type { PagePlugin } from './page.ts'
import { ReceiptRow } from './receipt-row.tsx'
import { addStyles } from './styles.ts'

export { mountPanel } from './panel/mount.tsx'

/** A plugin of the page that waits for a service fails the whole page: this one is always there. */
export const inject = ['slots']

/**
 * Mount the receipts.
 *
 * @param page - the page's context of this plugin.
 * @param owner - id that the page loaded the bundle under.
 */
export function apply(page: PagePlugin, owner: string = NAMESPACE): void {
  page.inject(['locale', 'connection', 'conversationEvents'], (ctx) => {
    addStyles(owner)
    ctx.effect(() => ctx.locale.register(NAMESPACE, { zh, en }), 'receipts wording')
    const feed = connectFeed(ctx)
    const { evidence, receipt, answer, answerKey } = makeDefinitions()
    ctx.conversationEvents.register(evidence)
    ctx.conversationEvents.register(receipt)
    ctx.conversationEvents.register(answer)
    const entry = { name: 'conversation.chat.node', key: RECEIPT, locale: NAMESPACE, inject: () => ({ hooks: { receipts: feed }, see: feed.see, answerKey }) }
    ctx.slots.inject('conversation.chat.node', () => ctx.slots.register(entry, ReceiptRow))
  })
}

function connectFeed(ctx: PagePlugin): Feed {
  const feed = makeFeed({
    async ask(endpoint, payload) {
      const answer = await ctx.connection.rpc.call(CHANNEL, endpoint, payload)
      if (!answer.ok) throw new Error(answer.error.message)
      return answer.value
    },
  })
  ctx.on('connection/reset', () => feed.reconnected())
  ctx.effect(() => hearStream(PUSH_PATH, { opened: feed.reopened, line: feed.push }), 'receipts push')
  return feed
}
