import fc from 'fast-check'
import { formatInstant, parseZone, resolveLocal, type ZoneName } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import { zhNumber } from '../../src/people/amounts.ts'
import { MAX_TEXT_LENGTH } from '../../src/people/cursor.ts'
import { readDelay, readReminder, readTime } from '../../src/people/grammar.ts'
import { FRIDAY } from './desk-host.ts'

const SHANGHAI = parseZone('Asia/Shanghai') as ZoneName
const here = { now: FRIDAY, zone: SHANGHAI }

/** What a text is read as: its instant or rule, and what it is for. */
function read(text: string, reader: Parameters<typeof readTime>[1] = here): readonly [string, string] {
  const reading = readTime(text, reader)
  if (!reading.ok) return [reading.refusal.code, '']
  const { selector, rest } = reading
  switch (selector.kind) {
    case 'after':
      return [`+${selector.seconds}`, rest]
    case 'every':
      return [`every ${selector.seconds}`, rest]
    case 'cron':
      return [`${selector.cron.text} ${selector.zone}`, rest]
    case 'instant':
      return [formatInstant(selector.instant).replace('.000', ''), rest]
    case 'local': {
      const found = resolveLocal(selector.local, selector.zone as ZoneName)
      return ['instant' in found ? formatInstant(found.instant).replace('.000', '') : found.kind, rest]
    }
  }
}

describe('delays', () => {
  it.each([
    ['10m stretch', 600, 'stretch'],
    ['90s x', 90, 'x'],
    ['1h30m x', 5400, 'x'],
    ['1h 30m x', 5400, 'x'],
    ['2d x', 172_800, 'x'],
    ['1w x', 604_800, 'x'],
    ['1.5h x', 5400, 'x'],
    ['0.1s x', 0, ''],
    ['10 minutes stretch', 600, 'stretch'],
    ['in 10 minutes, stretch', 600, 'stretch'],
    ['in an hour x', 3600, 'x'],
    ['in half an hour x', 1800, 'x'],
    ['after 2 days x', 172_800, 'x'],
    ['10分钟后 喝水', 600, '喝水'],
    ['10分钟后提醒我喝水', 600, '喝水'],
    ['十分钟后喝水', 600, '喝水'],
    ['再过半小时后：开会', 1800, '开会'],
    ['一个半小时后 开会', 5400, '开会'],
    ['1小时30分钟后 开会', 5400, '开会'],
    ['两周后 复查', 1_209_600, '复查'],
    ['三刻钟后 x', 2700, 'x'],
    ['二十五秒后 x', 25, 'x'],
    ['１０分钟后　喝水', 600, '喝水'],
    ['10分钟 喝水', 600, '喝水'],
    ['36501d x', 0, ''],
  ])('T10 %s', (text, seconds, rest) => {
    expect(read(text)).toEqual(seconds === 0 ? ['not_understood', ''] : [`+${seconds}`, rest])
  })

  it.each(['十分重要的事', '一天到晚 x', '一一分钟后 x', 'tend 10 minutes', 'in time', '10 mice'])('T10 %s is no delay', (text) => {
    expect(read(text)[0]).toBe('not_understood')
  })

  it.each([['两', 2], ['十', 10], ['十五', 15], ['二十', 20], ['九十九', 99], ['七', 7], ['12', 12], ['五五', undefined], ['百', undefined], ['', 0], ['两十', undefined]])('T10 %s is the number %s', (text, number) => {
    expect(zhNumber(text)).toBe(number)
  })
})

