import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/lib/workspace.ts'
import { keepScreenshot, launchBrowser, LOOKS, offerWorkspace, openTab, skipDialogs, transcript, type } from '../lib/browser.ts'
import { unmountBundle } from '../lib/bundles.ts'
import { bootHost, endHosts, type Host } from '../lib/host.ts'
import { makeHome, type Home } from '../lib/home.ts'
import { readLog } from '../lib/log-file.ts'
import { closeContexts } from '../lib/page-lane.ts'
import { delivered, listedSession, openSession, otherErrors, pickSession, readOnly, receipts, receiptTexts, shown } from '../lib/receipts.ts'
import { resultsOf, talk, turnsEnded } from '../lib/transcript.ts'
import { waitFor } from '../lib/waiting.ts'
import { remindersIn } from '../story/deliveries.ts'

const FIXTURE = join(ROOT, 'e2e/fixtures/failing-disk.ts')
const TITLE = 'under test'
/** Most of their receipts are there at once, several low screens full; the page keeps its oldest rows back until somebody scrolls. */
const MANY = 30

/** What is asked of an element; this side of the browser knows no DOM. */
interface Row {
  readonly firstElementChild: { checkVisibility(options: { readonly contentVisibilityAuto: boolean }): boolean }
}

/** Title that the host gives a session that begins with our script. */
const TYPED = /schedule create/

let browser: Browser
let home: Home
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const closePages = (): Promise<void> => closeContexts(browser)

const inSeconds = (prompt: string, seconds: number): string => `call schedule_create ${JSON.stringify({ prompt, after_seconds: seconds })}`

/** A session with one delivered and answered reminder. */
const sessionWithReceipt = async (host: Host): Promise<string> => {
  const sessionId = await listedSession(host, home, TITLE)
  await talk(host, sessionId, `${inSeconds('stretch', 1)} ;; set`, { zone: 'Asia/Shanghai' })
  await delivered(host, home, sessionId, 1)
  return sessionId
}

