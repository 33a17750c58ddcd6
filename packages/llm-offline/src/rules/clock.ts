import { anyOf } from '../text.ts'
import type { Rule, Wish } from './wish.ts'

const CLOCK = anyOf(
  String.raw`\b(?:set|switch|change|put|turn)\b.*\b(?:clock|time)\b`,
  String.raw`\b(?:clock\s+mode|time[\s_]mode)\b`,
  '(?:时钟|小钟|报时|时间)的?(?:模式|设|改|调|切|换|关)',
  '(?:关闭|关掉|打开|设置|切换).{0,6}(?:时钟|小钟|报时)',
)
const MODES = /\b(off|cron|turn|fine)\b|(every\s+turn|每轮)|(every\s+step|每步)|(定时|每天)|(关闭|关掉|关了)/gi
const MODE_NAMES = ['turn', 'fine', 'cron', 'off'] as const
const CRON = /(?:^|\s)["'“]?((?:[\d*][\d*,/-]*\s+){4}[\dA-Za-z*][\w*,/#-]*)/
const NOW = anyOf(
  String.raw`\bwhat(?:'s|\s+is)?\s+(?:the\s+|today's\s+)?(?:current\s+)?(?:time|date|day)\b`,
  String.raw`\b(?:current|exact)\s+(?:time|date)\b|\btell\s+me\s+the\s+(?:time|date)\b`,
  String.raw`^(?:time|date)\s*\?*$`,
  '(?:现在|此刻|当前).{0,6}(?:几点|时间|时候)|几点[钟]?了?[啊呀]?[?]*$',
  '今天.{0,4}(?:几号|星期几|周几|礼拜几|几月|日期)|几月几[号日]',
)

/** The last mode a text names: in "turn the clock off" the verb comes before the mode. */
function modeIn(text: string): string | undefined {
  const match = [...text.matchAll(MODES)].at(-1)
  if (match === undefined) return undefined
  return match[1]?.toLowerCase() ?? MODE_NAMES.find((_, index) => match[index + 2] !== undefined)
}

function setMode(text: string): Wish {
  const cron = CRON.exec(text)?.[1]?.trim()
  return { kind: 'mode', mode: cron === undefined ? modeIn(text) : 'cron', cron }
}

/**
 * The clock itself: what time it is, and how often readings are wanted.
 *
 * @param said the message without polite opening
 */
export const understandClock: Rule = ({ text }) => {
  if (/\bremind|提醒/i.test(text)) return undefined
  if (CLOCK.test(text)) return setMode(text)
  return NOW.test(text) ? { kind: 'time' } : undefined
}
