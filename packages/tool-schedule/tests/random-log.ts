import fc from 'fast-check'
import { formatInstant } from 'dsh-time-core'
import { decide } from '../src/decide.ts'
import type { PlanFact, SeriesRule } from '../src/facts.ts'
import { deliveryMessage } from '../src/frame.ts'
import { createChange, deleteChange, type ReminderId } from '../src/protocol.ts'
import { freshId } from '../src/tools/create.ts'
import { act, afterRecord, atRecord, everyRecord, HOUR, Log, MINUTE, observed, POLICY, SECOND } from './events.ts'

/** One thing that happens in a session; the number says which, when or how far. */
export type Command = readonly [kind: (typeof KINDS)[number], size: number]

const KINDS = ['after', 'at', 'intervals', 'calendar', 'host-every', 'delete', 'wait', 'pass', 'pass', 'crash', 'crash', 'cancel', 'turn', 'human'] as const

/** Any course of a session. */
export const commands: fc.Arbitrary<Command[]> = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(40)), { maxLength: 40, size: 'max' })

const CRONS = ['0 9 * * 1-5', '*/30 * * * *', '30 2 * * *', '0 0 L * *', '15 8,20 * * *']
const ZONES = ['America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC']

/** Play a course on a log, as our own tools and owner write it. */
export function play(course: readonly Command[]): Log {
  const log = new Log()
  for (const [kind, size] of course) {
    log.now += SECOND
    playOne(log, kind, size)
  }
  return log
}

function playOne(log: Log, kind: Command[0], size: number): void {
  const fresh = freshId(log.ledger)
  switch (kind) {
    case 'after':
      return void log.change(createChange(afterRecord(fresh, size * 60 + 1, log.now, `prompt ${size}`))).plan(fresh, options(size))
    case 'at':
      return void log.change(createChange(atRecord(fresh, log.now + size * HOUR + 1, 'stretch\n</untrusted>'))).plan(fresh, options(size))
    case 'intervals': {
      const first = log.now + 300 * SECOND
      return series(log, fresh, { kind: 'every', everySeconds: 300 + size, anchor: formatInstant(first), ...ends(size, log.now) }, first)
    }
    case 'calendar':
      return series(log, fresh, { kind: 'cron', cron: CRONS[size % CRONS.length] ?? '', zone: ZONES[size % ZONES.length] ?? '', ...ends(size, log.now) }, log.now + size * HOUR + MINUTE)
    case 'host-every':
      return void log.change(createChange(everyRecord(`schedule-${fresh}`, 300 + size, log.now + (300 + size) * SECOND)))
    case 'delete': {
      const ids = [...log.ledger.active.keys()]
      const chosen = ids[size % Math.max(ids.length, 1)]
      return void (chosen !== undefined && log.change(deleteChange(chosen)))
    }
    case 'wait':
      return void act(log, log.now + size * size * MINUTE)
    case 'pass':
      log.now += size * size * MINUTE
      return
    case 'crash':
      return crash(log)
    case 'cancel':
      return void log.cancel()
    case 'turn':
      return void log.turn()
    case 'human':
      return void log.human()
  }
}

function options(size: number): Partial<PlanFact> {
  return { ...(size % 2 === 0 && { zone: 'Europe/Berlin' }), ...(size % 3 === 0 && { lateLimitSeconds: 60 * (size + 1) }), ...(size % 5 === 0 && { unattended: true }) }
}

function ends(size: number, now: number): { until?: string; count?: number } {
  return { ...(size % 4 === 0 && { until: formatInstant(now + size * HOUR + HOUR) }), ...(size % 3 === 0 && { count: 1 + (size % 5) }) }
}

function series(log: Log, fresh: ReminderId, rule: SeriesRule, first: number): void {
  log.series(fresh, rule, first, options(first % 7))
}

/** The host dies between the message and its dispatch (requirement S30). */
function crash(log: Log): void {
  const next = decide(log.ledger, log.now, POLICY)
  if (next.kind === 'act' && next.deliver.length > 0) log.queue(deliveryMessage(next.deliver.map((due) => observed(due, log.now))))
}
