import { isTopLevel } from 'dsh-session-host'
import { isInstant, type Instant } from 'dsh-time-core'
import { isCount, parseObject } from './shape.ts'

/** The first line of a log: who the session is. */
export interface Header {
  readonly id: string
  readonly cwd: string | undefined
  readonly createdAt: Instant | undefined
  readonly parentSession: string | undefined
  /** First `seq` that is the session's own work; what stands before it was inherited by a fork (requirement S5). */
  readonly ownFrom: number
  /** A conversation of its own, not work that an agent delegated. */
  readonly isTopLevel: boolean
}

/** Format that this version reads: that of the host 0.1. */
const FORMAT = 0

/**
 * Read a header line.
 *
 * @param text - the first line.
 * @returns the header, the number of a format that is not read, or `undefined` for what is no header at all.
 */
export function parseHeader(text: string): Header | { readonly format: number } | undefined {
  const line = parseObject(text)
  if (line?.['type'] !== 'session') return undefined
  const { version, id, cwd, createdAt, parentSession, seedLength, origin, delegationDepth } = line
  if (typeof version === 'number' && version !== FORMAT) return { format: version }
  if (version !== FORMAT || typeof id !== 'string' || id === '') return undefined
  return {
    id,
    cwd: typeof cwd === 'string' ? cwd : undefined,
    createdAt: isInstant(createdAt) ? createdAt : undefined,
    parentSession: typeof parentSession === 'string' ? parentSession : undefined,
    ownFrom: isCount(seedLength) ? seedLength : 0,
    isTopLevel: isTopLevel({ ...(typeof origin === 'string' && { origin }), ...(isCount(delegationDepth) && { delegationDepth }) }),
  }
}
