import type { PastReminder, PendingReminder } from '../../../../tool-schedule/src/people/wire.ts'
import { dateText } from '../date-text.ts'
import { DAY_MS, durationWords, NOTICEABLE_MS } from '../durations.ts'
import type { PanelKey, Say } from './words.ts'

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const FULL: Intl.DateTimeFormatOptions = { ...TIME, weekday: 'short', month: 'short', day: 'numeric' }

/**
 * An instant with its day, in the zone of the person.
 *
 * @param ms - epoch milliseconds.
 * @param t - wording.
 * @param timeZone - IANA; the browser's own when absent.
 */
export function timeWords(ms: number, t: Say, timeZone?: string): string {
  return dateText(ms, t('locale'), FULL, timeZone)
}

/** From here on a weekday would be the same as that of the first one, or nearly (milliseconds). */
const SIX_DAYS_MS = 6 * DAY_MS

/**
 * The fires after the next one, as short as they can be told apart from it: the time alone on the same day, then the
 * weekday, then the whole.
 *
 * @param reminder - pending.
 * @param t - wording.
 * @param timeZone - IANA; the browser's own when absent.
 * @returns undefined when none follows.
 */
export function nextWords({ due, next }: Pick<PendingReminder, 'due' | 'next'>, t: Say, timeZone?: string): string | undefined {
  if (next.length === 0) return undefined
  const show = (ms: number, shape: Intl.DateTimeFormatOptions): string => dateText(ms, t('locale'), shape, timeZone)
  const isSameDay = (ms: number): boolean => show(ms, { dateStyle: 'short' }) === show(due.ms, { dateStyle: 'short' })
  const times = next.map(({ ms }) => (isSameDay(ms) ? show(ms, TIME) : ms - due.ms < SIX_DAYS_MS ? show(ms, { ...TIME, weekday: 'short' }) : timeWords(ms, t, timeZone)))
  return t('following', { times: times.join(t('list.join')) })
}

/**
 * How long it is until a reminder comes.
 *
 * @param reminder - pending.
 * @param now - epoch milliseconds, of the host's clock.
 * @param t - wording.
 */
export function leftWords({ due, state }: Pick<PendingReminder, 'due' | 'state'>, now: number, t: Say): string {
  if (state === 'paused') return t('paused')
  const left = due.ms - now
  if (Math.abs(left) < 1000) return t('now')
  return left > 0 ? t('left', { duration: durationWords(left, t) }) : t('overdue', { duration: durationWords(-left, t) })
}

/**
 * When a series comes.
 *
 * @param reminder - pending.
 * @param t - wording.
 * @returns undefined for a reminder that comes once.
 */
export function ruleWords({ rule }: Pick<PendingReminder, 'rule'>, t: Say): string | undefined {
  if (rule === undefined) return undefined
  return rule.kind === 'every' ? t('rule.every', { duration: durationWords(rule.everySeconds * 1000, t) }) : t('rule.cron', { cron: rule.cron, zone: rule.zone })
}

/**
 * Why a reminder was late, or was missed.
 *
 * @param past - what became of it.
 * @param t - wording.
 * @returns undefined when it was delivered on time.
 */
export function whyWords({ outcome, lateMs, reasons }: Pick<PastReminder, 'outcome' | 'lateMs' | 'reasons'>, t: Say): string | undefined {
  const why = reasons.map((word) => reasonWords(word, t)).join(t('list.join'))
  const isSaid = outcome === 'missed' || lateMs >= NOTICEABLE_MS
  if (!isSaid) return undefined
  const duration = durationWords(lateMs, t)
  if (why === '') return t('lateOnly', { duration })
  return outcome === 'missed' ? t('missedWhy', { why }) : t('lateWhy', { duration, why })
}

/** A reason that a later version writes is shown in its own word. */
function reasonWords(word: string, t: Say): string {
  const key = `why.${word}`
  const text: string = t(key as PanelKey)
  return text === key ? word : text
}
