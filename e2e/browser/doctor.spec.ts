import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../../scripts/lib/json.ts'
import { axeFindings } from '../lib/accessibility.ts'
import { launchBrowser, openTab } from '../lib/browser.ts'
import { findings, waitingDoctor, type Diagnosis } from '../lib/doctor.ts'
import { bootHost } from '../lib/host.ts'
import { makeHome, type Home } from '../lib/home.ts'
import { leftovers } from '../lib/leftovers.ts'
import { closeContexts, closeLane, talkedSession } from '../lib/page-lane.ts'
import { waitFor } from '../lib/waiting.ts'

/** Of the log, of the browser, and of a law. */
const [LOGGED, OWN, CHANGED] = ['Europe/Berlin', 'Asia/Kathmandu', 'America/Asuncion']

let browser: Browser
let home: Home
beforeAll(async () => {
  browser = await launchBrowser()
  home = await makeHome()
  const host = await bootHost(home)
  await talkedSession(host, home, 'a talk in Berlin', LOGGED)
  await host.stop()
  await waitFor('nothing else is wrong with the home', async () => (await findings(home)).length === 0)
})
afterEach(async () => {
  await closeContexts(browser)
  await waitFor('no program is left', () => !leftovers().some(line => line.includes('--browser')))
})
afterAll(() => closeLane(browser, home))

/** One JSON document, and on the other stream only the address. */
const diagnosisOf = ({ exit, out, err }: { exit: number | null; out: string; err: string }): Diagnosis => {
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  return { ...parseJson<Omit<Diagnosis, 'exit'>>(out), exit: Number(exit) }
}

const said = (page: Page) => page.getByRole('status')

/** Offsets of a zone as a script says them by name, such as `GMT-03:00`; not the way in which the page measures. */
const namesOf = (zone: string): readonly string[] => {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  return Array.from({ length: 48 }, (_, month) => String(clock.formatToParts(Date.UTC(new Date().getUTCFullYear() - 1, new Date().getUTCMonth() + month, 15)).find(({ type }) => type === 'timeZoneName')?.value))
}

/** One zone has another law from 2025 on, as in a browser that is some years old. */
const forgetAsuncion = (zone: string): void => {
  const real = Intl.DateTimeFormat.prototype.formatToParts
  Intl.DateTimeFormat.prototype.formatToParts = function parts(this: Intl.DateTimeFormat, date?: Date | number) {
    const at = Number(date)
    return real.call(this, this.resolvedOptions().timeZone === zone && at >= Date.UTC(2025, 0, 1) ? at - 3_600_000 : at)
  }
}

describe('timekeeper doctor --browser, in a real browser', () => {
  it('T14 what it finds is what the page itself says of these zones, and the exit code goes with it', async () => {
    const waiting = await waitingDoctor(home, ['--json'])
    const { page, errors } = await openTab(browser, waiting.url, { zone: OWN })
    const { browser: seen, findings: found, exit } = diagnosisOf(await waiting.ended)
    expect(seen).toMatchObject({ name: `Chrome ${browser.version().split('.')[0]}`, zone: await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone) })
    const differing = new Set(found.filter(({ code }) => code === 'tz_browser_differs').map(({ detail }) => detail[0]))
    for (const zone of [LOGGED, OWN, CHANGED, 'Africa/Cairo']) {
      const isAlike = (await page.evaluate(namesOf, zone)).join(' ') === namesOf(zone).join(' ')
      expect([zone, differing.has(zone)]).toEqual([zone, !isAlike])
    }
    expect(found.map(({ code }) => code).filter(code => !['tz_browser_differs', 'tz_browser_zone_unknown'].includes(code))).toEqual([])
    expect([seen?.alike, exit]).toEqual([Number(seen?.compared) - found.length, found.length === 0 ? 0 : 1])
    await said(page).getByText('You can close this page').waitFor()
    expect(await said(page).locator('p').first().innerText()).toMatch(/^Browser: time zone data alike in \d+ (of \d+ )?zones \(Chrome \d+\)$/)
    expect(errors).toEqual([])
  })

  it('T14 one zone with another law is named, with who is older, in the terminal and in the page', async () => {
    const before = await waitingDoctor(home, ['--json'])
    await openTab(browser, before.url, { zone: OWN })
    const { browser: usual } = diagnosisOf(await before.ended)

    const waiting = await waitingDoctor(home, ['--json'])
    const context = await browser.newContext({ locale: 'zh-CN', timezoneId: OWN })
    await context.addInitScript(forgetAsuncion, CHANGED)
    const page = await context.newPage()
    await page.goto(waiting.url)
    const { browser: seen, findings: found, exit } = diagnosisOf(await waiting.ended)
    expect([exit, seen?.alike]).toEqual([1, Number(usual?.alike) - 1])
    expect(found.find(({ detail }) => detail[0] === CHANGED)).toMatchObject({ level: 'problem', code: 'tz_browser_differs', detail: [CHANGED, 'browser', '2025-07-01T00:00:00Z', expect.any(String), '-03:00', seen?.name, '-04:00'] })
    await said(page).getByText('可以关闭此页面').waitFor()
    expect(await said(page).innerText()).toContain('America/Asuncion 的当地时间不一致')
  })

  it('T14 R22 X5 an answer that anybody else sends is refused, and the browser is still waited for; Ctrl-C ends it with a word', async () => {
    const waiting = await waitingDoctor(home, ['--lang', 'en'])
    const { origin } = new URL(waiting.url)
    const made = await fetch(`${waiting.url}report`, { method: 'POST', headers: { 'content-type': 'application/json', origin }, body: '{"zone":"UTC","agent":"x","language":"en","offsets":[]}' })
    expect([made.status, (await fetch(`${origin}/`)).status]).toEqual([400, 404])
    waiting.interrupt()
    const { exit, out, err } = await waiting.ended
    expect([exit, out]).toEqual([1, ''])
    expect(err).toContain('timekeeper: Stopped before a browser has answered. (interrupted)')
    await expect(fetch(waiting.url)).rejects.toThrow('fetch failed')
  })

  it.each([
    ['light', 'en-US', 1280, 'en', 'You can close this page', 'rgb(255, 255, 255)'],
    ['dark', 'zh-CN', 380, 'zh-CN', '可以关闭此页面', 'rgb(18, 18, 18)'],
  ] as const)('T14 its page is accessible and follows the person: %s, %s, %i wide', async (colorScheme, locale, width, lang, text, background) => {
    const waiting = await waitingDoctor(home, ['--lang', 'en'])
    const { page, errors } = await openTab(browser, waiting.url, { colorScheme, locale, width })
    await said(page).getByText(text).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    expect(await page.evaluate('[getComputedStyle(document.documentElement).backgroundColor, document.documentElement.scrollWidth]')).toEqual([background, width])
    expect(await axeFindings(page, 'html')).toEqual([])
    expect(errors).toEqual([])
    expect((await waiting.ended).out).toContain('\n  Browser: time zone data alike in ')
  })
})
