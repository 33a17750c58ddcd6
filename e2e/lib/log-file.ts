import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LogEvent } from '../../scripts/lib/dsh-client.ts'
import { parseJson } from '../../scripts/lib/json.ts'
import type { Home } from './home.ts'

/** A stored session as it lies on disk. */
export interface StoredLog {
  /** The first line: who the session is. */
  readonly header: Readonly<Record<string, unknown>>
  /** Every other line in order; runs of streamed text, which the host packs into one line, are left out. */
  readonly events: readonly LogEvent[]
}

const PACKED = new Set(['text-chunks', 'reasoning-chunks', 'tool-call-chunks'])

type Row = LogEvent & Readonly<Record<string, unknown>>

const parse = (line: string, isLast: boolean): Row | undefined => {
  try {
    return parseJson<Row>(line)
  } catch (error) {
    // A host that was killed while writing leaves a torn last line, which it will cut off itself.
    if (isLast) return undefined
    throw error
  }
}

/** @returns the file of a session, or undefined when nothing of it is stored yet */
export const logFile = (home: Home, sessionId: string): string | undefined => {
  const root = join(home.path, 'sessions')
  const paths = readdirSync(root, { recursive: true }).map(String)
  const found = paths.find(path => path.endsWith(join(sessionId, 'session.jsonl')))
  return found === undefined ? undefined : join(root, found)
}

/**
 * Reads a session from outside, as no host tells it.
 * @throws when nothing of it is stored, or a line other than the last is no JSON
 */
export const readLog = (home: Home, sessionId: string): StoredLog => {
  const file = logFile(home, sessionId)
  if (file === undefined) throw new Error(`session ${sessionId} is not on disk`)
  const lines = readFileSync(file, 'utf8').split('\n').filter(line => line !== '')
  const [header, ...rows] = lines.map((line, index) => parse(line, index === lines.length - 1)).filter(row => row !== undefined)
  if (header?.type !== 'session') throw new Error(`${file} does not begin with a session header`)
  return { header, events: rows.filter(row => !PACKED.has(row.type)) }
}
