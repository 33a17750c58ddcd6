/*
 * The wall clock of a zone as `Intl.DateTimeFormat` prints it: neither Temporal nor croner nor anything from src takes
 * part, so that an error there cannot hide itself. A wall reading is kept as the milliseconds of the same reading in UTC.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What the clock shows, at whole-minute instants around one offset change. */
export interface Window {
  readonly zone: string
  /** The first instant under the new offset. In a zone without changes: some ordinary instant. */
  readonly change: number
  /** Instants, a minute apart. */
  readonly instants: readonly number[]
  /** What the clock shows at each. */
  readonly walls: readonly number[]
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The wall reading at an instant, to the second. */
function wallByIntl(zone: string, instant: number): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const fields: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(instant)) fields[type] = Number(value)
  return Date.UTC(fields['year']!, fields['month']! - 1, fields['day'], fields['hour'], fields['minute'], fields['second'])
}

/** The offset changes in [from, until), each to the minute, found by comparing offsets day by day. */
function changes(zone: string, from: number, until: number): number[] {
  const offset = (instant: number): number => wallByIntl(zone, instant) - instant
  const found: number[] = []
  for (let day = from; day < until; day += DAY) {
    if (offset(day) === offset(day + DAY)) continue
    let minute = day
    while (offset(minute) === offset(day)) minute += HOUR
    minute -= HOUR
    while (offset(minute) === offset(day)) minute += MINUTE
    found.push(minute)
  }
  return found
}

/** The clock from `reach` hours before to `reach` hours after a change, stepped minute by minute. */
function windowAround(zone: string, change: number, reach: number): Window {
  const instants = Array.from({ length: reach * 120 }, (_, at) => change - reach * HOUR + at * MINUTE)
  return { zone, change, instants, walls: instants.map(instant => wallByIntl(zone, instant)) }
}

/** The zones and the ten years of each whose every offset change is tested. */
export const DECADES: readonly (readonly [zone: string, firstYear: number])[] = [
  ['America/New_York', 2020],
  ['Europe/Berlin', 2020],
  ['Europe/London', 2018],
  ['Australia/Lord_Howe', 2020], // half an hour
  ['Africa/Casablanca', 2012], // four changes a year
  ['America/Sao_Paulo', 2009], // midnight does not exist, 2018 included
  ['Pacific/Apia', 2005], // 2011-12-30 does not exist
  ['America/Santiago', 2016],
  ['Pacific/Chatham', 2020], // changes at 02:45
  ['Asia/Kathmandu', 1980], // fifteen minutes, once
  ['Asia/Shanghai', 1985], // summer time until 1991
  ['America/Caracas', 2007], // half an hour, not summer time
  ['Asia/Pyongyang', 2010],
  ['Antarctica/Troll', 2015], // two hours
  ['Pacific/Kwajalein', 1985], // 1993-08-21 does not exist
  ['America/Havana', 2015], // 01:00 falls back to midnight
  ['Asia/Beirut', 2015], // midnight does not exist
  ['UTC', 2020],
]

/** A window for every offset change of the zone's decade; three ordinary days where it has none. */
export function decadeWindows(zone: string, firstYear: number, reach: number): Window[] {
  const found = changes(zone, Date.UTC(firstYear, 0, 1), Date.UTC(firstYear + 10, 0, 1))
  const days = found.length > 0 ? found : [0, 3, 8].map(years => Date.UTC(firstYear + years, 1, 28))
  return days.map(change => windowAround(zone, change, reach))
}