describe('intervals and calendar rules', () => {
  it.each([
    ['every 2h drink', 'every 7200', 'drink'],
    ['each 45 minutes x', 'every 2700', 'x'],
    ['every hour x', 'every 3600', 'x'],
    ['每2小时 喝水', 'every 7200', '喝水'],
    ['每隔两小时喝水', 'every 7200', '喝水'],
    ['每小时 喝水', 'every 3600', '喝水'],
    ['every 2m x', 'frequency_too_high', ''],
    ['every in 10m x', 'not_understood', ''],
    ['every week x', 'not_understood', ''],
    ['每月 x', 'not_understood', ''],
    ['every day 9:00 x', '0 9 * * * Asia/Shanghai', 'x'],
    ['daily at 9pm x', '0 21 * * * Asia/Shanghai', 'x'],
    ['every weekday 18:30 x', '30 18 * * 1-5 Asia/Shanghai', 'x'],
    ['every monday at 9:00 x', '0 9 * * 1 Asia/Shanghai', 'x'],
    ['every mon, wed and fri 9:00 Europe/Berlin x', '0 9 * * 1,3,5 Europe/Berlin', 'x'],
    ['每天 9:00 x', '0 9 * * * Asia/Shanghai', 'x'],
    ['每天晚上8点 吃药', '0 20 * * * Asia/Shanghai', '吃药'],
    ['每个工作日 9:00 x', '0 9 * * 1-5 Asia/Shanghai', 'x'],
    ['每周一、三、日 9:00 x', '0 9 * * 0,1,3 Asia/Shanghai', 'x'],
    ['every day x', 'time_missing', ''],
    ['every day at 9 x', 'ambiguous_time', ''],
    ['every day 25:00 x', 'no_such_time', ''],
    ['every day 9:00:30 x', 'invalid_rule', ''],
    ['every day 9:00+08:00 x', 'invalid_time_zone', ''],
    ['every day 9:00 CET x', 'invalid_time_zone', ''],
    ['cron "0 9 * * 1-5" x', '0 9 * * 1-5 Asia/Shanghai', 'x'],
    ["cron '0 9 * * 1-5' [Europe/Berlin] x", '0 9 * * 1-5 Europe/Berlin', 'x'],
    ['cron “0 9 * * 1-5” x', '0 9 * * 1-5 Asia/Shanghai', 'x'],
    ['cron 0 9 * * 1-5 x', '0 9 * * 1-5 Asia/Shanghai', 'x'],
    ['cron "0 9 30 2 *" x', 'no_future_occurrence', ''],
    ['cron "0 9 * *" x', 'invalid_rule', ''],
    ['cron "61 9 * * *" x', 'invalid_rule', ''],
    ['cron "0 9 * * *" UTC+8 x', 'invalid_time_zone', ''],
  ])('T10 B17 B18 %s', (text, rule, rest) => {
    expect(read(text)).toEqual([rule, rest])
  })

  it('T10 a calendar rule without a zone is refused, an interval is not', () => {
    const nowhere = { now: FRIDAY, zone: undefined }
    expect(read('every day 9:00 x', nowhere)[0]).toBe('time_zone_needed')
    expect(read('cron "0 9 * * *" x', nowhere)[0]).toBe('time_zone_needed')
    expect(read('every day 9:00 UTC x', nowhere)).toEqual(['0 9 * * * UTC', 'x'])
    expect(read('every 2h x', nowhere)[0]).toBe('every 7200')
  })
})

