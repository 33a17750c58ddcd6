import { describe, expect, it } from 'vitest'
import { tell } from '../src/answers.ts'

const answer = (tool: string, value: unknown, language: 'en' | 'zh' = 'en') =>
  tell({ tool, text: typeof value === 'string' ? value : JSON.stringify(value), isError: false }, language)

const VIEW = { deliveryMode: 'session-local', id: 'schedule-1', kind: 'after', prompt: 'stretch\nnow', scheduledAt: '2026-10-09T01:00:00.000Z', state: 'scheduled' }

describe('answers', () => {
  it('a created reminder is told with id, instant and text', () => {
    expect(answer('schedule_create', VIEW)).toBe('Reminder schedule-1 is set for 2026-10-09T01:00:00.000Z: "stretch now".')
    expect(answer('reminder_create', VIEW, 'zh')).toBe('已设好提醒 schedule-1，时间 2026-10-09T01:00:00.000Z：“stretch now”。')
  })

  it('the local form is told if given, and the coming fires of a series', () => {
    const next = ['2026-10-10T09:00:00+08:00[Asia/Shanghai]', '2026-10-11T01:00:00.000Z', 7]
    const view = { ...VIEW, local: '2026-10-09T09:00:00+08:00[Asia/Shanghai]', next }
    expect(answer('schedule_create', view)).toBe(
      'Reminder schedule-1 is set for 2026-10-09 09:00:00 Asia/Shanghai (2026-10-09T01:00:00.000Z): "stretch now". After that: 2026-10-10 09:00:00 Asia/Shanghai, 2026-10-11T01:00:00.000Z.',
    )
    expect(answer('schedule_create', { ...VIEW, local: '2026-10-09T09:00:00.500+08:00' })).toContain('for 2026-10-09 09:00:00 +08:00 (2026-10-09T01:00:00.000Z)')
    expect(answer('schedule_create', { ...VIEW, local: 'soon' })).toContain('for soon (2026')
    expect(answer('schedule_create', { ...VIEW, next: [] })).not.toContain('After that')
  })

  it('a list names each reminder, at most ten, and counts the rest', () => {
    expect(answer('schedule_list', [])).toBe('You have no reminders.')
    expect(answer('schedule_list', { total: 0, reminders: [] }, 'zh')).toBe('你没有提醒。')
    expect(answer('schedule_list', [VIEW])).toBe('You have 1 reminder:\n- schedule-1 · 2026-10-09T01:00:00.000Z · stretch now')
    const many = answer('schedule_list', { total: 60, reminders: Array.from({ length: 50 }, (_, index) => ({ ...VIEW, id: `schedule-${index}` })) })
    expect(many.split('\n')).toHaveLength(12)
    expect(many).toContain('You have 60 reminders:')
    expect(many).toContain('… and 50 more.')
    expect(answer('schedule_list', { reminders: [{}, VIEW] })).toContain('- ? · ? ·')
  })

  it('a row of a list is told with its local time and its zone, which may stand above the rows', () => {
    const rows = ['2026-10-09T09:00:00+08:00', '2026-10-08T21:00:00-04:00[America/New_York]', '2026-10-09T01:00:00Z'].map((due, index) => ({ id: `r-${index}`, prompt: 'stretch', due, state: 'scheduled' }))
    const told = ['2026-10-09 09:00:00 Asia/Shanghai', '2026-10-08 21:00:00 America/New_York', '2026-10-09T01:00:00Z'].map((when, index) => `- r-${index} · ${when} · stretch`)
    expect(answer('schedule_list', { total: 3, zone: 'Asia/Shanghai', reminders: rows, series: [{ id: 'r-0', cron: '0 9 * * *', next: ['2026-10-10'] }] })).toBe(['You have 3 reminders:', ...told].join('\n'))
    expect(answer('schedule_list', { total: 1, reminders: rows.slice(0, 1) }, 'zh')).toBe('你有 1 条提醒：\n- r-0 · 2026-10-09 09:00:00 +08:00 · stretch')
  })

  it('a list of one id is told as that reminder, or that there is none', () => {
    expect(answer('schedule_list', { ...VIEW, local: '2026-10-09T09:00:00+08:00', zone: 'Asia/Shanghai' })).toBe('- schedule-1 · 2026-10-09 09:00:00 +08:00 (2026-10-09T01:00:00.000Z) · stretch now')
    expect(answer('schedule_list', { id: 'r-9', code: 'schedule_not_found', message: 'No active reminder has this id.' })).toBe('That was refused: No active reminder has this id. (schedule_not_found)')
  })

  it('a cancelled, an unknown and a snoozed reminder are told by id', () => {
    expect(answer('schedule_delete', { id: 'r-1', deleted: true })).toBe('Reminder r-1 is cancelled.')
    expect(answer('schedule_delete', { id: 'r-1', deleted: false, code: 'schedule_not_found' })).toBe('There is no active reminder r-1.')
    expect(answer('schedule_snooze', VIEW)).toBe('Reminder schedule-1 comes again at 2026-10-09T01:00:00.000Z.')
    expect(answer('time_mode', { mode: 'turn' })).toBe('The clock is now in mode turn.')
  })

  it.each([
    ['schedule_create', { ...VIEW, next: ['2026-10-10T01:00:00.000Z'] }, '之后：2026-10-10T01:00:00.000Z。'],
    ['schedule_list', { total: 12, reminders: Array.from({ length: 12 }, () => VIEW) }, '你有 12 条提醒：'],
    ['schedule_list', [VIEW, VIEW, VIEW, VIEW, VIEW, VIEW, VIEW, VIEW, VIEW, VIEW, VIEW], '……还有 1 条。'],
    ['schedule_delete', { id: 'r-1', deleted: true }, '提醒 r-1 已取消。'],
    ['schedule_delete', { id: 'r-1', deleted: false }, '没有编号为 r-1 的待办提醒。'],
    ['schedule_snooze', VIEW, '提醒 schedule-1 将在 2026-10-09T01:00:00.000Z 再次响起。'],
    ['time_mode', { mode: 'turn' }, '时钟现在是 turn 模式。'],
    ['time_counter', { set: true, action: 'start', name: '构建' }, '计时器 构建 从现在开始计时。'],
    ['time_counter', { set: true, action: 'reset', name: '构建', before: '3m7s' }, '计时器 构建 从现在开始计时。此前已计 3m7s。'],
    ['time_counter', { name: '构建', lapse: '3m7s' }, '计时器 构建 已经过去 3m7s。'],
    ['time_counter', { set: true, action: 'scope', name: '构建', lapse: '3m7s' }, '计时器 构建 已修改，已经过去 3m7s。'],
    ['time_counter', { set: true, action: 'remove', name: '构建', lapse: '3m7s' }, '计时器 构建 已删除，共计 3m7s。'],
    ['time_counter', { total: 0, counters: [] }, '没有计时器。'],
    ['time_counter', { total: 1, counters: [{ name: '构建', lapse: '3m7s', note: '全部' }] }, '共有 1 个计时器：\n- 构建 · 3m7s (全部)'],
    ['time_countdown', { set: true, action: 'start', name: '茶', due: '2026-10-09T09:00:00+08:00[Asia/Shanghai]', left: '10m' }, '倒计时 茶 将在 10m 后结束，时间 2026-10-09 09:00:00 Asia/Shanghai。'],
    ['time_countdown', { set: true, action: 'cancel', name: '茶' }, '倒计时 茶 已取消。'],
    ['time_countdown', { odd: 1 }, 'time_countdown 的结果：odd: 1'],
    ['time_countdown', { total: 0, pending: [] }, '没有倒计时。'],
    ['time_countdown', { total: 1, pending: [{ name: '茶', left: '10m', due: '2026-10-09T09:00:00+08:00' }] }, '共有 1 个倒计时：\n- 茶 · 还有 10m · 2026-10-09 09:00:00 +08:00'],
  ])('the value of %s is told in Chinese too', (tool, value, text) => {
    expect(answer(tool, value, 'zh')).toContain(text)
  })

  it.each(['schedule_create', 'schedule_list', 'schedule_delete', 'schedule_snooze', 'time_mode', 'time_counter'])('a refusal of %s is told with its message and code', tool => {
    const refusal = { deliveryMode: 'session-local', code: 'not_future', message: 'The time must lie in the future.' }
    expect(answer(tool, refusal)).toBe('That was refused: The time must lie in the future. (not_future)')
    expect(answer(tool, { ...refusal, detail: 'It was 3 s ago.' }, 'zh')).toBe('没有成功：The time must lie in the future. It was 3 s ago.（not_future）')
  })

  it.each([
    ['time_counter', { set: true, action: 'start', name: 'build' }, 'Counter build runs from now on.'],
    ['time_counter', { set: true, action: 'start', name: 'build', before: '3m7s' }, 'Counter build runs from now on. It had run for 3m7s.'],
    ['time_counter', { set: true, action: 'note', name: 'build', lapse: '3m7s' }, 'Counter build is changed; it has run for 3m7s.'],
    ['time_counter', { set: true, action: 'remove', name: 'build', lapse: '3m7s' }, 'Counter build is removed; it had run for 3m7s.'],
    ['time_counter', { set: true, action: 'remove' }, 'Counter ? is removed; it had run for ?.'],
    ['time_counter', { set: true, action: 'scope' }, 'Counter ? is changed; it has run for ?.'],
    ['time_counter', { name: 'build', lapse: '3m7s', of: 'parent' }, 'Counter build has run for 3m7s.'],
    ['time_counter', { total: 0, counters: [] }, 'There are no counters.'],
    ['time_counter', { total: 1, counters: [{ name: 'build' }] }, 'There is 1 counter:\n- build · ?'],
    ['time_counter', { total: 12, counters: Array.from({ length: 12 }, () => ({ name: 'build', lapse: '1s' })) }, 'There are 12 counters:'],
    ['time_countdown', { set: true, action: 'start', name: 'tea', due: '2026-10-09T09:00:00+08:00[Asia/Shanghai]', left: '10m' }, 'Countdown tea is over in 10m, at 2026-10-09 09:00:00 Asia/Shanghai.'],
    ['time_countdown', { set: true, action: 'snooze', name: 'tea', limit: 'Not here.' }, 'Countdown tea is over in ?, at ?. Not here.'],
    ['time_countdown', { set: true, action: 'cancel', name: 'tea' }, 'Countdown tea is cancelled.'],
    ['time_countdown', { total: 0, pending: [] }, 'There are no countdowns.'],
    ['time_countdown', { total: 1, pending: [{ name: 'tea', left: '10m', due: '2026-10-09T09:00:00+08:00' }] }, 'There is 1 countdown:\n- tea · in 10m · 2026-10-09 09:00:00 +08:00'],
    ['time_countdown', { pending: [{ name: 'a' }, { name: 'b' }] }, 'There are 2 countdowns:'],
  ])('the value of %s is told: %j', (tool, value, text) => {
    expect(answer(tool, value)).toContain(text)
  })

  it('any other value is told by its own words, else by its members, else as it is', () => {
    expect(answer('stopwatch', { name: 'build', text: '3m7s since start' })).toBe('stopwatch answered: 3m7s since start')
    expect(answer('time_counter', { deliveryMode: 'x', name: 'build', lapse: 187, more: {}, list: [] })).toBe('time_counter answered: name: build, lapse: 187')
    expect(answer('time_countdown', 'done')).toBe('time_countdown answered: done')
    expect(answer('time_countdown', { more: {} })).toBe('time_countdown answered: {"more":{}}')
    expect(answer('glob', 'No files found')).toBe('glob answered: No files found')
    expect(answer('schedule_create', 'x'.repeat(999)).length).toBeLessThan(330)
    expect(answer('schedule_delete', '[1]')).toBe(String.raw`schedule_delete answered: \[1\]`)
    expect(answer('toString', '{}')).toBe('toString answered: {}')
  })

  it('a failed tool is told as such, on one line', () => {
    expect(tell({ tool: 'x', text: 'Error:\nkaput', isError: true }, 'en')).toBe('The tool failed: Error: kaput')
  })
})
