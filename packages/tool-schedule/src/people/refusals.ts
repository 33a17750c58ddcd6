import { sayDetail, type Detail } from '../details.ts'
import { REFUSALS, type Refusal, type RefusalCode } from '../errors.ts'
import type { Language, WireRefusal } from './wire.ts'

/** One text in every language of people; a language that is missing does not compile. */
type Words = Readonly<Record<Language, string>>

/** What the tools refuse, in the words of a person's language; English is theirs. */
const OF_TOOLS: Readonly<Record<RefusalCode, string>> = {
  invalid_prompt: '提醒内容不能为空，去掉首尾空格后最多 2000 个字符。',
  invalid_selector: '请给出内容，并且只给出一种时间；没有其他字段。',
  invalid_rule: '这个时间或规则无效。',
  invalid_time_zone: '时区必须是 UTC 或 IANA 名称，例如 Asia/Shanghai；不接受缩写和偏移量。',
  timezone_confirmation_required: '请说明是哪个时区。',
  not_future: '时间必须在将来。',
  time_out_of_range: '时间必须在公元 0001 年到 9999 年之间。',
  frequency_too_high: '重复间隔不能少于 300 秒。',
  no_future_occurrence: '这条规则今后不会再触发。',
  unattended_limit: '无人参与的回合里已经设置了太多提醒，请先发一条消息。',
  corrupt_schedule_log: '本会话的提醒记录格式有误，因此不作任何推断；会话本身不受影响。',
  persistence_uncertain: '无法确认会话日志已写入磁盘。请不要直接重复操作，先查看提醒；如果一直这样，请检查磁盘并重新打开会话。',
  schedule_not_found: '没有这个编号的提醒。',
  internal_error: '操作失败。没有已知的改动；请查看提醒以确认。',
}

/** What only people can run into. */
const OF_PEOPLE = {
  not_understood: { en: 'No time was recognised. Write the time first, then what to remind of.', zh: '没有认出时间。请先写时间，再写提醒内容。' },
  time_missing: { en: 'The time of day is missing.', zh: '缺少具体时间。' },
  ambiguous_time: { en: 'This hour can mean morning or evening.', zh: '这个钟点可能是上午，也可能是晚上。' },
  ambiguous_date: { en: 'This date can mean two different days.', zh: '这个日期可能指两个不同的日子。' },
  no_such_time: { en: 'This date or time of day does not exist.', zh: '这个日期或时间不存在。' },
  skipped_time: { en: 'The clocks skip this time on that day.', zh: '那一天时钟会跳过这个时间。' },
  time_zone_needed: { en: 'Your time zone is not known here. Write it behind the time.', zh: '这里不知道您的时区，请写在时间后面。' },
  text_too_long: { en: 'The text is too long.', zh: '文字太长了。' },
  id_needed: { en: 'Which reminder? Give its id; /reminders shows them.', zh: '是哪一个提醒？请写出编号，/reminders 可以查看。' },
  bad_request: { en: 'The request is not valid.', zh: '请求无效。' },
  nothing_to_undo: { en: 'There is nothing to bring back.', zh: '没有可以恢复的提醒。' },
  session_not_found: { en: 'There is no such session.', zh: '没有这个会话。' },
  session_unavailable: { en: 'The session is closed and could not be opened. Open it in the page, then try again.', zh: '会话已关闭，无法打开。请在页面中打开它，然后再试。' },
  reminders_unavailable: { en: 'This session has no reminders: they belong to sessions of people.', zh: '这个会话没有提醒功能。' },
} as const satisfies Readonly<Record<string, Words>>

/** One example of each form of the grammar. */
const GRAMMAR: Readonly<Record<Language, readonly string[]>> = {
  en: ['10m stretch', '15:30 call Ann', 'tomorrow 9:00 stand-up', 'every 2h drink water', 'cron "0 9 * * 1-5" stand-up'],
  zh: ['10分钟后 伸展', '15:30 给小安打电话', '明天 9:00 晨会', '每2小时 喝水', 'cron "0 9 * * 1-5" 晨会'],
}

type PeopleCode = keyof typeof OF_PEOPLE

/** A refusal before it is put into words. */
export interface PeopleRefusal {
  readonly code: PeopleCode | RefusalCode
  readonly field?: string
  /** That of a tool, words in both languages, or what is the same in both, such as a time. */
  readonly detail?: Detail | Words | string
  readonly examples?: readonly string[]
  /** One example of each form of the grammar, in the language of the answer, instead of `examples`. */
  readonly showsGrammar?: true
}

/**
 * A refusal for people.
 *
 * @param code - why.
 * @param more - the member that is wrong, the detail of it, and what may be written instead.
 */
export function deny(code: PeopleRefusal['code'], more: Omit<PeopleRefusal, 'code'> = {}): PeopleRefusal {
  return { code, ...more }
}

/**
 * Put a refusal into words.
 *
 * @param refusal - of the tools or of people.
 * @param language - of the person.
 */
export function sayRefusal(refusal: PeopleRefusal | Refusal, language: Language): WireRefusal {
  const { code, field, detail } = refusal
  const examples = 'showsGrammar' in refusal ? GRAMMAR[language] : 'examples' in refusal ? refusal.examples : undefined
  return {
    code,
    message: isOfTools(code) ? (language === 'en' ? REFUSALS[code] : OF_TOOLS[code]) : OF_PEOPLE[code][language],
    ...(field !== undefined && { field }),
    ...(detail !== undefined && { detail: inWords(detail, language) }),
    ...(examples !== undefined && { examples }),
  }
}

function inWords(detail: NonNullable<PeopleRefusal['detail']>, language: Language): string {
  if (typeof detail === 'string') return detail
  return 'code' in detail ? sayDetail(detail, language) : detail[language]
}

function isOfTools(code: PeopleRefusal['code']): code is RefusalCode {
  return Object.hasOwn(REFUSALS, code)
}
