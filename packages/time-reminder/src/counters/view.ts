import type { Instant, ZoneName } from 'dsh-time-core'
import { stamp } from '../frame.ts'
import { shortDuration } from '../words.ts'
import type { Counter } from './fold.ts'
import { relationText, type Seen } from './lineage.ts'
import { DEFAULT_SCOPE } from './protocol.ts'

/** When and where a counter is looked at. */
export interface Look {
  readonly now: Instant
  readonly zone: ZoneName
}

type Row = Readonly<Record<string, unknown>>

/**
 * A counter of the session as its tool shows it; of its scope what differs from the default.
 *
 * @param counter - the counter.
 * @param look - when and where.
 */
export function viewCounter(counter: Counter, look: Look): Row {
  const { inject, toChildren, toParents, depth } = counter
  const scope = Object.entries({ inject, toChildren, toParents, depth }).filter(([key, value]) => DEFAULT_SCOPE[key as keyof typeof DEFAULT_SCOPE] !== value)
  return { ...basics(counter, look), ...Object.fromEntries(scope) }
}

/**
 * A counter of another session, with the session.
 *
 * @param seen - the counter.
 * @param look - when and where.
 */
export function viewSeen({ counter, owner, relation }: Seen, look: Look): Row {
  return { ...basics(counter, look), of: relationText(relation), session: owner }
}

function basics({ name, since, note }: Counter, { now, zone }: Look): Row {
  return { name, lapse: shortDuration(now - since), since: stamp(since, zone), ...(note !== undefined && { note }) }
}
