import { randomUUID } from 'node:crypto'
import type { Instant } from 'dsh-time-core'
import { reminderBlock, type UserMessage } from '../frame.ts'
import { SOURCE_KIND } from '../protocol.ts'
import { entryLine, nameWord, noteText, shortDuration } from '../words.ts'
import type { Counter, CounterTurn } from './fold.ts'
import { relationText, type Relation, type Seen } from './lineage.ts'

/** A change of a counter as one of those who could see it is told. */
export interface CounterNews {
  readonly turn: CounterTurn
  /** Whose counter it is. */
  readonly senderSessionId: string
  /** Where the owner stands, as the one who is told sees it. */
  readonly owner: Relation
  /** The one who is told can see it after the change. */
  readonly isVisible: boolean
}

const DONE: Readonly<Record<CounterTurn['action'], string>> = {
  start: 'was started',
  reset: 'was reset',
  note: 'got another note',
  scope: 'can be seen here',
  remove: 'was removed',
}

/**
 * The line of a reading that tells the counters which opted in, those of the session first (requirement R3).
 *
 * @param own - the session's counters.
 * @param seen - those of others that it sees.
 * @param now - the moment of the reading.
 */
export function counterLine(own: Iterable<Counter>, seen: readonly Seen[], now: Instant): readonly string[] {
  const mine = [...own].filter(({ inject }) => inject).map((counter) => entry(counter, '', now))
  const theirs = seen.filter(({ counter }) => counter.inject).map(({ counter, relation }) => entry(counter, `@${relationText(relation)}`, now))
  return entryLine('counters', [...mine, ...theirs])
}

function entry({ name, since, note }: Counter, place: string, now: Instant): string {
  return `${nameWord(name)}${place}=${shortDuration(now - since)}${noteText(note)}`
}

/**
 * The message that tells a session of a change in another one (requirement R10). It is a relay, not a reading.
 *
 * @param news - the change.
 * @param now - when it is told.
 */
export function counterMessage({ turn, senderSessionId, owner, isVisible }: CounterNews, now: Instant): UserMessage {
  const { action, before, after } = turn
  const counter = (after ?? before) as Counter // a change is made of one of them
  const what = isVisible || action === 'remove' ? DONE[action] : 'can no longer be seen here'
  const state = isVisible ? `: ${entry(counter, '', now)}` : ''
  const text = reminderBlock([`Counter ${nameWord(counter.name)} of the ${relationText(owner)} session ${what}${state}.`])
  const source = { kind: SOURCE_KIND, form: 'relay', senderSessionId, counter: { name: counter.name, action } }
  return { id: randomUUID(), role: 'user', content: [{ type: 'text', text }], source } as unknown as UserMessage
}
