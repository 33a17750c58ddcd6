import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readManifest, ROOT } from '../../scripts/lib/workspace.ts'
import { axeFindings } from '../lib/accessibility.ts'
import { keepScreenshot, launchBrowser, LOOKS, skipDialogs } from '../lib/browser.ts'
import { bootHost, type Host } from '../lib/host.ts'
import { makeHome, type Home } from '../lib/home.ts'
import { closeContexts, closeLane, talkedSession } from '../lib/page-lane.ts'
import { openSession, pickSession } from '../lib/receipts.ts'
import { talk } from '../lib/transcript.ts'
import { waitFor } from '../lib/waiting.ts'

const TITLE = 'a clock'
const ZONE = 'Asia/Shanghai'

let browser: Browser
let home: Home
let host: Host
beforeAll(async () => {
  browser = await launchBrowser()
  home = await makeHome()
  host = await bootHost(home)
})
afterEach(() => closeContexts(browser))
afterAll(() => closeLane(browser, home))

/** A session of its own, on screen. */
const session = (title: string): Promise<string> => talkedSession(host, home, title, ZONE)

const button = (page: Page) => page.locator('[data-clock]')
const card = (page: Page) => page.locator('[data-clock-card]')
const checked = (page: Page) => card(page).getByRole('radio', { checked: true })
const mode = async (sessionId: string): Promise<unknown> => host.call('state', { sessionId }, '/time-reminder')
const says = (page: Page, text: RegExp | string): Promise<void> => card(page).getByText(text).first().waitFor()

