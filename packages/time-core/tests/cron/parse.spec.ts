import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_CRON_LENGTH, parseCron, sayCronRefusal, type CronParse } from '../../src/index.ts'
import { cpuTime, cron } from '../harness.ts'

describe('what an expression means', () => {
  it.each([
    ['0 9 * * 1-5', { minutes: [0], hours: [9], weekdays: [1, 2, 3, 4, 5] }],
    ['00 09 * * *', { minutes: [0], hours: [9] }],
    ['0,15,30-31 9 * * *', { minutes: [0, 15, 30, 31] }],
    ['30,5,5,1-5 9 * * *', { minutes: [1, 2, 3, 4, 5, 30] }],
    ['10-50/20 * * * *', { minutes: [10, 30, 50] }],
    ['*/45 */9 */10 */5 */3', { minutes: [0, 45], hours: [0, 9, 18], days: [1, 11, 21, 31], months: [1, 6, 11], weekdays: [0, 3, 6] }],
    ['*/59 */23 */31 */12 */7', { minutes: [0, 59], hours: [0, 23], days: [1], months: [1], weekdays: [0] }],
    ['0 9 * jan,JUL mon-FRI', { months: [1, 7], weekdays: [1, 2, 3, 4, 5] }],
    ['0 9 * Feb-Apr *', { months: [2, 3, 4] }],
    ['0 9 * * MON-FRI/2', { weekdays: [1, 3, 5] }],
    ['0 9 * * 0', { weekdays: [0] }],
    ['0 9 * * 7', { weekdays: [0] }],
    ['0 9 * * SUN', { weekdays: [0] }],
    ['0 9 * * 5-7', { weekdays: [0, 5, 6] }],
    ['0 9 * * FRI-SUN', { weekdays: [0, 5, 6] }],
    ['0 9 * * SUN-TUE', { weekdays: [0, 1, 2] }],
    ['0 9 * * SUN-SUN', { weekdays: [0] }],
    ['0 9 * * 0-7', { weekdays: [0, 1, 2, 3, 4, 5, 6] }],
    ['0 9 L * *', { days: [], lastDay: true }],
    ['0 9 15,l * *', { days: [15], lastDay: true }],
    ['0 9 31 * *', { days: [31], lastDay: false }],
  ])('T2 %s', (text, meaning) => {
    expect(cron(text)).toMatchObject(meaning)
  })

  it('T2 the text is kept with single spaces and upper-case names', () => {
    expect(cron('  0\t9   * jan,feb \t mon ').text).toBe('0 9 * JAN,FEB MON')
  })

  it('T2 a rule cannot be changed after it was read', () => {
    expect(Object.isFrozen(cron('0 9 * * *'))).toBe(true)
  })

  it.each([
    ['0 9 1 * 1', true],
    ['0 0 1-31 * 5', true],
    ['0 9 1 * 0-7', true],
    ['0 9 5,* * 1', true],
    ['0 9 */2 * 1', false],
    ['0 9 1 * */2', false],
    ['0 9 *,5 * 1', false],
    ['0 9 * * 1', false],
    ['0 9 1 * *', false],
  ])('B16 in %s either day field is enough: %s', (text, either) => {
    expect(cron(text).eitherDay).toBe(either)
  })

  it.each([
    ['* 1 * * *', true],
    ['0 * * * *', true],
    ['*/15 1 * * *', true],
    ['0 */2 * * *', true],
    ['10-50/20 1 * * *', true],
    ['0,*/30 1 * * *', true],
    ['30 1 * * *', false],
    ['0,30 1-3 * * *', false],
    ['30 1 */2 * */2', false],
  ])('B04 %s is interval-like: %s', (text, intervalLike) => {
    expect(cron(text).intervalLike).toBe(intervalLike)
  })
})

/** Why there is no rule, as the model reads it. */
function said(parse: CronParse): string {
  return parse.ok ? 'taken' : sayCronRefusal(parse.refusal, 'en')
}

