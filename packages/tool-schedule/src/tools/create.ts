import { jsonLine, shortestGap, type Instant } from 'dsh-time-core'
import { isRefusal, refuse, type Refusal } from '../errors.ts'
import { instantOf, type SeriesRule } from '../facts.ts'
import { parseCreate, type CreateInput } from '../input.ts'
import type { Ledger, Reminder } from '../ledger.ts'
import { planReminder, type Planned, type Setting } from '../plan.ts'
import { createChange, MIN_EVERY_SECONDS, type ReminderId } from '../protocol.ts'
import { ruleNotes, sayRuleNotes } from '../rule-notes.ts'
import { viewReminder } from '../view.ts'
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
 * @param policy - how long a chain of unattended turns may go on.
 */
export function createTool(name: string, policy: ChainPolicy): ToolSpec {
  return {
    name,
    description: DESCRIPTION,
    parameters: PARAMETERS,
    async run(args, port) {
      const input = parseCreate(args)
      return isRefusal(input) ? input : transaction(port, 'create', (now) => set(port, input, now, policy))
    },
    title: (args) => `Reminder: ${shownArgument(args, 'prompt')}`,
  }
}

function set(port: ToolPort, input: CreateInput, now: Instant, policy: ChainPolicy): Work {
  const unattended = !port.ledger.attended
  const tooLong = chainRefusal(port.ledger, policy)
  if (tooLong !== undefined) return only(tooLong)
  const planned = planFresh(port.ledger, input, { now, zones: port.zones, setBy: 'model', unattended })
  if (isRefusal(planned)) return only(planned)
  const twin = findTwin(port.ledger, planned)
  if (twin !== undefined) return only({ exists: true, ...viewReminder(twin, now, port.policy) })
  return { answer: echo(port, planned, now), changes: [createChange(planned.record)] }
}

/**
 * B40: a call that is repeated at each wake must not leave a heap of equal reminders. A delay is never a twin: asked for
 * again, it means again.
 */
function findTwin(ledger: Ledger, { record, plan }: Planned): Reminder | undefined {
  for (const reminder of ledger.active.values()) {
    if (reminder.record.prompt !== record.prompt) continue
    const isSameInstant = record.kind === 'at' && reminder.record.kind === 'at' && record.scheduledAt === reminder.record.scheduledAt
    if (plan.series === undefined ? isSameInstant && reminder.series === undefined : isSameRule(plan.series, reminder.series?.rule)) return reminder
  }
  return undefined
}

/** The anchor of an interval is when it was asked for, not what was asked for. */
function isSameRule(rule: SeriesRule, other: SeriesRule | undefined): boolean {
  const asked = (one: SeriesRule): string => jsonLine([one.kind, one.kind === 'cron' ? [one.cron, one.zone] : one.everySeconds, one.until, one.count])
  return other !== undefined && asked(rule) === asked(other)
}

/**
 * T8, B56: turns that no person started cannot set reminders, nor snooze them, without end.
 *
 * @param ledger - the session's fold.
 * @param policy - how long such a chain may go on.
 */
export function chainRefusal({ attended, unattendedSets }: Ledger, { maxUnattendedChain }: ChainPolicy): Refusal | undefined {
  if (attended || unattendedSets < maxUnattendedChain) return undefined
  return refuse('unattended_limit', { detail: { code: 'unattended', count: maxUnattendedChain } })
}

/**
 * A new reminder of a session, whoever sets it.
 *
 * @param ledger - the session's fold.
 * @param input - checked arguments.
 * @param setting - clock, zones and author.
 */
export function planFresh(ledger: Ledger, input: CreateInput, setting: Omit<Setting, 'id'>): Planned | Refusal {
  return frequencyRefusal(input, setting.now) ?? planReminder(input, { ...setting, id: freshId(ledger) })
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
  const notes = sayRuleNotes(ruleNotes(plan, dueAt), 'en')
  return { set: true, ...viewReminder({ record, dueAt, plan, series: undefined }, now, port.policy), ...(notes.length > 0 && { notes }) }
}

/**
 * An id that was never used in this session (requirement S7).
 *
 * @param ledger - the session's fold.
 */
export function freshId(ledger: Ledger): ReminderId {
  let number = ledger.setCount + 1
  const id = (): ReminderId => `r-${number}` as ReminderId
  // The host's own plugin, or an occurrence of a series, may have taken any id.
  while (ledger.isUsed(id()) || ledger.isUsed(`${id()}.1` as ReminderId)) number += 1
  return id()
}
