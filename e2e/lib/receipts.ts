import type { Browser, Locator, Page } from 'playwright-core'
import { offerWorkspace, openTab, skipDialogs, type PageOptions, type Tab } from './browser.ts'
import type { Host } from './host.ts'
import type { Home } from './home.ts'
import { logFile, readLog } from './log-file.ts'
import { turnsEnded } from './transcript.ts'
import { waitFor } from './waiting.ts'
import { remindersIn } from '../story/deliveries.ts'

/** The receipt rows of a page. */
export const receipts = (page: Page): Locator => page.locator('[data-receipt]')

/** What the receipt rows of a page say, one text per row, its parts in one line. */
export const receiptTexts = async (page: Page): Promise<readonly string[]> => (await receipts(page).allInnerTexts()).map(text => text.replaceAll(/\s*\n\s*/g, ' · '))

/** Waits until exactly these many receipts are shown. */
export const shown = (page: Page, count: number): Promise<boolean> => waitFor(`${count} receipts are shown`, async () => (await receipts(page).count()) === count)

/** Makes a session that the page lists under a title: one of a workspace, not only of its folder. */
export const listedSession = async (host: Host, home: Home, title: string): Promise<string> => {
  await offerWorkspace(host, home)
  const { items } = await host.call<{ items: readonly { workspaceId: string }[] }>('workspace.list', {})
  const { sessionId } = await host.call<{ sessionId: string }>('session.create', { workspaceId: items[0]?.workspaceId })
  await host.call('session.rename', { sessionId, title })
  return sessionId
}

/** The first page of a host takes its time on a busy machine (milliseconds). */
const FIRST_LOOK_MS = 60_000
/** How long the list of a page that is there may take before the page is loaded again (milliseconds). */
const LISTED_MS = 25_000

/** Opens a host's page and, in it, the newest session whose title matches. */
export const openSession = async (browser: Browser, host: Host, title: RegExp | string, options?: PageOptions): Promise<Tab> => {
  const tab = await openTab(browser, host.url, options)
  await skipDialogs(tab.page, { timeout: FIRST_LOOK_MS })
  await pickSession(tab.page, title)
  return tab
}

/** Chooses a session in the list of a page; a narrow page keeps the list behind a button. */
export const pickSession = async (page: Page, title: RegExp | string): Promise<void> => {
  const row = page.getByRole('treeitem', { name: title }).last()
  const expand = page.getByRole('button', { name: /Expand sidebar|展开侧边栏|展开侧栏/ })
  let patience = performance.now() + LISTED_MS
  await waitFor('the session is in the list', async () => {
    if (await row.isVisible()) return true
    if (await expand.isVisible()) await expand.click()
    // The list is the host's own. Once in some hundred loads it stayed away, and a person loads the page again.
    if (performance.now() > patience) {
      patience = Infinity
      await page.reload()
    }
    return false
  }, { every: 200, timeout: FIRST_LOOK_MS }).catch(async (cause: unknown) => {
    throw new Error(`the page shows no session ${String(title)}, but: ${(await page.locator('body').innerText()).replaceAll(/\s*\n\s*/g, ' · ')}`, { cause })
  })
  await row.click()
}

/** What the page asks beside the history when a session is chosen; the host brings a cold session to life for each. */
const RESUMING = /\/api\/(?:session\.models|commands\/list|skill\.list)$/

/** Lets a page read sessions without bringing them to life. */
export const readOnly = async (page: Page): Promise<void> => {
  await page.route(RESUMING, async route => {
    const { rpcId } = route.request().postDataJSON() as { rpcId: string }
    await route.fulfill({ json: { type: 'server-response', rpcId, result: { ok: false, error: { code: 'session-not-found', message: 'not asked in this test', details: {} } } } })
  })
}

/** Waits until these many reminders of a session are delivered and nothing of it runs any more. */
export const delivered = (host: Host, home: Home, sessionId: string, count: number): Promise<boolean> =>
  waitFor(`${count} reminders are delivered and answered`, async () => {
    if (logFile(home, sessionId) === undefined) return false
    const { events } = readLog(home, sessionId)
    const isDone = remindersIn(events).filter(({ deliveries }) => deliveries > 0).length === count
    return isDone && turnsEnded(events) > count && !(await host.sessions()).some(row => row.sessionId === sessionId && row.running)
  }, { timeout: 40_000 })

/**
 * Errors of a page whose host was killed and came back, without those that say only that it could not be reached. A host
 * answers 404 for a moment before its plugins are mounted.
 */
export const otherErrors = ({ errors }: Tab): readonly string[] => errors.filter(text => !/status of 404|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|WebSocket|Failed to fetch|network error/i.test(text))
