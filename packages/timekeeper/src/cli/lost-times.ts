import { offsetAt, resolveLocal, type Cron, type Instant, type ZoneName } from 'dsh-time-core'

/**
 * Readings of the wall clock between two instants that a rule matches and that no clock ever shows, because the zone's
 * clocks were set forward over them (requirement T3).
 *
 * @param cron - the rule.
 * @param zone - where it is meant.
 * @param from - an instant, not included.
 * @param to - a later instant, not included.
 * @returns `YYYY-MM-DDTHH:mm` without a zone, in order.
 */
export function lostTimes(cron: Cron, zone: ZoneName, from: Instant, to: Instant): string[] {
  const lost: string[] = []
  const end = to + offsetAt(zone, to)
  for (let wall = cron.walls.next(from + offsetAt(zone, from)); wall < end; wall = cron.walls.next(wall)) {
    if (!exists(wall, zone)) lost.push(new Date(wall).toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length))
  }
  return lost
}

/** A reading counts milliseconds as if its clock stood in UTC, so its fields are read there. */
function exists(wall: number, zone: ZoneName): boolean {
  const at = new Date(wall)
  const local = {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: 0,
    millisecond: 0,
  }
  return resolveLocal(local, zone).kind !== 'gap'
}
