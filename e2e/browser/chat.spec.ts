import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { keepScreenshot, launchBrowser, offerWorkspace, openTab, skipDialogs, transcript, type } from '../lib/browser.ts'
import { bootHost, endHosts } from '../lib/host.ts'
import { makeHome, type Home } from '../lib/home.ts'
import { readLog } from '../lib/log-file.ts'
import { waitFor } from '../lib/waiting.ts'
import { remindersIn } from '../story/deliveries.ts'

let browser: Browser
let home: Home
beforeAll(async () => {
  browser = await launchBrowser()
  home = await makeHome()
})
afterEach(endHosts)
afterAll(async () => {
  await browser.close()
  home.remove()
})

it('S4 S30 S37 a person asks in the page, everything is closed, and after the restart the page shows the reminder once', async () => {
  const first = await bootHost(home)
  await offerWorkspace(first, home)
  const tab = await openTab(browser, first.url)
  await skipDialogs(tab.page)
  await type(tab.page, 'remind me in 6 seconds to stretch')
  await waitFor('the answer is in the page', async () => (await transcript(tab.page)).some(({ text }) => text.includes('r-1')))
  expect(tab.errors).toEqual([])
  const [session] = await first.sessions()
  const due = Date.parse(remindersIn(readLog(home, session!.sessionId).events)[0]!.scheduledAt)
  await tab.page.context().close()
  await waitFor('the title is stored: it is what the sidebar shows', () => readLog(home, session!.sessionId).events.some(event => event.type === 'session/title'))
  first.kill('SIGKILL')
  await first.exited
  await waitFor('its instant has passed', () => Date.now() > due)

  const second = await bootHost(home)
  const again = await openTab(browser, second.url)
  await skipDialogs(again.page)
  await again.page.getByRole('treeitem', { name: /remind me/ }).last().click()
  const rows = await waitFor('the reminder is in the page', async () => {
    const shown = await transcript(again.page)
    return shown.some(({ kind, text }) => kind === 'context' && text.includes('Reminder · stretch')) && shown.some(({ text }) => text.includes('Reminder: stretch')) && shown
  })
  expect(rows.filter(({ text }) => text.includes('Reminder · stretch'))).toHaveLength(1)
  expect(remindersIn(readLog(home, session!.sessionId).events)).toMatchObject([{ deliveries: 1, reasons: ['host-down'] }])
  expect(again.errors).toEqual([])
  await keepScreenshot(again.page, 'reminder-after-restart')
})
