/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-return -- plain JavaScript has no types to check */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A holder that has not let go after this long has lost its machine, and its pid may be someone else's by now. */
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

/** The pid that holds the lock now, or undefined when it is free or its holder is gone. */
const holderOf = path => {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    const age = Date.now() - statSync(path).mtimeMs
    // A file that is still empty is being written at this moment.
    if (pid === 0 && age < 5_000) return 'another process'
    return isAlive(pid) && age < LONGEST_HOLD_MS ? pid : undefined
  } catch {
    return undefined
  }
}

/** Takes the lock if it is free: creating the file is the atomic step, renaming a dead one away is the other. */
const take = path => {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (holderOf(path) === undefined) {
    const grave = `${path}.${process.pid}`
    try {
      renameSync(path, grave)
    } catch {
      // Another process was quicker; the next round will see its lock.
    }
    rmSync(grave, { force: true })
  }
  return false
}

export const withLock = async (path, onWait, job) => {
  mkdirSync(dirname(path), { recursive: true })
  for (let told = false; !take(path); ) {
    const holder = holderOf(path)
    if (holder !== undefined && !told) {
      told = true
      onWait(holder)
    }
    if (holder !== undefined) await delay(RETRY_MS)
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
