import { parseCron } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import { REFUSALS } from '../../src/errors.ts'
import { deny, sayRefusal } from '../../src/people/refusals.ts'

describe('refusals in words', () => {
  it.each(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[])('T10 the refusal %s of the tools has words in both languages', (code) => {
    expect(sayRefusal({ code, message: REFUSALS[code] }, 'en').message).toBe(REFUSALS[code])
    expect(sayRefusal(deny(code), 'zh').message).toMatch(/\p{Script=Han}.*。$/u)
  })

  const inChinese = (detail: string): string | undefined => sayRefusal({ code: 'invalid_rule', message: '', detail }, 'zh').detail

  it('T10 every reason against a calendar rule is said in Chinese too', () => {
    const items = ['61', '5-1', '*/0', '*/99', '3/2', '1,,2', '?', '1#2', '15W', '5L', 'FOO', '2-', '1.5', '@daily', '分', '1 2']
    const rules = items.flatMap((item) => [0, 1, 2, 3, 4].map((at) => ['*', '*', '*', '*', '*'].toSpliced(at, 1, item).join(' ')))
    for (const rule of rules) {
      const parsed = parseCron(rule)
      const words = parsed.ok ? '' : (inChinese(parsed.detail) ?? '')
      // What is quoted is the person's own; names of months and weekdays are those of the rule.
      expect(words.replaceAll(/"[^"]*"|\b[A-Z]{3}\b|U\+\w+|ASCII|cron/g, '')).not.toMatch(/[A-Za-z]/)
      expect(words === '').toBe(parsed.ok)
    }
    for (const text of [7, '0 0', '*'.repeat(129), '0 0 31 2 *', '0 0 * * * *', '0 0 1 1 foo']) {
      const parsed = parseCron(text)
      expect(parsed.ok || inChinese(parsed.detail)).toMatch(/^[^a-z]*(?:cron|")/)
    }
  })

  it.each([
    ['Now is 2026-10-09T01:00:00Z.', '现在是 2026-10-09T01:00:00Z。'],
    ['Choose a time before the year 10000.', '请选择公元 10000 年之前的时间。'],
    ['The clocks in Europe/Berlin skip this time; the first time after the gap is 03:00.', 'Europe/Berlin 的时钟会跳过这个时间，跳过之后的第一个时刻是 03:00。'],
    ['20 since a person last wrote.', '自上次有人发消息以来已有 20 个。'],
    ['Event 7: no id.', '第 7 个事件：no id。'],
    ['The century field cannot read "x": it is new.', 'century字段无法读取 "x"：it is new。'],
    ['Something new.', 'Something new.'],
  ])('T10 the detail "%s" is said as it can be', (detail, words) => {
    expect(inChinese(detail)).toBe(words)
    expect(sayRefusal({ code: 'invalid_rule', message: '', detail }, 'en').detail).toBe(detail)
  })

  it('T10 a detail of a request is said in the language of the person', () => {
    const refusal = deny('bad_request', { field: 'x', detail: { en: 'No.', zh: '不行。' } })
    expect([sayRefusal(refusal, 'en').detail, sayRefusal(refusal, 'zh').detail]).toEqual(['No.', '不行。'])
  })
})