describe('local times, on Friday 9 October 2026 at 9:00 in Shanghai', () => {
  it.each([
    ['15:30 call', '2026-10-09T07:30:00Z', 'call'],
    ['at 15:30 call', '2026-10-09T07:30:00Z', 'call'],
    ['15:30:10 x', '2026-10-09T07:30:10Z', 'x'],
    ['8:00 x', '2026-10-10T00:00:00Z', 'x'],
    ['9:00 x', '2026-10-10T01:00:00Z', 'x'],
    ['3:30 pm x', '2026-10-09T07:30:00Z', 'x'],
    ['9 p.m. x', '2026-10-09T13:00:00Z', 'x'],
    ['10am x', '2026-10-09T02:00:00Z', 'x'],
    ['tomorrow 9:00 x', '2026-10-10T01:00:00Z', 'x'],
    ['day after tomorrow at 9:00 x', '2026-10-11T01:00:00Z', 'x'],
    ['15:30 tomorrow x', '2026-10-10T07:30:00Z', 'x'],
    ["15:30 tomorrow's plan", '2026-10-09T07:30:00Z', "tomorrow's plan"],
    ['tonight 20:00 x', '2026-10-09T12:00:00Z', 'x'],
    ['tonight 8:30 x', '2026-10-09T12:30:00Z', 'x'],
    ['tonight 11 x', '2026-10-09T15:00:00Z', 'x'],
    ['friday 9:30 x', '2026-10-09T01:30:00Z', 'x'],
    ['on friday 8:30 x', '2026-10-16T00:30:00Z', 'x'],
    ['sun 9:00 x', '2026-10-11T01:00:00Z', 'x'],
    ['2026-12-24 18:00 x', '2026-12-24T10:00:00Z', 'x'],
    ['2027/1/2 9:00 x', '2027-01-02T01:00:00Z', 'x'],
    ['明天 9:00 x', '2026-10-10T01:00:00Z', 'x'],
    ['大后天 9:00 x', '2026-10-12T01:00:00Z', 'x'],
    ['后天下午3点半开会', '2026-10-11T07:30:00Z', '开会'],
    ['今晚8点 吃药', '2026-10-09T12:00:00Z', '吃药'],
    ['明早七点一刻 跑步', '2026-10-09T23:15:00Z', '跑步'],
    ['中午12点半 吃饭', '2026-10-09T04:30:00Z', '吃饭'],
    ['中午1点 午睡', '2026-10-09T05:00:00Z', '午睡'],
    ['下午12点 x', '2026-10-09T04:00:00Z', 'x'],
    ['明天凌晨2点 x', '2026-10-09T18:00:00Z', 'x'],
    ['上午11点05分 x', '2026-10-09T03:05:00Z', 'x'],
    ['15点整 x', '2026-10-09T07:00:00Z', 'x'],
    ['晚上20:15 x', '2026-10-09T12:15:00Z', 'x'],
    ['周日 9:00 x', '2026-10-11T01:00:00Z', 'x'],
    ['下周三 9:00 x', '2026-10-14T01:00:00Z', 'x'],
    ['下下个周一 9:00 x', '2026-10-19T01:00:00Z', 'x'],
    ['本周日 9:00 x', '2026-10-11T01:00:00Z', 'x'],
    ['10月9日 8:00 x', '2027-10-09T00:00:00Z', 'x'],
    ['2027年1月2日 9:00 x', '2027-01-02T01:00:00Z', 'x'],
    ['15:30 Europe/Berlin x', '2026-10-09T13:30:00Z', 'x'],
    ['15:30 (asia/tokyo) x', '2026-10-09T06:30:00Z', 'x'],
    ['15:30Z x', '2026-10-09T15:30:00Z', 'x'],
    ['15:30 +05:30 x', '2026-10-09T10:00:00Z', 'x'],
    ['0:30-05:00 x', '2026-10-09T05:30:00Z', 'x'],
    ['20:30-05:00 x', '2026-10-09T01:30:00Z', 'x'],
    ['2026-10-09T15:30:00+08:00 x', '2026-10-09T07:30:00Z', 'x'],
  ])('T10 %s', (text, instant, rest) => {
    expect(read(text)).toEqual([instant, rest])
  })

  it.each([
    ['tomorrow 9 x', 'ambiguous_time'],
    ['at 9 x', 'ambiguous_time'],
    ['明天3点 x', 'ambiguous_time'],
    ['12am x', 'ambiguous_time'],
    ['凌晨9点 x', 'ambiguous_time'],
    ['上午12点 x', 'ambiguous_time'],
    ['中午5点 x', 'ambiguous_time'],
    ['下午9点 x', 'ambiguous_time'],
    ['晚上3点 x', 'ambiguous_time'],
    ['10/11 9:00 x', 'ambiguous_date'],
    ['9.11. 9:00 x', 'ambiguous_date'],
    ['9:00 10/11 x', 'ambiguous_date'],
    ['next friday 9:00 x', 'ambiguous_date'],
    ['8:30 tonight x', 'ambiguous_date'],
    ['tomorrow x', 'time_missing'],
    ['下周三 x', 'time_missing'],
    ['25:00 x', 'no_such_time'],
    ['9:75 x', 'no_such_time'],
    ['13pm x', 'no_such_time'],
    ['十十点 x', 'no_such_time'],
    ['15点五五分 x', 'no_such_time'],
    ['2月30日 9:00 x', 'no_such_time'],
    ['2026-02-30 9:00Z x', 'no_such_time'],
    ['2026-02-30T09:00:00Z x', 'no_such_time'],
    ['today 8:00 x', 'not_future'],
    ['today 0:30Z x', 'not_future'],
    ['本周一 9:00 x', 'not_future'],
    ['2026-01-01 9:00 x', 'not_future'],
    ['9999-12-31 23:59 America/Adak x', 'time_out_of_range'],
    ['15:30 CST x', 'invalid_time_zone'],
    ['15:30 Asia/Nowhere x', 'invalid_time_zone'],
    ['2027-03-28 2:30 Europe/Berlin x', 'skipped_time'],
    ['2026-03-29 2:30 Europe/Berlin x', 'not_future'],
    ['x'.repeat(MAX_TEXT_LENGTH + 1), 'text_too_long'],
    ['', 'not_understood'],
  ])('T10 %s is refused as %s', (text, code) => {
    expect(read(text)).toEqual([code, ''])
  })

  it('T10 without a zone a local time is refused and says how to give one', () => {
    const reading = readTime('tomorrow 9:00', { now: FRIDAY, zone: undefined })
    expect(reading).toMatchObject({ ok: false, refusal: { code: 'time_zone_needed', examples: ['tomorrow 9:00 Asia/Shanghai …', 'tomorrow 9:00 Europe/Berlin …'] } })
  })
})

