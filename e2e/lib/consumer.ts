import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pack } from '../../scripts/lib/tarballs.ts'
import { ROOT, packages } from '../../scripts/lib/workspace.ts'
import { runCommand, type Finished } from './commands.ts'

/** A project that has only the tarballs, and what their manifests name. */
export interface Consumer {
  readonly typecheck: () => Promise<Finished>
  readonly run: () => Promise<Finished>
}

/** As somebody else would write it: strict types, values of both libraries, a fold of an own log. */
const SOURCE = `import { createFifo, notice, readEvents, sessionLogs, wakeIndexPath, type Follower, type WakeKind } from 'dsh-session-host'
import { formatInstant, parseCron, parseOffsetInstant, parseZone, nextFire, type Instant } from 'dsh-time-core'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

class Count implements Follower {
  calls = 0
  apply(event: SessionEvent): void {
    if (event.type === 'tool/call') this.calls += 1
  }
}

const parsed = parseOffsetInstant('2026-10-09T09:00:00+08:00')
const zone = parseZone('Asia/Shanghai')
const rule = parseCron('0 9 * * *')
if (!parsed.ok || zone === undefined || !rule.ok) throw new Error('not read')
const instant: Instant = parsed.instant
const next: Instant | undefined = nextFire(rule.cron, zone, instant)?.instant
const kind: WakeKind = { foldOwed: (events) => (events.length > 0 ? instant : undefined), regained: () => undefined }
const count = new Count()
count.apply({ type: 'tool/call', seq: 0, time: instant, data: {} } as unknown as SessionEvent)
const isReady: boolean = next === instant + 86_400_000 && [createFifo, notice, readEvents, sessionLogs, kind.foldOwed].every((one) => typeof one === 'function') && wakeIndexPath(undefined, { DSH_HOME: '/x' }).startsWith('/x')
console.log(formatInstant(instant), isReady, count.calls)
`

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUncheckedSideEffectImports: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    types: ['node'],
  },
  files: ['index.ts'],
}

/** The folder of a package as a member sees it. */
const folderOf = (name: string, from: string): string => {
  const require = createRequire(join(from, 'package.json'))
  for (const place of require.resolve.paths(name) ?? []) {
    try {
      return realpathSync(join(place, name))
    } catch {
      // in one further up
    }
  }
  throw new Error(`${name} is not installed for ${from}`)
}

const link = (modules: string, name: string, target: string): void => {
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(target, join(modules, name), 'dir')
}

/**
 * Lays out what a package manager would: the tarballs unpacked, beside them the dependencies and peers that they name and
 * nothing else.
 */
export const consumerOf = async (folder: string, names: readonly string[]): Promise<Consumer> => {
  const modules = join(folder, 'node_modules')
  const wanted = new Map<string, string>([['@types/node', ROOT], ['typescript', ROOT]])
  for (const member of packages().filter(({ name }) => names.includes(name))) {
    mkdirSync(join(modules, member.name), { recursive: true })
    const { code, output } = await runCommand('tar', ['-xzf', await pack(member, folder), '--strip-components=1', '-C', join(modules, member.name)])
    if (code !== 0) throw new Error(output)
    for (const name of Object.keys({ ...member.manifest.dependencies, ...member.manifest.peerDependencies })) if (!names.includes(name)) wanted.set(name, member.folder)
  }
  for (const [name, from] of wanted) link(modules, name, folderOf(name, from))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(folder, 'index.ts'), SOURCE)
  return {
    typecheck: () => runCommand(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder, '--pretty', 'false']),
    run: () => runCommand(process.execPath, [join(folder, 'index.ts')]),
  }
}
