import { remainder } from '../prompts.ts'
import { group } from '../text.ts'
import type { Rule, Said, Wish } from './wish.ts'

type Action = Extract<Wish, { kind: 'counter' }>['action']

const LIST = /\b(?:list|show|what|which|any)\b.*\b(?:timers|counters)\b|(?:列出|查看|看看|显示|哪些|什么).*(?:计时|计数)/i
const NAME = String.raw`(?<name>\S.{0,60}?)`
const TIMER = String.raw`(?:(?:a|an|the|my|new|another)\s+)*(?:timer|counter|stopwatch)`

const FORMS: readonly (readonly [Action, RegExp])[] = [
  ['lapse', new RegExp(String.raw`^how\s+long\s+(?:has|have|is|was|did|does)\s+(?:the\s+)?${NAME}\s+(?:been\s+)?(?:running|taking|going(?:\s+on)?|take|taken|lasted|run|on)\b`, 'i')],
  ['lapse', new RegExp(String.raw`^how\s+long\s+(?:since|for)\s+${NAME}[\s?.!]*$`, 'i')],
  ['lapse', new RegExp(String.raw`^${NAME}\s*(?:已经|一共|总共|到现在|现在)*\s*(?:跑|运行|进行|用|花|过|持续|开始|做|干)?了?\s*(?:多久|多长时间)`)],
  ['reset', new RegExp(String.raw`^(?:reset|restart)\s+${TIMER}(?:\s+(?:called|named|for))?\s+${NAME}[\s?.!]*$`, 'i')],
  ['remove', new RegExp(String.raw`^(?:remove|delete|cancel|stop|drop)\s+${TIMER}(?:\s+(?:called|named|for))?\s+${NAME}[\s?.!]*$`, 'i')],
  ['start', new RegExp(String.raw`^(?:start|begin|create|run|set)\s+${TIMER}(?:\s+(?:called|named|for))?\s*[:,]?\s*${NAME}[\s?.!]*$`, 'i')],
  ['start', new RegExp(String.raw`^start\s+timing\s+${NAME}[\s?.!]*$`, 'i')],
  ['reset', new RegExp(String.raw`^(?:重置|重新开始)\s*(?:计时器?)?\s*${NAME}(?:的?计时器?)?[\s?。.!]*$`)],
  ['remove', new RegExp(String.raw`^(?:取消|删除|删掉|移除|停止)\s*(?:计时器?)\s*${NAME}[\s?。.!]*$`)],
  ['start', new RegExp(String.raw`^(?:给|为|对)\s*${NAME}\s*(?:开始)?计时[\s。.!]*$`)],
  ['start', new RegExp(String.raw`^(?:开始|启动)?(?:一个)?计时器?\s*(?:叫做?|名为)?\s*[:,]?\s*${NAME}[\s。.!]*$`)],
]

/** The name as the person wrote it, without quotes and ending punctuation. */
function nameOf({ text, original }: Said, match: RegExpExecArray): string {
  const name = group(match, 'name')
  const start = text.indexOf(name, match.index)
  return remainder(original.slice(start, start + name.length), []).replaceAll(/^["'“”「]|["'“”」]$/g, '')
}

/**
 * Counters: how long something has been going on.
 *
 * @param said the message without polite opening
 */
export const understandCounter: Rule = said => {
  if (/\bremind|提醒/i.test(said.text)) return undefined
  if (LIST.test(said.text)) return { kind: 'counter', action: 'list', name: '' }
  for (const [action, pattern] of FORMS) {
    const match = pattern.exec(said.text)
    const name = match === null ? '' : nameOf(said, match)
    if (name !== '') return { kind: 'counter', action, name }
  }
  return undefined
}
