import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** What `npm start` was asked for. */
export interface StartOptions {
  /** An absolute DSH_HOME that the person named, or undefined for the checkout's own. */
  readonly home: string | undefined
  /** A port that must be used, or undefined for the first free one. */
  readonly port: number | undefined
  /** Whether the page is opened in the browser. */
  readonly open: boolean
  readonly help: boolean
  /** Every other word, in order: they are for `dsh web`. */
  readonly rest: readonly string[]
}

/** A word on the command line that cannot be meant. The message says which and why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `~` is a shell's word; npm hands it through in `--home=~/.dsh`. */
const absolute = (path: string, from: string): string => {
  const expanded = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
  return isAbsolute(expanded) ? expanded : resolve(from, expanded)
}

const portOf = (text: string): number => {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new UsageError(`--port must be a number from 1 to 65535, not "${text}"`)
  return port
}

/**
 * @param words the command line after `npm start --`
 * @param from the folder that a relative home is meant from
 * @throws {UsageError} when a value is missing or cannot be meant
 */
export const parseStart = (words: readonly string[], from: string): StartOptions => {
  const values = new Map<string, string>()
  const rest: string[] = []
  const queue = words.flatMap(word => (/^--(home|port)=/.test(word) ? [word.slice(0, 6), word.slice(7)] : [word]))
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--home' || word === '--port') {
      const value = queue.shift()
      if (value === undefined || value === '') throw new UsageError(`${word} needs a value`)
      values.set(word, value)
    } else if (['--open', '--no-open', '--help', '-h'].includes(word)) values.set(word, word)
    else rest.push(word)
  }
  const home = values.get('--home')
  const port = values.get('--port')
  return {
    home: home === undefined ? undefined : absolute(home, from),
    port: port === undefined ? undefined : portOf(port),
    open: values.has('--open'),
    help: values.has('--help') || values.has('-h'),
    rest,
  }
}
