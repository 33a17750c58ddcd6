import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A small file system of its own under a folder. It is as full, and as read-only, for root as for anybody. */
export interface SmallDisk {
  /** Take all the room that is left, to the last block. */
  fill(): void
  /** Give back what was filled. */
  free(): void
  /** Make a folder on the disk read-only for everything that is opened from now on. @returns makes it writable again. */
  freeze(folder: string): () => void
  /** Take the disk away with all that is on it. Nobody may work on it any more. */
  remove(): void
}

/** Newest last. */
const mounted: string[] = []

// A test process that ends in the middle of a test leaves no disk behind.
process.once('exit', () => unmountFrom(0))

const run = (command: string, args: readonly string[]): void => void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** Takes away what was mounted since, the newest first; what is still in use goes with its last user. */
const unmountFrom = (index: number): void => {
  for (const path of mounted.splice(index).toReversed()) run('umount', ['--lazy', path])
}

/** @returns takes it away again, with all that was mounted on it */
const mountAt = (path: string, args: readonly string[]): (() => void) => {
  run('mount', [...args, path])
  const index = mounted.push(path) - 1
  return () => unmountFrom(index)
}

/** File of the disk that takes its room. */
export const BALLAST = 'ballast'

const NO_SPACE = 'ENOSPC'

/**
 * Write until nothing more goes onto a disk, in pieces that become smaller and smaller.
 *
 * @param file - takes the room; made if missing.
 */
export const fillUp = (file: string): void => {
  const handle = openSync(file, 'a')
  try {
    for (let size = 1 << 20; size >= 1; size >>= 4) while (isWritten(handle, size));
  } finally {
    closeSync(handle)
  }
}

const isWritten = (handle: number, size: number): boolean => {
  try {
    return writeSync(handle, Buffer.alloc(size)) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === NO_SPACE) return false
    throw error
  }
}

/**
 * Mount a small disk on an empty folder.
 *
 * @param path - the folder.
 * @param megabytes - its size.
 * @throws when mounting is not permitted; see `whyNoDisk`.
 */
export const mountSmallDisk = (path: string, megabytes: number): SmallDisk => {
  const unmount = mountAt(path, ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'timekeeper-test'])
  const ballast = join(path, BALLAST)
  return {
    fill: () => fillUp(ballast),
    free: () => rmSync(ballast, { force: true }),
    freeze(folder) {
      // A disk with open files cannot be made read-only as a whole. A second, read-only door to the same folder can:
      // whoever opens a file of it by its path comes through that door.
      const thaw = mountAt(folder, ['--bind', folder])
      run('mount', ['-o', 'remount,bind,ro', folder])
      return thaw
    },
    remove: unmount,
  }
}

const trialOf = (attempt: (folder: string) => void): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-mount-'))
  try {
    attempt(folder)
    return undefined
  } catch (error) {
    return (error as Error).message.replaceAll(/\s+/g, ' ').trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command as the root of namespaces of its own, where mounting is permitted. */
export const OWN_NAMESPACE = ['unshare', '--user', '--map-root-user', '--mount'] as const

/** @returns why this process may not mount a small disk; `undefined` when it may */
export const whyNoDisk = (): string | undefined => trialOf((folder) => mountSmallDisk(folder, 1).remove())

/** @returns why namespaces of its own do not help a process to mount one; `undefined` when they do */
export const whyNoNamespace = (): string | undefined =>
  trialOf((folder) => run(OWN_NAMESPACE[0], [...OWN_NAMESPACE.slice(1), 'mount', '-t', 'tmpfs', 'timekeeper-test', folder]))
