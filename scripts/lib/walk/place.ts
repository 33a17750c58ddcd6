import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { marked } from '../../../e2e/lib/leftovers.ts'
import { cloneInto, uncommittedIn } from '../checkout.ts'
import { ROOT } from '../workspace.ts'

/** Where pages are walked: all of it temporary, and nothing in it but a clone. */
export interface Place {
  /** The clone, as `git clone` made it. */
  readonly clone: string
  /** An empty folder that conversations work in. */
  readonly work: string
  /** The environment of somebody who has Node, npm, git, `dsh` and pnpm, and an empty home. */
  readonly env: NodeJS.ProcessEnv
  /** @returns a new empty folder that is deleted with the rest */
  readonly scratch: () => string
  readonly remove: () => void
}

/** What would make a walk depend on who walks: npm's settings apart from the way to the registry, hosts, keys. */
const PERSONAL = /^(npm_(?!config_(registry|(https?_)?proxy|noproxy|ca|cafile|strict_ssl)$)|pnpm_|INIT_CWD$|DSH_|DEEPSEEK_|NODE_OPTIONS$|VITEST|XDG_|TIMEKEEPER_)/i

/** `dsh`, and the pnpm that it asks for, as a reader has them who installed them: those that set-up puts into the clone. */
const offerPrograms = (folder: string, clone: string): void => {
  mkdirSync(folder)
  const programs = { dsh: 'host/node_modules/@deepseek-ai/dsh/lib/bin.js', pnpm: '.toolchain/node_modules/pnpm/bin/pnpm.mjs' }
  for (const [name, script] of Object.entries(programs)) {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${join(clone, script)}' "$@"\n`)
    chmodSync(file, 0o755)
  }
}

/**
 * Clones this checkout into a temporary folder, beside an empty home.
 * @param withChanges whether what is not committed is laid over the clone
 */
export const makePlace = (withChanges: boolean): Place => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'timekeeper-walk-')))
  const [clone, home, work, bin] = ['clone', 'home', 'work', 'bin'].map(name => join(root, name)) as [string, string, string, string]
  cloneInto(ROOT, clone)
  for (const file of withChanges ? uncommittedIn(ROOT) : []) {
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(clone, file))
    else rmSync(join(clone, file), { force: true })
  }
  mkdirSync(home)
  mkdirSync(work)
  offerPrograms(bin, clone)
  const kept = Object.entries(process.env).filter(([name]) => !PERSONAL.test(name) && name !== 'PATH')
  const path = [bin, ...(process.env['PATH'] ?? '').split(delimiter).filter(folder => !folder.startsWith(ROOT))].join(delimiter)
  let count = 0
  return {
    clone,
    work,
    env: marked({ ...Object.fromEntries(kept), PATH: path, HOME: home, DSH_TELEMETRY_DISABLED: '1' }),
    scratch: () => {
      count += 1
      const folder = join(root, `scratch-${count}`)
      mkdirSync(folder)
      return folder
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}
