import type { Locator, Page } from 'playwright-core'
import { waitFor } from './waiting.ts'

/** The panel of reminders of a page. */
export const panel = (page: Page): Locator => page.locator('[data-reminders]')

/** Its rows of what is pending. */
export const pendingRows = (page: Page): Locator => panel(page).locator('[data-pending] > li')

/** Opens the panel from the clock, as a person does. */
export const openPanel = async (page: Page): Promise<void> => {
  await page.locator('[data-clock]').click()
  await page.locator('[data-clock-card]').getByRole('button', { name: /^(?:Reminders|提醒)/ }).click()
  await panel(page).locator('form').first().waitFor()
}

/** Waits until the panel has slid in. */
export const stillPanel = (page: Page): Promise<boolean> =>
  waitFor('the panel stands still', () => page.evaluate<boolean>(`document.querySelector('[data-reminders]').getAnimations().every(animation => animation.playState === 'finished')`))

/** Lets a test change what the page hears of the state of reminders. */
export const changeState = async (page: Page, change: (value: Record<string, unknown>) => Record<string, unknown>): Promise<void> => {
  await page.route(/\/dsh-reminders\/state$/, async route => {
    const response = await route.fetch()
    const body = (await response.json()) as { result: { value: Record<string, unknown> } }
    await route.fulfill({ response, json: { ...body, result: { ...body.result, value: change(body.result.value) } } })
  })
}
