import type { Browser } from 'playwright-core'
import { endHosts, type Host } from './host.ts'
import type { Home } from './home.ts'
import { listedSession } from './receipts.ts'
import { talk } from './transcript.ts'

/** A session that has begun, with a title to find it by: its first turn would give it another one. */
export const talkedSession = async (host: Host, home: Home, title: string, zone: string): Promise<string> => {
  const sessionId = await listedSession(host, home, title)
  await talk(host, sessionId, 'say hello', { zone })
  await host.call('session.rename', { sessionId, title })
  return sessionId
}

/** Each test has its own browser contexts, and leaves none. */
export const closeContexts = async (browser: Browser): Promise<void> => {
  for (const context of browser.contexts()) await context.close()
}

/** The end of a file in the browser: nothing of it runs or lies about any more. */
export const closeLane = async (browser: Browser, home: Home): Promise<void> => {
  await browser.close()
  await endHosts()
  home.remove()
}