describe('receipts in the page', () => {
  beforeEach(async () => {
    home = await makeHome()
  })
  afterEach(async () => {
    await closePages()
    await endHosts()
    home.remove()
  })

  it('S37 S33 a short delay and an absolute time are delivered, and their receipts stay through a reload and a restart', async () => {
    const first = await bootHost(home)
    await offerWorkspace(first, home)
    const tab = await openTab(browser, first.url)
    await skipDialogs(tab.page)
    const at = new Date(Date.now() + 6000).toISOString()
    await type(tab.page, `${inSeconds('stretch', 3)} ;; call schedule_create ${JSON.stringify({ prompt: 'call Ann', at })} ;; set`)
    await shown(tab.page, 2)
    await waitFor('the model has answered both', async () => (await receiptTexts(tab.page)).every(text => text.includes('the model answered')))
    const live = await receiptTexts(tab.page)
    expect(live).toEqual([
      expect.stringMatching(/^Delivered to the conversation · stretch · due .+ · the model answered · this session only$/),
      expect.stringMatching(/^Delivered to the conversation · call Ann · due .+ · the model answered · this session only$/),
    ])
    const [row] = await first.sessions()
    const stored = remindersIn(readLog(home, row!.sessionId).events)
    const times = await receipts(tab.page).locator('button time').all()
    expect(await Promise.all(times.map(time => time.getAttribute('datetime')))).toEqual(stored.map(({ scheduledAt }) => scheduledAt))

    await tab.page.reload()
    await skipDialogs(tab.page)
    await pickSession(tab.page, TYPED)
    await shown(tab.page, 2)
    expect(await receiptTexts(tab.page)).toEqual(live)
    expect(tab.errors).toEqual([])

    await first.stop()
    const second = await bootHost(home)
    const again = await openSession(browser, second, TYPED)
    await shown(again.page, 2)
    expect(await receiptTexts(again.page)).toEqual(live)
    expect(again.errors).toEqual([])
  })

  it('S32 a dispatch that does not reach the disk has no receipt at any moment, and gets one when it does', async () => {
    const full = join(home.workspace, 'disk-is-full')
    writeFileSync(full, '')
    home.writeRows(`- insert:\n    - { id: failing-disk, name: ${JSON.stringify(FIXTURE)}, config: { while: ${JSON.stringify(full)} } }\n`)
    const host = await bootHost(home)
    await offerWorkspace(host, home)
    const tab = await openTab(browser, host.url)
    await skipDialogs(tab.page)
    await tab.page.evaluate(`new MutationObserver(() => { if (document.querySelector('[data-receipt]')) document.documentElement.dataset.sawReceipt = '' }).observe(document.body, { childList: true, subtree: true })`)
    await type(tab.page, `${inSeconds('stretch', 2)} ;; set`)
    const [{ sessionId } = { sessionId: '' }] = await waitFor('the session is there', async () => (await host.sessions()).length > 0 && host.sessions())
    await waitFor('the reminder is dispatched and its turn has failed', async () => {
      const events = await host.history(sessionId)
      return remindersIn(events)[0]?.deliveredAt !== undefined && turnsEnded(events) === 2
    })
    expect(remindersIn(readLog(home, sessionId).events)[0]).not.toHaveProperty('deliveredAt')
    expect(await tab.page.evaluate(`document.documentElement.dataset.sawReceipt`)).toBeUndefined()

    rmSync(full)
    await talk(host, sessionId, 'say thanks')
    await shown(tab.page, 1)
    expect(remindersIn(readLog(home, sessionId).events)[0]).toHaveProperty('deliveredAt')
    expect(await receiptTexts(tab.page)).toEqual([expect.stringMatching(/stretch .* the model has not read it/)])
    expect(tab.errors).toEqual([])
  })

  it('S35 with no model the turn fails, and the receipt says so and stays', async () => {
    const first = await bootHost(home)
    const sessionId = await listedSession(first, home, TITLE)
    await talk(first, sessionId, `${inSeconds('stretch', 4)} ;; set`)
    await first.stop()
    unmountBundle(home, 'dsh-llm-offline')
    // A key, so that the page does not ask for one; the session's own model is gone all the same.
    const host = await bootHost(home, { env: { DEEPSEEK_API_KEY: 'sk-none' } })
    const tab = await openSession(browser, host, TITLE)
    await shown(tab.page, 1)
    await waitFor('the turn has failed', async () => (await receiptTexts(tab.page))[0]?.includes('the model failed to answer'))
    expect((await transcript(tab.page)).some(({ kind }) => kind === 'turn-error')).toBe(true)
    expect(tab.errors).toEqual([])
  })

  it('S5 S31 S33 a fork shows the receipt of its parent and owns nothing', async () => {
    const host = await bootHost(home)
    const parent = await sessionWithReceipt(host)
    const child = await host.fork(parent)
    await talk(host, child, 'say I am the child')
    await host.call('session.rename', { sessionId: child, title: 'the child' })
    const tab = await openSession(browser, host, 'the child')
    await shown(tab.page, 1)
    await waitFor('the fork is on screen', async () => (await transcript(tab.page)).some(({ text }) => text.includes('I am the child')))
    expect(await receiptTexts(tab.page)).toEqual([expect.stringContaining('stretch')])
    expect(resultsOf(await talk(host, child, 'call schedule_list {} ;; listed'), 'schedule_list').at(-1)).toMatchObject({ reminders: [] })
    expect(tab.errors).toEqual([])
  })

  it('P5 S33 of many receipts those out of sight are not laid out, and each is whole when it is scrolled to', async () => {
    const host = await bootHost(home)
    const sessionId = await listedSession(host, home, TITLE)
    await talk(host, sessionId, `${Array.from({ length: MANY }, (_, number) => inSeconds(`stretch ${number}`, 1)).join(' ;; ')} ;; set`)
    await waitFor('all are delivered', () => remindersIn(readLog(home, sessionId).events).filter(({ deliveries }) => deliveries > 0).length === MANY)
    const { page, errors } = await openSession(browser, host, TITLE)
    await page.setViewportSize({ width: 1280, height: 320 })
    await waitFor('most receipts are there', async () => (await receipts(page).count()) > MANY / 2)
    // Held by what it is: further up there may be more, once somebody scrolls.
    const [oldest, newest] = [await receipts(page).first().elementHandle(), await receipts(page).last().elementHandle()]
    const isLaidOut = (receipt: typeof oldest): Promise<boolean> => receipt.evaluate(({ firstElementChild }: Row) => firstElementChild.checkVisibility({ contentVisibilityAuto: true }))
    for (const [seen, unseen] of [[newest, oldest], [oldest, newest]] as const) {
      await seen.scrollIntoViewIfNeeded()
      await waitFor('what is in sight is laid out, and what is far from it is not', async () => (await isLaidOut(seen)) && !(await isLaidOut(unseen)))
      expect(await seen.innerText()).toMatch(/stretch \d+\n/)
    }
    expect(errors).toEqual([])
  })

  it('S2 S33 cold history shows its receipts and brings no session to life', async () => {
    const first = await bootHost(home)
    const sessionId = await sessionWithReceipt(first)
    await talk(first, sessionId, `${inSeconds('later', 2)} ;; set`)
    first.kill('SIGKILL')
    await first.exited
    await waitFor('the second reminder is overdue', () => Date.now() > Date.parse(remindersIn(readLog(home, sessionId).events)[1]!.scheduledAt))

    const host = await bootHost(home)
    const tab = await openTab(browser, host.url)
    await readOnly(tab.page)
    await skipDialogs(tab.page)
    const before = readLog(home, sessionId).events.length
    await pickSession(tab.page, TITLE)
    await shown(tab.page, 1)
    expect(await receiptTexts(tab.page)).toEqual([expect.stringContaining('stretch')])
    expect((await host.sessions()).find(row => row.sessionId === sessionId)).toMatchObject({ running: false })
    expect(readLog(home, sessionId).events).toHaveLength(before)
    expect(remindersIn(await host.history(sessionId)).map(({ deliveries }) => deliveries)).toEqual([1, 0])
    // It was the reading that left it cold: opened in earnest, it delivers what is overdue.
    await host.open(sessionId)
    await shown(tab.page, 2)
  })

  it('S34 the host is killed under the open page, and after its return each receipt is there once', async () => {
    const first = await bootHost(home)
    const sessionId = await sessionWithReceipt(first)
    const tab = await openSession(browser, first, TITLE)
    await shown(tab.page, 1)
    await talk(first, sessionId, `${inSeconds('later', 2)} ;; set`)
    first.kill('SIGKILL')
    await first.exited
    const second = await bootHost(home, { port: first.port })
    await second.open(sessionId)
    await shown(tab.page, 2)
    await delivered(second, home, sessionId, 2)
    expect(await receiptTexts(tab.page)).toEqual([expect.stringContaining('stretch'), expect.stringContaining('later')])
    await talk(second, sessionId, `${inSeconds('once more', 1)} ;; set`)
    await shown(tab.page, 3)
    expect(otherErrors(tab)).toEqual([])
  })
})

