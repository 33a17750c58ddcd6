import { readWakeIndex, StoreUnusable, verdictFromOutside, wakeIndexPath, type Lease } from 'dsh-session-host'
import { COUNTDOWN_KIND } from 'dsh-time-reminder/log'
import { REMINDER_KIND } from 'dsh-tool-schedule/log'
import manifest from '../../../package.json' with { type: 'json' }
import type { Answer } from '../answer.ts'
import type { Command } from '../arguments.ts'
import { homeOf, storedSessions } from '../inspect/home.ts'
import type { Policy } from '../inspect/report.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import type { Texts } from '../texts/en.ts'
import { textsOf } from '../texts/texts.ts'
import type { World } from '../world.ts'
import { compare } from './browser/compare.ts'
import { questionsOf, type Question } from './browser/questions.ts'
import { readReport } from './browser/report.ts'
import type { BrowserRequest } from './browser/server.ts'
import { configValue, type Row } from './compose.ts'
import { problem, type Finding } from './finding.ts'
import { judgeLogs } from './logs.ts'
import { judgeMachine } from './machine.ts'
import { readProfile, type Profile } from './profile.ts'
import { countsOf, diagnosisJson, diagnosisLines, pageLines, type Diagnosis } from './report.ts'
import { judgeProfile, mounted, pluginOf } from './rows.ts'
import { surveyLog, type LogFacts } from './survey.ts'
import { judgeDeliveries, judgeIndex, type IndexFacts, type WakeScene } from './wakes.ts'

/**
 * `timekeeper doctor`: what is wrong, and what to do about it (requirement T14). Reads only, beside a host or without one.
 *
 * @param command - what was asked for.
 * @param texts - language.
 * @param world - everything outside.
 */
export async function doctor({ home: asked, profile, browser }: Extract<Command, { kind: 'doctor' }>, texts: Texts, world: World): Promise<Answer | Refusal> {
  const diagnosis = diagnose(homeOf(asked, world), profile, texts, world)
  if (!browser) return answerOf(diagnosis, texts)
  const compared = await world.askBrowser(requestFor(diagnosis, texts, world))
  if (isRefusal(compared)) return compared
  return answerOf({ ...diagnosis, browser: compared, findings: sorted([...diagnosis.findings, ...compared.findings]) }, texts)
}

function answerOf(diagnosis: Diagnosis, texts: Texts): Answer {
  return { json: diagnosisJson(diagnosis, texts), lines: diagnosisLines(diagnosis, texts), hasProblem: countsOf(diagnosis).problems > 0 }
}

function requestFor({ zones, machine, now }: Diagnosis, texts: Texts, world: World): BrowserRequest {
  const questions = (own: string): readonly Question[] => questionsOf([...zones, machine.zone, own], now)
  return {
    questions,
    judge(answer) {
      const report = readReport(answer, questions)
      if (report === undefined) return undefined
      const comparison = compare(questions(report.zone), report, machine.tz)
      return { comparison, lines: pageLines(comparison, textsOf(report.language)) }
    },
    opened: (url, limitMs) => world.err(texts.doctor.open(url, texts.duration(limitMs))),
  }
}

function diagnose(home: string, name: string, texts: Texts, world: World): Diagnosis {
  const now = world.now()
  const machine = { ...world.machine, tzVariable: world.env['TZ'] }
  const common = { home, profile: name, now, own: manifest.version, machine, browser: undefined }
  const stored = storedSessions(home)
  if (isRefusal(stored)) {
    const findings = [problem('home_missing', [home]), ...judgeMachine(machine, now, undefined)]
    return { ...common, host: undefined, rows: [], sessions: 0, index: undefined, zones: [], findings }
  }
  const profile = readProfile(home, name, (module) => pluginOf(module) !== undefined)
  const settings = settingsOf(profile, home, world)
  const logs = stored.map((one, done) => {
    world.status?.(texts.doctor.progress(done, stored.length))
    return surveyLog(one, now, settings.policy)
  })
  world.status?.('')
  // After the logs: what a host has written to a log by now is in the index as well.
  const index = readIndex(settings.path)
  const scene = { logs, index, kinds: settings.kinds, verdict: ({ holder }: Lease) => verdictFromOutside(holder) }
  const findings = [
    ...judgeMachine(machine, now, newestOf(logs)),
    ...judgeProfile(profile, name, manifest.version),
    ...judgeLogs(logs, machine.tz, texts),
    ...judgeIndex(scene),
    ...judgeDeliveries(scene),
  ]
  return { ...common, host: profile.host, rows: profile.rows.filter((row) => pluginOf(row.name) !== undefined), sessions: logs.length, index: countIndex(index, scene.verdict), zones: logs.flatMap(({ zones }) => zones), findings: sorted(findings) }
}

/** What the rows say about the wake index. */
interface Settings {
  readonly path: string
  readonly kinds: ReadonlySet<string>
  readonly policy: Policy
}

const DEFAULT_UNANSWERED = 10

function settingsOf({ rows }: Profile, home: string, { env }: World): Settings {
  const [schedule] = mounted(rows, 'schedule')
  const [clock] = mounted(rows, 'clock')
  const path = [configValue(schedule, 'wakeIndexPath'), configValue(clock, 'pendingPath')].find((one): one is string => typeof one === 'string' && one !== '')
  const unanswered = configValue(schedule, 'maxUnanswered')
  return {
    path: wakeIndexPath(path, { ...env, DSH_HOME: home }),
    kinds: new Set([...(uses(schedule, 'wakeIndex') ? [REMINDER_KIND] : []), ...(uses(clock, 'pendingTable') ? [COUNTDOWN_KIND] : [])]),
    policy: { maxUnanswered: typeof unanswered === 'number' ? unanswered : DEFAULT_UNANSWERED },
  }
}

function uses(row: Row | undefined, key: string): boolean {
  return row !== undefined && configValue(row, key) !== false
}

function readIndex(path: string): IndexFacts {
  try {
    return { path, rows: readWakeIndex(path), unusable: undefined }
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error
    return { path, rows: undefined, unusable: error.reason }
  }
}

function countIndex({ path, rows }: IndexFacts, verdict: WakeScene['verdict']): Diagnosis['index'] {
  if (rows === undefined) return undefined
  const left = [...rows.leases.values()].filter((lease) => verdict(lease) === 'gone').length
  return { path, owed: rows.owed.length, leases: rows.leases.size, left }
}

function newestOf(logs: readonly LogFacts[]): number | undefined {
  return logs.reduce<number | undefined>((newest, log) => (log.newest === undefined ? newest : Math.max(newest ?? log.newest, log.newest)), undefined)
}

function sorted(findings: readonly Finding[]): readonly Finding[] {
  return [...findings.filter(({ level }) => level === 'problem'), ...findings.filter(({ level }) => level === 'note')]
}
