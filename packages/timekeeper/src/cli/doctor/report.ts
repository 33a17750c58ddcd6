import { plainLine, type Instant } from 'dsh-time-core'
import { instantText } from '../instants.ts'
import type { Json } from '../inspect/json.ts'
import type { ProblemCode } from '../log/problem.ts'
import type { RefusalCode } from '../refusal.ts'
import type { Texts } from '../texts/en.ts'
import type { Row } from './compose.ts'
import type { Comparison } from './browser/compare.ts'
import type { Finding, OwnCode } from './finding.ts'
import type { Machine } from './machine.ts'

/** All that the doctor has found out. Free of any language. */
export interface Diagnosis {
  readonly home: string
  readonly profile: string
  readonly now: Instant
  /** Version of this program. */
  readonly own: string
  readonly machine: Machine
  readonly host: string | undefined
  /** Rows of ours. */
  readonly rows: readonly Row[]
  /** How many logs were read. */
  readonly sessions: number
  readonly index: { readonly path: string; readonly owed: number; readonly leases: number; readonly left: number } | undefined
  /** Zones that the logs name and that are known here. */
  readonly zones: readonly string[]
  /** What a browser has answered, if one was asked; its findings are among all. */
  readonly browser: Comparison | undefined
  /** Problems first. */
  readonly findings: readonly Finding[]
}

/** Longer than any path, and a bound for what comes from outside. */
const MAX_NAME = 400

const plain = (text: string): string => plainLine(text, MAX_NAME)

/**
 * How many of each level.
 *
 * @param diagnosis - what was found out.
 */
export function countsOf({ findings }: Diagnosis): { readonly problems: number; readonly notes: number } {
  const problems = findings.filter(({ level }) => level === 'problem').length
  return { problems, notes: findings.length - problems }
}

/**
 * The diagnosis for programs: members that do not apply are absent.
 *
 * @param diagnosis - what was found out.
 * @param texts - language of `found` and `advice`.
 */
export function diagnosisJson(diagnosis: Diagnosis, texts: Texts): Json {
  const { home, profile, now, own, machine, host, rows, sessions, index, browser, findings } = diagnosis
  const { node, tz, icu, zone } = machine
  return {
    home,
    profile,
    now: instantText(now),
    machine: { timekeeper: own, node, tz, icu, zone },
    host,
    rows: rows.map(({ id, name, state }) => ({ id, name, state })),
    sessions,
    index,
    browser: browser && browserJson(browser),
    findings: findings.map((finding) => ({ ...finding, ...wordsOf(finding, texts) })),
    counts: countsOf(diagnosis),
  }
}

function browserJson({ name, zone, compared, alike }: Comparison): Json {
  return { name, zone, compared, alike }
}

/**
 * The diagnosis for people.
 *
 * @param diagnosis - what was found out.
 * @param texts - language.
 */
export function diagnosisLines(diagnosis: Diagnosis, texts: Texts): readonly string[] {
  const { doctor } = texts
  const { problems, notes } = countsOf(diagnosis)
  return [
    ...headLines(diagnosis, texts),
    ...diagnosis.findings.flatMap((finding) => findingLines(finding, texts)),
    '',
    ...(problems === 0 ? [doctor.well] : []),
    ...(problems + notes === 0 ? [] : [doctor.total(problems, notes)]),
  ]
}

function headLines({ home, profile, own, machine, host, rows, sessions, index, browser }: Diagnosis, texts: Texts): string[] {
  const { doctor, words } = texts
  const { node, tz, icu, zone } = machine
  const states = rows.map(({ id, state }) => doctor.row(plain(id), doctor.states[state]))
  return [
    doctor.title(plain(home), plain(profile)),
    `  ${doctor.machine(own, node, tz, icu, plain(zone))}`,
    `  ${[host === undefined ? doctor.noHost : doctor.host(plain(host)), doctor.sessions(sessions), index === undefined ? doctor.noIndex : doctor.index(index.owed, index.leases, index.left)].join(words.comma)}`,
    ...(browser === undefined ? [] : [`  ${browserLine(browser, texts)}`]),
    ...(states.length === 0 ? [] : [`  ${doctor.rows}: ${states.join(words.comma)}`]),
  ]
}

function browserLine({ name, compared, alike }: Comparison, { doctor }: Texts): string {
  return doctor.browser(alike, compared, name)
}

/**
 * What the page of the browser shows at the end, a paragraph each.
 *
 * @param comparison - what was found out.
 * @param texts - language of the page.
 */
export function pageLines(comparison: Comparison, texts: Texts): readonly string[] {
  const findings = comparison.findings.flatMap((finding) => {
    const { found, advice } = wordsOf(finding, texts)
    return [found, texts.doctor.advice(advice)]
  })
  return [browserLine(comparison, texts), ...findings.map((line) => plainLine(line, MAX_LINE)), texts.doctor.page.close]
}

function findingLines(finding: Finding, texts: Texts): string[] {
  const { doctor, words } = texts
  const { level, code, session, line, seq, times } = finding
  const { found, advice } = wordsOf(finding, texts)
  const places = [
    ...(session === undefined ? [] : [doctor.session(plain(session))]),
    ...(line === undefined ? [] : [words.line(line)]),
    ...(seq === undefined ? [] : [words.event(seq)]),
  ]
  const place = places.length === 0 ? '' : `${places.join(words.comma)}: `
  return [
    '',
    `${level === 'problem' ? '!' : '-'} ${doctor.levels[level]} [${code}]`,
    `  ${place}${plainLine(found, MAX_LINE)}${times === undefined ? '' : ` ${words.repeated(times)}`}`,
    `  ${doctor.advice(plainLine(advice, MAX_LINE))}`,
  ]
}

const MAX_LINE = 2000

function wordsOf({ code, detail, session }: Finding, texts: Texts): { readonly found: string; readonly advice: string } {
  const { findings, look } = texts.doctor
  if (isOwn(code, texts)) {
    const { found, advice }: { found: (...values: string[]) => string; advice: (...values: string[]) => string } = findings[code]
    return { found: found(...detail), advice: advice(...detail) }
  }
  const [first = '', unread] = detail
  if (isRefused(code, texts)) return { found: `${texts.refusals[code]} ${first}`, advice: look(String(session)) }
  return { found: `${texts.problems[code](first)}${unread === undefined || unread === '0' ? '' : ` ${texts.words.unread(Number(unread))}`}`, advice: look(String(session)) }
}

function isOwn(code: Finding['code'], { doctor }: Texts): code is OwnCode {
  return Object.hasOwn(doctor.findings, code)
}

function isRefused(code: ProblemCode | RefusalCode, { refusals }: Texts): code is RefusalCode {
  return Object.hasOwn(refusals, code)
}
