import { understandClock } from './rules/clock.ts'
import { understandCountdown } from './rules/countdown.ts'
import { understandCounter } from './rules/counter.ts'
import { understandManage } from './rules/manage.ts'
import { understandReminder } from './rules/reminder.ts'
import type { Rule, Wish } from './rules/wish.ts'
import { anyOf, halfWidth } from './text.ts'

/** Longer texts are no request to a demo model: they are not searched, so that reading one stays far below 50 ms. */
const LONGEST_REQUEST = 600

const COURTESIES = [
  String.raw`(?:please|pls|hey|hi|hello|ok(?:ay)?|so|now|and)\b`,
  String.raw`(?:can|could|would|will)\s+you\b`,
  String.raw`i\s+(?:want|need)\s+you\s+to\b|i'd\s+like\s+(?:you\s+)?to\b`,
  '请你?|麻烦你?|劳驾|帮(?:我|忙)|你?能不能|可不可以|可以|你好',
  String.raw`[\s,!、。]`,
]
const POLITE = anyOf(`^(?:${COURTESIES.join('|')})+`)

/** First rule that recognises the text wins. A request to be reminded of cancelling is a reminder, so anchored rules come first. */
const RULES: readonly Rule[] = [understandManage, understandClock, understandCountdown, understandCounter, understandReminder]

/**
 * What a message asks for.
 *
 * Tolerant of case, politeness, punctuation and full-width characters; never throws; `unknown` when nothing fits.
 *
 * @param message what a person wrote
 */
export function understand(message: string): Wish {
  const original = message.trim()
  if (original.length > LONGEST_REQUEST) return { kind: 'unknown' }
  const text = halfWidth(original)
  const skip = POLITE.exec(text)?.[0].length ?? 0
  const said = { text: text.slice(skip), original: original.slice(skip) }
  for (const rule of RULES) {
    const wish = rule(said)
    if (wish !== undefined) return wish
  }
  return { kind: 'unknown' }
}
