import { sayCronRefusal, sayIn, type CronRefusal, type Instant, type Language, type Sentences, type ZoneName } from 'dsh-time-core'
import { stamp } from './frame.ts'

/**
 * What exactly is wrong with an argument, or what would be right; `sayDetail` puts it into words. `field` and `fields` are
 * names of arguments, `most` is a limit that is still allowed.
 */
export type Detail =
  | { readonly code: 'known-fields'; readonly fields: readonly string[] }
  | { readonly code: 'one-of'; readonly field: string; readonly words: readonly string[] }
  | { readonly code: 'true-or-false'; readonly field: string }
  | { readonly code: 'session-id' }
  | { readonly code: 'cron'; readonly refusal: CronRefusal }
  /** Of a counter or a countdown; `most` in code points. */
  | { readonly code: 'name'; readonly most: number }
  | { readonly code: 'note' }
  | { readonly code: 'note-needed' }
  | { readonly code: 'scope-needed'; readonly fields: readonly string[] }
  | { readonly code: 'depth'; readonly most: number }
  | { readonly code: 'duration' }
  | { readonly code: 'time-of-day' }
  | { readonly code: 'in-or-at' }
  | { readonly code: 'snooze-takes-in' }
  | { readonly code: 'beyond-years' }
  /** `time` is `HH:mm`, and `firstAfter` the first instant after the gap. */
  | { readonly code: 'clocks-skip'; readonly zone: ZoneName; readonly date: string; readonly time: string; readonly firstAfter: Instant }
  | { readonly code: 'counter-limit'; readonly most: number }
  | { readonly code: 'countdown-limit'; readonly most: number }

const DETAILS: Sentences<Detail> = {
  en: {
    'known-fields': ({ fields }) => `Known fields: ${fields.join(', ')}.`,
    'one-of': ({ field, words }) => `${field} must be one of ${words.join(', ')}.`,
    'true-or-false': ({ field }) => `${field} must be true or false.`,
    'session-id': () => 'sessionId must be the id of a session.',
    cron: ({ refusal }) => sayCronRefusal(refusal, 'en'),
    name: ({ most }) => `name must be a text of 1 to ${most} characters.`,
    note: () => 'note must be a text.',
    'note-needed': () => 'note needs a note; an empty one takes it back.',
    'scope-needed': ({ fields }) => `scope needs one of ${fields.join(', ')}.`,
    depth: ({ most }) => `depth must be a whole number from 1 to ${most}.`,
    duration: () => 'in must be a duration such as 90s, 10m, 1h30m or 2d.',
    'time-of-day': () => 'at must be a time of day such as 15:30.',
    'in-or-at': () => 'Give exactly one of in and at.',
    'snooze-takes-in': () => 'snooze takes in.',
    'beyond-years': () => 'It lies beyond the year 9999.',
    'clocks-skip': ({ zone, date, time, firstAfter }) => `The clocks of ${zone} skip ${time} on ${date}; the first time after that is ${stamp(firstAfter, zone)}.`,
    'counter-limit': ({ most }) => `The limit is ${most} counters.`,
    'countdown-limit': ({ most }) => `The limit is ${most} countdowns.`,
  },
  zh: {
    'known-fields': ({ fields }) => `可用的字段：${fields.join('、')}。`,
    'one-of': ({ field, words }) => `${field} 只能是 ${words.join('、')} 之一。`,
    'true-or-false': ({ field }) => `${field} 只能是 true 或 false。`,
    'session-id': () => 'sessionId 必须是会话的编号。',
    cron: ({ refusal }) => sayCronRefusal(refusal, 'zh'),
    name: ({ most }) => `名称必须是 1 到 ${most} 个字符的文字。`,
    note: () => '备注必须是文字。',
    'note-needed': () => '请给出备注；空的备注表示去掉它。',
    'scope-needed': ({ fields }) => `请给出 ${fields.join('、')} 之一。`,
    depth: ({ most }) => `depth 必须是 1 到 ${most} 的整数。`,
    duration: () => '时长应形如 90s、10m、1h30m 或 2d。',
    'time-of-day': () => '时刻应形如 15:30。',
    'in-or-at': () => '时长和时刻必须给出一个，且只能给出一个。',
    'snooze-takes-in': () => '推迟只接受时长。',
    'beyond-years': () => '它在公元 9999 年之后。',
    'clocks-skip': ({ zone, date, time, firstAfter }) => `${zone} 的时钟在 ${date} 会跳过 ${time}，跳过之后的第一个时刻是 ${stamp(firstAfter, zone)}。`,
    'counter-limit': ({ most }) => `最多 ${most} 个计数器。`,
    'countdown-limit': ({ most }) => `最多 ${most} 个倒计时。`,
  },
}

/**
 * A detail as one plain sentence.
 *
 * @param detail - of a refusal.
 * @param language - of the reader; the model's is English.
 */
export function sayDetail(detail: Detail, language: Language): string {
  return sayIn(DETAILS, detail, language)
}
