import { formatInstant, isInstant, type Instant } from 'dsh-time-core'
import { isRefusal, refuse } from '../errors.ts'
import { parseTarget } from '../input.ts'
import type { Ledger } from '../ledger.ts'
import type { Planned } from '../plan.ts'
import { createChange, deleteChange, type ReminderId, type ScheduleChange } from '../protocol.ts'
import { chainRefusal, echo, freshId, type ChainPolicy } from './create.ts'
import { only, shownArgument, transaction, type ToolPort, type ToolSpec, type Work } from './definition.ts'
import { findActive } from './delete.ts'

/**
 * The tool that delivers a reminder once more, later (requirement T7). A series goes on untouched; a reminder that has
 * not come yet is moved instead of doubled.
 *
 * @param name - under which it is mounted.
 * @param policy - how long a chain of unattended turns may go on.
 */
export function snoozeTool(name: string, policy: ChainPolicy): ToolSpec {
  return {
    name,
    description: 'Deliver a reminder once more, after_seconds from now. A series goes on as it was.',
    parameters: { properties: { id: { type: 'string' }, after_seconds: { type: 'integer' } }, required: ['id', 'after_seconds'] },
    async run(args, port) {
      const target = parseTarget(args, true)
      return isRefusal(target) ? target : transaction(port, 'snooze', (now) => snooze(port, target.id, target.seconds, now, policy))
    },
    title: (args) => `Snooze reminder ${shownArgument(args, 'id')}`,
  }
}

function snooze(port: ToolPort, id: ReminderId, seconds: number, now: Instant, policy: ChainPolicy): Work {
  const tooLong = chainRefusal(port.ledger, policy)
  if (tooLong !== undefined) return only(tooLong)
  const found = findReminder(port.ledger, id)
  if (found === undefined) return only(refuse('schedule_not_found', { field: 'id' }))
  const dueAt = now + seconds * 1000
  if (!isInstant(dueAt)) return only(refuse('time_out_of_range', { field: 'after_seconds' }))
  const zone = found.zone ?? (port.zones.request.kind === 'one' ? port.zones.request.zone : port.zones.session)
  const fresh = freshId(port.ledger)
  const planned: Planned = {
    record: { id: fresh, kind: 'after', prompt: found.prompt, afterSeconds: seconds, scheduledAt: formatInstant(dueAt) },
    plan: { fact: 'plan', id: fresh, setBy: 'model', snoozeOf: id, ...(zone !== undefined && { zone }), ...(!port.ledger.attended && { unattended: true }) },
  }
  return { answer: echo(port, planned, now), changes: [...found.replaces, createChange(planned.record)] }
}

/** What a further delivery needs to know of a reminder. */
export interface Found {
  readonly prompt: string
  readonly zone: string | undefined
  /** Takes back what has not come yet and comes once: it is moved, not doubled. */
  readonly replaces: readonly ScheduleChange[]
}

/**
 * A reminder that can be delivered once more: active, or among the newest outcomes; the id of a series and those of its
 * occurrences all lead to it.
 *
 * @param ledger - the session's fold.
 * @param id - as a person or the model gave it.
 */
export function findReminder(ledger: Ledger, id: ReminderId): Found | undefined {
  const active = findActive(ledger, id)
  if (active !== undefined) {
    const replaces = active.series === undefined && active.record.kind !== 'every' ? [deleteChange(active.record.id)] : []
    return { prompt: active.record.prompt, zone: active.plan?.zone, replaces }
  }
  const outcome = ledger.outcomes.findLast((one) => one.id === id || one.id.startsWith(`${id}.`))
  return outcome === undefined ? undefined : { prompt: outcome.prompt, zone: undefined, replaces: [] }
}
