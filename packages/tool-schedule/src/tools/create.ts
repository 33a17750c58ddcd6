import { shortestGap, type Instant } from 'dsh-time-core'
import { isRefusal, refuse, type Refusal } from '../errors.ts'
import { instantOf } from '../facts.ts'
import { parseCreate, type CreateInput } from '../input.ts'
import type { Ledger } from '../ledger.ts'
import { planReminder, type Planned, type Setting } from '../plan.ts'
import { createChange, MIN_EVERY_SECONDS, type ReminderId } from '../protocol.ts'
import { ruleNotes, viewReminder } from '../view.ts'
import { only, shownArgument, transaction, type Answer, type ToolPort, type ToolSpec, type Work } from './definition.ts'

/** Most reminders set in turns that no person started, counted since a person last wrote (requirement T8). */
export interface ChainPolicy {
  readonly maxUnattendedChain: number
}

const DESCRIPTION =
  'Set a reminder in this session. Give prompt and one of: after_seconds; at (text with offset, or {date, time, time_zone}); every_seconds (300 or more); cron (5 fields) with time_zone. ' +
  'It is delivered as a message while the session is open, else when it is opened again.'

const PARAMETERS = {
  properties: {
    prompt: { type: 'string', description: 'What to remind of' },
    after_seconds: { type: 'integer' },
    at: {
      oneOf: [
        { type: 'string' },
        {
          type: 'object',
          additionalProperties: false,
          properties: { date: { type: 'string' }, time: { type: 'string' }, time_zone: { type: 'string', description: 'IANA' } },
          required: ['date', 'time'],
        },
      ],
    },
    every_seconds: { type: 'integer' },
    cron: { type: 'string' },
    time_zone: { type: 'string', description: 'IANA, for cron' },
    until: { type: 'string', description: 'Last instant, with offset' },
    count: { type: 'integer', description: 'Number of deliveries' },
    late_limit_seconds: { type: 'integer', description: 'Later than this: recorded as missed' },
    wake: { type: 'boolean', description: 'Also open this session for it' },
  },
  required: ['prompt'],
}

/**
 * The tool that sets reminders.
 *
 * @param name - under which it is mounted.
 * @param port - the session.
 * @param policy - how long a chain of unattended turns may go on.
 */
export function createTool(name: string, port: ToolPort, policy: ChainPolicy): ToolSpec {
  return {
    name,
    description: DESCRIPTION,
    parameters: PARAMETERS,
    async run(args) {
      const input = parseCreate(args)
      return isRefusal(input) ? input : transaction(port, 'create', (now) => set(port, input, now, policy))
    },
    title: (args) => `Reminder: ${shownArgument(args, 'prompt')}`,
  }
}

function set(port: ToolPort, input: CreateInput, now: Instant, policy: ChainPolicy): Work {
  const unattended = !port.ledger.attended
  if (unattended && port.ledger.unattendedSets >= policy.maxUnattendedChain) {
    return only(refuse('unattended_limit', { detail: `${policy.maxUnattendedChain} since a person last wrote.` }))
  }
  const tooOften = frequencyRefusal(input, now)
  if (tooOften !== undefined) return only(tooOften)
  const setting: Setting = { id: freshId(port.ledger), now, zones: port.zones, setBy: 'model', unattended }
  const planned = planReminder(input, setting)
  if (isRefusal(planned)) return only(planned)
  return { answer: echo(port, planned, now), changes: [createChange(planned.record)] }
}

/** T2: a calendar rule may not come more often than version 1 allows an interval to. */
function frequencyRefusal({ selector }: CreateInput, now: Instant): Refusal | undefined {
  if (selector.kind !== 'cron' || shortestGap(selector.cron, selector.zone, now) >= MIN_EVERY_SECONDS * 1000) return undefined
  return refuse('frequency_too_high', { field: 'cron' })
}

/**
 * A value that says what was set, when it comes next, and what to know about the rule (requirement T3).
 *
 * @param port - the session.
 * @param planned - what goes into the log.
 * @param now - the call's reading of the clock.
 */
export function echo(port: Pick<ToolPort, 'policy'>, { record, plan }: Planned, now: Instant): Answer {
  const dueAt = instantOf(record.scheduledAt)
  const notes = ruleNotes(plan, dueAt)
  return { set: true, ...viewReminder({ record, dueAt, plan, series: undefined }, now, port.policy), ...(notes.length > 0 && { notes }) }
}

/**
 * An id that was never used in this session (requirement S7).
 *
 * @param ledger - the session's fold.
 */
export function freshId(ledger: Ledger): ReminderId {
  let number = ledger.usedCount + 1
  const id = (): ReminderId => `r-${number}` as ReminderId
  // The host's own plugin, or an occurrence of a series, may have taken any id.
  while (ledger.isUsed(id()) || ledger.isUsed(`${id()}.1` as ReminderId)) number += 1
  return id()
}
