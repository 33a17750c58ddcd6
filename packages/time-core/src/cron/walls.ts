import { Cron as Croner } from 'croner'
import { CYCLE_DAYS, DAY_MS, MINUTE_MS, toWall, type Wall } from '../calendar.ts'

/** Steps through the wall readings that match a pattern, as if the clock had no zone. Always whole minutes. */
export interface WallSearch {
  /** The first match after `wall`; `Infinity` when nothing ever matches. */
  next(wall: Wall): Wall
  /** The last match before `wall`; `-Infinity` when nothing ever matches. */
  previous(wall: Wall): Wall
}

/** The searched stretch starts here. croner gives up at the year 3000, so other centuries are searched in this one's place. */
const CYCLE_START = toWall({ year: 2000, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 })
const CYCLE = CYCLE_DAYS * DAY_MS

/**
 * The only door to croner. It answers questions about the calendar alone: at the fixed offset zero it reads no zone and
 * makes no clock-change decision, both of which are ours (`next.ts`).
 * @param pattern five fields of plain numbers, lists, `*` or `L`, already checked
 * @param bothDays whether day of month and weekday must both match; croner would decide it by its own rule
 */
export function wallSearch(pattern: string, bothDays: boolean): WallSearch {
  const job = new Croner(pattern, { mode: '5-part', paused: true, utcOffset: 0, domAndDow: bothDays })
  return {
    next(wall) {
      const [from, shift] = fold(Math.floor(wall / MINUTE_MS) * MINUTE_MS)
      const run = job.nextRun(from)
      return run === null ? Infinity : run.getTime() + shift
    },
    previous(wall) {
      const [from, shift] = fold(Math.ceil(wall / MINUTE_MS) * MINUTE_MS)
      const [run] = job.previousRuns(1, from)
      return run === undefined ? -Infinity : run.getTime() + shift
    },
  }
}

/** Moves a wall by whole calendar cycles into the searched one: dates and weekdays repeat exactly. */
function fold(wall: Wall): [from: Date, shift: number] {
  const shift = Math.floor((wall - CYCLE_START) / CYCLE) * CYCLE
  return [new Date(wall - shift), shift]
}
