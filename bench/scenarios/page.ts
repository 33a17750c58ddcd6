import { existsSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, skipDialogs } from '../../e2e/lib/browser.ts'
import { endHosts, type Host } from '../../e2e/lib/host.ts'
import { openPanel, panel, pendingRows } from '../../e2e/lib/panel.ts'
import { pickSession } from '../../e2e/lib/receipts.ts'
import { judge, type Findings } from '../findings.ts'
import { commands, comingReminders, deliveredReminders, startPageHost } from '../page-host.ts'
import { measure, meterPage, type PageWork } from '../page-meter.ts'
import { median, pairedRatio, quantile } from '../stats.ts'

const [FEW, MANY, PENDING] = [250, 1000, 500] as const
/** Seconds that a panel is watched for. */
const WATCHED = 5

/** Sessions by title, with what selects their rows and how many there are. */
const VIEWS = {
  few: ['[data-receipt]', FEW],
  many: ['[data-receipt]', MANY],
  plain: ['[data-chat-flow-kind="command"]', MANY + 1],
} as const

type View = keyof typeof VIEWS

/** Open a session in a fresh page, until all its rows are drawn. */
async function render(browser: Browser, host: Host, view: View, isDeep: boolean): Promise<PageWork & { readonly nodes: number }> {
  const [selector, count] = VIEWS[view]
  return inPage(browser, host, isDeep, async (page, session) => {
    const nodes = (): Promise<number> => page.evaluate<number>('document.querySelectorAll("*").length')
    const before = await nodes()
    const work = await measure(page, session, async () => {
      await pickSession(page, `bench ${view}`)
      // One look in each frame, inside the page: the less is asked of it, the less of what it does is ours.
      await page.waitForFunction(`document.querySelectorAll('${selector}').length === ${count}`, undefined, { timeout: 120_000 })
    })
    return { ...work, nodes: (await nodes()) - before }
  })
}

async function inPage<T>(browser: Browser, host: Host, isDeep: boolean, job: (page: Page, session: Awaited<ReturnType<typeof meterPage>>) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    const session = await meterPage(page, isDeep)
    await page.goto(host.url, { waitUntil: 'domcontentloaded' })
    await skipDialogs(page, { timeout: 120_000 })
    return await job(page, session)
  } finally {
    await context.close()
  }
}

