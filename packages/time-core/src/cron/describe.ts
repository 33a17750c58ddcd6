import { wallDate, wallMinute } from '../calendar.ts'
import type { Instant } from '../instant.ts'
import { seamsBetween, type Seam } from '../wall.ts'
import type { ZoneName } from '../zone.ts'
import { gapFire } from './next.ts'
import type { Cron } from './parse.ts'

/**
 * What clock changes in (from, until] do to the rule's times (T3): for every gap that swallows some, where they go. Reads
 * the zone's whole span, about 60 probes a year: meant for the stretch of a preview.
 */
export function describeSkips(cron: Cron, zone: ZoneName, from: Instant, until: Instant): string[] {
  return [...seamsBetween(zone, from, until)].flatMap(seam => skipNote(cron, zone, seam))
}

function skipNote(cron: Cron, zone: ZoneName, seam: Seam): string[] {
  const lost = cron.walls.next(seam.from - 1)
  if (lost >= seam.to) return []
  const where = `The clock in ${zone} jumps from ${wallDate(seam.from)} ${wallMinute(seam.from)} to ${wallDate(seam.to)} ${wallMinute(seam.to)}`
  const fire = gapFire(cron, seam)
  const fate = fire === undefined ? 'is left out; the rule goes on at its next time' : `fires at ${wallMinute(seam.to)} instead`
  return [`${where}: ${wallMinute(lost)} does not exist, it ${fate}.`]
}