/** Milliseconds; the machine may be busy with something else, so the best of several counts. */
function timeOf(act: () => void): number {
  const begin = performance.now()
  act()
  return performance.now() - begin
}

describe('laws', () => {
  const WORDS = ['10', '9', '30', 'm', ':', 'h', ' ', 'every ', 'tomorrow', 'friday', 'cron ', '"', '* ', '0 9 * * 1-5', '每', '天', '明天', '下午', '点', '半', '分钟', '后', '周', '一', '三', '月', '日', '+08:00', 'Z', ' Asia/Shanghai', '/', '-', '２', 'at ', 'and ', ',', 'pm', '今晚', '\n', '\u0000', '𝟘']
  const anything = fc.oneof(fc.string({ maxLength: 300, unit: 'binary' }), fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join('')))

  it('X3 T10 any text is read or refused by name, in under 50 ms, and what follows the time is a piece of the text', () => {
    for (const text of ['10m'.repeat(700), '每周一'.repeat(700), 'cron ' + '* '.repeat(1000), 'every mon, '.repeat(200), '　'.repeat(2200), '1'.repeat(2200), '下'.repeat(2200)]) {
      expect(Math.min(...[1, 2, 3].map(() => timeOf(() => readReminder(text, here))))).toBeLessThan(50)
    }
    fc.assert(
      fc.property(anything, (text) => {
        const reading = readReminder(text, here)
        if (reading.ok) expect([reading.rest !== '', text.includes(reading.rest)]).toEqual([true, true])
        else expect(reading.refusal.code).toMatch(/^[a-z_]+$/)
      }),
      { numRuns: 3000 },
    )
  })

  it('T10 a time of day without a day comes within a day, at that time on the wall', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 86_399_999 }), (hour, minute, later) => {
        const now = FRIDAY + later
        const [instant] = read(`${hour}:${String(minute).padStart(2, '0')} x`, { now, zone: SHANGHAI })
        const at = Date.parse(instant)
        expect([at > now, at <= now + 86_400_000, (at / 60_000) % 1440]).toEqual([true, true, (hour * 60 + minute - 480 + 1440) % 1440])
      }),
    )
  })

  it('T10 a delay is the same in both languages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.constantFrom(['s', '秒'], ['minutes', '分钟'], ['h', '小时'], ['days', '天']), (count, [en, zh]) => {
        expect(read(`${count}${zh}后 x`)).toEqual(read(`in ${count} ${en} x`))
      }),
    )
  })

  it.each([['10m', 600], ['两小时', 7200], ['10分钟', 600], ['半小时后', 1800]])('T7 T11 a snooze by %s', (text, seconds) => {
    expect(readDelay(text, here)).toEqual({ ok: true, selector: { kind: 'after', seconds } })
  })

  it.each(['', 'stretch', 'every 2h', '10m stretch'])('T7 T10 what a refused snooze, such as "%s", is told to be is taken', (text) => {
    const reading = readDelay(text, here)
    const examples = reading.ok ? [] : (reading.refusal.examples ?? [])
    expect(examples.map((example) => readDelay(example, here).ok)).toEqual([true, true, true, true])
  })

  it('T7 T10 a snooze until an hour that may be morning or evening is asked about', () => {
    expect(readDelay('at 9', here)).toMatchObject({ ok: false, refusal: { code: 'ambiguous_time', examples: ['9:00 …', '21:00 …'] } })
  })
})
