import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { member, parseObject } from '../log/shape.ts'
import { compose, Expression, type Composition, type Layer } from './compose.ts'

/** A profile as it lies on disk. */
export interface Profile extends Composition {
  readonly home: string
  readonly folder: string
  readonly exists: boolean
  /** Version of the DSH that has prepared the home, if any has. */
  readonly host: string | undefined
  /** Version of the installed bundle, if it is installed. */
  readonly bundle: string | undefined
  /** What the host cannot start with. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[]
  /** Of the rows: module names that are not installed, or whose file is not there. */
  readonly unresolved: ReadonlySet<string>
  /** Packages of the rows that promise a browser half and have none. */
  readonly withoutClient: ReadonlySet<string>
}

/** The bundle's package. */
export const BUNDLE = 'dsh-timekeeper'

/**
 * Read a profile: its bundles in order, its own patches, those of the home (host 0.1.0-rc.8). What is laid over them on the
 * command line of a host cannot be known.
 *
 * @param home - absolute path.
 * @param name - of the profile.
 * @param isOurs - rows whose files are looked for.
 */
export function readProfile(home: string, name: string, isOurs: (module: string) => boolean): Profile {
  const folder = join(home, 'profiles', name)
  const places = [join(folder, 'node_modules'), join(home, 'profiles/node_modules')]
  const unreadable: { path: string; reason: string }[] = []
  const attempt = <T>(path: string, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      unreadable.push({ path, reason: (error as Error).message.replace(/[\s:]*\n[^]*$/, '') })
      return undefined
    }
  }
  const manifest = join(folder, 'package.json')
  const exists = existsSync(manifest)
  const bundles = exists ? attempt(manifest, () => bundlesOf(manifest)) : []
  const host = manifestOf('@deepseek-ai/dsh', places)?.['version']
  const layers = [
    ...(bundles ?? []).flatMap((bundle) => attempt(bundle, () => bundleLayer(bundle, places, host === undefined)) ?? []),
    ...[join(folder, 'cordis.patch.yml'), join(home, 'cordis.patch.yml')].flatMap((path) => (existsSync(path) ? (attempt(path, () => ({ source: path, patches: patchesOf(path) })) ?? []) : [])),
  ]
  const composition = compose(layers)
  const modules = [...new Set(composition.rows.filter(({ state, name: module }) => state !== 'off' && isOurs(module)).map((row) => row.name))]
  return {
    home,
    folder,
    exists,
    host: typeof host === 'string' ? host : undefined,
    bundle: versionOf(places),
    unreadable,
    ...composition,
    unresolved: new Set(modules.filter((module) => !isResolved(module, places))),
    withoutClient: new Set(modules.map(packageOf).filter((module) => lacksClient(module, places))),
  }
}

function versionOf(places: readonly string[]): string | undefined {
  const version = manifestOf(BUNDLE, places)?.['version']
  return typeof version === 'string' ? version : undefined
}

function bundlesOf(path: string): readonly string[] {
  const bundles = member(member(member(objectAt(path), 'dsh'), 'profile'), 'bundles')
  if (!Array.isArray(bundles)) throw new Error('dsh.profile.bundles is no list')
  return bundles.map(String)
}

/** Without a host none of its bundles is there; that is one finding of its own. */
function bundleLayer(bundle: string, places: readonly string[], isHostless: boolean): Layer | [] {
  const folder = folderOf(bundle, places)
  if (folder === undefined) {
    if (isHostless && bundle.startsWith('@deepseek-ai/')) return []
    throw new Error('the bundle is listed in dsh.profile.bundles and not installed')
  }
  const patch = member(member(member(objectAt(join(folder, 'package.json')), 'dsh'), 'bundle'), 'patch')
  if (typeof patch !== 'string') throw new Error('its package.json names no dsh.bundle.patch')
  return { source: bundle, patches: patchesOf(join(folder, patch)) }
}

const EXPRESSION = { tag: 'tag:yaml.org,2002:js', resolve: (code: string) => new Expression(code) }

function patchesOf(path: string): readonly unknown[] {
  const patches: unknown = parse(readFileSync(path, 'utf8'), { customTags: [EXPRESSION], logLevel: 'error' })
  if (!Array.isArray(patches)) throw new Error('not a list of patches; an empty one is written []')
  return patches
}

function objectAt(path: string): Readonly<Record<string, unknown>> {
  const value = parseObject(readFileSync(path, 'utf8'))
  if (value === undefined) throw new Error(`${path} holds no JSON object`)
  return value
}

function folderOf(name: string, places: readonly string[]): string | undefined {
  return places.map((place) => join(place, name)).find((folder) => existsSync(join(folder, 'package.json')))
}

function manifestOf(name: string, places: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  const folder = folderOf(name, places)
  return folder === undefined ? undefined : parseObject(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function packageOf(module: string): string {
  return module.split('/').slice(0, module.startsWith('@') ? 2 : 1).join('/')
}

function isResolved(module: string, places: readonly string[]): boolean {
  const name = packageOf(module)
  return hasFile(name, `.${module.slice(name.length)}`, places)
}

function lacksClient(name: string, places: readonly string[]): boolean {
  return member(manifestOf(name, places)?.['dsh'], 'client') !== undefined && !hasFile(name, './client', places)
}

/** Whether an entry of a package's `exports` is there. */
function hasFile(name: string, entry: string, places: readonly string[]): boolean {
  const target = member(manifestOf(name, places)?.['exports'], entry)
  const file = typeof target === 'string' ? target : member(target, 'default')
  return typeof file === 'string' && places.some((place) => existsSync(join(place, name, file)))
}
