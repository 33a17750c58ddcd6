import type { Texts } from '../texts/en.ts'
import { isProblem } from '../log/problem.ts'
import { note, problem, type Finding } from './finding.ts'
import type { LogFacts } from './survey.ts'

/**
 * What is wrong with the logs themselves (requirements X6, X7).
 *
 * @param logs - as read.
 * @param tz - version of the time zone data.
 * @param texts - language of the amounts of time.
 */
export function judgeLogs(logs: readonly LogFacts[], tz: string, texts: Texts): Finding[] {
  const zones = Map.groupBy(logs.flatMap(({ session, unknownZones }) => unknownZones.map((zone) => ({ zone, session }))), ({ zone }) => zone)
  return [
    ...logs.flatMap((log) => [...unreadableOf(log, texts), ...problemsOf(log), ...timesOf(log, texts)]),
    ...[...zones].map(([zone, [first, ...others]]) => problem('zone_unknown', [zone, tz], { session: String(first?.session), ...(others.length > 0 && { times: others.length + 1 }) })),
  ]
}

function unreadableOf({ refusal, session, path }: LogFacts, texts: Texts): Finding[] {
  return refusal === undefined ? [] : [{ level: 'problem', code: refusal.code, detail: [refusal.detail(texts)], session, path }]
}

function problemsOf({ problems, session, path }: LogFacts): Finding[] {
  return problems.map(({ code, detail, line, seq, times, unread }) => ({
    level: isProblem({ code, detail }) ? 'problem' : 'note',
    code,
    detail: [detail, ...(unread === undefined ? [] : [String(unread)])],
    session,
    path,
    ...(line !== undefined && { line }),
    ...(seq !== undefined && { seq }),
    ...(times !== undefined && { times }),
  }))
}

function timesOf({ wentBack: { times, most }, session }: LogFacts, texts: Texts): Finding[] {
  return times === 0 ? [] : [note('time_went_back', [String(times), texts.duration(most)], { session })]
}
