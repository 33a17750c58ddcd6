import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFindings } from '../lib/accessibility.ts'
import { keepScreenshot, launchBrowser, LOOKS, skipDialogs } from '../lib/browser.ts'
import { bootHost, type Host } from '../lib/host.ts'
import { makeHome, type Home } from '../lib/home.ts'
import { closeContexts, closeLane, talkedSession } from '../lib/page-lane.ts'
import { changeState, openPanel, panel, pendingRows, stillPanel } from '../lib/panel.ts'
import { delivered, listedSession, openSession, otherErrors, pickSession } from '../lib/receipts.ts'
import { talk } from '../lib/transcript.ts'
import { waitFor } from '../lib/waiting.ts'

const ZONE = 'Asia/Shanghai'
const CHANNEL = '/dsh-reminders'

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

const session = (title: string): Promise<string> => talkedSession(host, home, title, ZONE)
const create = (sessionId: string, text: string): Promise<unknown> => host.call('create', { sessionId, text, timeZone: ZONE }, CHANNEL)
const state = (sessionId: string): Promise<{ pending: readonly { id: string; prompt: string; due: { ms: number } }[] }> => host.call('state', { sessionId }, CHANNEL)
const rows = (page: Page, count: number): Promise<boolean> => waitFor(`${count} rows are pending`, async () => (await pendingRows(page).count()) === count)

