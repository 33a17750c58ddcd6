import { DAY_MS, localDate, nextFire, offsetAt, sameZone, type Cron, type Instant, type ZoneName } from 'dsh-time-core'

/** What a clock asks of the calendar at every step. */
export interface Calendar {
  /** Whether a plan has come since an instant, that one excluded and now included. */
  isDue(cron: Cron, zone: ZoneName, since: Instant, now: Instant): boolean
  /** Whether it is another day in a zone than it was at an instant that has passed. */
  isAnotherDay(zone: ZoneName, since: Instant, now: Instant): boolean
  /** Whether two names mean one zone. */
  isSameZone(a: ZoneName, b: ZoneName): boolean
}

/** Finds each answer anew; what `Almanac` answers is the same (requirement P2). */
export const CALENDAR: Calendar = {
  isDue: (cron, zone, since, now) => fireAfter(cron, zone, since) <= now,
  isAnotherDay: (zone, since, now) => localDate(since, zone) !== localDate(now, zone),
  isSameZone: sameZone,
}

interface Plan {
  readonly cron: Cron
  readonly zone: ZoneName
  readonly since: Instant
  /** The first fire after `since`; Infinity when there is none. */
  readonly at: number
}

/** From `from` on and before `until`, the date in a zone is the one that it was at `since`. */
interface Day {
  readonly zone: ZoneName
  readonly since: Instant
  readonly from: Instant
  readonly until: Instant
}

/** A session is in one zone, and the person who asks in at most one other. */
const DAYS_KEPT = 2

/**
 * A calendar that remembers until when its last answers hold: a new reading, another plan or another zone asks anew, and
 * so does a clock that leaves that stretch, in either direction. It holds nothing that could not be found out again.
 */
export class Almanac implements Calendar {
  #plan: Plan | undefined
  #days: readonly Day[] = []
  #pair: { readonly a: ZoneName; readonly b: ZoneName; readonly isSame: boolean } | undefined

  isDue(cron: Cron, zone: ZoneName, since: Instant, now: Instant): boolean {
    const known = this.#plan
    if (known?.cron === cron && known.zone === zone && known.since === since) return known.at <= now
    const at = fireAfter(cron, zone, since)
    this.#plan = { cron, zone, since, at }
    return at <= now
  }

  isAnotherDay(zone: ZoneName, since: Instant, now: Instant): boolean {
    if (this.#days.some((day) => day.zone === zone && day.since === since && day.from <= now && now < day.until)) return false
    if (CALENDAR.isAnotherDay(zone, since, now)) return true
    const others = this.#days.filter((day) => day.zone !== zone)
    this.#days = [{ zone, since, from: now, until: dayHolds(zone, now) }, ...others].slice(0, DAYS_KEPT)
    return false
  }

  isSameZone(a: ZoneName, b: ZoneName): boolean {
    if (this.#pair?.a !== a || this.#pair.b !== b) this.#pair = { a, b, isSame: CALENDAR.isSameZone(a, b) }
    return this.#pair.isSame
  }
}

function fireAfter(cron: Cron, zone: ZoneName, since: Instant): number {
  return nextFire(cron, zone, since)?.instant ?? Infinity
}

/**
 * An instant up to which the date in a zone stays as it is now: the next midnight, or a change of the clock before it,
 * which may set the date back.
 */
function dayHolds(zone: ZoneName, now: Instant): Instant {
  const offset = offsetAt(zone, now)
  const sinceMidnight = (((now + offset) % DAY_MS) + DAY_MS) % DAY_MS
  let [held, over] = [now, now - sinceMidnight + DAY_MS]
  if (offsetAt(zone, over) === offset) return over
  while (over - held > 1) {
    const middle = Math.floor((held + over) / 2)
    if (offsetAt(zone, middle) === offset) held = middle
    else over = middle
  }
  return over
}
