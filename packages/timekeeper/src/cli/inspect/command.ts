import type { Answer } from '../answer.ts'
import type { Command } from '../arguments.ts'
import { inspectLog } from '../log/inspection.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Texts } from '../texts/en.ts'
import type { World } from '../world.ts'
import { findLog, homeOf, storedSessions } from './home.ts'
import { reportJson } from './json.ts'
import { reportLines, sessionLines } from './people.ts'
import { problemsOf, reportOf } from './report.ts'
import { isTroubled, sessionRows, sessionsJson } from './sessions.ts'

/**
 * `timekeeper inspect`: one log, or without a target the sessions of a home at a glance (requirement T14).
 *
 * @param command - what was asked for.
 * @param texts - language.
 * @param world - folders and clock.
 */
export function inspect({ target, home: asked }: Extract<Command, { kind: 'inspect' }>, texts: Texts, world: World): Answer | Refusal {
  const home = homeOf(asked, world)
  return target === undefined ? list(home, texts, world) : one(target, home, texts, world)
}

function list(home: string, texts: Texts, world: World): Answer | Refusal {
  const stored = storedSessions(home)
  if (isRefusal(stored)) return stored
  const rows = sessionRows(stored, world.now())
  return { json: sessionsJson(home, rows, texts), lines: sessionLines(home, rows, texts), hasProblem: rows.some(isTroubled) }
}

function one(target: string, home: string, texts: Texts, world: World): Answer | Refusal {
  const path = findLog(target, home, world)
  if (isRefusal(path)) return path
  const inspection = inspectLog(path)
  if (isRefusal(inspection)) return inspection
  const report = reportOf(inspection, world.now())
  return { json: reportJson(report, texts), lines: reportLines(report, texts), hasProblem: problemsOf(report).length > 0 }
}
