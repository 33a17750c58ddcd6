import { remainder } from '../prompts.ts'
import { findFirst } from '../text.ts'
import type { Span } from '../text.ts'
import { findWhen } from '../when.ts'
import type { Rule } from './wish.ts'

const ARTICLE = String.raw`(?:(?:me|a|an|another|new|recurring|daily|weekly|hourly)\s+)*`

/** Words that ask for a reminder whatever else is said. */
const STRONG = new RegExp(
  [
    String.raw`\bremind\s+(?:me|us)(?:\s+again)?\b`,
    String.raw`\b(?:set|create|add|make|schedule|put)(?:\s+up)?\s+${ARTICLE}(?:reminder|alarm)\b|^reminder\b`,
    '(?:设置?|设定|定|建|创建|新建|加|添加)(?:一?个)?(?:新的?)?(?:提醒|闹钟)',
    '(?:记得)?(?:再次?|到时候?)?提醒(?:一下)?(?:我们?|大家)(?:一下|一声)?',
  ].join('|'),
  'gi',
)

/** Words that ask for one only together with a time: "tell me a joke" does not. */
const WEAK = new RegExp(
  String.raw`\b(?:wake|alert|notify|nudge|ping|tell|call|poke)\s+me(?:\s+up)?\b|\breminder\b`
  + '|(?:叫|喊|通知|告诉|喊醒|叫醒)(?:一下)?我(?:一下|一声)?|提醒(?!列表|事项)',
  'gi',
)

/** Like the strong words, but in two pieces round the time: 设个…的提醒. */
const OPENING = /^(?:设置?|设定|定|建|创建|新建|加|添加)(?:一?个)?(?=.{1,60}?的(?:提醒|闹钟))/g
const CLOSING = /的(?:提醒|闹钟)/g

const spanOf = (text: string, pattern: RegExp): Span | undefined => findFirst(text, pattern, match => match[0])

/**
 * A new reminder. A repeating time at the very start of a message needs no further word: "every weekday at 9:00 stand up".
 *
 * @param said the message without polite opening
 */
export const understandReminder: Rule = ({ text, original }) => {
  const opening = spanOf(text, OPENING)
  const strong = opening === undefined ? [spanOf(text, STRONG)] : [opening, spanOf(text, CLOSING)]
  const asked = strong.filter(span => span !== undefined)
  const found = findWhen(text)
  const when = found?.when
  const spans = found?.spans ?? []
  if (asked.length > 0) return { kind: 'remind', prompt: remainder(original, [...spans, ...asked]), when }
  if (when === undefined) return undefined
  const weak = spanOf(text, WEAK)
  if (weak !== undefined) return { kind: 'remind', prompt: remainder(original, [...spans, weak]), when }
  const repeats = (when.kind === 'series' || when.kind === 'every') && spans.some(span => span.start === 0)
  const prompt = remainder(original, spans)
  return repeats && prompt !== '' ? { kind: 'remind', prompt, when } : undefined
}
