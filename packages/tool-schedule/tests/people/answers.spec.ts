import { describe, expect, it } from 'vitest'
import { sayChange, sayList, sayNo } from '../../src/people/answers.ts'
import { moment } from '../../src/people/state.ts'
import type { PendingReminder, ReminderState } from '../../src/people/wire.ts'
import { FRIDAY } from './desk-host.ts'

const HOUR = 3_600_000

function pending(more: Partial<PendingReminder> = {}): PendingReminder {
  return { id: 'r-1', occurrenceId: 'r-1', prompt: '喝水', state: 'scheduled', due: moment(FRIDAY + HOUR), next: [], setBy: 'person', unattended: false, wake: false, ...more }
}

function state(reminders: readonly PendingReminder[], more: Partial<ReminderState> = {}): ReminderState {
  const limits = { maxUnanswered: 10, maxUnattendedChain: 50, maxPromptLength: 2000, maxTextLength: 2200, minEverySeconds: 300, shown: 500 }
  return { sessionId: 'one', revision: 1, live: true, stored: true, now: moment(FRIDAY), zones: {}, pending: reminders, total: reminders.length, past: [], limits, ...more }
}

describe('answers', () => {
  it.each([
    ['en', 'Set r-1 “喝水” · 2026-10-09 02:00:00Z · in 1h\nDelivered in this session while it is open, else when it is opened again.\nNot confirmed as stored yet: do not repeat it, look at /reminders.'],
    ['zh', '已设置 r-1 “喝水” · 2026-10-09 02:00:00Z · 还有 1h\n会话打开时在会话中送达，否则在下次打开时送达。\n尚未确认写入磁盘：请不要重复操作，先查看 /reminders。'],
  ] as const)('S3 T10 a change in %s says what, when, where, and whether it is stored', (language, text) => {
    expect(sayChange('set', { stored: false, reminder: pending(), notes: [], revision: 1 }, FRIDAY, language)).toBe(text)
  })

  it.each([
    ['en', ['overdue', 'paused until you write a message · every 1h · then 2026-10-09 03:00:00Z'], '2 pending:', 'Cancelled r-1.'],
    ['zh', ['已到期', '已暂停，等您发消息后继续 · 每 1h · 之后 2026-10-09 03:00:00Z'], '共有 2 个提醒：', '已取消 r-1.'],
  ] as const)('T10 a list in %s', (language, ends, head, cancelled) => {
    const rule = { kind: 'every', everySeconds: 3600, anchor: moment(FRIDAY) } as const
    const rows = [pending({ state: 'overdue' }), pending({ state: 'paused', rule, next: [moment(FRIDAY + 2 * HOUR)] })]
    const lines = sayList(state(rows), language).split('\n')
    expect(lines[0]).toBe(head)
    expect(lines.slice(1).map((line) => line.split('02:00:00Z · ')[1])).toEqual(ends)
    expect(sayChange('deleted', { stored: true, removed: 'r-1', notes: [], revision: 1 }, FRIDAY, language)).toBe(cancelled)
  })

  it.each([['en', '… and 1 more.'], ['zh', '……还有 1 个。']] as const)('P7 T10 a long list in %s ends with what it leaves out', (language, last) => {
    const lines = sayList(state(Array.from({ length: 21 }, () => pending())), language).split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([22, last])
  })

  it('S8 T10 a broken log is named in both languages', () => {
    const broken = state([], { corruption: { seq: 7, rule: 'id is used twice' } })
    expect(sayList(broken, 'en')).toContain('at event 7: id is used twice')
    expect(sayList(broken, 'zh')).toContain('第 7 个事件')
  })

  it('X4 T10 what a refusal repeats of the input stays on its line', () => {
    expect(sayNo({ code: 'x', message: 'No.', detail: 'a\nb\u2028c', examples: ['d\ne'] }, 'en', '/remind').split(/[\n\u2028]/)).toEqual(['No. a b c', 'For example:', '  /remind d e'])
  })
})
