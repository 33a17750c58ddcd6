import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Language } from 'dsh-time-core'

/** What a person types in either language, because the commands are made of it. */
const KEYWORDS: ReadonlySet<string> = new Set(['off', 'cron', 'turn', 'fine', 'snooze', 'cancel'])

/**
 * The language in which a person is answered: that of the words of the command, else that of the person's newest message
 * (requirement T10). A text is Chinese as soon as one of its characters is.
 *
 * @param text - of the command.
 * @param events - the session's log.
 */
export function languageFor(text: string, events: readonly SessionEvent[]): Language {
  if (isChinese(text)) return 'zh'
  if (text.split(/\s+/u).some(isWord)) return 'en'
  return isChinese(lastWords(events)) ? 'zh' : 'en'
}

function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text)
}

/** A time and an expression say nothing about the language. */
function isWord(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !/\d/.test(text) && !KEYWORDS.has(text.toLowerCase())
}

function lastWords(events: readonly SessionEvent[]): string {
  const last = events.findLast((event): event is Extract<SessionEvent, { type: 'user/message' }> => event.type === 'user/message' && event.data.source.kind === 'user')
  return last?.data.content.map((block) => ('text' in block ? block.text : '')).join('') ?? ''
}
