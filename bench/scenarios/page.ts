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

/** Sessions by the end of their titles, with what selects their rows and how many there are. */
const VIEWS = {
  few: ['[data-receipt]', FEW],
  many: ['[data-receipt]', MANY],
  plain: ['[data-chat-flow-kind="command"]', MANY + 1],
} as const

type View = keyof typeof VIEWS
type Meter = Awaited<ReturnType<typeof meterPage>>
type ViewWork = PageWork & { readonly nodes: number }

/** What a panel of hundreds of rows costs, in all and in a second. */
interface PanelWork {
  readonly drawn: PageWork
  /** The browser's own cost of its document (milliseconds of the main thread). */
  readonly floorMs: number
  readonly nodes: number
  /** A second with the panel, and one before it was opened. */
  readonly second: PageWork
  readonly rest: PageWork
}

/** What one page has done. */
type Round = Readonly<Record<View, ViewWork>> & { readonly panel: PanelWork }

/**
 * Open one session after another in a fresh page, each from one that is nearly empty, and the panel in the last.
 *
 * @param watched - seconds that a panel is watched for.
 */
async function roundOf(browser: Browser, host: Host, views: readonly View[], isDeep: boolean, watched: number): Promise<Round> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    const meter = await meterPage(page, isDeep)
    await page.goto(host.url, { waitUntil: 'domcontentloaded' })
    await skipDialogs(page, { timeout: 120_000 })
    const works: Partial<Record<View, ViewWork>> = {}
    for (const view of views) works[view] = await render(page, meter, view)
    const { few, many, plain } = works
    if (few === undefined || many === undefined || plain === undefined) throw new Error('A view was left out.')
    return { few, many, plain, panel: await panelWork(page, meter, watched) }
  } finally {
    await context.close()
  }
}

/** Open a session, until all its rows are drawn. */
async function render(page: Page, meter: Meter, view: View): Promise<ViewWork> {
  const [selector, count] = VIEWS[view]
  await pickSession(page, 'bench panel')
  await page.waitForFunction(`document.querySelectorAll('[data-receipt]').length === 0 && document.querySelectorAll('[data-chat-flow-kind="command"]').length === 1`, undefined, { timeout: 120_000 })
  const nodes = (): Promise<number> => page.evaluate<number>('document.querySelectorAll("*").length')
  const before = await nodes()
  const work = await measure(page, meter, async () => {
    await pickSession(page, `bench ${view}`)
    // One look in each frame, inside the page: the less is asked of it, the less of what it does is ours.
    await page.waitForFunction(`document.querySelectorAll('${selector}').length === ${count}`, undefined, { timeout: 120_000 })
  })
  return { ...work, nodes: (await nodes()) - before }
}

