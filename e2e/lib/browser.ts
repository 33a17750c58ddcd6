import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { ROOT } from '../../scripts/lib/workspace.ts'
import type { Host } from './host.ts'
import type { Home } from './home.ts'
import { waitFor, type Patience } from './waiting.ts'

/** How a page is opened. */
export interface PageOptions {
  readonly locale?: 'en-US' | 'zh-CN'
  readonly zone?: string
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** Every look of the page: theme, language and width in pixels. */
export const LOOKS = (['light', 'dark'] as const).flatMap(colorScheme => (['en-US', 'zh-CN'] as const).flatMap(locale => ([1280, 380] as const).map(width => [colorScheme, locale, width] as const)))

/** A page of a real browser, and what went wrong in it so far. */
export interface Tab {
  readonly page: Page
  /** Uncaught errors and console errors, in order. */
  readonly errors: readonly string[]
}

// Chromium's own services are not wanted, and a test machine may have no network at all.
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Starts the browser that CHROMIUM_PATH names; `npm test` finds one and sets it. */
export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: FLAGS })

/** Opens a host's page as a person in some place, with nothing remembered. */
export const openTab = async (browser: Browser, url: string, { locale = 'en-US', zone = 'Asia/Shanghai', colorScheme = 'light', width = 1280 }: PageOptions = {}): Promise<Tab> => {
  const context = await browser.newContext({ locale, timezoneId: zone, colorScheme, viewport: { width, height: 900 } })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(url, { waitUntil: 'domcontentloaded' })
  return { page, errors }
}

/** Makes a folder known to the host, so that the page lets a person type at once. */
export const offerWorkspace = (host: Host, home: Home): Promise<unknown> => host.call('workspace.create', { path: home.workspace })

/** Leaves the dialogs that a home without a key shows first. */
export const skipDialogs = async (page: Page, patience: Patience = {}): Promise<void> => {
  const later = page.getByRole('button', { name: /Configure later|稍后配置|稍后/ })
  const composer = page.locator('textarea').first()
  await waitFor('the page is ready', async () => {
    if (await later.isVisible()) await later.click()
    return (await composer.isVisible()) && !(await page.getByRole('dialog').isVisible())
  }, patience)
}

/** Puts a text into the composer and sends it. The page may still be taking shape, so what was put there is looked at first. */
export const type = async (page: Page, text: string): Promise<void> => {
  const composer = page.locator('textarea').first()
  await waitFor(`the composer holds: ${text}`, async () => {
    await composer.fill(text)
    return (await composer.inputValue()) === text
  })
  await composer.press('Enter')
}

/** Keeps a picture of a page for the docs, when `KEEP_SCREENSHOTS=1` asks for it; otherwise a test run changes no file. */
export const keepScreenshot = async (page: Page, name: string): Promise<void> => {
  if (process.env['KEEP_SCREENSHOTS'] === '1') await page.screenshot({ path: join(ROOT, 'docs/screenshots', `${name}.png`) })
}

/** What is read of an element; this side of the browser knows no DOM. */
interface Row {
  readonly innerText: string
  getAttribute(name: string): string | null
}

/** The rows of the transcript: their kind and what they show. */
export const transcript = (page: Page): Promise<readonly { kind: string; text: string }[]> =>
  page.locator('[data-chat-flow-kind]').evaluateAll((rows: readonly Row[]) => rows.map(row => ({ kind: row.getAttribute('data-chat-flow-kind') ?? '', text: row.innerText })))

