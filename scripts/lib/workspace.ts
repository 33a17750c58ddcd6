import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readJson } from './json.ts'

/** The folder of the checkout. */
export const ROOT = dirname(dirname(import.meta.dirname))

/** Everything that a command leaves behind in the checkout and that git does not see: homes, stamps, locks. */
export const STATE = join(ROOT, '.timekeeper')

/** The published DSH that we run on. */
export const DSH = join(ROOT, 'host/node_modules/@deepseek-ai/dsh')

/** The part of a package.json that the scripts read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  /** What is packed beside package.json: file and folder names. */
  readonly files: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dsh?: { readonly bundle?: { readonly patch: string }; readonly client?: { readonly platform: string } }
}

/** One member of packages/. */
export interface Package {
  readonly name: string
  /** The absolute folder. */
  readonly folder: string
  readonly manifest: Manifest
  /** The absolute source files that its `exports` and programs are built from, by their name in lib. */
  readonly entries: Readonly<Record<string, string>>
  /** The absolute source file of its browser half, `src/client/index.ts(x)`, when its manifest declares one. */
  readonly client: string | undefined
  /** Names of the members that it imports; a bundle that holds them names them under devDependencies. */
  readonly uses: readonly string[]
}

/** @returns the parsed package.json of a folder */
export const readManifest = (folder: string): Manifest => readJson(join(folder, 'package.json'))

/** `./lib/x.js`, as package.json names what is built, comes from `src/x.ts`. */
const entriesOf = (folder: string, { exports = {}, bin = {} }: Manifest): Readonly<Record<string, string>> => {
  const built = [...Object.values(exports).map(target => (typeof target === 'string' ? target : target.default)), ...Object.values(bin)]
  const names = built.flatMap(target => /^\.\/lib\/(.+)\.js$/.exec(target)?.[1] ?? [])
  return Object.fromEntries(names.map(name => [name, join(folder, 'src', `${name}.ts`)] as const).filter(([, source]) => existsSync(source)))
}

const clientSourceOf = (folder: string, { dsh }: Manifest): string | undefined =>
  dsh?.client === undefined ? undefined : ['index.tsx', 'index.ts'].map(name => join(folder, 'src/client', name)).find(file => existsSync(file))

const readPackage = (folder: string): Package => {
  const manifest = readManifest(folder)
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  return {
    name: manifest.name,
    folder,
    manifest,
    entries: entriesOf(folder, manifest),
    client: clientSourceOf(folder, manifest),
    uses: wanted.filter(([, range]) => range.startsWith('workspace:')).map(([name]) => name),
  }
}

/**
 * @returns the members of packages/ that have sources, each after the ones that it uses
 * @throws when members use each other in a circle
 */
export const packages = (): readonly Package[] => {
  const folders = readdirSync(join(ROOT, 'packages')).map(name => join(ROOT, 'packages', name))
  const found = folders.filter(folder => existsSync(join(folder, 'package.json'))).map(readPackage)
  const waiting = new Map(found.filter(({ entries }) => Object.keys(entries).length > 0).map(member => [member.folder, member]))
  const sorted: Package[] = []
  while (waiting.size > 0) {
    const names = new Set([...waiting.values()].map(({ name }) => name))
    const ready = [...waiting.values()].filter(({ uses }) => !uses.some(name => names.has(name)))
    if (ready.length === 0) throw new Error(`packages use each other in a circle: ${[...names].join(', ')}`)
    for (const { folder } of ready) waiting.delete(folder)
    sorted.push(...ready)
  }
  return sorted
}
