import { readFileSync, readdirSync } from 'node:fs'
import { randomUUID } from 'node:crypto'

const MARK = 'TIMEKEEPER_HARNESS'

/** This test process's own mark: everything that it starts inherits the variable, down to the last grandchild. */
const RUN = randomUUID()

/** Goes into the environment of every process that a test starts. */
export const marked = (env: Readonly<Record<string, string | undefined>> = process.env): NodeJS.ProcessEnv => ({ ...env, [MARK]: RUN })

const carriesMark = (pid: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${RUN}`)
  } catch {
    return false // ended while we looked, or not ours to look at
  }
}

/** Ended, and only waiting for its parent to notice. */
const isZombie = (pid: string): boolean => {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

/**
 * @returns the processes still running that this test process started, however far down, as `pid command`. Needs
 * Linux's /proc; elsewhere the list is empty.
 */
export const leftovers = (): readonly string[] => {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && carriesMark(name) && !isZombie(name))
    .map(pid => `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`)
}
