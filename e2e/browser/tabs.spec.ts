import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { launchBrowser, skipDialogs } from '../lib/browser.ts'
import { bootHost, type Host } from '../lib/host.ts'
import { makeHome, type Home } from '../lib/home.ts'
import { closeContexts, closeLane, talkedSession } from '../lib/page-lane.ts'
import { openPanel, pendingRows } from '../lib/panel.ts'
import { pickSession, receiptTexts, shown } from '../lib/receipts.ts'
import { waitFor } from '../lib/waiting.ts'

const TITLE = 'in many tabs'
const ZONE = 'Asia/Shanghai'
/** More than a browser has connections for. */
const TABS = 8
/** The page's own stream, with which the host tells a tab that a plugin was built anew. */
const RELOADS = '/plugins/events'

let browser: Browser
let home: Home
let host: Host
let sessionId: string
beforeAll(async () => {
  browser = await launchBrowser()
  home = await makeHome()
  host = await bootHost(home)
  sessionId = await talkedSession(host, home, TITLE, ZONE)
})
afterEach(() => closeContexts(browser))
afterAll(() => closeLane(browser, home))

/** Tabs of one browser share its connections; only in one context are they tabs of one browser. */
const open = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(host.url, { waitUntil: 'domcontentloaded' })
  await skipDialogs(page)
  await pickSession(page, TITLE)
  return page
}

const openMany = async (context: BrowserContext, count: number): Promise<Page[]> => {
  const pages: Page[] = []
  while (pages.length < count) pages.push(await open(context))
  return pages
}

const inSeconds = (prompt: string, seconds: number): Promise<unknown> => host.call('create', { sessionId, text: `${seconds}s ${prompt}`, timeZone: ZONE }, '/dsh-reminders')

it('S34 T11 no tab keeps a connection of the six that a browser has to a host, beside the one of the page itself', async () => {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: ZONE })
  const streams: string[] = []
  const sockets: string[] = []
  context.on('request', request => {
    if (request.resourceType() === 'eventsource') streams.push(new URL(request.url()).pathname)
  })
  context.on('page', page => page.on('websocket', socket => sockets.push(new URL(socket.url()).pathname)))
  const pages = await openMany(context, 5)
  await waitFor('every tab hears us', () => ['/dsh-receipts/events', '/dsh-reminders/events'].every(path => sockets.filter(one => one === path).length === pages.length))
  expect(streams).toEqual(pages.map(() => RELOADS))
  for (const page of pages) expect(await page.evaluate<number>(`fetch('/', { signal: AbortSignal.timeout(5000) }).then(({ status }) => status)`)).toBe(200)
})

it('S32 S34 T11 eight tabs show a receipt once each, before and after the first of them is closed, and when a tab wakes up', async () => {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: ZONE })
  // Six of the page's own streams are all the connections that there are: a page of the host alone does not load a seventh tab.
  await context.route(`**${RELOADS}`, route => route.fulfill({ status: 204 }))
  const pages = await openMany(context, TABS)
  const all = async (count: number): Promise<void> => {
    for (const page of pages) await shown(page, count)
  }
  await inSeconds('stretch', 1)
  await all(1)
  await pages.shift()?.close()
  await inSeconds('drink', 1)
  await all(2)

  const [sleeper, ...others] = pages
  const session = await context.newCDPSession(sleeper!)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await inSeconds('walk', 1)
  for (const page of others) await shown(page, 3)
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await all(3)
  for (const page of pages) expect(await receiptTexts(page)).toEqual(['stretch', 'drink', 'walk'].map(prompt => expect.stringMatching(new RegExp(String.raw`^Delivered to the conversation · ${prompt} `)) as string))

  await openPanel(others[0]!)
  await openPanel(others[1]!)
  await inSeconds('much later', 9000)
  for (const page of others.slice(0, 2)) await waitFor('the panel shows what another tab does not know of', async () => (await pendingRows(page).count()) === 1)
}, 300_000)
