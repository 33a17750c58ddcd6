import type { Instant, ZoneName } from 'dsh-time-core'
import { stamp } from '../frame.ts'
import { shortDuration } from '../words.ts'
import { bySoonest } from './decide.ts'
import type { Countdown, Countdowns, Fired } from './fold.ts'

/** Most pending countdowns that one list shows; the total counts them all (requirement P7). */
const LIST_LIMIT = 50

/** How many fired countdowns a list shows (requirement R13). */
const FIRED_SHOWN = 10

type Row = Readonly<Record<string, unknown>>

/**
 * The countdowns of a session as its tool shows them: what is pending, the soonest first, and on request what has fired,
 * the newest first (requirement R13).
 *
 * @param countdowns - the session's fold.
 * @param look - when and where, and whether what has fired is wanted.
 */
export function viewCountdowns({ pending, fired }: Countdowns, look: { readonly now: Instant; readonly zone: ZoneName; readonly includeFired: boolean }): Row {
  const { now, zone, includeFired } = look
  const rows = bySoonest(pending.values()).slice(0, LIST_LIMIT)
  const newest = fired.slice(-FIRED_SHOWN).toReversed()
  return {
    now: stamp(now, zone),
    total: pending.size,
    pending: rows.map((one) => viewPending(one, now, zone)),
    ...(includeFired && { fired: newest.map((one) => viewFired(one, zone)) }),
  }
}

function viewPending({ name, dueAt, onFire, note }: Countdown, now: Instant, zone: ZoneName): Row {
  return { name, left: shortDuration(dueAt - now), due: stamp(dueAt, zone), ...(onFire === 'inject' && { onFire }), ...(note !== undefined && { note }) }
}

function viewFired({ name, dueAt, firedAt, note }: Fired, zone: ZoneName): Row {
  return { name, due: stamp(dueAt, zone), fired: stamp(firedAt, zone), ...(note !== undefined && { note }) }
}
