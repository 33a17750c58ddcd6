import { plainLine, type Instant, type ZoneName } from 'dsh-time-core'
import type { SeriesRule } from 'dsh-tool-schedule/log'
import { instantText, localText } from '../instants.ts'
import type { Happening, Setting } from '../log/happenings.ts'
import { isProblem, type Problem } from '../log/problem.ts'
import { isRefusal } from '../refusal.ts'
import type { Texts } from '../texts/en.ts'
import { padEnd } from '../width.ts'
import type { Queued, Report, SeriesReport, Waiting } from './report.ts'
import type { SessionRow } from './sessions.ts'

/** How much of a prompt, a path or a name is shown on a line (code points). */
const PROMPT_LENGTH = 80
const NAME_LENGTH = 240

/** What stands in a log may hold anything, control sequences of terminals too (requirement X4). */
const name = (text: string): string => plainLine(text, NAME_LENGTH)
const quoted = (text: string): string => `"${plainLine(text, PROMPT_LENGTH)}"`

/**
 * A report for people.
 *
 * @param report - of a log.
 * @param texts - language.
 */
export function reportLines(report: Report, texts: Texts): readonly string[] {
  const { waiting, series, queued, timeline, problems } = report
  const { words } = texts
  return [
    ...headLines(report, texts),
    ...section(words.waiting(waiting.length), waiting.flatMap((one) => waitingLines(one, texts))),
    ...section(words.series, series.flatMap((one) => seriesLines(one, texts))),
    ...section(words.queued, queued.flatMap((one) => queuedLines(one, texts))),
    ...section(words.timeline, timeline.filter(({ kind }) => kind !== 'planned').flatMap((one) => happeningLines(one, texts))),
    ...section(words.problems, problems.map((problem) => problemLine(problem, texts))),
    ...(timeline.length === 0 ? ['', words.noReminders] : []),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
}

function headLines({ path, header, events, zone }: Report, { words }: Texts): string[] {
  const { id, cwd, createdAt, parentSession, ownFrom } = header
  const rows: (readonly [string, string] | false)[] = [
    [words.session, name(id)],
    cwd !== undefined && [words.folder, name(cwd)],
    createdAt !== undefined && [words.created, instantText(createdAt)],
    (parentSession !== undefined || ownFrom > 0) && [words.fork, words.forkOf(name(parentSession ?? '?'), ownFrom)],
    [words.zone, zone ?? words.noZone],
    [words.log, `${name(path)} (${words.events(events)})`],
  ]
  return rows.filter((row) => row !== false).map(([label, value]) => `${padEnd(label, 10)}${value}`)
}

/** An instant in UTC and, where a zone is known, on its clocks. */
function both(instant: Instant, zone: ZoneName | undefined): string {
  return zone === undefined ? instantText(instant) : `${instantText(instant)}  ${localText(instant, zone)}`
}

function waitingLines({ id, prompt, dueAt, zone, state, setting, view }: Waiting, texts: Texts): string[] {
  const { words } = texts
  const every = view['kind'] === 'every' && setting.rule === undefined ? [words.every(texts.duration(Number(view['everySeconds']) * 1000))] : []
  return [
    `${padEnd(name(id), 8)} ${padEnd(words.states[state], 10)} ${both(dueAt, zone)}${zone === undefined ? '' : ` ${zone}`}`,
    `         ${[quoted(prompt), ...every, ...settingWords(setting, texts)].join(words.comma)}`,
    ...(state === 'scheduled' ? [] : [`         ${words.stateHints[state]}`]),
  ]
}

function settingWords({ setBy, unattended, snoozeOf, replaces, lateLimitSeconds, wake }: Setting, { words, duration }: Texts): string[] {
  return [
    setBy === undefined ? words.noPlan : words.setBy[setBy],
    ...(unattended ? [words.unattended] : []),
    ...(snoozeOf === undefined ? [] : [words.snoozeOf(name(snoozeOf))]),
    ...(replaces === undefined ? [] : [words.replaces(name(replaces))]),
    ...(lateLimitSeconds === undefined ? [] : [words.lateLimit(duration(lateLimitSeconds * 1000))]),
    ...(wake ? [words.wake] : []),
  ]
}

function seriesLines({ id, prompt, rule, zone, delivered, missed, unanswered, state, next }: SeriesReport, texts: Texts): string[] {
  const { words } = texts
  const facts = [ruleWords(rule, texts), words.states[state], words.delivered(delivered), ...(missed > 0 ? [words.missed(missed)] : []), ...(unanswered > 0 ? [words.unanswered(unanswered)] : [])]
  return [
    `${padEnd(name(id), 8)} ${facts.join(words.comma)}`,
    `         ${quoted(prompt)}`,
    ...next.map((instant, index) => `         ${padEnd(index === 0 ? words.next : '', 8)} ${both(instant, zone)}`),
  ]
}

function ruleWords(rule: SeriesRule, { words, duration }: Texts): string {
  const ends = [...(rule.until === undefined ? [] : [words.until(rule.until)]), ...(rule.count === undefined ? [] : [words.times(rule.count)])]
  const repeats = rule.kind === 'cron' ? `cron ${name(rule.cron)} (${name(rule.zone)})` : words.every(duration(rule.everySeconds * 1000))
  return [repeats, ...ends].join(words.comma)
}

function queuedLines({ id, prompt, dueAt, waiting }: Queued, { words }: Texts): string[] {
  return [`${padEnd(name(id), 8)} ${quoted(prompt)}${words.comma}${words.due(instantText(dueAt))}`, `         ${waiting ? words.queuedHint : words.takenHint}`]
}

function happeningLines(one: Happening, texts: Texts): string[] {
  const { words } = texts
  const { kind, id, series, prompt, at, dueAt, zone, setting, last } = one
  const due = words.due(zone === undefined ? instantText(dueAt) : `${instantText(dueAt)} (${localText(dueAt, zone)} ${zone})`)
  const isSet = kind === 'set'
  const more = isSet ? [...(setting.rule === undefined ? [] : [ruleWords(setting.rule, texts)]), ...settingWords(setting, texts)] : [...lateWords(one, texts), ...(last ? [words.last] : [])]
  const shown = isSet ? (series ?? id) : id
  return [`${both(at, zone)}  ${padEnd(words.kinds[kind], 10)} ${padEnd(name(shown), 6)} ${quoted(prompt)}`, `    ${[due, ...more].join(words.comma)}`]
}

function lateWords({ kind, lateMs, reasons }: Happening, { words, duration, reasons: known }: Texts): string[] {
  if (lateMs === 0) return kind === 'delivered' ? [words.onTime] : []
  const why = reasons.map((reason) => (Object.hasOwn(known, reason) ? known[reason as keyof typeof known] : name(reason)))
  return [words.late(duration(lateMs), why.length === 0 ? words.reasonUnknown : why.join(words.and))]
}

/**
 * One finding for people.
 *
 * @param problem - of a log.
 * @param texts - language.
 */
function problemLine(problem: Problem, texts: Texts): string {
  const { code, line, seq, detail, unread, times } = problem
  const { words, problems } = texts
  const place = [...(line === undefined ? [] : [words.line(line)]), ...(seq === undefined ? [] : [words.event(seq)])].join(words.comma)
  const more = [...(unread === undefined || unread === 0 ? [] : [words.unread(unread)]), ...(times === undefined ? [] : [words.repeated(times)])]
  return `${isProblem(problem) ? '!' : '-'} ${place === '' ? '' : `${place}: `}${[problems[code](name(detail)), ...more].join(' ')}`
}

/**
 * The sessions of a home for people.
 *
 * @param home - whose sessions they are.
 * @param rows - the sessions.
 * @param texts - language.
 */
export function sessionLines(home: string, rows: readonly SessionRow[], texts: Texts): readonly string[] {
  const { words } = texts
  if (rows.length === 0) return [words.noSessions(name(home))]
  return [words.sessionsOf(name(home), rows.length), ...rows.flatMap((row) => sessionRowLines(row, texts)), '', words.inspectHint]
}

function sessionRowLines({ id, path, cwd, createdAt, counts }: SessionRow, texts: Texts): string[] {
  const { words, refusals } = texts
  if (isRefusal(counts)) return ['', name(id), `  ! ${refusals[counts.code]} ${name(counts.detail(texts))}`]
  const { active, overdue, paused, problems } = counts
  const facts = [words.active(active), ...(overdue > 0 ? [words.overdue(overdue)] : []), ...(paused > 0 ? [words.paused(paused)] : []), ...(problems > 0 ? [words.problemCount(problems)] : [])]
  const where = [...(createdAt === undefined ? [] : [instantText(createdAt)]), name(cwd ?? path)]
  return ['', name(id), `  ${facts.join(words.comma)}`, `  ${where.join('  ')}`]
}
