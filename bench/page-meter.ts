import type { CDPSession, Page } from 'playwright-core'

/** What a page did while something was looked at. */
export interface PageWork {
  /** Time of the main thread (milliseconds): scripts, styles, layout, painting. It does not grow when other processes are busy, or only little. */
  readonly mainMs: number
  /** Times that React wrote to the document. */
  readonly commits: number
  /** Components that were called for that. */
  readonly renders: number
  /** Those of them that are in the panel of reminders. */
  readonly inPanel: number
  /** Tasks of more than 50 ms, in which the page answers nobody. */
  readonly longTasks: number
  /** Nodes that were put in, taken out or changed. */
  readonly mutations: number
}

/*
 * Runs in the page before everything else. React tells its commits to whatever stands where its developer tools would;
 * a component was called if its fiber is a new one and says so.
 */
const METER = `(() => {
  const count = { commits: 0, renders: 0, inPanel: 0, longTasks: 0, mutations: 0 }
  const FUNCTIONS = new Set([0, 11, 14, 15]), ELEMENT = 5, PERFORMED = 1
  const walk = (fiber, before, isIn) => {
    if (FUNCTIONS.has(fiber.tag) && (before === null || (fiber.flags & PERFORMED) !== 0)) {
      count.renders += 1
      if (isIn) count.inPanel += 1
    }
    if (before !== null && fiber.child === before.child) return
    const isInside = isIn || (fiber.tag === ELEMENT && fiber.stateNode.hasAttribute('data-reminders'))
    for (let child = fiber.child; child !== null; child = child.sibling) walk(child, child.alternate, isInside)
  }
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = { renderers: new Map(), supportsFiber: true, inject: () => 1, onCommitFiberUnmount() {}, onPostCommitFiberRoot() {}, onCommitFiberRoot(_id, { current }) { count.commits += 1; if (globalThis.benchDeep) walk(current, current.alternate, false) } }
  new PerformanceObserver((list) => { count.longTasks += list.getEntries().length }).observe({ type: 'longtask' })
  const observer = new MutationObserver((records) => { for (const { addedNodes, removedNodes } of records) count.mutations += Math.max(1, addedNodes.length + removedNodes.length) })
  globalThis.benchCount = count
  globalThis.benchWatch = () => observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
})()`

/**
 * Put the meter into a page, before it is loaded.
 *
 * @param page - an empty one.
 * @param isDeep - count components too, and changes of the document; this takes time of its own.
 */
export async function meterPage(page: Page, isDeep: boolean): Promise<CDPSession> {
  await page.addInitScript(METER)
  await page.addInitScript(`globalThis.benchDeep = ${isDeep}; if (${isDeep}) addEventListener('DOMContentLoaded', globalThis.benchWatch)`)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return session
}

/**
 * What a page does until something holds, and until it has drawn that.
 *
 * @param page - with its meter.
 * @param session - of `meterPage`.
 * @param job - sets it off, and resolves when it holds.
 */
export async function measure(page: Page, session: CDPSession, job: () => Promise<unknown>): Promise<PageWork> {
  const before = await read(page, session)
  await job()
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  const after = await read(page, session)
  const grown = (key: keyof PageWork): number => after[key] - before[key]
  return { mainMs: grown('mainMs'), commits: grown('commits'), renders: grown('renders'), inPanel: grown('inPanel'), longTasks: grown('longTasks'), mutations: grown('mutations') }
}

async function read(page: Page, session: CDPSession): Promise<PageWork> {
  const { metrics } = await session.send('Performance.getMetrics')
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  const count = await page.evaluate<Omit<PageWork, 'mainMs'>>('({ ...globalThis.benchCount })')
  return { mainMs: seconds * 1000, ...count }
}
