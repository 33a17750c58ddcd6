/**
 * What is wrong with a log.
 *
 * - torn_tail: the end of the file is cut off inside a frame or a line, as a killed or a writing host leaves it
 * - newer_log: a later host keeps the session on in another file beside this one
 * - damaged_data: bytes that cannot be decompressed
 * - bad_line: a line that is no event
 * - seq_gap: an event that does not continue the numbering
 * - unreadable_event: an event whose data has not the shape that the host writes
 * - corrupt_schedule_log: the reminder events break version 1; nothing after it is concluded (requirement S8)
 * - unreadable_fact: a fact of ours that cannot be read
 * - unknown_type, ignorable_type, not_version_1, foreign_source, foreign_member: what a later host refuses to migrate (requirement X7)
 */
export type ProblemCode =
  | 'torn_tail'
  | 'newer_log'
  | 'damaged_data'
  | 'bad_line'
  | 'seq_gap'
  | 'unreadable_event'
  | 'corrupt_schedule_log'
  | 'unreadable_fact'
  | 'unknown_type'
  | 'ignorable_type'
  | 'not_version_1'
  | 'foreign_source'
  | 'foreign_member'

/** One finding about a log. */
export interface Problem {
  readonly code: ProblemCode
  /** Line in the decompressed text, the header being line 1; absent where the finding is about the file. */
  readonly line?: number
  readonly seq?: number
  /** What exactly: a type, a rule, a name, an error of a decoder. Not translated. */
  readonly detail: string
  /** How many lines after it were not read because of it. */
  readonly unread?: number
  /** How often the same finding was made; absent for once. */
  readonly times?: number
}

/** Findings that need nobody: the host repairs the one and has made the other on purpose. */
const NOTES: ReadonlySet<ProblemCode> = new Set(['torn_tail', 'newer_log'])

/**
 * Whether a finding is something to act on. What is not, is a note.
 *
 * @param problem - a finding.
 */
export function isProblem({ code }: Problem): boolean {
  return !NOTES.has(code)
}

/** Collects findings; the same one again is counted, not repeated. */
export class Findings {
  readonly #found = new Map<string, Problem>()

  add(problem: Problem): void {
    const key = `${problem.code} ${problem.detail}`
    const before = this.#found.get(key)
    this.#found.set(key, before === undefined ? problem : { ...before, times: (before.times ?? 1) + 1 })
  }

  /** In the order in which each was first made. */
  get all(): readonly Problem[] {
    return [...this.#found.values()]
  }
}
