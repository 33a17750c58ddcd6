/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-return -- plain JavaScript has no types to check */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Without another word, a holder that has not let go after this long is gone, and its pid is someone else's by now. */
const LONGEST_HOLD_MS = 30 * 60_000
const RETRY_MS = 200

const isAlive = pid => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** What is known of the lock: free, held by a pid, or left behind by one that is gone. */
const stateOf = (path, longestHold) => {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    const age = Date.now() - statSync(path).mtimeMs
    // A file that is still empty is being written at this moment.
    const isHeld = pid === 0 ? age < 5_000 : isAlive(pid) && age < longestHold
    return isHeld ? { holder: pid } : { dead: pid }
  } catch {
    return {}
  }
}

/** Puts a dead holder's lock out of the way. One that was taken anew in between is put back: it is not dead. */
const bury = (path, dead) => {
  const grave = `${path}.${process.pid}`
  try {
    renameSync(path, grave)
    if (Number(readFileSync(grave, 'utf8')) !== dead) linkSync(grave, path)
  } catch {
    // Another process was quicker; the next round will see what it did.
  }
  rmSync(grave, { force: true })
}

const create = path => {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

export const withLock = async (path, onWait, job, longestHold = LONGEST_HOLD_MS) => {
  mkdirSync(dirname(path), { recursive: true })
  for (let told = false; !create(path); ) {
    const { holder, dead } = stateOf(path, longestHold)
    if (dead !== undefined) bury(path, dead)
    if (holder === undefined) continue
    if (!told) onWait(holder)
    told = true
    await delay(RETRY_MS)
  }
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await job()
  } finally {
    process.off('exit', release)
    release()
  }
}
