import { appendFileSync, readFileSync } from 'node:fs'
import { bootHost, type Host } from '../e2e/lib/host.ts'
import { makeHome, type Home } from '../e2e/lib/home.ts'
import { logFile } from '../e2e/lib/log-file.ts'
import { listedSession } from '../e2e/lib/receipts.ts'
import { talk } from '../e2e/lib/transcript.ts'
import { reminders, type Extra } from './logs.ts'

/** A host with a page. */
export interface PageHost {
  readonly host: Host
  readonly end: () => Promise<void>
}

const HOUR_MS = 3_600_000
const MONTH_MS = 30 * 24 * HOUR_MS

/** What the log of a session goes on with after its first turn and one command. */
export type Continuation = (command: readonly Extra[]) => readonly Extra[]

/**
 * Start a real host on a home whose sessions have long logs.
 *
 * @param logs - by the title of a session.
 */
export async function startPageHost(logs: Readonly<Record<string, Continuation>>): Promise<PageHost> {
  const home = await makeHome()
  const first = await bootHost(home)
  const sessions: [string, Continuation][] = []
  for (const [title, log] of Object.entries(logs)) {
    const sessionId = await listedSession(first, home, title)
    await talk(first, sessionId, 'say hello')
    await first.command(sessionId, '/reminders')
    await first.call('session.rename', { sessionId, title })
    sessions.push([sessionId, log])
  }
  await first.stop()
  for (const [sessionId, log] of sessions) append(home, sessionId, log)
  const host = await bootHost(home)
  return {
    host,
    end: async () => {
      await host.stop()
      home.remove()
    },
  }
}

/** A command again and again: the plainest row that the page itself has, made of two events as a receipt is. */
export function commands(count: number, command: readonly Extra[]): readonly Extra[] {
  const id = /"commandId":"([^"]+)"/.exec(JSON.stringify(command))?.[1] ?? ''
  return Array.from({ length: count }, (_, index) => JSON.parse(JSON.stringify(command).replaceAll(id, `${id}-${index}`)) as readonly Extra[]).flat()
}

/** Reminders that were delivered long ago: each with its create and its dispatch. */
export function deliveredReminders(count: number): readonly Extra[] {
  return reminders(count, (index) => Date.now() - MONTH_MS + index * 60_000).flatMap((create, index) => [create, { type: 'schedule/change', data: { version: 1, operation: 'dispatch', id: `schedule-${index + 1}` } }])
}

/** Reminders of the hours to come, a little over a minute apart: what is said of each changes once a minute, of all of them in each second something. */
export function comingReminders(count: number): readonly Extra[] {
  const start = Date.now() + 2 * HOUR_MS
  return reminders(count, (index) => start + index * 61_000)
}

function append(home: Home, sessionId: string, log: Continuation): void {
  const path = logFile(home, sessionId)
  if (path === undefined) throw new Error(`nothing of ${sessionId} is stored`)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const last = JSON.parse(lines.at(-1) ?? '') as { seq: number; time: number }
  const command = lines.map((line) => JSON.parse(line) as Extra).filter(({ type }) => type === 'command/run' || type === 'command/done').map(({ type, data }) => ({ type, data }))
  appendFileSync(path, log(command).map((extra, index) => `${JSON.stringify({ seq: last.seq + 1 + index, time: last.time + index, ...extra })}\n`).join(''))
  if (command.length !== 2) throw new Error(`a command is two events, not ${JSON.stringify(command)}`)
}
