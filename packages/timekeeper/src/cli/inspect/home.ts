import { readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isRefusal, refuse, type Refusal } from '../refusal.ts'
import type { World } from '../world.ts'

/** One stored session of a home. */
export interface StoredSession {
  readonly id: string
  readonly path: string
}

/** Names under which the host 0.1 keeps a session's log. */
const LOG_NAMES = ['session.jsonl', 'session.jsonl.zstd']

/**
 * The folder that DSH keeps everything in, found as DSH itself finds it: what is asked for, else `DSH_HOME` unless it is
 * blank, else `~/.dsh`.
 *
 * @param asked - value of `--home`.
 * @param world - environment and folders.
 */
export function homeOf(asked: string | undefined, world: Pick<World, 'env' | 'cwd' | 'userHome'>): string {
  const fromEnv = world.env['DSH_HOME'] ?? ''
  return absolute(asked ?? (fromEnv.trim() === '' ? '~/.dsh' : fromEnv), world)
}

/**
 * A path as a person writes it.
 *
 * @param path - perhaps relative, perhaps with a `~` that no shell has expanded.
 * @param world - where relative paths are meant from.
 */
function absolute(path: string, { cwd, userHome }: Pick<World, 'cwd' | 'userHome'>): string {
  return resolve(cwd, path === '~' || path.startsWith('~/') ? join(userHome, path.slice(1)) : path)
}

/**
 * The stored sessions of a home, by the folders that the host 0.1 makes: `sessions/<project>/<id>/session.jsonl`, plain
 * or compressed.
 *
 * @param home - absolute path.
 */
export function storedSessions(home: string): readonly StoredSession[] | Refusal {
  if (!isFolder(home)) return refuse('home_not_found', (texts) => texts.details.noHome(home))
  const root = join(home, 'sessions')
  return foldersIn(root).flatMap((project) => foldersIn(project).flatMap(logsIn))
}

/**
 * The log that a person means: a file, the folder of a session, or a session of the home by its id or by the beginning
 * of it.
 *
 * @param target - what was given.
 * @param home - where ids are looked for.
 * @param world - where relative paths are meant from.
 * @returns the path of the file.
 */
export function findLog(target: string, home: string, world: Pick<World, 'cwd' | 'userHome'>): string | Refusal {
  const path = absolute(target, world)
  if (isFile(path)) return path
  const inFolder = isFolder(path) ? logsIn(path) : []
  if (inFolder.length > 0) return only(inFolder)
  const stored = storedSessions(home)
  if (isRefusal(stored)) return stored
  const exact = stored.filter(({ id }) => id === target)
  const found = exact.length > 0 ? exact : stored.filter(({ id }) => id.startsWith(target))
  return found.length > 0 ? only(found) : refuse('session_not_found', (texts) => texts.details.noSession(target, home))
}

function only(found: readonly StoredSession[]): string | Refusal {
  const [first, ...others] = found.map(({ path }) => path)
  return first !== undefined && others.length === 0 ? first : refuse('ambiguous_session', (texts) => texts.details.ambiguous(found.map(({ path }) => path)))
}

function logsIn(folder: string): StoredSession[] {
  const id = decodeName(basename(folder))
  return LOG_NAMES.map((name) => join(folder, name)).filter(isFile).map((path) => ({ id, path }))
}

/** The host writes every character of an id that is not plain as `~` and four hexadecimal digits. */
function decodeName(name: string): string {
  return name.replaceAll(/~([0-9A-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function foldersIn(folder: string): string[] {
  if (!isFolder(folder)) return []
  return readdirSync(folder).toSorted().map((name) => join(folder, name)).filter(isFolder)
}

function isFolder(path: string): boolean {
  return kindOf(path) === 'folder'
}

function isFile(path: string): boolean {
  return kindOf(path) === 'file'
}

/** What cannot be looked at is as good as absent: words that are no path at all come here too. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path)
    return found.isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}
