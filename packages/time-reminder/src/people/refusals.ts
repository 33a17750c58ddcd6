import type { Language } from 'dsh-time-core'
import { sayDetail } from '../details.ts'
import type { Refusal, RefusalCode } from '../errors.ts'

/** The refusals in Chinese; English is the tools' own. */
const ZH: Readonly<Record<RefusalCode, string>> = {
  'bad-request': '请求格式不对。',
  'bad-mode': '模式只能是关闭（off）、计划（cron）、每轮（turn）、每步（fine）。',
  'bad-cron': 'cron 表达式无效，没有改动。',
  'bad-name': '名称无效。',
  'bad-time': '时间无效，没有改动。',
  'no-such-counter': '这里看不到这个名称的计数器。',
  'no-such-countdown': '本会话没有这个名称的倒计时；/timer 可以查看。',
  'too-many': '已经太多了，请先取消一些。',
  'not-live': '会话没有打开，请先打开它。',
  'not-found': '没有这个会话。',
  internal: '时钟出错，没有已知的改动。',
}

const UNCLEAR = {
  en: 'Not understood; nothing was changed. Write the time first (24 hours), then the name. For example:',
  zh: '没有看懂，没有改动。请先写时间（24 小时制），再写名称。例如：',
} as const

/** One example of each form of `/timer`. */
const TIMER = {
  en: ['10m tea', '15:30 call Ann', 'snooze tea 5m', 'cancel tea'],
  zh: ['10分钟 泡茶', '15:30 给小安打电话', '推迟 泡茶 5分钟', '取消 泡茶'],
} as const

/** What may be written instead of what was refused, where that can be said. */
const EXAMPLES: Readonly<Partial<Record<RefusalCode, Readonly<Record<Language, readonly string[]>>>>> = {
  'bad-mode': { en: ['turn', 'cron 0 9 * * 1-5'], zh: ['每轮', '计划 0 9 * * 1-5'] },
  'bad-cron': { en: ['cron 0 9 * * 1-5'], zh: ['计划 0 9 * * 1-5'] },
  'bad-name': TIMER,
  'bad-time': TIMER,
}

/** A refusal in words. */
export interface Said {
  readonly message: string
  /** What exactly is wrong, or what would be right. */
  readonly detail?: string
  /** What may be written instead. */
  readonly examples: readonly string[]
}

/**
 * Put a refusal into words, with what may be written instead.
 *
 * @param refusal - of the clock or a countdown; `unclear`: nothing was recognised.
 * @param language - of the person.
 */
export function sayRefusal(refusal: Refusal | 'unclear', language: Language): Said {
  if (refusal === 'unclear') return { message: UNCLEAR[language], examples: TIMER[language] }
  const { code, message, detail } = refusal
  return { message: language === 'zh' ? ZH[code] : message, ...(detail !== undefined && { detail: sayDetail(detail, language) }), examples: EXAMPLES[code]?.[language] ?? [] }
}
