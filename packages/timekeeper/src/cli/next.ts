import { cronNotes, localFields, nextFires, parseCron, parseZone, shortestGap, type Cron, type Fire, type Instant, type Weekday, type ZoneName } from 'dsh-time-core'
import { instantText, localText } from './instants.ts'
import { lostTimes } from './lost-times.ts'
import { isRefusal, refuse, type Refusal } from './refusal.ts'
import type { Texts } from './texts/en.ts'

/** A rule of which the coming fires are asked for. */
export interface NextRequest {
  readonly cron: string
  readonly zone: string
  /** Fires strictly after this instant are listed. */
  readonly after: Instant
  /** How many, 1 to 100. */
  readonly count: number
}

/** One coming fire: the same instant in UTC and on the clocks of the zone. */
export interface FireView {
  readonly utc: string
  readonly local: string
  readonly zone: string
  /** What a clock change does to this fire: moved, skipped before it, or repeated (requirement T3). */
  readonly note?: string
}

/** The preview of a rule. */
export interface Preview {
  readonly cron: Cron
  readonly zone: ZoneName
  readonly fires: readonly Fire[]
  readonly after: Instant
}

/** Shortest distance between two fires, as `schedule_create` allows it (requirement T2). */
const MIN_GAP_MS = 300_000

/**
 * The coming fires of a rule, refused exactly where `schedule_create` would refuse the rule (requirements T2, T14).
 *
 * @param request - as given on the command line.
 */
export function preview(request: NextRequest): Preview | Refusal {
  const zone = parseZone(request.zone)
  if (zone === undefined) return refuse('invalid_time_zone', (texts) => texts.details.zone(request.zone))
  const parsed = parseRule(request.cron)
  if (isRefusal(parsed)) return parsed
  const gap = shortestGap(parsed, zone, request.after)
  if (gap < MIN_GAP_MS) return refuse('frequency_too_high', (texts) => texts.details.tooOften(gap / 1000, MIN_GAP_MS / 1000))
  const fires = nextFires(parsed, zone, request.after, request.count)
  if (fires.length === 0) return refuse('no_future_occurrence', (texts) => texts.details.noneAfter(instantText(request.after)))
  return { cron: parsed, zone, fires, after: request.after }
}

function parseRule(text: string): Cron | Refusal {
  const parsed = parseCron(text)
  if (parsed.ok) return parsed.cron
  const { refusal } = parsed
  return refuse(refusal.code === 'never' ? 'no_future_occurrence' : 'invalid_rule', (texts) => texts.details.cron(refusal))
}

/**
 * The fires as values for programs.
 *
 * @param found - a preview.
 * @param texts - language of the notes.
 */
export function fireViews(found: Preview, texts: Texts): FireView[] {
  return found.fires.map((fire, index) => {
    const note = fireNote(found, fire, found.fires[index - 1]?.instant ?? found.after, texts)
    return {
      utc: instantText(fire.instant),
      local: localText(fire.instant, found.zone),
      zone: found.zone,
      ...(note !== undefined && { note }),
    }
  })
}

function fireNote({ cron, zone }: Preview, fire: Fire, previous: Instant, texts: Texts): string | undefined {
  const lost = lostTimes(cron, zone, previous, fire.instant)
  const [first = ''] = lost
  const here = localText(fire.instant, zone)
  const shown = first.slice(0, 10) === here.slice(0, 10) ? first.slice(11) : first.replace('T', ' ')
  if (fire.moved !== undefined) return texts.fires.moved(shown, here.slice(11, 16))
  if (lost.length > 0) return texts.fires.skipped(shown, lost.length)
  if (fire.repeated === true) return cron.intervalLike ? texts.fires.repeatedBoth : texts.fires.repeatedOnce
  return undefined
}

/**
 * The fires as lines for people, with what is easily misread in the rule.
 *
 * @param found - a preview.
 * @param texts - language.
 */
export function fireLines(found: Preview, texts: Texts): string[] {
  const rows = fireViews(found, texts).map(({ utc, local, note }, index) => {
    const { instant } = found.fires[index] as Fire
    const weekday = texts.weekdays[localFields(instant, found.zone).weekday satisfies Weekday]
    return `  ${utc}  ${local} ${weekday}${note === undefined ? '' : `  ${note}`}`
  })
  return [`${found.cron.text}  ${found.zone}`, ...rows, ...cronNotes(found.cron).map((note) => texts.fires.note(note))]
}
