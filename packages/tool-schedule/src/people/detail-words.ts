import type { Language } from './wire.ts'

/** One text in every language of people; a language that is missing does not compile. */
export type Words = Readonly<Record<Language, string>>

/** A detail: in words for both languages, or what is the same in both, such as a time; that of a tool is in English. */
export type Detail = string | Words

const FIELDS: Readonly<Record<string, string>> = { minute: '分钟', hour: '小时', 'day-of-month': '日期', month: '月份', weekday: '星期' }

/** Takes what a pattern has found; a group that took no part is undefined. */
type Say = (...found: readonly (string | undefined)[]) => string

/** Why one part of a field of a calendar rule cannot be read. */
const REASONS: readonly (readonly [RegExp, Say])[] = [
  [/^a step needs "\*" or a range before the slash$/, () => '斜杠前需要 "*" 或一个范围'],
  [/^a range must not run backwards$/, () => '范围不能倒着写'],
  [/^a step must be between 1 and (\d+)$/, (most) => `步长必须在 1 到 ${most} 之间`],
  [/^allowed are (\d+) to (\d+)$/, (least, most) => `可以写 ${least} 到 ${most}`],
  [/^allowed are (\d+) to (\d+) and the names (.+)$/, (least, most, names) => `可以写 ${least} 到 ${most}，或名称 ${names}`],
  [/^there is nothing between two commas, or before or after one$/, () => '逗号前后不能为空'],
  [/^"\?" is not supported, use "\*"$/, () => '不支持 "?"，请用 "*"'],
  [/^the nth weekday of a month \("#"\) is not supported$/, () => '不支持每月第几个星期几（"#"）'],
  [/^the nearest weekday \("W"\) is not supported$/, () => '不支持最近的工作日（"W"）'],
  [/^only "L" alone in the day-of-month field is supported$/, () => '只支持在日期字段中单独写 "L"'],
]

/** What the tools say of texts and times that a person can write. */
const OF_TOOLS: readonly (readonly [RegExp, Say])[] = [
  [/^The (\S+) field cannot read (.+): (.+?)\.$/s, (field = '', item, why = '') => `${FIELDS[field] ?? field}字段无法读取 ${item}：${translate(why, REASONS)}。`],
  [/^The day-of-month field (.+) never occurs in month (.+)\.$/, (day, month) => `日期字段 ${day} 在月份 ${month} 中永远不会出现。`],
  [/^A cron expression is a text of five fields: .+\.$/, () => 'cron 表达式是由五个字段组成的文字：分、时、日、月、星期。'],
  [/^A cron expression has at most (\d+) characters; this one has (\d+)\.$/, (most, length) => `cron 表达式最多 ${most} 个字符，这里有 ${length} 个。`],
  [/^A cron expression is one line of plain ASCII; (\S+) is not\.$/, (sign) => `cron 表达式只能是一行 ASCII 字符，${sign} 不是。`],
  [/^The macro (.+) is not supported; write five fields\.$/, (macro) => `不支持宏 ${macro}，请写五个字段。`],
  [/^A cron expression has five fields \(.+?\); (.+) has (\d+)(: seconds.+)?\.$/, (text, count, extra) => `cron 表达式有五个字段（分、时、日、月、星期），${text} 有 ${count} 个${extra === undefined ? '' : '：不支持秒、年以及星期之后的内容'}。`],
  [/^Now is (.+)\.$/, (now) => `现在是 ${now}。`],
  [/^Choose a time before the year 10000\.$/, () => '请选择公元 10000 年之前的时间。'],
  [/^The clocks in (\S+) skip this time; the first time after the gap is (.+)\.$/, (zone, first) => `${zone} 的时钟会跳过这个时间，跳过之后的第一个时刻是 ${first}。`],
  [/^(\d+) since a person last wrote\.$/, (count) => `自上次有人发消息以来已有 ${count} 个。`],
  [/^Event (\d+): (.+)\.$/, (seq, rule) => `第 ${seq} 个事件：${rule}。`],
]

/**
 * A detail in a person's language. One of a tool that is not known stays as it is: better read in English than not at
 * all.
 *
 * @param detail - of a refusal.
 * @param language - of the person.
 */
export function sayDetail(detail: Detail, language: Language): string {
  if (typeof detail !== 'string') return detail[language]
  return language === 'en' ? detail : translate(detail, OF_TOOLS)
}

function translate(text: string, table: readonly (readonly [RegExp, Say])[]): string {
  for (const [pattern, say] of table) {
    const found = pattern.exec(text)
    if (found !== null) return say(...found.slice(1))
  }
  return text
}
