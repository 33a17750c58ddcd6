import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { isSourceOf, type Follower } from 'dsh-session-host'
import { parseZone, type ZoneName } from 'dsh-time-core'
import { readFacts, SOURCE_KIND, subCallFacts } from '../facts.ts'
import type { Language } from './wire.ts'

/**
 * Language of a text: Chinese as soon as one of its characters is Chinese.
 *
 * @param text - of a person.
 */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}

/** What a session's log says about the person in it, and how far the log has come. Follow it from `seq` 0. */
export class PersonFold implements Follower {
  /** Zone of the newest message of a person; `undefined` when that one came without. */
  zone: ZoneName | undefined
  /** Of the newest message of a person. */
  language: Language = 'en'
  /** One beyond the newest event that can have changed what is shown of the reminders; the same in every process. */
  revision = 0
  readonly #changed: () => void

  /** @param changed - called after each such event. */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  apply(event: SessionEvent): void {
    if (event.type === 'user/message' && isPerson(event.data.source)) this.#listen(event.data)
    if (!concernsReminders(event)) return
    this.revision = event.seq + 1
    this.#changed()
  }

  #listen({ source, content }: Extract<SessionEvent, { type: 'user/message' }>['data']): void {
    this.zone = parseZone((source as { clientTimeZone?: unknown }).clientTimeZone)
    this.language = languageOf(content.map((block) => ('text' in block ? block.text : '')).join(''))
  }
}

function concernsReminders(event: SessionEvent): boolean {
  if ((event.type as string) === 'schedule/change') return true
  switch (event.type) {
    case 'user/message':
      return isPerson(event.data.source) // lets paused series go on
    case 'agent/inbox/spliced':
      return event.data.inserted.some(({ source }) => isSourceOf(source, SOURCE_KIND))
    case 'tool/result':
      return readFacts(event.data.meta).length > 0
    case 'tool/code-dispatch':
      return subCallFacts(event.data.name, event.data.content).length > 0
    default:
      return false
  }
}

function isPerson(source: unknown): boolean {
  return (source as { kind?: unknown } | undefined)?.kind === 'user'
}
