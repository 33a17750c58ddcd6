import type { LogEvent } from '../../scripts/lib/dsh-client.ts'

/** What a session's log says about one reminder. Instants are UTC. */
export interface Reminder {
  readonly id: string
  readonly prompt: string
  readonly scheduledAt: string
  /** When its dispatch was recorded; absent while it waits. */
  readonly deliveredAt?: string
  /** `deliveredAt` minus the instant that it was due at, in milliseconds. */
  readonly driftMs?: number
  /** How often its message entered the conversation. */
  readonly deliveries: number
  /** Why it was late, as the message says. */
  readonly reasons?: readonly string[]
}

interface Change {
  readonly operation: string
  readonly id?: string
  readonly schedule?: { readonly id: string; readonly prompt: string; readonly scheduledAt: string }
}

interface Delivery {
  readonly fact: string
  readonly id: string
  readonly reasons: readonly string[]
}

/** The deliveries that a message carries, if it is one of the reminders'. */
function deliveriesIn(event: LogEvent): readonly Delivery[] {
  const carrier = event.type === 'user/message' ? (event.data.source?.['timekeeper'] as { facts?: readonly Delivery[] } | undefined) : undefined
  return (carrier?.facts ?? []).filter(({ fact }) => fact === 'delivery')
}

/**
 * Read a log from outside, with nothing of the plugin: each create with what became of it.
 *
 * @param events - a whole log.
 */
export function remindersIn(events: readonly LogEvent[]): readonly Reminder[] {
  const changes = events.filter(({ type }) => type === 'schedule/change').map((event) => ({ time: event.time, change: event.data as unknown as Change }))
  const messages = events.flatMap((event) => deliveriesIn(event))
  return changes.flatMap(({ change: { schedule } }) => {
    if (schedule === undefined) return []
    const dispatch = changes.find(({ change }) => change.operation === 'dispatch' && change.id === schedule.id)
    const mine = messages.filter(({ id }) => id === schedule.id)
    const outcome = dispatch === undefined ? {} : { deliveredAt: new Date(dispatch.time).toISOString(), driftMs: dispatch.time - Date.parse(schedule.scheduledAt) }
    const { id, prompt, scheduledAt } = schedule
    return [{ id, prompt, scheduledAt, ...outcome, deliveries: mine.length, ...(mine[0] !== undefined && { reasons: mine[0].reasons }) }]
  })
}

/** A countdown that was over, as the message says that tells of it. */
interface Rung {
  readonly name: string
  readonly dueAt: string
  /** Epoch milliseconds at which the message entered the conversation. */
  readonly time: number
}

/** The countdowns that a message tells of, if it is a notice of theirs. */
export function countdownsIn(event: LogEvent): readonly Rung[] {
  const marks = event.type === 'user/message' ? (event.data.source?.['countdown'] as readonly Omit<Rung, 'time'>[] | undefined) : undefined
  return (marks ?? []).map((mark) => ({ ...mark, time: event.time }))
}
