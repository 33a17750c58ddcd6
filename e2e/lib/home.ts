import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackages } from '../../scripts/lib/build.ts'
import { hostEventTypes, installBundles, skipWelcome } from '../../scripts/lib/profile.ts'
import { packages } from '../../scripts/lib/workspace.ts'
import { upgradeViolations } from './upgrade-logs.ts'

/** What a test home holds. */
export interface HomeOptions {
  /** Names of the workspace's bundles to mount, in order; both unless told. */
  readonly bundles?: readonly string[]
  /** Further rows for the profile's own cordis.patch.yml: YAML list items, at the left margin. */
  readonly rows?: string
  /** Puts a file system of its own on the empty folder of the home. @returns takes it away again. */
  readonly mount?: (path: string) => () => void
}

/** A temporary DSH_HOME with a web profile, beside a folder to work in. */
export interface Home {
  readonly path: string
  /** The folder of the web profile. */
  readonly profile: string
  /** An empty folder outside the home that sessions work in. */
  readonly workspace: string
  /** Replaces the further rows; a running host takes them over within a second. */
  readonly writeRows: (rows: string) => void
  /** Deletes all of it; throws when a session log in it could not be taken over by a later host (requirement X7). */
  readonly remove: () => void
}

// A row's config is replaced as a whole, so `root` is said again. Uncompressed, a log can be read from outside.
const READABLE_LOGS = `- id: session-persistence-jsonl
  config:
    root: !!js dshHomePath('sessions')
    compression: none
`

/** Makes a home with the packages of this checkout, freshly built, installed as real folders. */
export const makeHome = async ({ bundles = ['dsh-timekeeper', 'dsh-llm-offline'], rows = '', mount = () => () => {} }: HomeOptions = {}): Promise<Home> => {
  await buildPackages(() => {}, 'bundles')
  const members = packages()
  const wanted = bundles.map(name => members.find(member => member.name === name))
  const missing = bundles.filter((_, index) => wanted[index] === undefined)
  if (missing.length > 0) throw new Error(`not in packages/: ${missing.join(', ')}`)

  // Its real path: a link such as macOS's /tmp would not compare equal to what the host reports.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'timekeeper-')))
  const path = join(root, 'home')
  const workspace = join(root, 'workspace')
  for (const folder of [path, workspace]) mkdirSync(folder)
  const unmount = mount(path)
  skipWelcome(path)
  const { profile } = await installBundles(path, wanted.filter(member => member !== undefined))
  const writeRows = (text: string): void => writeFileSync(join(profile, 'cordis.patch.yml'), READABLE_LOGS + text)
  writeRows(rows)
  const known = await hostEventTypes()
  const remove = (): void => {
    const violations = upgradeViolations(path, known)
    unmount()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    if (violations.length > 0) throw new Error(`X7 a later host would refuse a log of this test:\n${violations.join('\n')}`)
  }
  return { path, profile, workspace, writeRows, remove }
}
