import type { PastReminder, PendingReminder } from '../../../../tool-schedule/src/people/wire.ts'
import type { PanelKey, Say } from './words.ts'

const UNITS = [
  ['unit.d', 86_400_000],
  ['unit.h', 3_600_000],
  ['unit.m', 60_000],
  ['unit.s', 1000],
] as const

/** Under this nothing is said about lateness (milliseconds; requirement R16). */
const NOTICEABLE_MS = 2000

/**
 * A duration in its two largest units.
 *
 * @param ms - not negative.
 * @param t - wording.
 */
export function durationWords(ms: number, t: Say): string {
  const first = Math.max(UNITS.findIndex(([, size]) => ms >= size), ms >= 1000 ? 0 : UNITS.length - 1)
  let rest = ms
  const parts = UNITS.slice(first, first + 2).flatMap(([key, size], index) => {
    const n = Math.floor(rest / size)
    rest -= n * size
    return n === 0 && (index > 0 || ms >= 1000) ? [] : [t(key, { n })]
  })
  return parts.join(' ')
}

/**
 * An instant with its day, in the zone of the person.
 *
 * @param ms - epoch milliseconds.
 * @param t - wording.
 * @param timeZone - IANA; the browser's own when absent.
 */
export function timeWords(ms: number, t: Say, timeZone?: string): string {
  return new Intl.DateTimeFormat(t('locale'), { weekday: 'short', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(ms)
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
