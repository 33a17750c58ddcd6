import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe finds wrong in one part of a page, one line per rule and place. */
export const axeFindings = async (page: Page, part: string): Promise<readonly string[]> => {
  const { violations } = await new AxeBuilder({ page }).include(part).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`))
}