async function panelWork(page: Page, meter: Meter, watched: number): Promise<PanelWork> {
  await pickSession(page, 'bench panel')
  await page.locator('[data-clock]').waitFor()
  const oneSecond = async (): Promise<PageWork> => {
    const { mainMs, commits, renders, inPanel, mutations, longTasks } = await measure(page, meter, () => page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${watched * 1000}))`))
    return { mainMs: mainMs / watched, commits: commits / watched, renders: renders / watched, inPanel: inPanel / watched, mutations: mutations / watched, longTasks: longTasks / watched }
  }
  const rest = await oneSecond()
  const drawn = await measure(page, meter, async () => {
    await openPanel(page)
    // All clicks in one go: what is measured are rows, not the way of a mouse.
    await page.evaluate(`(async () => { for (let more; (more = document.querySelector('.dsh-rem-more')) !== null;) { more.click(); await new Promise(requestAnimationFrame) } })()`)
  })
  if ((await pendingRows(page).count()) !== PENDING) throw new Error(`The panel does not show ${PENDING} rows.`)
  const nodes = await panel(page).locator('*').count()
  const second = await oneSecond()
  const floor = await measure(page, meter, () => page.evaluate(`(() => { const copy = document.createElement('div'); copy.innerHTML = document.querySelector('.dsh-rem-layer').outerHTML; document.body.append(copy) })()`))
  return { drawn, floorMs: floor.mainMs, second, rest, nodes }
}

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
    const found = await rounds(browser, host, isQuick ? 2 : 3, isQuick ? 2 : 5)
    await end()
    return found
  } finally {
    await browser.close()
    await endHosts()
  }
}

/** A page that has run for a while is faster, so what is compared goes first in turn. */
const ORDERS: readonly (readonly View[])[] = [
  ['few', 'many', 'plain'],
  ['plain', 'many', 'few'],
]

async function rounds(browser: Browser, host: Host, count: number, watched: number): Promise<Findings> {
  const done: Round[] = []
  for (let number = 0; number < count; number += 1) done.push(await roundOf(browser, host, ORDERS[number % ORDERS.length] ?? [], false, watched))
  // Counting takes time of its own, so it has a page of its own.
  const counted = await roundOf(browser, host, ORDERS[0] ?? [], true, watched)
  return { goals: goalsOf(done, counted), tables: [tableOf(done, counted)] }
}

const times = (done: readonly Round[], of: (round: Round) => PageWork): readonly number[] => done.map((round) => of(round).mainMs)

function goalsOf(done: readonly Round[], { few, many, plain, panel: { second } }: Round): Findings['goals'] {
  const [fews, manys, plains] = [times(done, (round) => round.few), times(done, (round) => round.many), times(done, (round) => round.plain)]
  const [drawn, floors] = [times(done, (round) => round.panel.drawn), done.map((round) => round.panel.floorMs)]
  const [seconds, rests] = [times(done, (round) => round.panel.second), times(done, (round) => round.panel.rest)]
  const each = (key: 'nodes' | 'renders'): number => (many[key] - few[key]) / (MANY - FEW)
  return [
    judge(`P5 main thread for ${MANY} receipts, beside as many rows of the page itself (ms)`, { ofTheirs: 1.5 }, median(manys), median(plains), pairedRatio(manys, plains)),
    judge('P5 DOM nodes of a receipt, beside a row of the page itself', { ofTheirs: 1.25 }, each('nodes'), plain.nodes / MANY),
    judge('P5 components called for a receipt, beside a row of the page itself', { ofTheirs: 1.25 }, each('renders'), plain.renders / MANY),
    judge(`P5 main thread for ${MANY} receipts over that for ${FEW}: ${MANY / FEW} times as many`, { atMost: MANY / FEW }, median(manys) / median(fews)),
    judge(`P5 main thread for a panel of ${PENDING}, beside its document as text (ms)`, { ofTheirs: 6 }, median(drawn), median(floors), pairedRatio(drawn, floors)),
    judge(`P5 components of a panel of ${PENDING} that are called in a second, beside its rows that then say something else`, { ofTheirs: 1.25 }, second.inPanel, PENDING / 60),
    judge(`P5 main thread in a second of a panel of ${PENDING}, more than without it (ms)`, { atMost: 20 }, Math.max(0, median(seconds) - median(rests))),
  ]
}

function tableOf(done: readonly Round[], counted: Round): Findings['tables'][number] {
  const row = (what: string, of: (round: Round) => PageWork, nodes: number): Record<string, string | number> => {
    const values = times(done, of)
    const { commits, renders, longTasks } = of(counted)
    return { what, 'main thread ms': median(values), low: quantile(values, 0.25), high: quantile(values, 0.75), 'DOM nodes': nodes, commits, 'components called': renders, 'long tasks': longTasks }
  }
  return {
    title: 'A page: what it takes to draw rows, and to keep them',
    rows: [
      row(`${FEW} receipts`, (round) => round.few, counted.few.nodes),
      row(`${MANY} receipts`, (round) => round.many, counted.many.nodes),
      row(`${MANY} rows of the page itself`, (round) => round.plain, counted.plain.nodes),
      row(`panel of ${PENDING}`, (round) => round.panel.drawn, counted.panel.nodes),
      row('a second with that panel', (round) => round.panel.second, 0),
      row('a second without it', (round) => round.panel.rest, 0),
    ],
  }
}
