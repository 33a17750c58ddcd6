import { formatInstant, formatZoned, localDate, MINUTE_MS, parseLocal, parseOffsetInstant, parseZone, resolveLocal, type Instant, type ZoneName } from 'dsh-time-core'
import type { Selector } from '../input.ts'
import { takeClockTime, type ClockTime, type Part } from './clock-times.ts'
import type { Cursor } from './cursor.ts'
import { datesOf, takeDay, type CivilDate, type NamedDay } from './days.ts'
import { deny, type PeopleRefusal } from './refusals.ts'

/** What a text is read against. */
export interface Reader {
  readonly now: Instant
  /** Where the person is; `undefined` when nobody knows. */
  readonly zone: ZoneName | undefined
}

/** Where a time is meant. */
export type Where =
  | { readonly kind: 'zone'; readonly zone: ZoneName }
  /** `Z` or `+08:00`. */
  | { readonly kind: 'offset'; readonly offset: string }
  | { readonly kind: 'refused'; readonly refusal: PeopleRefusal }

const OFFSET = /\s?(?<offset>Z|[+-]\d\d:\d\d)(?![\w:])/y
const ZONE = /\s{0,3}[[(]?(?<zone>UTC|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Za-z0-9_+/-]{1,40})[\])]?(?![^\s,，:：])/iy
/** Half of the abbreviations name two zones each, and an offset is no zone, so none is taken (S19). */
const ABBREVIATION = /\s{0,3}(?<zone>(?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?|GMT|BST|W?EST|CES?T|EES?T|[ECMP][SD]?T|JST|KST|IST|HKT|SGT|AE[SD]T)(?![^\s,，])/y

/**
 * The zone or offset behind a time, or else where the person is.
 *
 * @param cursor - moved past it.
 * @param reader - clock and zone.
 */
export function takeWhere(cursor: Cursor, reader: Reader): Where {
  const offset = cursor.take(OFFSET)?.('offset')
  if (offset !== undefined) return { kind: 'offset', offset }
  const written = cursor.take(ZONE)?.('zone') ?? cursor.take(ABBREVIATION)?.('zone')
  const zone = written === undefined ? reader.zone : parseZone(written)
  if (zone !== undefined) return { kind: 'zone', zone }
  const refusal = written === undefined ? deny('time_zone_needed', { field: 'text', examples: [`${cursor.taken} Asia/Shanghai …`, `${cursor.taken} Europe/Berlin …`] }) : deny('invalid_time_zone', { field: 'text', detail: written })
  return { kind: 'refused', refusal }
}

type Time = Extract<ClockTime, { kind: 'time' }>

/**
 * A time of day, or why it is refused.
 *
 * @param cursor - moved past it.
 * @param expected - the half of the day that was named before, and whether nothing but a time can stand here.
 */
export function takeTimeOfDay(cursor: Cursor, expected: { readonly part: Part | undefined; readonly isDue: boolean }): Time | PeopleRefusal | undefined {
  const isSaid = cursor.take(/\s{0,3}(?:at\s|@\s?)/iy) !== undefined
  const time = takeClockTime(cursor, expected.part, expected.isDue || isSaid)
  if (time?.kind === 'ambiguous') return deny('ambiguous_time', { field: 'text', examples: [`${time.hour}:00 …`, `${time.hour + 12}:00 …`] })
  return time?.kind === 'impossible' ? deny('no_such_time', { field: 'text', examples: ['15:30 …', '3:30 pm …', '下午3点半 …'] }) : time
}

/**
 * A local time: a day and a time, a time alone (today, or tomorrow once it has passed), or a time and a day.
 *
 * @param cursor - moved past it.
 * @param reader - clock and zone.
 * @returns `undefined` where neither stands.
 */
export function takeLocal(cursor: Cursor, reader: Reader): Selector | PeopleRefusal | undefined {
  const before = takeDay(cursor)
  if (before?.kind === 'ambiguous') return ambiguousDate(before.text, reader.now)
  const time = takeTimeOfDay(cursor, { part: before?.kind === 'ahead' ? before.part : undefined, isDue: before !== undefined })
  if (time === undefined) return before === undefined ? undefined : deny('time_missing', { field: 'text', examples: [`${cursor.taken} 9:00 …`, `${cursor.taken} 20:00 …`] })
  if ('code' in time) return time
  const where = takeWhere(cursor, reader)
  const day = before ?? takeDayAfter(cursor)
  if (day?.kind === 'ambiguous') return ambiguousDate(day.text, reader.now)
  if (where.kind === 'refused') return where.refusal
  return firstToCome(datesOf(day, todayAt(where, reader.now)), time, where, reader.now)
}

/** A day behind its time: `15:30 tomorrow`. A word that moves the hour, as `tonight` does, comes too late there. */
function takeDayAfter(cursor: Cursor): NamedDay | undefined {
  const { place } = cursor
  cursor.take(/\s{1,3}/y)
  const day = takeDay(cursor)
  if (day === undefined) cursor.back(place)
  return day?.kind === 'ahead' && day.part !== undefined ? { kind: 'ambiguous', text: cursor.taken } : day
}

function ambiguousDate(text: string, now: Instant): PeopleRefusal {
  return deny('ambiguous_date', { field: 'text', detail: text, examples: [`${formatInstant(now).slice(0, 10)} 9:00 …`, 'friday 9:00 …', '下周五 9:00 …'] })
}

function todayAt(where: Exclude<Where, { kind: 'refused' }>, now: Instant): CivilDate {
  const date = where.kind === 'zone' ? localDate(now, where.zone) : formatInstant(now + offsetMs(where.offset)).slice(0, 10)
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return { year, month, day }
}

function offsetMs(offset: string): number {
  const [hours = 0, minutes = 0] = offset === 'Z' ? [] : offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
}

type Place = Selector | PeopleRefusal | 'past'

function firstToCome(dates: readonly CivilDate[], time: Time, where: Exclude<Where, { kind: 'refused' }>, now: Instant): Selector | PeopleRefusal {
  const first = dates.map((date) => placeOf(date, time, where, now)).find((place) => place !== 'past')
  return first ?? deny('not_future', { field: 'text', detail: where.kind === 'zone' ? formatZoned(now, where.zone) : formatInstant(now) })
}

function placeOf({ year, month, day }: CivilDate, { hour, minute, second }: Time, where: Exclude<Where, { kind: 'refused' }>, now: Instant): Place {
  const date = [pad(year, 4), pad(month, 2), pad(day, 2)].join('-')
  const clock = [hour, minute, second].map((part) => pad(part, 2)).join(':')
  if (where.kind === 'offset') {
    const parsed = parseOffsetInstant(`${date}T${clock}${where.offset}`)
    if (!parsed.ok) return deny('no_such_time', { field: 'text', detail: `${date} ${clock}${where.offset}` })
    return parsed.instant > now ? { kind: 'instant', instant: parsed.instant } : 'past'
  }
  const parsed = parseLocal(date, clock)
  if (!parsed.ok) return deny('no_such_time', { field: 'text', detail: `${date} ${clock}` })
  const found = resolveLocal(parsed.local, where.zone)
  switch (found.kind) {
    case 'range':
      return deny('time_out_of_range', { field: 'text' })
    case 'gap':
      return found.firstAfter > now ? deny('skipped_time', { field: 'text', detail: `${date} ${clock} [${where.zone}] → ${formatZoned(found.firstAfter, where.zone)}` }) : 'past'
    case 'exact':
    case 'overlap':
      return found.instant > now ? { kind: 'local', local: parsed.local, zone: where.zone } : 'past'
  }
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
