// npm run check: everything about the code that is not a test. One line per check; exit code 1 when any of them fails.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPackages } from './lib/build.ts'
import { program, runQuietly, type Result } from './lib/child.ts'
import { STALE, type Check } from './lib/check.ts'
import { areCoverageTablesFresh } from './lib/coverage-table.ts'
import { undeclaredImports } from './lib/declared-imports.ts'
import { isRefusalFresh } from './lib/npm-refusal.ts'
import { oversizedFiles } from './lib/sizes.ts'
import { pack } from './lib/tarballs.ts'
import { packages } from './lib/workspace.ts'

const complaints = ({ code, output }: Result): readonly string[] => (code === 0 ? [] : [output.trim()])

const tool = async (name: string, ...args: readonly string[]): Promise<readonly string[]> => complaints(await runQuietly([...program(name), ...args]))

const lint = async (): Promise<readonly string[]> => {
  const result = await runQuietly([...program('oxlint'), '--type-aware', '--deny-warnings'])
  // With this word the linter has left out every typed rule and says that all is well.
  return result.output.includes('Invalid tsconfig') ? [result.output.trim()] : complaints(result)
}

/** A browser half is a script that the page runs, and nothing that anybody imports. */
const NOT_MODULES = ['./client']

/** What is wrong with a package is only seen on the tarball: that is what people get. */
const tarballs = async (): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-pack-'))
  try {
    const found: string[] = []
    for (const member of packages()) {
      const file = await pack(member, folder)
      found.push(...(await tool('publint', 'run', file, '--strict')))
      found.push(...(await tool('@arethetypeswrong/cli', file, '--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji', '--exclude-entrypoints', ...NOT_MODULES)))
    }
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a person downloads with every fresh page (requirement P5). */
const BROWSER_LIMIT_BYTES = 30_000

/** The bundle's one script holds the browser halves of all members. */
const browserSize = async (): Promise<readonly string[]> => {
  const scripts = packages().filter(({ client, manifest }) => client !== undefined && manifest.dsh?.bundle !== undefined)
  const bytes = scripts.reduce((sum, { folder }) => sum + gzipSync(readFileSync(join(folder, 'lib/client.js')), { level: 9 }).length, 0)
  return bytes < BROWSER_LIMIT_BYTES ? [] : [`the browser halves are ${bytes} bytes after gzip, at most ${BROWSER_LIMIT_BYTES}`]
}

const CHECKS: readonly Check[] = [
  { name: 'types (tsc)', run: () => tool('typescript', '-p', 'tsconfig.json') },
  { name: 'types of the browser halves (tsc)', run: () => tool('typescript', '-p', 'tsconfig.client.json') },
  { name: 'lint (oxlint, type-aware)', run: lint },
  { name: 'browser halves under 30 kB (gzip)', run: browserSize },
  { name: 'file sizes', run: async () => oversizedFiles() },
  { name: 'unused code and dependencies (knip)', run: () => tool('knip', '--no-progress') },
  { name: 'packages as published (publint, attw)', run: tarballs },
  { name: 'published files import only what is declared', run: async () => packages().flatMap(undeclaredImports) },
  { name: 'docs list the tests', run: async () => (areCoverageTablesFresh() ? [] : [STALE]) },
  { name: 'package-lock.json refuses npm install', run: async () => (isRefusalFresh() ? [] : [STALE]) },
]

const main = async (): Promise<number> => {
  await buildPackages(line => console.log(line))
  // Only now: they run the plugins' own code, which needs the packages that were built.
  const { DOC_CHECKS } = await import('./lib/docs/docs.ts')
  const checks = [...CHECKS, ...DOC_CHECKS]
  let failed = 0
  for (const { name, run } of checks) {
    const begin = performance.now()
    const found = await run()
    if (found.length > 0) failed += 1
    console.log(`${found.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`)
    for (const text of found) console.log(text.replaceAll(/^/gm, '     '))
  }
  console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${checks.length} checks failed.`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
