import { instantText } from '../instants.ts'
import { inspectLog } from '../log/inspection.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Texts } from '../texts/en.ts'
import type { Instant } from 'dsh-time-core'
import type { StoredSession } from './home.ts'
import { countsOf, type Counts, type Json } from './json.ts'
import { reportOf } from './report.ts'

/** One stored session at a glance. */
export interface SessionRow extends StoredSession {
  readonly cwd: string | undefined
  readonly createdAt: Instant | undefined
  /** What its log holds, or why it cannot be read. */
  readonly counts: Counts | Refusal
}

/**
 * All stored sessions at a glance, the newest first. One log that cannot be read says so and stops none of the others
 * (requirement X6).
 *
 * @param stored - the sessions of a home.
 * @param now - decides what is overdue.
 */
export function sessionRows(stored: readonly StoredSession[], now: Instant): readonly SessionRow[] {
  return stored.map((session) => rowOf(session, now)).toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))
}

function rowOf(session: StoredSession, now: Instant): SessionRow {
  const inspection = inspectLog(session.path)
  if (isRefusal(inspection)) return { ...session, cwd: undefined, createdAt: undefined, counts: inspection }
  const { cwd, createdAt } = inspection.header
  return { ...session, cwd, createdAt, counts: countsOf(reportOf(inspection, now)) }
}

/**
 * Whether a session needs a look: its log cannot be read, or has problems.
 *
 * @param row - of the list.
 */
export function isTroubled({ counts }: SessionRow): boolean {
  return isRefusal(counts) || counts.problems > 0
}

/**
 * The list for programs.
 *
 * @param home - whose sessions they are.
 * @param rows - the sessions.
 * @param texts - language of the messages.
 */
export function sessionsJson(home: string, rows: readonly SessionRow[], texts: Texts): Json {
  return {
    home,
    sessions: rows.map(({ id, path, cwd, createdAt, counts }) => ({
      session: id,
      path,
      cwd,
      createdAt: createdAt === undefined ? undefined : instantText(createdAt),
      ...(isRefusal(counts) ? { error: { code: counts.code, message: texts.refusals[counts.code], detail: counts.detail(texts) } } : counts),
    })),
  }
}
