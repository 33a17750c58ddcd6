/**
 * The one browser half of the bundle: the page loads one script per package.
 *
 * @module dsh-timekeeper/client
 */
import { apply as applyReceipts, mountPanel } from 'dsh-client-ui-schedule/client'
import { apply as applyClock } from 'dsh-time-reminder/client'

/** A plugin of the page that waits for a service fails the whole page: this one is always there. */
export const inject = ['slots']

/** Id of the bundle in the page. */
const OWNER = 'dsh-timekeeper'

/**
 * Mount everything that Timekeeper shows.
 *
 * @param page - the page's context of this plugin.
 */
export function apply(page: Parameters<typeof applyReceipts>[0] & Parameters<typeof mountPanel>[0] & Parameters<typeof applyClock>[0]): void {
  applyReceipts(page, OWNER)
  // The clock opens the panel; neither half knows the other.
  applyClock(page, OWNER, mountPanel(page, OWNER))
}
