import { formatOffset, parseZone, type Instant } from 'dsh-time-core'
import { instantText } from '../../instants.ts'
import { problem, type Finding } from '../finding.ts'
import { ownOffset, unknownLaws, type OffsetOf } from '../machine.ts'
import type { Question } from './questions.ts'
import type { BrowserReport } from './report.ts'

/** How the time zone data of a browser compare with those of this Node. */
export interface Comparison {
  /** The browser, for people. */
  readonly name: string
  /** The browser's own zone. */
  readonly zone: string
  /** How many zones were compared, and how many of them have the same offsets at all instants. */
  readonly compared: number
  readonly alike: number
  readonly findings: readonly Finding[]
}

/**
 * Compare what a browser has answered with what this Node says.
 *
 * @param questions - what was asked.
 * @param report - the answers.
 * @param tz - version of this Node's time zone data.
 * @param offsetOf - these data.
 */
export function compare(questions: readonly Question[], { name, zone: own, offsets }: BrowserReport, tz: string, offsetOf: OffsetOf = ownOffset): Comparison {
  const theirs: OffsetOf = (zone, instant) => offsets.get(zone as Question['zone'])?.get(instant)
  const older = olderOf(offsetOf, theirs)
  const findings = questions.flatMap(({ zone, instants }): Finding[] => {
    if (!offsets.has(zone)) return [problem('tz_browser_zone_unknown', [zone, name])]
    const at = instants.find((instant) => theirs(zone, instant) !== offsetOf(zone, instant))
    return at === undefined ? [] : [problem('tz_browser_differs', [zone, older, instantText(at), tz, shown(offsetOf, zone, at), name, shown(theirs, zone, at)])]
  })
  return {
    name,
    zone: own,
    compared: questions.length,
    alike: questions.length - findings.length,
    // What the host says to a message from such a browser is no matter of offsets: it refuses it.
    findings: [...(parseZone(own) === undefined ? [problem('zone_unknown', [own, tz])] : []), ...findings],
  }
}

function shown(offsetOf: OffsetOf, zone: string, at: Instant): string {
  return formatOffset(Number(offsetOf(zone, at)) * 60_000)
}

/** Releases come one after the other: who does not know a law that the other one knows is the older one. */
function olderOf(own: OffsetOf, theirs: OffsetOf): 'node' | 'browser' | 'unknown' {
  const [here, there] = [unknownLaws(own), unknownLaws(theirs)]
  const isNode = here.some((law) => !there.includes(law))
  const isBrowser = there.some((law) => !here.includes(law))
  return isNode === isBrowser ? 'unknown' : isNode ? 'node' : 'browser'
}
