import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRefusal, refuse, type Refusal } from '../refusal.ts'
import { parseHeader, type Header } from './header.ts'
import { History } from './history.ts'
import { Findings, type Problem } from './problem.ts'
import { scanEvents } from './scan.ts'
import { decodeLog, type Decoded } from './zstd.ts'

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
 * @returns a refusal where not even its header can be read.
 */
export function inspectLog(path: string): Inspection | Refusal {
  const file = readLogFile(path)
  if (isRefusal(file)) return file
  const decoded = decodeLog(file.bytes)
  const end = decoded.text.indexOf('\n')
  const header = parseHeader(decoded.text.toString('utf8', 0, Math.max(end, 0)))
  if (header === undefined) return refuse('not_a_session_log', (texts) => texts.details.noHeader(path))
  if ('format' in header) return refuse('format_unsupported', (texts) => texts.details.format(path, header.format))
  const findings = new Findings()
  for (const name of file.newer) findings.add({ code: 'newer_log', detail: name })
  const history = new History(header.ownFrom, findings)
  const events = follow(decoded, end + 1, history, findings)
  return { path, header, history, events, problems: findings.all }
}

function follow({ text, stop }: Decoded, start: number, history: History, findings: Findings): number {
  const { events, line, problem } = scanEvents(text.subarray(start), (event, at) => history.apply(event, at))
  // What is left of a line after a cut is the cut itself, not a second finding.
  if (problem !== undefined && (stop === undefined || problem.code !== 'torn_tail')) findings.add(problem)
  if (stop !== undefined) findings.add({ code: stop.kind === 'torn' ? 'torn_tail' : 'damaged_data', line, detail: `byte ${stop.byte}: ${stop.detail}` })
  return events
}

interface LogFile {
  readonly bytes: Buffer
  /** Names of the files that a later host goes on in: `session.v4.jsonl` and the like; it leaves the old one as it was. */
  readonly newer: readonly string[]
}

function readLogFile(path: string): LogFile | Refusal {
  try {
    const newer = readdirSync(dirname(path)).filter((name) => /^session\.v\d+\.jsonl/.test(name))
    return { bytes: readFileSync(path), newer }
  } catch (error) {
    return refuse('log_unreadable', (texts) => texts.details.unreadable(path, String((error as NodeJS.ErrnoException).code)))
  }
}