describe('the clock in the header', () => {
  it('R24 P5 comes from the manifests, as one script of under 30 kB', async () => {
    for (const name of ['time-reminder', 'client-ui-schedule', 'timekeeper']) {
      expect(readManifest(join(ROOT, 'packages', name)).dsh?.client).toMatchObject({ platform: 'web' })
    }
    const script = readFileSync(join(ROOT, 'packages/timekeeper/lib/client.js'))
    expect(gzipSync(script).length).toBeLessThan(30_000)
    const served = await fetch(`${host.url}/plugins/dsh-timekeeper/client.js`)
    expect(await served.text()).toBe(script.toString())
  })

  it('R21 shows a ticking card on hover, keeps it while it is used, and closes it with Escape', async () => {
    await session(`${TITLE} hover`)
    const { page, errors } = await openSession(browser, host, `${TITLE} hover`, { zone: ZONE })
    await button(page).hover()
    const time = card(page).locator('time').first()
    await time.waitFor()
    const first = await time.getAttribute('datetime')
    await waitFor('the second has changed', async () => (await time.getAttribute('datetime')) !== first, { every: 100 })
    const [shown, machine] = [await time.innerText(), Date.parse((await time.getAttribute('datetime')) ?? '')]
    expect(Math.abs(machine - Date.now())).toBeLessThan(3000)
    expect(shown).toMatch(/^\d\d:\d\d:\d\d\s+\w+day, \w+ \d+, \d{4}$/)
    await says(page, `Zone of this browser: ${ZONE}`)
    expect(await card(page).locator('[aria-live]').count()).toBe(0)
    await page.mouse.move(300, 700)
    await card(page).waitFor({ state: 'detached' })

    await button(page).click()
    await page.mouse.move(300, 700)
    await says(page, ZONE)
    await page.keyboard.press('Escape')
    await card(page).waitFor({ state: 'detached' })
    expect(await page.locator('[data-clock]:focus').count()).toBe(1)
    await button(page).click()
    await page.mouse.click(300, 700)
    await card(page).waitFor({ state: 'detached' })
    expect(errors).toEqual([])
  })

  it('R21 R23 a switch by keyboard alone is requested at once and in force at the next step', async () => {
    const sessionId = await session(`${TITLE} keys`)
    const { page, errors } = await openSession(browser, host, `${TITLE} keys`, { zone: ZONE })
    await button(page).focus()
    await page.keyboard.press('Enter')
    await waitFor('the mode is known', async () => (await checked(page).innerText()) === 'Plan')
    await page.keyboard.press('Tab')
    expect(await page.locator('[role=radio][aria-checked=true]:focus').count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await mode(sessionId)).toMatchObject({ mode: 'cron' })
    await page.keyboard.press('Space')
    await says(page, 'Requested, takes effect at the next step')
    expect(await checked(page).innerText()).toBe('Step')
    await says(page, 'One reading at every step')
    expect(await mode(sessionId)).toMatchObject({ mode: 'fine', pending: true })
    await talk(host, sessionId, 'say on', { zone: ZONE })
    await waitFor('the request is in force', async () => (await card(page).getByText('Requested').count()) === 0)
    expect(await mode(sessionId)).toMatchObject({ mode: 'fine', pending: false })
    expect(errors).toEqual([])
  })

  it("R21 a bad plan shows the host's reason and loses nothing that was typed", async () => {
    const sessionId = await session(`${TITLE} plan`)
    const { page, errors } = await openSession(browser, host, `${TITLE} plan`, { zone: ZONE })
    await button(page).click()
    const field = card(page).getByRole('textbox')
    await field.fill('61 * * * *')
    await field.press('Enter')
    await says(page, /The cron expression is not valid.*61/)
    await keepScreenshot(page, 'clock-bad-plan')
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual(['61 * * * *', 'true'])
    expect(await mode(sessionId)).toMatchObject({ cron: '0 0 * * *', pending: false })
    await field.fill('30 9 * * *')
    await card(page).getByRole('button', { name: 'Save' }).click()
    await says(page, 'Requested, takes effect at the next step')
    expect(await mode(sessionId)).toMatchObject({ mode: 'cron', cron: '30 9 * * *', pending: true })
    expect(await card(page).getByRole('alert').count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('R21 a tap opens the card, and the next one closes it', async () => {
    await session(`${TITLE} tap`)
    const context = await browser.newContext({ hasTouch: true, locale: 'en-US', timezoneId: ZONE })
    const page = await context.newPage()
    await page.goto(host.url)
    await skipDialogs(page)
    await pickSession(page, `${TITLE} tap`)
    await button(page).tap()
    await card(page).getByRole('radio', { name: 'Turn' }).tap()
    await says(page, 'Requested, takes effect at the next step')
    await button(page).tap()
    await card(page).waitFor({ state: 'detached' })
  })

  it('R21 T11 the button shows what is due next and keeps its width', async () => {
    const sessionId = await session(`${TITLE} width`)
    const { page, errors } = await openSession(browser, host, `${TITLE} width`, { zone: ZONE })
    await button(page).waitFor()
    const before = await button(page).boundingBox()
    expect(await button(page).getAttribute('aria-label')).toMatch(/^Clock, \d\d:\d\d$/)
    await host.call('create', { sessionId, text: '3h stretch', timeZone: ZONE }, '/dsh-reminders')
    await waitFor('the button shows the reminder', async () => /^Clock, next due .+ \d\d:\d\d$/.test((await button(page).getAttribute('aria-label')) ?? ''))
    expect(await button(page).boundingBox()).toEqual(before)
    expect(errors).toEqual([])
  })

  it('R21 a host that was restarted is asked until it has mounted the clock', async () => {
    await session(`${TITLE} restart`)
    const { page } = await openSession(browser, host, `${TITLE} restart`, { zone: ZONE })
    await button(page).click()
    await card(page).getByRole('radio', { checked: true }).waitFor()
    host.kill('SIGKILL')
    await host.exited
    // What a host says that is there and has not mounted the plugin yet; how long that lasts is not in anybody's hand.
    let refused = 0
    await page.route(/\/time-reminder\/state$/, route => (refused < 3 && (refused += 1) > 0 ? route.fulfill({ status: 404 }) : route.continue()))
    host = await bootHost(home, { port: host.port })
    await says(page, 'The host did not answer')
    await waitFor('the clock is known again', async () => (await card(page).getByText('The host did not answer').count()) === 0, { timeout: 60_000 })
    expect(refused).toBe(3)
  })
})

describe('the card as it looks', () => {
  beforeAll(async () => {
    const sessionId = await session(`${TITLE} to see`)
    await host.call('create', { sessionId, text: 'tomorrow 9:00 stand-up', timeZone: ZONE }, '/dsh-reminders')
  })

  it.each(LOOKS)('R21 in %s, %s, %i pixels wide it fits and has no barrier', async (colorScheme, locale, width) => {
    const { page, errors } = await openSession(browser, host, `${TITLE} to see`, { colorScheme, locale, zone: ZONE })
    await page.setViewportSize({ width, height: 900 })
    // The page needs a moment to take its narrow shape.
    let before = ''
    await waitFor('the header stands still', async () => {
      const [known, box] = [before, await button(page).boundingBox()]
      before = JSON.stringify(box)
      return before === known && box !== null && box.x + box.width <= width
    }, { every: 250 })
    await button(page).click()
    await says(page, locale === 'zh-CN' ? '多久告诉模型一次时间' : 'How often the model is told the time')
    await waitFor('the card is inside the page', async () => {
      const box = await card(page).boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= width
    })
    expect(await page.evaluate(`(() => { const box = document.querySelector('[data-clock]').getBoundingClientRect(); return document.elementsFromPoint(box.left + 2, box.top + box.height / 2).some(node => node.matches('[data-clock]')) })()`)).toBe(true)
    await keepScreenshot(page, `clock-${colorScheme}-${locale.slice(0, 2)}-${width}`)
    expect(await axeFindings(page, '[data-clock-card]')).toEqual([])
    expect(errors).toEqual([])
  })
})
