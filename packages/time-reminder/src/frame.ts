import { notice, type RequestZone } from 'dsh-session-host'
import { formatZoned, localFields, plainLine, sameZone, type Instant, type ZoneName } from 'dsh-time-core'
import type { ReadingForm } from './config.ts'
import type { Rhythm } from './decide.ts'
import { modeMarks, SOURCE_KIND, type ModeChange, type ReadingReason } from './protocol.ts'
import { shortDuration } from './words.ts'

/** A message for the model, as the host takes it. */
export type UserMessage = ReturnType<typeof notice>

/** An earlier time; `none`: there is no such event, `unknown`: it has not come yet, so the clock was set back. */
export type Baseline = Instant | 'none' | 'unknown'

/** All that a reading tells. */
export interface Reading {
  readonly form: ReadingForm
  readonly why: ReadingReason
  readonly now: Instant
  /** The session's zone. */
  readonly zone: ZoneName
  readonly request: RequestZone
  readonly turn: number
  readonly step: number
  readonly rhythm: Rhythm
  /** When the newest earlier reading was recorded. */
  readonly previous: Baseline
  /** When the newest earlier message that the model sees was recorded. */
  readonly message: Baseline
  /** Further lines: counters and countdowns. */
  readonly more?: readonly string[]
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const SET_BACK = 'unknown, the clock was set back'
const OPEN = '<system-reminder>'
const CLOSE = '</system-reminder>'

/** A line is part of a prompt: longer than this (code points) it is cut off. */
const LINE_LENGTH = 2000

/** May stand between the letters of a word without being seen; `plainLine` leaves them in, because scripts and emoji need them. */
const UNSEEN = String.raw`[\s\u200c\u200d\ufe0e\ufe0f]*`

/** The name of the tag, letter by letter, with every sign that looks like its hyphen. */
const NAME = 'system'.split('').concat('[-_‐‑‒–—―−﹘﹣－]', 'reminder'.split(''))

/** Whatever can begin a tag. */
const OPENERS = ['<', '＜', '﹤']

/** Any `<` that begins our tag or its end, in whatever case and however it is taken apart. */
const TAG = new RegExp(`[${OPENERS.join('')}]${UNSEEN}(?:[/／∕⁄]${UNSEEN})?${NAME.join(UNSEEN)}`, 'giu')

/**
 * A free text as a line of a reminder block that can neither end the line nor close the block (requirements R5, X4,
 * B65): one line without invisible characters, in which `</system-reminder>` and its variants become
 * `<\/system-reminder>`.
 *
 * @param text - of whatever origin.
 */
export function escapeReminder(text: string): string {
  const line = plainLine(text, LINE_LENGTH)
  // Most lines have nothing that could begin a tag, and the search for one is slow.
  if (!OPENERS.some((opener) => line.includes(opener))) return line
  return line.replace(TAG, (tag) => `${tag.charAt(0)}\\${tag.slice(1)}`)
}

/**
 * The frame that models take for context of the system instead of words of a person.
 *
 * @param lines - what it says; each is escaped.
 */
export function reminderBlock(lines: readonly string[]): string {
  return [OPEN, ...lines.map(escapeReminder), CLOSE].join('\n')
}

/**
 * The message that tells the model the time (requirements R3, R4).
 *
 * @param reading - what it tells.
 */
export function readingMessage(reading: Reading): UserMessage {
  const zoned = formatZoned(reading.now, reading.zone)
  const lines = reading.form === 'full' ? fullLines(reading, zoned) : [compactLine(reading)]
  const summary = `${reading.rhythm.mode} reading · ${withoutZone(zoned)}`
  return notice(SOURCE_KIND, summary, reminderBlock([...lines, ...(reading.more ?? [])]), { why: reading.why })
}

/**
 * The message that puts a person's switch into the log, and tells the model of it in one line (requirement R23).
 *
 * @param change - what was switched.
 * @param rhythm - what the session runs on from now on.
 * @param zone - the session's zone.
 */
export function modeMessage(change: ModeChange, rhythm: Rhythm, zone: ZoneName): UserMessage {
  const plan = change.cron === undefined ? '' : ` "${change.cron.text}"`
  const line = `The person set the time mode to ${rhythm.mode} (${planText(rhythm, zone)}).`
  return notice(SOURCE_KIND, `time mode · ${change.mode}${plan}`, reminderBlock([line]), modeMarks(change))
}

/**
 * What a mode does, in one sentence for the model and the page.
 *
 * @param rhythm - the mode with its plan and limits.
 * @param zone - the session's zone.
 */
export function effectText(rhythm: Rhythm, zone: ZoneName): string {
  switch (rhythm.mode) {
    case 'off':
      return 'No readings; the tools still tell the time.'
    case 'cron':
      return `One reading when the plan is due (${planText(rhythm, zone)}), after a resume, after a pause of ${shortDuration(rhythm.gapMs)}, and when the date changes.`
    case 'turn':
      return 'One reading per turn, on its first step.'
    case 'fine':
      return `One reading at every step${rhythm.fineIntervalMs === 0 ? '' : `, at least ${shortDuration(rhythm.fineIntervalMs)} apart`}.`
  }
}

function fullLines(reading: Reading, zoned: string): readonly string[] {
  const { now, zone, turn, step, rhythm, previous } = reading
  return [
    `Time sampled while preparing turn ${turn}, step ${step}: ${zoned} (${weekday(now, zone)})`,
    `Time mode: ${rhythm.mode} (${planText(rhythm, zone)}; ${previousText(previous, zone)})`,
    elapsedLine(reading),
    requestLine(reading),
  ]
}

function elapsedLine({ now, step, previous, message }: Reading): string {
  const [what, since] = step === 1 ? ['preceding model-visible message', message] : ['previous reading', previous]
  return `Elapsed since the ${what}: ${since === 'none' ? 'none before' : since === 'unknown' ? SET_BACK : shortDuration(now - since)}`
}

function requestLine({ now, zone, request }: Reading): string {
  switch (request.kind) {
    case 'one': {
      const there = sameZone(request.zone, zone) ? '' : ` (there it is ${weekday(now, request.zone)} ${stamp(now, request.zone).slice(11, 16)})`
      return `Request zone: ${request.zone}${there}`
    }
    case 'mixed':
      return 'Request zone: mixed. Ask which before reading unqualified times.'
    case 'unavailable':
      return 'Request zone: unavailable. Ask before reading unqualified times.'
  }
}

/** The person's own zone where it is known; minutes, and one unit of what has passed, are what 45 tokens have room for. */
function compactLine({ now, zone, request, step, previous, message }: Reading): string {
  const place = request.kind === 'one' ? request.zone : zone
  const since = step === 1 ? message : previous
  const minute = stamp(now, place)
  const later = typeof since === 'number' ? `, ${shortDuration(now - since, 1)} later` : ''
  const ask = request.kind === 'one' ? '' : '; ask zone'
  return `${minute.slice(0, 16)}${minute.slice(19)}[${place}] ${weekday(now, place).slice(0, 3)}${later}${ask}`
}

function planText({ mode, cron, fineIntervalMs }: Rhythm, zone: ZoneName): string {
  switch (mode) {
    case 'off':
      return 'no readings'
    case 'cron': {
      const { raw, hours, minutes, text } = cron
      const isDaily = [raw.day, raw.month, raw.weekday].every((field) => field === '*') && hours.length === 1 && minutes.length === 1
      return `${isDaily ? `daily ${two(hours[0])}:${two(minutes[0])}` : `"${text}"`} ${zone}`
    }
    case 'turn':
      return 'once per turn'
    case 'fine':
      return fineIntervalMs === 0 ? 'every step' : `every step, ${shortDuration(fineIntervalMs)} apart or more`
  }
}

function two(value: number | undefined): string {
  return String(value).padStart(2, '0')
}

function previousText(previous: Baseline, zone: ZoneName): string {
  if (previous === 'none') return 'no previous reading'
  return `previous reading ${previous === 'unknown' ? SET_BACK : stamp(previous, zone)}`
}

/**
 * `2026-10-09T01:23:45+08:00`: as `formatZoned`, without the zone.
 *
 * @param instant - any instant.
 * @param zone - whose offset it has.
 */
export function stamp(instant: Instant, zone: ZoneName): string {
  return withoutZone(formatZoned(instant, zone))
}

function withoutZone(zoned: string): string {
  return zoned.slice(0, zoned.indexOf('['))
}

function weekday(instant: Instant, zone: ZoneName): string {
  return WEEKDAYS[localFields(instant, zone).weekday - 1] as string
}
