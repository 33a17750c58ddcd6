import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkUpgrade, type CheckedEvent } from './upgrade-check.ts'

/** The host packs runs of streamed text into one line; such a line is no event. */
const isEvent = (row: Partial<CheckedEvent>): row is CheckedEvent => typeof row.type === 'string' && row.seq !== undefined

const eventsOf = (path: string): readonly CheckedEvent[] =>
  readFileSync(path, 'utf8').split('\n').flatMap(line => {
    try {
      const row = JSON.parse(line) as Partial<CheckedEvent>
      return isEvent(row) ? [row] : []
    } catch {
      return [] // torn by a kill, or the end of the file
    }
  })

/**
 * X7 for everything that a test leaves behind: each plain log under a folder can be taken over by a later host.
 * @param root a folder of session logs, or a home
 * @param known event types that the host knows
 * @returns a line per violation, with its log
 */
export const upgradeViolations = (root: string, known: ReadonlySet<string>): readonly string[] => {
  if (!existsSync(root)) return []
  const logs = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('session.jsonl'))
  return logs.flatMap(name => checkUpgrade(eventsOf(join(root, name)), known).map(({ seq, rule }) => `${name} event ${seq}: ${rule}`))
}
