import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Environment of a host whose clock is wrong. */
export type ClockEnv = Readonly<Record<string, string>>

/**
 * A clock that is set wrong for all that the host does in JavaScript. Needs Node alone.
 *
 * @param ms - how far ahead.
 */
export const shifted = (ms: number): ClockEnv => {
  const fixture = import.meta.resolve('../fixtures/shifted-clock.ts')
  return { CLOCK_OFFSET_MS: String(ms), NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${fixture}` }
}

const LIBRARIES = '/usr/lib'

/** @returns where libfaketime is, if it is installed */
const faketime = (): string | undefined => {
  if (process.platform !== 'linux' || !existsSync(LIBRARIES)) return undefined
  const folders = readdirSync(LIBRARIES).map(name => join(LIBRARIES, name, 'faketime'))
  return folders.map(folder => join(folder, 'libfaketime.so.1')).find(file => existsSync(file))
}

/**
 * A clock that is set wrong for the whole process, where libfaketime is installed.
 *
 * @param ms - how far ahead.
 */
export const faked = (ms: number): ClockEnv | undefined => {
  const library = faketime()
  if (library === undefined) return undefined
  const seconds = Math.round(ms / 1000)
  return { LD_PRELOAD: library, FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' }
}
