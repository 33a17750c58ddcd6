import { findDuration } from '../durations.ts'
import { remainder } from '../prompts.ts'
import type { Span } from '../text.ts'
import type { Rule } from './wish.ts'

const NOUN = /\bcount\s?downs?\b|\btimers?\b|倒计时|倒数|定时器?|计时器?/gi
const COUNTDOWN = /\bcount\s?downs?\b|倒计时|倒数/i
const FILLER = new RegExp(
  String.raw`\b(?:start|set|create|run|begin|make|cancel|stop|remove|delete|a|an|the|my|new|called|named|for|from|of|to|it)\b`
  + '|开始|启动|取消|停止|删除|删掉|设置?|设定|一个|个|名为|名叫|叫做?|来',
  'gi',
)
const CANCEL = /\b(?:cancel|stop|remove|delete)\b|取消|停止|删除|删掉/i
const LIST = /\b(?:list|show|what|which|any)\b.*\bcount\s?downs\b|(?:列出|查看|看看|显示|哪些|什么).*倒计时|倒计时.*(?:列表|哪些)/i

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(match => ({ start: match.index, end: match.index + match[0].length }))

/**
 * Countdowns: start one with a length, cancel by name, list. A "timer" with a length is a countdown too.
 *
 * @param said the message without polite opening
 */
export const understandCountdown: Rule = ({ text, original }) => {
  const nouns = spansOf(text, NOUN)
  if (nouns.length === 0 || /\bremind|提醒/i.test(text)) return undefined
  if (LIST.test(text)) return { kind: 'countdown', action: 'list', name: '', seconds: 0 }
  const duration = findDuration(text)
  const known = duration === undefined ? nouns : [...nouns, duration]
  const name = remainder(original, [...known, ...spansOf(text, FILLER)])
  if (CANCEL.test(text)) return COUNTDOWN.test(text) ? { kind: 'countdown', action: 'cancel', name, seconds: 0 } : undefined
  return duration === undefined ? undefined : { kind: 'countdown', action: 'start', name, seconds: duration.value }
}