describe('what is refused', () => {
  it.each([
    ['* * * *', 'has 4.'],
    ['', '"" has 0.'],
    ['   ', 'has 0.'],
    ['not a cron', 'has 3.'],
    ['0 9 * * * *', 'has 6: seconds, years and anything after the weekday are not supported.'],
    ['0 0 9 * * * 2027', 'has 7: seconds'],
    ['2027-01-01T00:00:00Z', 'has 1.'],
    ['@daily', 'The macro "@DAILY" is not supported; write five fields.'],
    ['@every 1h 2 3 4', 'The macro "@EVERY"'],
    ['0 9 * * *\n', 'U+000A is not.'],
    ['0 9 * * *\n0 10 * * *', 'U+000A'],
    ['\uff10 9 * * *', 'U+FF10'],
    ['0\u00a09 * * *', 'U+00A0'],
    ['0 9 * * \u{1f600}', 'U+1F600'],
    [`${'0,'.repeat(60)}0 9 * * *`, 'at most 128 characters; this one has 129.'],
    ['*'.repeat(100_000), 'this one has 100000.'],
    [null, 'A cron expression is a text of five fields'],
    [5, 'A cron expression is a text'],
    [['0 9 * * *'], 'A cron expression is a text'],
  ])('B23 %j has the wrong shape', (text, detail) => {
    const parse = parseCron(text)
    expect(parse).toMatchObject({ ok: false, refusal: { code: expect.stringMatching(/^(?:no-text|too-long|foreign-sign|macro|field-count)$/) as unknown } })
    expect(said(parse)).toContain(detail)
  })

  it.each([
    ['60 * * * *', 'minute', 'The minute field cannot read "60": allowed are 0 to 59.'],
    ['* 24 * * *', 'hour', 'The hour field cannot read "24": allowed are 0 to 23.'],
    ['* * 0 * *', 'day', 'The day-of-month field cannot read "0": allowed are 1 to 31.'],
    ['* * 32 * *', 'day', '"32"'],
    ['* * * 0 *', 'month', '"0": allowed are 1 to 12 and the names JAN FEB MAR'],
    ['* * * 13 *', 'month', '"13"'],
    ['* * * * 8', 'weekday', '"8": allowed are 0 to 7 and the names SUN MON'],
    ['a * * * *', 'minute', '"A"'],
    ['MON * * * *', 'minute', '"MON"'],
    ['* * * MON *', 'month', '"MON"'],
    ['* * * january *', 'month', '"JANUARY"'],
    ['* * * * MONDAY', 'weekday', '"MONDAY"'],
    ['* * * * MO', 'weekday', '"MO"'],
    ['*/0 * * * *', 'minute', '"*/0": a step must be between 1 and 59.'],
    ['*/60 * * * *', 'minute', '"*/60": a step must be between 1 and 59.'],
    ['*/90 * * * *', 'minute', '"*/90"'],
    ['* * * * */8', 'weekday', 'between 1 and 7'],
    ['*/-1 * * * *', 'minute', '"*/-1"'],
    ['5/15 * * * *', 'minute', '"5/15": a step needs "*" or a range before the slash.'],
    ['/15 * * * *', 'minute', '"/15"'],
    ['*/5/5 * * * *', 'minute', '"*/5/5"'],
    ['10-5 * * * *', 'minute', '"10-5": a range must not run backwards.'],
    ['* * * * FRI-MON', 'weekday', '"FRI-MON": a range must not run backwards.'],
    ['* * * * 7-1', 'weekday', 'backwards'],
    ['5-10-15 * * * *', 'minute', '"5-10-15"'],
    ['*-5 * * * *', 'minute', '"*-5"'],
    ['5-61 * * * *', 'minute', '"5-61": allowed are 0 to 59.'],
    ['-1 * * * *', 'minute', '"-1"'],
    ['1.5 * * * *', 'minute', '"1.5"'],
    ['1e1 * * * *', 'minute', '"1E1"'],
    ['0x5 * * * *', 'minute', '"0X5"'],
    ['007 * * * *', 'minute', '"007"'],
    ['*5 * * * *', 'minute', '"*5"'],
    ['5* * * * *', 'minute', '"5*"'],
    ['** * * * *', 'minute', '"**"'],
    ['1,,2 * * * *', 'minute', '"": there is nothing between two commas'],
    ['1, * * * *', 'minute', 'nothing'],
    [',1 * * * *', 'minute', 'nothing'],
    ['H H * * *', 'minute', '"H"'],
    ['0 9 * * 1;rm', 'weekday', '"1;RM"'],
    ['0 9 * * </x>', 'weekday', '"</X>"'],
  ])('B23 %s names the field %s and the token', (text, field, detail) => {
    const parse = parseCron(text)
    expect(parse).toMatchObject({ ok: false, refusal: { code: 'unreadable', field } })
    expect(said(parse)).toContain(detail)
  })

  it.each([
    ['0 5 LW * *', 'day', 'the nearest weekday ("W") is not supported'],
    ['0 5 * * 5L', 'weekday', 'only "L" alone in the day-of-month field is supported'],
    ['0 5 * * L', 'weekday', 'only "L" alone'],
    ['0 5 L-3 * *', 'day', '"L-3"'],
    ['0 5 * * 2#3', 'weekday', 'the nth weekday of a month ("#") is not supported'],
    ['0 5 ? * 1', 'day', '"?" is not supported, use "*"'],
  ])('B21 %s is refused by name', (text, field, detail) => {
    const parse = parseCron(text)
    expect(parse).toMatchObject({ ok: false, refusal: { code: 'unreadable', field } })
    expect(said(parse)).toContain(detail)
  })

  it.each(['0 9 1W * *', '0 9 15W * *', '0 9 W * *'])('B22 %s is refused by name, never read as another day', text => {
    const parse = parseCron(text)
    expect(said(parse)).toContain('the nearest weekday ("W") is not supported')
  })

  it.each(['0 0 31 4 *', '0 0 30 2 *', '0 0 31 2,4,6 *', '0 0 31 2,4,6,9,11 *', '* * 30,31 2 */2', '0 0 30 FEB *'])(
    'B19 %s can never match and is refused in under 50 ms',
    text => {
      const { day, month } = { day: text.split(' ')[2]!, month: text.split(' ')[3]! }
      expect(parseCron(text)).toEqual({ ok: false, refusal: { code: 'never', day, month } })
      expect(said(parseCron(text))).toBe(`The day-of-month field "${day}" never occurs in month "${month}".`)
      expect(cpuTime(() => parseCron(text))).toBeLessThan(50)
    },
  )

  it.each(['0 0 31 4,5 *', '0 0 29 2 *', '0 0 30 2 1', '0 0 L 2 *', '0 0 29 2 */7', '0 0 30,L 2 *'])('B19 %s can match and is taken', text => {
    expect(parseCron(text).ok).toBe(true)
  })

  it('X3 an expression of the greatest length is still read', () => {
    const text = `0 9 * * ${'1,'.repeat(59)}01`
    expect(text).toHaveLength(MAX_CRON_LENGTH)
    expect(cron(text).weekdays).toEqual([1])
  })
})

