import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCron, sayCronRefusal, type CronRefusal, type ItemFault } from '../../src/index.ts'

type Code = Exclude<CronRefusal['code'], 'unreadable'> | ItemFault['code']
type Refused = readonly [number: string, text: unknown, refusal: CronRefusal, en: string, zh: string]

const item = (field: Extract<CronRefusal, { code: 'unreadable' }>['field'], text: string, fault: ItemFault): CronRefusal => ({ code: 'unreadable', field, item: text, fault })

/** Every code: what is written, why it is refused, and the same for a model and for a person who reads Chinese. */
const REFUSED: Readonly<Record<Code, readonly Refused[]>> = {
  'no-text': [['B23', 7, { code: 'no-text' }, 'A cron expression is a text of five fields: minute, hour, day of month, month, weekday.', 'cron 表达式是由五个字段组成的文字：分、时、日、月、星期。']],
  'too-long': [['B23', '*'.repeat(129), { code: 'too-long', length: 129 }, 'A cron expression has at most 128 characters; this one has 129.', 'cron 表达式最多 128 个字符，这里有 129 个。']],
  'foreign-sign': [
    ['B23', '0 9 * * *\n', { code: 'foreign-sign', codePoint: 10 }, 'A cron expression is one line of plain ASCII; U+000A is not.', 'cron 表达式只能是一行 ASCII 字符，U+000A 不是。'],
    ['B23', '分 9 * * *', { code: 'foreign-sign', codePoint: 0x5206 }, 'A cron expression is one line of plain ASCII; U+5206 is not.', 'cron 表达式只能是一行 ASCII 字符，U+5206 不是。'],
    ['B23', '😀', { code: 'foreign-sign', codePoint: 0x1f600 }, 'A cron expression is one line of plain ASCII; U+1F600 is not.', 'cron 表达式只能是一行 ASCII 字符，U+1F600 不是。'],
  ],
  macro: [['B23', '@daily', { code: 'macro', macro: '@DAILY' }, 'The macro "@DAILY" is not supported; write five fields.', '不支持宏 "@DAILY"，请写五个字段。']],
  'field-count': [
    ['B23', '0 9 * *', { code: 'field-count', text: '0 9 * *', count: 4 }, 'A cron expression has five fields (minute, hour, day of month, month, weekday); "0 9 * *" has 4.', 'cron 表达式有五个字段（分、时、日、月、星期），"0 9 * *" 有 4 个。'],
    [
      'B23', '0 0 9 * * mon', { code: 'field-count', text: '0 0 9 * * mon', count: 6 },
      'A cron expression has five fields (minute, hour, day of month, month, weekday); "0 0 9 * * mon" has 6: seconds, years and anything after the weekday are not supported.',
      'cron 表达式有五个字段（分、时、日、月、星期），"0 0 9 * * mon" 有 6 个：不支持秒、年以及星期之后的内容。',
    ],
  ],
  never: [['B19', '0 0 31 feb *', { code: 'never', day: '31', month: 'FEB' }, 'The day-of-month field "31" never occurs in month "FEB".', '日期字段 "31" 在月份 "FEB" 中永远不会出现。']],
  value: [
    ['B23', '60 * * * *', item('minute', '60', { code: 'value', least: 0, most: 59, names: [] }), 'The minute field cannot read "60": allowed are 0 to 59.', '分钟字段无法读取 "60"：可以写 0 到 59。'],
    [
      'B23', '* * * * 8', item('weekday', '8', { code: 'value', least: 0, most: 7, names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] }),
      'The weekday field cannot read "8": allowed are 0 to 7 and the names SUN MON TUE WED THU FRI SAT.',
      '星期字段无法读取 "8"：可以写 0 到 7，或名称 SUN MON TUE WED THU FRI SAT。',
    ],
  ],
  step: [['B23', '* */0 * * *', item('hour', '*/0', { code: 'step', most: 23 }), 'The hour field cannot read "*/0": a step must be between 1 and 23.', '小时字段无法读取 "*/0"：步长必须在 1 到 23 之间。']],
  'step-alone': [['B23', '5/15 * * * *', item('minute', '5/15', { code: 'step-alone' }), 'The minute field cannot read "5/15": a step needs "*" or a range before the slash.', '分钟字段无法读取 "5/15"：斜杠前需要 "*" 或一个范围。']],
  backwards: [['B23', '* * * sep-mar *', item('month', 'SEP-MAR', { code: 'backwards' }), 'The month field cannot read "SEP-MAR": a range must not run backwards.', '月份字段无法读取 "SEP-MAR"：范围不能倒着写。']],
  empty: [['B23', '1,,2 * * * *', item('minute', '', { code: 'empty' }), 'The minute field cannot read "": there is nothing between two commas, or before or after one.', '分钟字段无法读取 ""：逗号前后不能为空。']],
  'question-mark': [['B21', '0 5 ? * 1', item('day', '?', { code: 'question-mark' }), 'The day-of-month field cannot read "?": "?" is not supported, use "*".', '日期字段无法读取 "?"：不支持 "?"，请用 "*"。']],
  'nth-weekday': [['B21', '0 5 * * 2#3', item('weekday', '2#3', { code: 'nth-weekday' }), 'The weekday field cannot read "2#3": the nth weekday of a month ("#") is not supported.', '星期字段无法读取 "2#3"：不支持每月第几个星期几（"#"）。']],
  'nearest-weekday': [['B22', '0 9 1w * *', item('day', '1W', { code: 'nearest-weekday' }), 'The day-of-month field cannot read "1W": the nearest weekday ("W") is not supported.', '日期字段无法读取 "1W"：不支持最近的工作日（"W"）。']],
  'last-of': [['B21', '0 5 * * 5L', item('weekday', '5L', { code: 'last-of' }), 'The weekday field cannot read "5L": only "L" alone in the day-of-month field is supported.', '星期字段无法读取 "5L"：只支持在日期字段中单独写 "L"。']],
}

describe('why an expression is refused', () => {
  it.each(Object.values(REFUSED).flat())('%s %j is refused with code and arguments, and said in both languages', (_number, text, refusal, en, zh) => {
    expect(parseCron(text)).toEqual({ ok: false, refusal })
    expect([sayCronRefusal(refusal, 'en'), sayCronRefusal(refusal, 'zh')]).toEqual([en, zh])
  })

  it('T2 T10 no refusal is half in another language, whatever was written', () => {
    const parts = fc.constantFrom('61', '5-1', '*/0', '*/99', '3/2', '1,,2', '?', '1#2', '15W', '5L', 'FOO', '2-', '1.5', '@daily', '1 2', '*', '31', '2')
    fc.assert(
      fc.property(fc.oneof(fc.array(parts, { maxLength: 7 }).map((fields) => fields.join(' ')), fc.string()), (text) => {
        const parsed = parseCron(text)
        if (parsed.ok) return
        expect(sayCronRefusal(parsed.refusal, 'en').replaceAll(/"[^]*"/g, '')).toMatch(/^[ -~]+\.$/)
        // What is quoted is the person's own; names of months and weekdays are those of the rule.
        expect(sayCronRefusal(parsed.refusal, 'zh').replaceAll(/"[^]*"|\b[A-Z]{3}\b|U\+\w+|ASCII|cron/g, '')).toMatch(/^[^A-Za-z]*。$/)
      }),
    )
  })

  it('X4 of what was written at most 40 characters are quoted, on one line', () => {
    const long = sayCronRefusal({ code: 'field-count', text: `a\u2028${'b'.repeat(100)}`, count: 2 }, 'en')
    expect(long).toMatch(/"a b{1,38}…" has 2\.$/)
  })
})
