import { isInstant } from 'dsh-time-core'
import type { Lines } from './lines.ts'
import type { Problem } from './problem.ts'
import { isCount, listOf, member, parseObject } from './shape.ts'

/** An event as the file holds it, with all its members; of which these are checked, and the data is of whatever shape. */
export interface StoredEvent {
  readonly type: string
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  readonly data: unknown
  /** Absent or `append` where the event is new to the conversation; else it takes the place of earlier ones. */
  readonly surfaceOp?: unknown
  /** True on an event that a reader may skip when it does not know its type. */
  readonly ignorable?: unknown
}

/** How far a text was read. */
export interface Scan {
  /** How many events, those in packed rows included. */
  readonly events: number
  /** Number of the first line that was not read. */
  readonly line: number
  /** What ended the reading before the text did, or was left over at its end. */
  readonly problem: Problem | undefined
}

/** The member that holds one entry per event of a packed row. */
const PACKED: Readonly<Record<string, string>> = { 'text-chunks': 'texts', 'reasoning-chunks': 'texts', 'tool-call-chunks': 'args' }

/** What one line holds. */
interface Row {
  readonly seq: number
  readonly length: number
  /** Absent for a packed row: the streamed text of a model says nothing about reminders. */
  readonly event: StoredEvent | undefined
}

/**
 * Read the event lines of a log in order. As for the host, everything ends at the first line that is no event or does
 * not continue the numbering: what comes after it may belong to anything.
 *
 * @param lines - the text after the header line.
 * @param visit - told each event that is not packed, with its line number.
 */
export function scanEvents(lines: Lines, visit: (event: StoredEvent, line: number) => void): Scan {
  let events = 0
  let line = 2
  for (let text = lines.next(); text !== undefined; text = lines.next()) {
    const row = nextRow(text, events, line)
    if ('code' in row) return { events, line, problem: { ...row, unread: countRest(lines) } }
    if (row.event !== undefined) visit(row.event, line)
    events += row.length
    line += 1
  }
  return { events, line, problem: lines.left === 0 ? undefined : { code: 'torn_tail', line, detail: `${lines.left} bytes without a line break` } }
}

function nextRow(text: string, expected: number, line: number): Row | Problem {
  const row = parseRow(text)
  if (typeof row === 'string') return { code: 'bad_line', line, detail: row }
  return row.seq === expected ? row : { code: 'seq_gap', line, seq: row.seq, detail: `expected ${expected}` }
}

function countRest(lines: Lines): number {
  let count = 0
  while (lines.next() !== undefined) count += 1
  return count
}

/** @returns what the line holds, or what is wrong with it */
function parseRow(text: string): Row | string {
  const value = parseObject(text)
  if (value === undefined) return 'no JSON object'
  const { type, seq, time, data, seq0 } = value
  if (typeof type !== 'string' || type === '') return 'no event type'
  const packed = Object.hasOwn(PACKED, type) ? PACKED[type] : undefined
  if (packed !== undefined) {
    const { length } = listOf(member(data, packed))
    return isCount(seq0) && length > 0 ? { seq: seq0, length, event: undefined } : `malformed ${type} row`
  }
  if (!isCount(seq)) return 'no event number'
  if (!isInstant(time)) return 'no event time'
  return { seq, length: 1, event: { ...value, type, seq, time, data } }
}
