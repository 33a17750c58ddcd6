import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Instant } from 'dsh-time-core'
import { firstFence, StoreUnusable, type UnusableReason } from './store.ts'

/**
 * How long a write waits for another host (milliseconds). The wait blocks this host's event loop, so it is short:
 * our own writes take under a millisecond, and whatever locks the file for a second is not one of us.
 */
export const BUSY_TIMEOUT_MS = 1000

/** Marks the file as ours ("TKWI"), so that another program's database is never written to. */
const APPLICATION_ID = 0x54_4b_57_49
/** Version of the tables below. A file of another version is left alone. */
const SCHEMA_VERSION = 1

const TABLES = `
  CREATE TABLE owed (session_id TEXT NOT NULL, kind TEXT NOT NULL, due_at INTEGER NOT NULL, PRIMARY KEY (session_id, kind)) STRICT, WITHOUT ROWID;
  CREATE INDEX owed_due ON owed (due_at);
  CREATE TABLE lease (session_id TEXT PRIMARY KEY, host_id TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL,
    machine TEXT NOT NULL, boot TEXT NOT NULL, space TEXT NOT NULL, until INTEGER NOT NULL, fence INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE log (session_id TEXT PRIMARY KEY, revision TEXT NOT NULL, kinds TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter (fence INTEGER NOT NULL) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`

/**
 * Open the file, or make it. Nothing is changed in a file that is not ours, not of our version, or damaged.
 *
 * @param path - absolute path; missing directories are made.
 * @param now - seeds the fences of a new file, so that they lie above those of a file that was lost.
 * @param timeoutMs - how long to wait for another host.
 * @throws StoreUnusable
 */
export function openFile(path: string, now: Instant, timeoutMs: number): DatabaseSync {
  let file: DatabaseSync | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    file = new (sqlite().DatabaseSync)(path, { timeout: timeoutMs })
    assertOurs(file, path)
    file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    transact(file, () => createTables(file as DatabaseSync, now))
    assertSound(file, path)
    return file
  } catch (error) {
    file?.close()
    throw unusable(path, error)
  }
}

/**
 * Open the file for reading alone. Nothing is left beside it: without a log of writes that is still to be merged, the
 * file is opened as one that nobody changes, and SQLite then makes no companions.
 *
 * @param path - absolute path.
 * @returns `undefined` where there is no file, or nothing in it.
 * @throws StoreUnusable
 */
export function openFileForReading(path: string): DatabaseSync | undefined {
  if (!existsSync(path)) return undefined
  let file: DatabaseSync | undefined
  try {
    const url = pathToFileURL(path)
    if (!existsSync(`${path}-wal`)) url.search = '?immutable=1'
    file = new (sqlite().DatabaseSync)(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    assertOurs(file, path)
    assertSound(file, path)
    if (!isEmpty(file)) return file
    file.close()
    return undefined
  } catch (error) {
    file?.close()
    throw unusable(path, error)
  }
}

/** Loaded when it is needed: Node says on standard error that the module is experimental. */
const sqlite = () => process.getBuiltinModule('node:sqlite')

/** @throws StoreUnusable when the file belongs to somebody else. */
function assertOurs(file: DatabaseSync, path: string): void {
  if (isEmpty(file)) return
  if (pragma(file, 'application_id') !== APPLICATION_ID) throw new StoreUnusable('foreign', path)
  if (pragma(file, 'user_version') !== SCHEMA_VERSION) throw new StoreUnusable('newer', path)
}

/** @throws StoreUnusable when the file is damaged. */
function assertSound(file: DatabaseSync, path: string): void {
  const { quick_check: health } = file.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
  if (health !== 'ok') throw new StoreUnusable('corrupt', path, health)
}

function createTables(file: DatabaseSync, now: Instant): void {
  if (!isEmpty(file)) return
  file.exec(TABLES)
  file.prepare('INSERT INTO counter VALUES (?)').run(firstFence(now))
}

function isEmpty(file: DatabaseSync): boolean {
  return (file.prepare('SELECT count(*) AS objects FROM sqlite_schema').get() as { objects: number }).objects === 0
}

function pragma(file: DatabaseSync, name: 'application_id' | 'user_version'): unknown {
  return file.prepare(`PRAGMA ${name}`).get()?.[name]
}

/**
 * Run several statements as one. The lock is taken at the beginning: a lock that is asked for half-way fails at
 * once instead of waiting.
 *
 * @param file - an open file.
 * @param job - the statements.
 */
export function transact<T>(file: DatabaseSync, job: () => T): T {
  file.exec('BEGIN IMMEDIATE')
  try {
    const result = job()
    file.exec('COMMIT')
    return result
  } catch (error) {
    if (file.isTransaction) file.exec('ROLLBACK')
    throw error
  }
}

/** SQLite's primary result codes; everything else is `inaccessible`. */
const REASONS: Readonly<Record<number, UnusableReason>> = { 1: 'corrupt', 5: 'locked', 6: 'locked', 11: 'corrupt', 26: 'corrupt' }

/** The one named error for whatever the medium reported. */
export function unusable(path: string, cause: unknown): StoreUnusable {
  if (cause instanceof StoreUnusable) return cause
  const code = (cause as { errcode?: unknown }).errcode
  const primary = typeof code === 'number' ? code & 0xff : 0
  return new StoreUnusable(REASONS[primary] ?? 'inaccessible', path, cause)
}

/**
 * Put a damaged file out of the way with its bytes kept (bug B46). Its companions go first: they would be taken for
 * those of the file that comes next.
 *
 * @param path - the damaged file.
 * @param now - part of the new name.
 * @returns the new name.
 */
export function setAside(path: string, now: Instant): string {
  const stamp = new Date(now).toISOString().replaceAll(':', '.')
  const kept = uniqueName(`${path}.corrupt-${stamp}`)
  for (const companion of ['-wal', '-shm', '']) {
    if (existsSync(path + companion)) renameSync(path + companion, kept + companion)
  }
  return kept
}

function uniqueName(wanted: string): string {
  let name = wanted
  for (let number = 2; existsSync(name); number += 1) name = `${wanted}-${number}`
  return name
}

/** Which file is at a path now: it changes when the file is replaced, and is `undefined` when there is none. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