describe('a receipt as it looks', () => {
  let shop: Home
  let host: Host
  beforeAll(async () => {
    shop = await makeHome()
    const first = await bootHost(shop)
    const sessionId = await listedSession(first, shop, TITLE)
    await talk(first, sessionId, `${inSeconds('stretch', 1)} ;; set`, { zone: 'Asia/Shanghai' })
    await delivered(first, shop, sessionId, 1)
    await talk(first, sessionId, `${inSeconds('给住在西湖边的安娜回电话，并把上周的会议纪要和新的预算表一起发给她', 1)} ;; set`, { zone: 'Asia/Shanghai' })
    first.kill('SIGKILL')
    await first.exited
    const [, second] = remindersIn(readLog(shop, sessionId).events)
    await waitFor('the second reminder is noticeably late', () => Date.now() > Date.parse(second!.scheduledAt) + 2500)
    host = await bootHost(shop)
    await host.open(sessionId)
    await delivered(host, shop, sessionId, 2)
  })
  afterEach(() => closePages())
  afterAll(async () => {
    await endHosts()
    shop.remove()
  })

  it.each(LOOKS)('S35 in %s, %s, %i pixels wide it unfolds by keyboard and fits', async (colorScheme, locale, width) => {
    const { page, errors } = await openSession(browser, host, TITLE, { colorScheme, locale })
    await page.setViewportSize({ width, height: 900 })
    await shown(page, 2)
    const row = receipts(page).last()
    const head = row.getByRole('button')
    expect(await head.getAttribute('aria-expanded')).toBe('false')
    await head.focus()
    await page.keyboard.press('Enter')
    expect(await head.getAttribute('aria-expanded')).toBe('true')
    // The page needs a moment to take its narrow shape.
    await waitFor('nothing of a row is cut off', async () => {
      const [outer, inner] = [await row.boundingBox(), await row.locator('dl').boundingBox()]
      const isInside = inner !== null && outer !== null && inner.x + inner.width <= outer.x + outer.width
      return isInside && page.evaluate<boolean>(`[...document.querySelectorAll('[data-receipt]')].every(row => row.scrollWidth <= row.clientWidth)`)
    })
    const texts = await receiptTexts(page)
    expect(texts[1]).toMatch(locale === 'zh-CN' ? /已送达会话 · 给住在西湖边.*迟到.*原因 · 主机当时没有运行/ : /Delivered to the conversation · 给住在西湖边.*late.*Why · the host was not running/)
    await row.scrollIntoViewIfNeeded()
    await keepScreenshot(page, `receipt-${colorScheme}-${locale.slice(0, 2)}-${width}`)
    expect(errors).toEqual([])
  })
})
