import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Home } from './home.ts'

/** What the hosts of a home warned of. */
export interface Warnings {
  /** Row of a patch that makes a host write them down. */
  readonly row: string
  /** All so far, a line each. */
  readonly text: () => string
}

/**
 * A plugin of this folder's neighbour as a row of a patch.
 *
 * @param name - of the file in `fixtures`.
 * @param config - of the row.
 */
export const fixtureRow = (name: string, config: Readonly<Record<string, string>>): string => {
  const file = fileURLToPath(import.meta.resolve(`../fixtures/${name}.ts`))
  return `- insert:\n    - { id: ${name}, name: ${JSON.stringify(file)}, config: ${JSON.stringify(config)} }\n`
}

/**
 * Hears the warnings of a home's hosts, beside the home: its own disk may be full.
 *
 * @param home - the home.
 */
export const hearWarnings = (home: Home): Warnings => {
  const file = join(home.workspace, '../warnings')
  return { row: fixtureRow('written-warnings', { file }), text: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') }
}
