import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, dateOf, findDay, weekdayOn } from '../src/days.ts'
import type { CivilDate } from '../src/days.ts'
import { dateText } from '../src/reading.ts'

/** A Friday. */
const TODAY: CivilDate = { year: 2026, month: 10, day: 9 }
const meant = (text: string, today = TODAY): string | undefined => {
  const named = findDay(text)
  return named && dateText(dateOf(named.value, today))
}

describe('days', () => {
  it.each([
    ['today', '2026-10-09'], ['this evening', '2026-10-09'], ['tomorrow', '2026-10-10'], ['day after tomorrow', '2026-10-11'],
    ['Friday', '2026-10-09'], ['on Thu', '2026-10-15'], ['next Friday', '2026-10-16'], ['next Monday', '2026-10-12'], ['this Sunday', '2026-10-11'],
    ['2027/1/2', '2027-01-02'], ['Oct. 9', '2026-10-09'], ['Oct 8', '2027-10-08'], ['8 October', '2027-10-08'], ['March 3, 2030', '2030-03-03'],
    ['on the 9th', '2026-10-09'], ['on the 8th', '2026-11-08'],
    ['今天', '2026-10-09'], ['明日', '2026-10-10'], ['大后天', '2026-10-12'], ['周五', '2026-10-09'], ['本周一', '2026-10-05'], ['这个星期天', '2026-10-11'],
    ['下周日', '2026-10-18'], ['下下周一', '2026-10-19'], ['礼拜四', '2026-10-15'], ['2027年1月2日', '2027-01-02'], ['三月三号', '2027-03-03'], ['20号', '2026-10-20'],
  ])('"%s" is %s', (text, date) => {
    expect(meant(text)).toBe(date)
  })

  it.each(['', 'sun and wed', "Monday's report", 'May 32', '2026-10-32', '32号', '0号', '十百号', '3号线', '月亮', 'the 9th'])('"%s" names no day', text => {
    expect(findDay(text)).toBeUndefined()
  })

  it('a day of the month that is over is next month, and next year in December', () => {
    expect(meant('8号', { year: 2026, month: 12, day: 9 })).toBe('2027-01-08')
  })

  it('the first named day counts', () => {
    expect(meant('tomorrow about the Friday report')).toBe('2026-10-10')
  })

  it('moving a day there and back is no move, and a week keeps the weekday', () => {
    const anyDate = fc.integer({ min: -20_000, max: 40_000 }).map(days => addDays(TODAY, days))
    fc.assert(fc.property(anyDate, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
      expect(addDays(addDays(date, days), -days)).toEqual(date)
      expect(weekdayOn(addDays(date, 7))).toBe(weekdayOn(date))
    }))
  })

  it('a weekday is never in the past and never more than a week ahead', () => {
    const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    fc.assert(fc.property(fc.constantFrom(...names), fc.integer({ min: 0, max: 700 }), (name, days) => {
      const today = addDays(TODAY, days)
      const week = Array.from({ length: 7 }, (_, index) => dateText(addDays(today, index)))
      expect(week).toContain(meant(name, today))
      expect(week.slice(1).concat(dateText(addDays(today, 7)))).toContain(meant(`next ${name}`, today))
    }))
  })
})