describe('the reminders panel', () => {
  it('T11 by keyboard alone: write, see what it will be, set, put off, edit, cancel, undo, and back to the clock', async () => {
    const sessionId = await session('by keys')
    const { page, errors } = await openSession(browser, host, 'by keys', { zone: ZONE })
    await page.locator('[data-clock]').focus()
    await page.keyboard.press('Enter')
    await waitFor('the focus is on the way to the panel', async () => {
      await page.keyboard.press('Tab')
      return (await page.locator('.dsh-clock-reminders:focus').count()) === 1
    }, { every: 20 })
    await page.keyboard.press('Enter')
    await panel(page).getByText('Nothing is pending').waitFor()
    await stillPanel(page)
    await keepScreenshot(page, 'panel-empty')
    await page.keyboard.type('tomorrow 9:00 stand-up')
    await panel(page).getByText(/^Due .+ 09:00, in .+ h/).waitFor()
    await page.keyboard.press('Enter')
    await rows(page, 1)
    expect(await panel(page).locator('[data-status]').innerText()).toBe('Saved')
    const row = pendingRows(page).first()
    const left = row.locator('.dsh-rem-left')
    await page.keyboard.type('3m tea')
    await page.keyboard.press('Enter')
    await rows(page, 2)
    const first = await left.innerText()
    await waitFor('the countdown runs', async () => (await left.innerText()) !== first)

    await row.getByRole('button', { name: 'Snooze: tea' }).press('Enter')
    await row.getByRole('button', { name: '1 h', exact: true }).press('Enter')
    await waitFor('tea comes in an hour', async () => /in (?:59 min|1 h)/.test(await left.innerText()))
    await row.getByRole('button', { name: 'Edit: tea' }).press('Enter')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('green tea')
    await page.keyboard.press('Enter')
    await row.getByText('green tea').waitFor()
    await row.getByRole('button', { name: 'Cancel: green tea' }).press('Enter')
    await rows(page, 1)
    await waitFor('undo has the focus', async () => (await page.locator('[data-undo]:focus').count()) === 1)
    await page.keyboard.press('Enter')
    await rows(page, 2)
    expect((await state(sessionId)).pending.map(({ prompt }) => prompt)).toEqual(['green tea', 'stand-up'])
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    expect(await page.locator('[data-clock]:focus').count()).toBe(1)
    expect(await page.locator('[data-clock-card]').count()).toBe(0)
    expect(errors).toEqual([])
  })

  it("T10 T11 a text that is refused stays, with the host's reason and examples to take", async () => {
    await session('refused')
    const { page, errors } = await openSession(browser, host, 'refused', { zone: ZONE, locale: 'zh-CN' })
    await openPanel(page)
    const field = panel(page).getByRole('textbox')
    await field.fill('明天3点 开会')
    await field.press('Enter')
    await panel(page).getByText('这个钟点可能是上午').waitFor()
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual(['明天3点 开会', 'true'])
    await panel(page).getByRole('group', { name: '示例' }).getByRole('button').first().click()
    expect(await field.getAttribute('aria-invalid')).toBe('false')
    expect(await page.locator('input:focus').count()).toBe(1)
    expect(errors).toEqual([])
  })

  it('T11 two tabs show the same, and a change in one is in the other at once', async () => {
    await session('two tabs')
    const { page, errors } = await openSession(browser, host, 'two tabs', { zone: ZONE })
    const other = await page.context().newPage()
    await other.goto(host.url)
    await skipDialogs(other)
    await pickSession(other, 'two tabs')
    await openPanel(page)
    await openPanel(other)
    await panel(page).getByRole('textbox').fill('2h water')
    await panel(page).getByRole('textbox').press('Enter')
    await rows(page, 1)
    await rows(other, 1)
    await page.close()
    await pendingRows(other).getByRole('button', { name: 'Cancel: water' }).click()
    await rows(other, 0)
    expect(errors).toEqual([])
  })

  it('T11 a picture, what was delivered, and 500 pending ones without lag', { timeout: 240_000 }, async () => {
    const sessionId = await session('many')
    await create(sessionId, '1s stretch')
    await delivered(host, home, sessionId, 1)
    for (let n = 1; n <= 500; n += 1) await create(sessionId, `${n + 30}m reminder ${n}`)
    const { page, errors } = await openSession(browser, host, 'many', { zone: ZONE })
    await page.locator('[data-clock]').click()
    const begin = performance.now()
    await page.locator('[data-clock-card]').getByRole('button', { name: 'Reminders' }).click()
    await rows(page, 20)
    expect(performance.now() - begin).toBeLessThan(2000)
    await panel(page).getByRole('heading', { name: 'Pending 500' }).waitFor()
    await panel(page).getByRole('button', { name: 'Show 20 more' }).click()
    await rows(page, 40)
    expect(await panel(page).locator('[data-past=delivered] > li').allInnerTexts()).toEqual([expect.stringContaining('stretch')])
    const picture = panel(page).getByRole('img').first()
    expect(await picture.getAttribute('aria-label')).toMatch(/: 1 delivered, 0 missed, 500 coming\.$/)
    await panel(page).getByRole('button', { name: 'Week' }).click()
    expect(await picture.locator('[data-mark=delivered]').count()).toBe(1)
    await panel(page).locator('[data-past]').scrollIntoViewIfNeeded()
    await keepScreenshot(page, 'panel-500')
    const feed = await fetch(new URL((await panel(page).getByRole('link', { name: /Calendar/ }).getAttribute('href')) ?? '', host.url))
    expect(await feed.text()).toContain('BEGIN:VCALENDAR')
    expect(errors).toEqual([])
  })

  it.each([
    ['closed', { live: false }, /This session is closed/],
    ['corrupt', { corruption: { seq: 7, rule: 'unknown-id' }, pending: [] }, /breaks its format at event 7 \(unknown-id\)/],
    ['unconfirmed', { stored: false }, /Not confirmed as stored/],
    ['refused', { outcome: 'refused', refusal: { code: 'reminders_unavailable', message: 'No reminders here.' } }, /No reminders here\..*Try again/],
  ])('T11 tells the truth when it is %s', async (name, change, words) => {
    const sessionId = await session('truth')
    await create(sessionId, '2h water')
    const { page, errors } = await openSession(browser, host, 'truth', { zone: ZONE })
    await changeState(page, value => ({ ...value, ...change }))
    await page.reload()
    await skipDialogs(page)
    await pickSession(page, 'truth')
    await page.locator('[data-clock]').click()
    await page.locator('[data-clock-card]').getByRole('button', { name: 'Reminders' }).click()
    await waitFor('the panel says so', async () => words.test((await panel(page).innerText()).replaceAll(/\s+/g, ' ')))
    await stillPanel(page)
    await keepScreenshot(page, `panel-${name}`)
    expect(await axeFindings(page, '[data-reminders]')).toEqual([])
    expect(errors).toEqual([])
  })

  it('T11 says that the host is gone, keeps what is typed, and goes on when it is back', async () => {
    const ours = await makeHome()
    const first = await bootHost(ours)
    const sessionId = await listedSession(first, ours, 'gone')
    await talk(first, sessionId, 'say hello', { zone: ZONE })
    await first.call('session.rename', { sessionId, title: 'gone' })
    const tab = await openSession(browser, first, 'gone', { zone: ZONE })
    await openPanel(tab.page)
    first.kill('SIGKILL')
    await first.exited
    const field = panel(tab.page).getByRole('textbox')
    await field.fill('2h water')
    await field.press('Enter')
    await panel(tab.page).getByText('not known whether the change was made').waitFor()
    expect(await field.inputValue()).toBe('2h water')
    const second = await bootHost(ours, { port: first.port })
    await second.open(sessionId)
    await waitFor('the trouble is over', async () => !(await panel(tab.page).innerText()).includes('Try again'))
    await field.press('Enter')
    await rows(tab.page, 1)
    expect(otherErrors(tab)).toEqual([])
    await second.stop()
    ours.remove()
  })
})