it('B19 a rule is refused as impossible exactly when a search of all dates finds none', () => {
  const days = fc.oneof(fc.constant('*'), fc.constant('*/7'), fc.constant('L'), fc.subarray(['1', '15', '28', '29', '30', '31', 'L'], { minLength: 1 }).map(list => list.join(',')))
  const months = fc.oneof(fc.constant('*'), fc.subarray(['1', '2', '4', '6', '9', '11'], { minLength: 1 }).map(list => list.join(',')))
  const weekdays = fc.constantFrom('*', '*/3', '1-5', '0', '6')
  fc.assert(fc.property(days, months, weekdays, (day, month, weekday) => {
    const parse = parseCron(`0 0 ${day} ${month} ${weekday}`)
    const isImpossible = !parse.ok && parse.refusal.code === 'never'
    const longest = month === '*' ? 31 : Math.max(...month.split(',').map(one => (one === '1' ? 31 : one === '2' ? 29 : 30)))
    const isRestricted = !day.startsWith('*') && !weekday.startsWith('*')
    const earliest = day.includes('L') || day.startsWith('*') ? 1 : Math.min(...day.split(',').map(Number))
    expect(isImpossible).toBe(!isRestricted && earliest > longest)
    if (parse.ok) expect(parse.cron.walls.next(0)).toBeLessThan(Infinity)
  }))
})
