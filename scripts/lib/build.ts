import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'tsdown'
import { configOf } from '../../tsdown.config.ts'
import { browserConfigOf } from './browser-half.ts'
import { withLock } from './lock.mjs'
import { ROOT, STATE, packages, type Package } from './workspace.ts'

const CONFIGURATION = ['tsdown.config.ts', 'scripts/lib/browser-half.ts', 'tsconfig.client.json', 'tsconfig.json', 'tsconfig.base.json', 'pnpm-lock.yaml'].map(file => join(ROOT, file))

/**
 * all: every member with its declarations, as it is published · bundles: what a host mounts, without declarations, which
 * take a hundred times as long; bundles are put together from the sources of the other members.
 */
export type BuildScope = 'all' | 'bundles'

const stampOf = (member: Package, scope: BuildScope): string => join(STATE, 'build', scope === 'all' ? member.name : `${member.name}.undeclared`)

const filesOf = (member: Package): readonly string[] => {
  const sources = readdirSync(join(member.folder, 'src'), { recursive: true, withFileTypes: true })
  return [...sources.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name)).toSorted(), join(member.folder, 'package.json')]
}

/** What a lib folder depends on, as one hash: the sources, the configuration, and the same of every member it uses. */
const fingerprints = (members: readonly Package[]): ReadonlyMap<string, string> => {
  const known = new Map<string, string>()
  for (const member of members) {
    const hash = createHash('sha256')
    for (const file of [...CONFIGURATION, ...filesOf(member)]) hash.update(`\0${file.slice(ROOT.length)}\0`).update(readFileSync(file))
    for (const name of member.uses) hash.update(known.get(name) ?? '')
    known.set(member.name, hash.digest('hex'))
  }
  return known
}

const holds = (stamp: string, fingerprint: string | undefined): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint

const isBuilt = (member: Package, fingerprint: string | undefined, scope: BuildScope): boolean =>
  existsSync(join(member.folder, 'lib')) && (holds(stampOf(member, 'all'), fingerprint) || (scope === 'bundles' && holds(stampOf(member, 'bundles'), fingerprint)))

const buildMember = async (member: Package, scope: BuildScope): Promise<void> => {
  await build({ ...configOf(member), ...(scope === 'bundles' ? { dts: false } : {}), config: false })
  const browser = browserConfigOf(member)
  if (browser !== undefined) await build({ ...browser, config: false })
}

/**
 * Builds the members of packages/ whose sources changed, or whose used members did, each after the ones that it uses.
 * @param say told one line per member that is built
 * @param scope what is needed
 * @returns when every lib folder in scope is up to date
 * @throws when a member does not build, after the compiler has printed why
 */
export const buildPackages = async (say: (line: string) => void, scope: BuildScope = 'all'): Promise<void> => {
  const tellWaiting = (holder: number): void => say(`Another build of this checkout is running (process ${holder}); waiting for it …`)
  await withLock(join(STATE, 'build.lock'), tellWaiting, async () => {
    const members = packages()
    const wanted = fingerprints(members)
    const needed = members.filter(({ manifest }) => scope === 'all' || manifest.dsh?.bundle !== undefined)
    for (const member of needed.filter(candidate => !isBuilt(candidate, wanted.get(candidate.name), scope))) {
      const begin = performance.now()
      // A build that fails half-way must not look like one that was never tried, nor one without declarations like one with.
      for (const stale of ['all', 'bundles'] as const) rmSync(stampOf(member, stale), { force: true })
      await buildMember(member, scope)
      const stamp = stampOf(member, scope)
      mkdirSync(dirname(stamp), { recursive: true })
      writeFileSync(stamp, wanted.get(member.name) ?? '')
      say(`built ${member.name} in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    }
  })
}