/** Before the page's own scripts: a window that is not in front, and a list of what was told, over all tabs. */
const WATCHED = `
document.hasFocus = () => localStorage.getItem('in-front') === 'yes'
const Real = window.Notification
window.Notification = class extends Real {
  constructor(title, options) {
    super(title, options)
    localStorage.setItem('heard ' + Math.random(), title + ': ' + options.body)
  }
  static requestPermission() {
    localStorage.setItem('asked', String(1 + Number(localStorage.getItem('asked'))))
    return Real.requestPermission()
  }
}`
const heard = (page: Page): Promise<readonly string[]> => page.evaluate<string[]>(`Object.keys(localStorage).filter(key => key.startsWith('heard')).map(key => localStorage.getItem(key))`)
const remembered = (page: Page, key: string): Promise<string | null> => page.evaluate<string | null>(`localStorage.getItem(${JSON.stringify(key)})`)

describe('notifications', () => {
  it('T12 B62 are shown once over all tabs, for what is delivered while none is in front, and never twice', async () => {
    const sessionId = await session('told')
    const { page, errors } = await openSession(browser, host, 'told', { zone: ZONE })
    const context = page.context()
    await context.addInitScript(WATCHED)
    await context.grantPermissions(['notifications'], { origin: host.url })
    await page.reload()
    await skipDialogs(page)
    await pickSession(page, 'told')
    const other = await context.newPage()
    await other.goto(host.url)
    await skipDialogs(other)
    await create(sessionId, '1s tea')
    await delivered(host, home, sessionId, 1)
    await waitFor('it is told', async () => (await heard(page)).length > 0)

    const first = await remembered(page, 'dsh-timekeeper.told')
    await page.evaluate(`localStorage.setItem('in-front', 'yes')`)
    await create(sessionId, '1s seen in the page')
    await delivered(host, home, sessionId, 2)
    await waitFor('it is noted as seen', async () => (await remembered(page, 'dsh-timekeeper.told')) !== first)
    const before = await remembered(page, 'dsh-timekeeper.told')
    await page.evaluate(`localStorage.removeItem('in-front')`)
    await page.close()
    await other.reload()
    await skipDialogs(other)
    await create(sessionId, '1s again')
    await delivered(host, home, sessionId, 3)
    await waitFor('the tab that is left tells the next one', async () => (await heard(other)).length > 1)
    expect(await heard(other)).toEqual(expect.arrayContaining(['Reminder: tea', 'Reminder: again']))
    expect(await heard(other)).toHaveLength(2)
    expect(await remembered(other, 'dsh-timekeeper.told')).not.toBe(before)
    expect([await remembered(other, 'asked'), errors]).toEqual([null, []])
  })

  it('T12 ask for permission on a click and not before', async () => {
    await session('asked')
    const { page, errors } = await openSession(browser, host, 'asked', { zone: ZONE })
    await page.addInitScript(WATCHED.replace('class extends Real {', `class extends Real {\n  static get permission() { return 'default' }`))
    await page.reload()
    await skipDialogs(page)
    await pickSession(page, 'asked')
    await openPanel(page)
    expect(await remembered(page, 'asked')).toBeNull()
    await panel(page).getByRole('button', { name: 'Notify me' }).click()
    expect(await remembered(page, 'asked')).toBe('1')
    expect(errors).toEqual([])
  })
})

describe('the panel as it looks', () => {
  beforeAll(async () => {
    const sessionId = await session('to see')
    await create(sessionId, '1s 起来活动一下')
    await delivered(host, home, sessionId, 1)
    for (const text of ['25m tea', 'tomorrow 9:00 stand-up with the whole team, and bring the notes of last week', 'every 2h drink water', 'cron "0 9 * * 1-5" 晨会']) await create(sessionId, text)
  })

  it.each(LOOKS)('T11 in %s, %s, %i pixels wide it fits and has no barrier', async (colorScheme, locale, width) => {
    const { page, errors } = await openSession(browser, host, 'to see', { colorScheme, locale, zone: ZONE })
    await page.setViewportSize({ width, height: 900 })
    await openPanel(page)
    await rows(page, 4)
    await panel(page).getByRole('textbox').fill(locale === 'zh-CN' ? '明天 15:30 给安娜回电话' : 'tomorrow 15:30 call Ann')
    await panel(page).getByText(/15:30[，,] ?/).first().waitFor()
    expect(await page.evaluate(`[...document.querySelectorAll('[data-reminders], [data-reminders] *')].filter(node => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX === 'visible' && node.clientWidth > 0 && !(node instanceof SVGElement)).map(node => node.outerHTML.slice(0, 120))`)).toEqual([])
    await page.mouse.move(0, 0)
    await stillPanel(page)
    await keepScreenshot(page, `panel-${colorScheme}-${locale.slice(0, 2)}-${width}`)
    expect(await axeFindings(page, '[data-reminders]')).toEqual([])
    expect(errors).toEqual([])
  })
})