/** What a panel of hundreds of rows costs: to draw it, beside the browser's own cost of its document, and in each second. */
async function panelWork(browser: Browser, host: Host, isDeep: boolean): Promise<{ readonly drawn: PageWork; readonly floorMs: number; readonly second: PageWork; readonly rest: PageWork; readonly nodes: number }> {
  return inPage(browser, host, isDeep, async (page, session) => {
    await pickSession(page, 'bench panel')
    await page.locator('[data-clock]').waitFor()
    const watched = (): Promise<PageWork> => measure(page, session, () => page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${WATCHED * 1000}))`))
    const rest = await watched()
    const drawn = await measure(page, session, async () => {
      await openPanel(page)
      // All clicks in one go: what is measured are rows, not the way of a mouse.
      await page.evaluate(`(async () => { for (let more; (more = document.querySelector('.dsh-rem-more')) !== null;) { more.click(); await new Promise(requestAnimationFrame) } })()`)
    })
    if ((await pendingRows(page).count()) !== PENDING) throw new Error(`The panel does not show ${PENDING} rows.`)
    const nodes = await panel(page).locator('*').count()
    const second = await watched()
    const floor = await measure(page, session, () => page.evaluate(`(() => { const copy = document.createElement('div'); copy.innerHTML = document.querySelector('.dsh-rem-layer').outerHTML; document.body.append(copy) })()`))
    return { drawn, floorMs: floor.mainMs, second, rest, nodes }
  })
}

const perSecond = (ms: number): number => ms / WATCHED

/**
 * What a page costs that shows a thousand receipts, and a panel of five hundred reminders, in a real browser on a real
 * host (requirement P5). Beside the receipts as many of the page's own plainest rows; beside the panel its own document,
 * put into the page as text.
 *
 * @param isQuick - fewer rounds.
 */
export async function pageCosts(isQuick: boolean): Promise<Findings> {
  if (!existsSync(process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium')) {
    return { goals: [], tables: [{ title: 'A page: SKIPPED', rows: [{ why: 'No Chromium was found; install one or set CHROMIUM_PATH.' }] }] }
  }
  const browser = await launchBrowser()
  try {
    const { host, end } = await startPageHost({
      'bench few': () => deliveredReminders(FEW),
      'bench many': () => deliveredReminders(MANY),
      'bench plain': (command) => commands(MANY, command),
      'bench panel': () => comingReminders(PENDING),
    })
    const found = await rounds(browser, host, isQuick ? 2 : 5)
    await end()
    return found
  } finally {
    await browser.close()
    await endHosts()
  }
}

async function rounds(browser: Browser, host: Host, count: number): Promise<Findings> {
  const times: Record<View, number[]> = { few: [], many: [], plain: [] }
  const panels: Awaited<ReturnType<typeof panelWork>>[] = []
  for (let number = 0; number < count; number += 1) {
    const views = number % 2 === 0 ? (['few', 'many', 'plain'] as const) : (['plain', 'many', 'few'] as const)
    for (const view of views) times[view].push((await render(browser, host, view, false)).mainMs)
    panels.push(await panelWork(browser, host, false))
  }
  // Counting takes time of its own, so it has rounds of its own.
  const [few, many, plain] = [await render(browser, host, 'few', true), await render(browser, host, 'many', true), await render(browser, host, 'plain', true)]
  const counted = await panelWork(browser, host, true)
  const second = panels.map((one) => perSecond(one.second.mainMs - one.rest.mainMs))
  const [drawn, floors] = [panels.map((one) => one.drawn.mainMs), panels.map(({ floorMs }) => floorMs)]
  const row = (what: string, values: readonly number[], work: PageWork & { readonly nodes: number }): Record<string, string | number> => ({ what, 'main thread ms': median(values), low: quantile(values, 0.25), high: quantile(values, 0.75), 'DOM nodes': work.nodes, commits: work.commits, 'components called': work.renders, 'long tasks': work.longTasks })
  return {
    goals: [
      judge(`P5 main thread for ${MANY} receipts, beside as many rows of the page itself (ms)`, { ofTheirs: 1.5 }, median(times.many), median(times.plain), pairedRatio(times.many, times.plain)),
      judge(`P5 DOM nodes of a receipt, beside a row of the page itself`, { ofTheirs: 2 }, (many.nodes - few.nodes) / (MANY - FEW), plain.nodes / MANY),
      judge(`P5 components called for a receipt, beside a row of the page itself`, { ofTheirs: 2 }, (many.renders - few.renders) / (MANY - FEW), plain.renders / MANY),
      judge(`P5 main thread for ${MANY} receipts over that for ${FEW}: ${MANY / FEW} times as many`, { atMost: MANY / FEW }, median(times.many) / median(times.few)),
      judge(`P5 main thread for a panel of ${PENDING}, beside its document as text (ms)`, { ofTheirs: 6 }, median(drawn), median(floors), pairedRatio(drawn, floors)),
      judge(`P5 components called in a second of a panel of ${PENDING}`, { atMost: 10 }, perSecond(counted.second.renders - counted.rest.renders)),
      judge(`P5 main thread in a second of a panel of ${PENDING} (ms)`, { atMost: 10 }, median(second)),
    ],
    tables: [
      {
        title: 'A page: what it takes to draw rows, and to keep them',
        rows: [row(`${FEW} receipts`, times.few, few), row(`${MANY} receipts`, times.many, many), row(`${MANY} rows of the page itself`, times.plain, plain), row(`panel of ${PENDING}`, drawn, { ...counted.drawn, nodes: counted.nodes }), row(`a second of that panel`, second, { ...counted.second, commits: perSecond(counted.second.commits), renders: perSecond(counted.second.renders), nodes: 0 })],
      },
    ],
  }
}
