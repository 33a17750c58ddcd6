import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuse, type Refusal } from '../refusal.ts'
import { parseHeader, type Header } from './header.ts'
import { History } from './history.ts'
import { Lines } from './lines.ts'
import { Findings, type Problem } from './problem.ts'
import { scanEvents, type StoredEvent } from './scan.ts'
import { textOf, type Bytes } from './zstd.ts'

/** Looks at the events of a log while it is read, with the header that they stand under. */
export type Watch = (event: StoredEvent, header: Header) => void

/** A log that was read to its end, or as far as it can be read. */
export interface Inspection {
  readonly path: string
  readonly header: Header
  readonly history: History
  /** How many events were read. */
  readonly events: number
  readonly problems: readonly Problem[]
}

/**
 * Read one log from its file alone.
 *
 * @param path - of the file.
 * @param watch - told every event as well.
 * @returns a refusal where not even its header can be read.
 */
export function inspectLog(path: string, watch: Watch = () => undefined): Inspection | Refusal {
  try {
    return withFile(path, (bytes) => inspectBytes(path, bytes, watch))
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    return refuse('log_unreadable', (texts) => texts.details.unreadable(path, String(code)))
  }
}

function inspectBytes(path: string, bytes: Bytes, watch: Watch): Inspection | Refusal {
  const lines = new Lines(textOf(bytes))
  const header = parseHeader(lines.next() ?? '')
  if (header === undefined) return refuse('not_a_session_log', (texts) => texts.details.noHeader(path))
  if ('format' in header) return refuse('format_unsupported', (texts) => texts.details.format(path, header.format))
  const findings = new Findings()
  for (const name of newerLogs(path)) findings.add({ code: 'newer_log', detail: name })
  const history = new History(header.ownFrom, findings)
  const events = follow(lines, history, findings, (event) => watch(event, header))
  return { path, header, history, events, problems: findings.all }
}

function follow(lines: Lines, history: History, findings: Findings, watch: (event: StoredEvent) => void): number {
  const { events, line, problem } = scanEvents(lines, (event, at) => {
    history.apply(event, at)
    watch(event)
  })
  const { stop } = lines
  // What is left of a line after a cut is the cut itself, not a second finding.
  if (problem !== undefined && (stop === undefined || problem.code !== 'torn_tail')) findings.add(problem)
  if (stop !== undefined) findings.add({ code: stop.kind === 'torn' ? 'torn_tail' : 'damaged_data', line, detail: `byte ${stop.byte}: ${stop.detail}` })
  return events
}

/** Names of the files that a later host goes on in: `session.v4.jsonl` and the like; it leaves the old one as it was. */
function newerLogs(path: string): readonly string[] {
  return readdirSync(dirname(path)).filter((name) => /^session\.v\d+\.jsonl/.test(name))
}

function withFile<T>(path: string, job: (bytes: Bytes) => T): T {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    return job({
      size,
      read(from, length) {
        const piece = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - from)))
        return piece.subarray(0, readSync(file, piece, 0, piece.length, from))
      },
    })
  } finally {
    closeSync(file)
  }
}
