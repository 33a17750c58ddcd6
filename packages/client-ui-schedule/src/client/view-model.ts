import { dateText } from './date-text.ts'
import { durationWords, NOTICEABLE_MS } from './durations.ts'
import type { DurableEvent } from '../protocol.ts'
import type { ReceiptData } from './evidence.ts'
import type { WordingKey } from './locales.ts'
import type { Translate } from './page.ts'
import type { Receipt } from './store.ts'

/** An instant as it is shown. */
export interface ShownTime {
  /** For machines: canonical UTC. */
  readonly iso: string
  readonly text: string
}

/** One line of the drift block. */
export interface DriftLine {
  readonly label: string
  readonly text: string
  readonly iso?: string
}

/** Everything that a row says, in the language and zone of the person. */
export type ReceiptView =
  | {
      readonly kind: 'reminder'
      readonly prompt: string
      readonly due: ShownTime
      /** How late, or undefined when it was on time or is not known. */
      readonly late: string | undefined
      readonly drift: readonly DriftLine[]
    }
  | { readonly kind: 'unknown'; readonly json: string }

/** Longest text of a record that is shown as it is. */
const LONGEST_JSON = 4000

/**
 * What the row of a receipt says.
 *
 * @param receipt - the proven receipt.
 * @param data - what the window knows about it.
 * @param t - wording; its key `locale` names the language for dates.
 * @param zone - IANA zone of the person; the browser's own when absent.
 * @returns undefined while the create is being asked for.
 */
export function receiptView(receipt: Receipt, data: ReceiptData, t: Translate<WordingKey>, zone?: string): ReceiptView | undefined {
  const { presentation, event, create } = receipt
  if (presentation === undefined) return receipt.lacksCreate ? undefined : { kind: 'unknown', json: jsonOf(event) }
  const { delivery } = data
  const dueAt = delivery?.occurrenceAt ?? presentation.occurrenceAt
  const lateMs = Date.parse(delivery?.deliveredAt ?? dueAt) - Date.parse(dueAt)
  const late = lateMs >= NOTICEABLE_MS ? durationWords(lateMs, t) : undefined
  const show = (iso: string): ShownTime => ({ iso, text: showTime(iso, t('locale'), zone, FULL) })
  return {
    kind: 'reminder',
    prompt: presentation.prompt,
    due: { iso: dueAt, text: showTime(dueAt, t('locale'), zone, SHORT) },
    late,
    // Of a thousand rows hardly one is unfolded, and to write dates takes time.
    get drift() {
      const timed = (label: WordingKey, iso: string): DriftLine => ({ label: t(label), ...show(iso) })
      return [
        timed('drift.due', dueAt),
        ...(delivery === undefined ? [] : [timed('drift.delivered', delivery.deliveredAt)]),
        ...(delivery === undefined ? [] : [{ label: t('drift.late'), text: late ?? t('onTime') }]),
        ...(late === undefined || delivery === undefined || delivery.reasons.length === 0 ? [] : [{ label: t('drift.why'), text: delivery.reasons.map((word) => showReason(word, t)).join(t('list.join')) }]),
        ...(create === undefined ? [] : [setLine(create, data.setBy, t, show)]),
        { label: t('drift.id'), text: presentation.scheduleId },
      ]
    },
  }
}

function setLine(create: DurableEvent, setBy: ReceiptData['setBy'], t: Translate<WordingKey>, show: (iso: string) => ShownTime): DriftLine {
  const { text, iso } = show(new Date(create.time).toISOString())
  return { label: t('drift.set'), text: setBy === undefined ? text : t(`by.${setBy}`, { time: text }), iso }
}

/** A reason that a later version writes is shown in its own word. */
function showReason(word: string, t: Translate<WordingKey>): string {
  const key = `why.${word}`
  const text = t(key as WordingKey)
  return text === key ? word : text
}

/** For the folded row, where a narrow page has little room; unfolded, the whole is there. */
const SHORT: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

const FULL: Intl.DateTimeFormatOptions = { ...SHORT, year: 'numeric', second: '2-digit' }

function showTime(iso: string, locale: string, timeZone: string | undefined, shape: Intl.DateTimeFormatOptions): string {
  return dateText(Date.parse(iso), locale, shape, timeZone)
}

function jsonOf(event: DurableEvent): string {
  const text = JSON.stringify({ type: event.type, data: event.data }, undefined, 2)
  return text.length > LONGEST_JSON ? `${text.slice(0, LONGEST_JSON)}…` : text
}
