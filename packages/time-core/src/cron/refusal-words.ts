import { plainLine } from '../safe-text.ts'
import { sayIn, type Language, type Sentences } from '../sentences.ts'
import type { CronField, ItemFault } from './field.ts'
import { MAX_CRON_LENGTH, type CronRefusal } from './parse.ts'

const EN_FIELDS: Readonly<Record<CronField, string>> = { minute: 'minute', hour: 'hour', day: 'day-of-month', month: 'month', weekday: 'weekday' }
const ZH_FIELDS: Readonly<Record<CronField, string>> = { minute: '分钟', hour: '小时', day: '日期', month: '月份', weekday: '星期' }

/** The ends of the sentences on one item of a field. */
const FAULTS: Sentences<ItemFault> = {
  en: {
    value: ({ least, most, names }) => `allowed are ${least} to ${most}${names.length === 0 ? '' : ` and the names ${names.join(' ')}`}`,
    'step-alone': () => 'a step needs "*" or a range before the slash',
    backwards: () => 'a range must not run backwards',
    step: ({ most }) => `a step must be between 1 and ${most}`,
    empty: () => 'there is nothing between two commas, or before or after one',
    'question-mark': () => '"?" is not supported, use "*"',
    'nth-weekday': () => 'the nth weekday of a month ("#") is not supported',
    'nearest-weekday': () => 'the nearest weekday ("W") is not supported',
    'last-of': () => 'only "L" alone in the day-of-month field is supported',
  },
  zh: {
    value: ({ least, most, names }) => `可以写 ${least} 到 ${most}${names.length === 0 ? '' : `，或名称 ${names.join(' ')}`}`,
    'step-alone': () => '斜杠前需要 "*" 或一个范围',
    backwards: () => '范围不能倒着写',
    step: ({ most }) => `步长必须在 1 到 ${most} 之间`,
    empty: () => '逗号前后不能为空',
    'question-mark': () => '不支持 "?"，请用 "*"',
    'nth-weekday': () => '不支持每月第几个星期几（"#"）',
    'nearest-weekday': () => '不支持最近的工作日（"W"）',
    'last-of': () => '只支持在日期字段中单独写 "L"',
  },
}

const EN_ORDER = 'minute, hour, day of month, month, weekday'
const ZH_ORDER = '分、时、日、月、星期'

const REFUSALS: Sentences<CronRefusal> = {
  en: {
    'no-text': () => `A cron expression is a text of five fields: ${EN_ORDER}.`,
    'too-long': ({ length }) => `A cron expression has at most ${MAX_CRON_LENGTH} characters; this one has ${length}.`,
    'foreign-sign': ({ codePoint }) => `A cron expression is one line of plain ASCII; ${unicode(codePoint)} is not.`,
    macro: ({ macro }) => `The macro ${quote(macro)} is not supported; write five fields.`,
    'field-count': ({ text, count }) => `A cron expression has five fields (${EN_ORDER}); ${quote(text)} has ${count}${count > 5 ? ': seconds, years and anything after the weekday are not supported' : ''}.`,
    unreadable: ({ field, item, fault }) => `The ${EN_FIELDS[field]} field cannot read ${quote(item)}: ${sayIn(FAULTS, fault, 'en')}.`,
    never: ({ day, month }) => `The day-of-month field ${quote(day)} never occurs in month ${quote(month)}.`,
  },
  zh: {
    'no-text': () => `cron 表达式是由五个字段组成的文字：${ZH_ORDER}。`,
    'too-long': ({ length }) => `cron 表达式最多 ${MAX_CRON_LENGTH} 个字符，这里有 ${length} 个。`,
    'foreign-sign': ({ codePoint }) => `cron 表达式只能是一行 ASCII 字符，${unicode(codePoint)} 不是。`,
    macro: ({ macro }) => `不支持宏 ${quote(macro)}，请写五个字段。`,
    'field-count': ({ text, count }) => `cron 表达式有五个字段（${ZH_ORDER}），${quote(text)} 有 ${count} 个${count > 5 ? '：不支持秒、年以及星期之后的内容' : ''}。`,
    unreadable: ({ field, item, fault }) => `${ZH_FIELDS[field]}字段无法读取 ${quote(item)}：${sayIn(FAULTS, fault, 'zh')}。`,
    never: ({ day, month }) => `日期字段 ${quote(day)} 在月份 ${quote(month)} 中永远不会出现。`,
  },
}

/**
 * Why an expression is refused, as one plain sentence on one line; of what was written it quotes at most 40 characters.
 *
 * @param language - of whoever reads it; the model reads English.
 */
export function sayCronRefusal(refusal: CronRefusal, language: Language): string {
  return sayIn(REFUSALS, refusal, language)
}

function quote(text: string): string {
  return `"${plainLine(text, 40)}"`
}

function unicode(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}
