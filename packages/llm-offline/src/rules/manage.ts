import { findDuration } from '../durations.ts'
import { anyOf, group, leftover } from '../text.ts'
import type { Rule } from './wish.ts'

/** Delay of a snooze that names none, seconds: ten minutes. */
const SNOOZE_SECONDS = 600

const CANCEL = /^(?:cancel|delete|remove|drop|stop|dismiss)\b|^(?:把|将)?.{0,40}?(?:取消|删除|删掉|去掉|移除|撤销)/i
const SNOOZE = /^(?:snooze|postpone|delay|defer|push(?:\s+back)?)\b|(?:推迟|延后|延迟|顺延|往后推|稍后再?提醒)/i
const LIST = anyOf(
  String.raw`\b(?:list|show|see|view|display|what|which|any|all)\b.*\breminders?\b`,
  String.raw`^(?:my\s+)?reminders?\s*[?.!]*$`,
  '(?:列出|列一?下|查看|查一?下|看看|看一?下|显示|哪些|什么|所有|全部|几个|多少).*(?:提醒|闹钟)',
  '(?:提醒|闹钟).*(?:列表|清单|哪些|几个|多少)|^(?:我的)?(?:提醒|闹钟)[?。.]*$',
)
const REMINDER = /\b(?:reminders?|alarms?|schedules?)\b|提醒|闹钟/i
const OTHER_NOUN = /\b(?:countdowns?|counters?|timers?|stopwatch)\b|倒计时|计时|定时/i
const TOKEN = /(?:^|[^\w.:@-])([A-Za-z0-9][\w.:@-]*)/g
const FILLERS = new Set([
  ...'cancel delete remove drop stop dismiss snooze postpone delay defer push back'.split(' '),
  ...'reminder reminders alarm schedule id no number called named'.split(' '),
  ...'the my a an that this it all every everything one with for by until to of please again more'.split(' '),
])

/** The id in what is left of a command: a token with a digit, else the only token that is not a filler word. */
function idIn(text: string): string | undefined {
  const tokens = [...text.matchAll(TOKEN)].map(match => group(match, 1).replace(/[.:@-]+$/, ''))
  const candidates = tokens.filter(token => !FILLERS.has(token.toLowerCase()))
  return candidates.find(token => /\d/.test(token)) ?? (candidates.length === 1 ? candidates[0] : undefined)
}

/**
 * Reminders that exist already: list, cancel by id, snooze by id.
 *
 * @param said the message without polite opening
 */
export const understandManage: Rule = ({ text }) => {
  if (OTHER_NOUN.test(text) || /提醒我|\bremind\s+(?:me|us)\b/i.test(text.replace(/再提醒我?/, ''))) return undefined
  const id = idIn(text)
  if (SNOOZE.test(text)) {
    const duration = findDuration(text)
    const named = duration === undefined ? id : idIn(leftover(text, [duration]))
    return named === undefined && !REMINDER.test(text) ? undefined : { kind: 'snooze', id: named, seconds: duration?.value ?? SNOOZE_SECONDS }
  }
  if (CANCEL.test(text) && (REMINDER.test(text) || /\d/.test(id ?? ''))) return { kind: 'cancel', id }
  return LIST.test(text) ? { kind: 'list' } : undefined
}
