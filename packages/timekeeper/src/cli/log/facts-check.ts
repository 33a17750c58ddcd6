import { isSourceOf } from 'dsh-session-host'
import { CARRIER, readFacts, SOURCE_KIND } from 'dsh-tool-schedule/log'
import type { StoredEvent } from './scan.ts'
import { listOf, member } from './shape.ts'

/** The facts about reminders. The same carriers also hold those of our clock, which are no business of this check. */
const REMINDER_FACTS: ReadonlySet<unknown> = new Set(['plan', 'delivery', 'missed'])

/**
 * Facts that the fold leaves out because it cannot read them: the reminder stays, as a plain one (requirement X6).
 *
 * @param event - an event as stored.
 * @returns what each of them is, for people.
 */
export function unreadableFacts({ type, data, surfaceOp }: StoredEvent): readonly string[] {
  switch (type) {
    case 'tool/result':
      // A result that takes the place of an earlier one, as after a compaction, is not read again.
      return surfaceOp === undefined || surfaceOp === 'append' ? unreadable(member(data, 'meta')) : []
    case 'agent/inbox/spliced':
      return listOf(member(data, 'inserted')).flatMap((message) => {
        const source = member(message, 'source')
        return isSourceOf(source, SOURCE_KIND) ? unreadable(source) : []
      })
    default:
      return []
  }
}

function unreadable(carrier: unknown): readonly string[] {
  const envelope = member(carrier, CARRIER)
  if (envelope === undefined) return []
  const facts = member(envelope, 'facts')
  if (member(envelope, 'v') !== 1 || !Array.isArray(facts)) return ['envelope']
  return facts.filter((fact) => REMINDER_FACTS.has(member(fact, 'fact')) && !isRead(fact)).map(nameOf)
}

function isRead(fact: unknown): boolean {
  return readFacts({ [CARRIER]: { v: 1, facts: [fact] } }).length === 1
}

function nameOf(fact: unknown): string {
  const id = member(fact, 'id')
  return `${String(member(fact, 'fact'))}${typeof id === 'string' ? ` ${id}` : ''}`
}
