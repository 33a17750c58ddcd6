import { cronNotes, localDate, nextFires, parseCron, parseZone, sayCronNote, type CronNote, type Instant } from 'dsh-time-core'
import type { PlanFact } from './facts.ts'
import type { Language } from './people/wire.ts'
import { FIRES_SHOWN } from './view.ts'

/**
 * What a person should know about a rule before trusting it. `clocks-skip`: the clocks are set forward over `from`
 * (`HH:mm`) on the date `on`, and that occurrence comes right after the gap.
 */
export type RuleNote = CronNote | { readonly code: 'clocks-skip'; readonly from: string; readonly on: string }

/**
 * The notes on a rule: days that it skips, times that the clocks skip (requirement T3).
 *
 * @param plan - of a reminder that is being set.
 * @param first - its first occurrence.
 */
export function ruleNotes(plan: PlanFact, first: Instant): readonly RuleNote[] {
  if (plan.series?.kind !== 'cron') return []
  const parsed = parseCron(plan.series.cron)
  const zone = parseZone(plan.series.zone)
  if (!parsed.ok || zone === undefined) return []
  const skips = nextFires(parsed.cron, zone, first - 1, FIRES_SHOWN + 1).flatMap(({ instant, moved }): RuleNote[] => (moved === undefined ? [] : [{ code: 'clocks-skip', from: moved.from, on: localDate(instant, zone) }]))
  return [...cronNotes(parsed.cron), ...skips]
}

/**
 * Notes in words, one sentence each.
 *
 * @param notes - see `ruleNotes`.
 * @param language - of the reader; the model's is English.
 */
export function sayRuleNotes(notes: readonly RuleNote[], language: Language): readonly string[] {
  return notes.map((note) => {
    if (note.code !== 'clocks-skip') return sayCronNote(note, language)
    if (language === 'en') return `The clocks skip ${note.from} on ${note.on}; it comes at the first time after the gap.`
    return `${note.on} 的时钟会跳过 ${note.from}，提醒改在跳过之后的第一个时刻。`
  })
}
