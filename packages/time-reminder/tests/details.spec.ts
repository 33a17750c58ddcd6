import { parseZone, type ZoneName } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import { sayDetail, type Detail } from '../src/details.ts'

type Said = readonly [detail: Detail, en: string, zh: string]

/** Every code, with what the model and a person who reads Chinese are told. */
const DETAILS: { readonly [C in Detail['code']]: readonly [detail: Extract<Detail, { code: C }>, en: string, zh: string] } = {
  'known-fields': [{ code: 'known-fields', fields: ['mode', 'cron'] }, 'Known fields: mode, cron.', '可用的字段：mode、cron。'],
  'one-of': [{ code: 'one-of', field: 'onFire', words: ['wake', 'inject'] }, 'onFire must be one of wake, inject.', 'onFire 只能是 wake、inject 之一。'],
  'true-or-false': [{ code: 'true-or-false', field: 'inject' }, 'inject must be true or false.', 'inject 只能是 true 或 false。'],
  'session-id': [{ code: 'session-id' }, 'sessionId must be the id of a session.', 'sessionId 必须是会话的编号。'],
  cron: [{ code: 'cron', refusal: { code: 'macro', macro: '@DAILY' } }, 'The macro "@DAILY" is not supported; write five fields.', '不支持宏 "@DAILY"，请写五个字段。'],
  name: [{ code: 'name', most: 64 }, 'name must be a text of 1 to 64 characters.', '名称必须是 1 到 64 个字符的文字。'],
  note: [{ code: 'note' }, 'note must be a text.', '备注必须是文字。'],
  'note-needed': [{ code: 'note-needed' }, 'note needs a note; an empty one takes it back.', '请给出备注；空的备注表示去掉它。'],
  'scope-needed': [{ code: 'scope-needed', fields: ['inject', 'depth'] }, 'scope needs one of inject, depth.', '请给出 inject、depth 之一。'],
  depth: [{ code: 'depth', most: 9 }, 'depth must be a whole number from 1 to 9.', 'depth 必须是 1 到 9 的整数。'],
  duration: [{ code: 'duration' }, 'in must be a duration such as 90s, 10m, 1h30m or 2d.', '时长应形如 90s、10m、1h30m 或 2d。'],
  'time-of-day': [{ code: 'time-of-day' }, 'at must be a time of day such as 15:30.', '时刻应形如 15:30。'],
  'in-or-at': [{ code: 'in-or-at' }, 'Give exactly one of in and at.', '时长和时刻必须给出一个，且只能给出一个。'],
  'snooze-takes-in': [{ code: 'snooze-takes-in' }, 'snooze takes in.', '推迟只接受时长。'],
  'beyond-years': [{ code: 'beyond-years' }, 'It lies beyond the year 9999.', '它在公元 9999 年之后。'],
  'clocks-skip': [
    { code: 'clocks-skip', zone: parseZone('America/New_York') as ZoneName, date: '2026-03-08', time: '02:30', firstAfter: Date.parse('2026-03-08T07:00:00Z') },
    'The clocks of America/New_York skip 02:30 on 2026-03-08; the first time after that is 2026-03-08T03:00:00-04:00.',
    'America/New_York 的时钟在 2026-03-08 会跳过 02:30，跳过之后的第一个时刻是 2026-03-08T03:00:00-04:00。',
  ],
  'counter-limit': [{ code: 'counter-limit', most: 50 }, 'The limit is 50 counters.', '最多 50 个计数器。'],
  'countdown-limit': [{ code: 'countdown-limit', most: 50 }, 'The limit is 50 countdowns.', '最多 50 个倒计时。'],
}

describe('details of refusals', () => {
  it.each(Object.values(DETAILS) as Said[])('R2 T10 %j is said in both languages', (detail, en, zh) => {
    expect([sayDetail(detail, 'en'), sayDetail(detail, 'zh')]).toEqual([en, zh])
  })
})
