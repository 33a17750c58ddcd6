import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readJson } from './json.ts'
import { DSH, ROOT, readManifest, type Package } from './workspace.ts'

/** Lies in every package folder that we put into a profile: what does not have it is somebody else's. */
const MARKER = '.from-timekeeper-checkout'

/** A package that is already in the profile, and not from a checkout. We do not touch it. */
export class ForeignPackage extends Error {
  override readonly name = 'ForeignPackage'
}

/** What `installBundles` did to a profile. */
export interface Installation {
  /** The folder of the profile. */
  readonly profile: string
  /** The package folders that are ours now. */
  readonly folders: readonly string[]
  /** Files written or removed in them; 0 when all was up to date. */
  readonly changedFiles: number
  /** Names that were added to the profile's list of bundles. */
  readonly registered: readonly string[]
}

interface ProfileManifest {
  readonly dsh?: { readonly profile?: { readonly bundles?: readonly string[] } }
}

/** The part of the host's boot package that makes a profile, as `dsh plugin add` does on its first use. */
interface HostProfiles {
  readonly PROFILE_TEMPLATES: Readonly<Record<string, readonly string[]>>
  readonly initProfile: (folder: string, bundles: readonly string[]) => void
}

/** Loads a package that the host depends on, from where the host itself would. */
const hostPackage = async (name: string): Promise<unknown> => {
  // Its real place: what the host depends on is beside it there, not beside the link.
  const entry = createRequire(realpathSync(join(DSH, 'package.json'))).resolve(name)
  return import(pathToFileURL(entry).href)
}

const hostProfiles = async (): Promise<HostProfiles> => (await hostPackage('@deepseek-ai/dsh-app-boot')) as HostProfiles

/** @returns the event types that the host can read back */
export const hostEventTypes = async (): Promise<ReadonlySet<string>> => {
  const { KNOWN_SESSION_EVENT_TYPES } = (await hostPackage('@deepseek-ai/dsh-session')) as { KNOWN_SESSION_EVENT_TYPES: ReadonlySet<string> }
  return KNOWN_SESSION_EVENT_TYPES
}

/** The files that `npm pack` would take, by their path inside the package. */
const packedFiles = (member: Package): readonly string[] =>
  ['package.json', ...member.manifest.files].flatMap(name => {
    const path = join(member.folder, name)
    if (!existsSync(path)) return []
    if (!lstatSync(path).isDirectory()) return [name]
    return filesUnder(path).map(file => join(name, file))
  })

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))

/** Writes a file when its bytes differ. */
const copyChanged = (from: string, to: string): number => {
  const bytes = readFileSync(from)
  if (existsSync(to) && readFileSync(to).equals(bytes)) return 0
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, bytes)
  return 1
}

const assertOurs = (folder: string): void => {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined || existsSync(join(folder, MARKER))) return
  throw new ForeignPackage(`${folder} was not put there by this checkout, so it is left alone. Remove it first (dsh plugin --profile web remove …) to try this checkout in that home.`)
}

/** Makes a folder of a profile's node_modules equal to a built package: real files, because a link carries no browser half. */
const installPackage = (member: Package, folder: string): number => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, MARKER), `${ROOT}\n`)
  const wanted = packedFiles(member)
  const keep = new Set([...wanted, MARKER])
  const stale = filesUnder(folder).filter(file => !keep.has(file))
  for (const file of stale) rmSync(join(folder, file))
  return stale.length + wanted.reduce((sum, file) => sum + copyChanged(join(member.folder, file), join(folder, file)), 0)
}

/** Appends to the profile's list of bundles what is missing there, as `dsh plugin add` does; everything else stays. */
const register = (profile: string, names: readonly string[]): readonly string[] => {
  const path = join(profile, 'package.json')
  const manifest = readJson<ProfileManifest>(path)
  const bundles = manifest.dsh?.profile?.bundles ?? []
  const missing = names.filter(name => !bundles.includes(name))
  if (missing.length === 0) return []
  const next = { ...manifest, dsh: { ...manifest.dsh, profile: { ...manifest.dsh?.profile, bundles: [...bundles, ...missing] } } }
  writeFileSync(path, `${JSON.stringify(next, undefined, 2)}\n`)
  return missing
}

/**
 * Puts built bundles into the web profile of a home and mounts them there, making the profile if there is none. Needs
 * no package manager. Only adds: files that are not ours and bundles that are already listed stay as they are.
 * @param home DSH_HOME; made if missing
 * @param members built packages that are DSH bundles
 * @throws {ForeignPackage} before anything is written, when one of them is already there from elsewhere
 */
export const installBundles = async (home: string, members: readonly Package[]): Promise<Installation> => {
  const profile = join(home, 'profiles/web')
  const places = members.map(member => ({ member, folder: join(profile, 'node_modules', member.name) }))
  for (const { folder } of places) assertOurs(folder)
  const { PROFILE_TEMPLATES, initProfile } = await hostProfiles()
  initProfile(profile, PROFILE_TEMPLATES['web'] ?? [])
  const changedFiles = places.reduce((sum, { member, folder }) => sum + installPackage(member, folder), 0)
  return { profile, folders: places.map(({ folder }) => folder), changedFiles, registered: register(profile, members.map(({ name }) => name)) }
}

/** @returns the version of the DSH that we run on */
export const dshVersion = (): string => readManifest(DSH).version

/** What the page asks to be acknowledged on its first visit, in the words of 0.1.0-rc.8; another version asks again. */
const WELCOME_NOTICE = '2026-08-13.1'

/**
 * Answers the notice that the page shows on its first visit, for a home that is for trying things out.
 * A home that has settings already keeps them.
 */
export const skipWelcome = (home: string): void => {
  const path = join(home, 'settings.yaml')
  if (!existsSync(path)) writeFileSync(path, `ui-onboarding:\n  welcomeNoticeVersion: ${WELCOME_NOTICE}\n`)
}
