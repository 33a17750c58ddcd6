import type { PastReminder, ReminderState } from '../../../../tool-schedule/src/people/wire.ts'

/** What was told of each session: the position of the newest delivery in its log. Shared by all tabs of a browser. */
export type Told = Readonly<Record<string, number>>

/** Sessions that are remembered; the least recently changed one is forgotten first. */
const SESSIONS = 50

/** An older delivery is no news: the person was not waiting in front of this browser (milliseconds). */
const NEWS_MS = 60_000

/** Most notifications at a time. */
const AT_ONCE = 3

/** What is to be told, and what is told from then on. */
export interface Decision {
  readonly told: Told
  readonly tell: readonly PastReminder[]
}

/**
 * Which deliveries are news (requirement T12). A delivery is looked at once, whether it is shown or not, so that no
 * occurrence can be told a second time: not by another tab, not after a reload.
 *
 * @param told - of all sessions.
 * @param state - what the host says about one of them.
 * @param since - when this browser began to listen (epoch milliseconds); earlier ones of an unknown session are no news.
 */
export function decideNotices(told: Told, state: Pick<ReminderState, 'sessionId' | 'past' | 'now'>, since: number): Decision {
  const { sessionId, past, now } = state
  const last = told[sessionId]
  const delivered = past.filter(({ outcome }) => outcome === 'delivered')
  const newest = Math.max(last ?? -1, ...delivered.map(({ seq }) => seq))
  if (newest === last) return { told, tell: [] }
  const oldest = Math.max(now.ms - NEWS_MS, last === undefined ? since : 0)
  const news = delivered.filter(({ seq, decided }) => seq > (last ?? -1) && decided.ms >= oldest)
  const others = Object.entries(told).filter(([id]) => id !== sessionId)
  return { told: Object.fromEntries([...others.slice(1 - SESSIONS), [sessionId, newest]]), tell: news.toSorted((one, other) => one.seq - other.seq).slice(-AT_ONCE) }
}

/**
 * Read what an earlier page, or another tab, has written down.
 *
 * @param text - as it is stored; null when nothing is.
 */
export function readTold(text: string | null): Told {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])))
  } catch {
    return {}
  }
}

/**
 * Name of a notification: the browser shows one of each name.
 *
 * @param sessionId - whose reminder.
 * @param past - the occurrence.
 */
export function noticeTag(sessionId: string, { occurrenceId }: Pick<PastReminder, 'occurrenceId'>): string {
  return `dsh-timekeeper ${sessionId} ${occurrenceId}`
}
