import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findClockTime } from '../src/clock-time.ts'

const shown = (text: string): string | undefined => {
  const time = findClockTime(text)?.value
  return time && `${time.hour}:${time.minute}:${time.second}${time.nextDay ? '+' : ''}`
}

describe('times of day', () => {
  it.each([
    ['at 9', '9:0:0'], ['@9:05', '9:5:0'], ['by 23:59:58', '23:59:58'], ['9 am', '9:0:0'], ['9 P.M.', '21:0:0'],
    ['12 am', '0:0:0'], ['12 pm', '12:0:0'], ['15:30 pm', '15:30:0'], ['24:00', '0:0:0+'], ['at nine', '9:0:0'],
    ['quarter past nine', '9:15:0'], ['half past 9 pm', '21:30:0'], ['quarter to 0', '23:45:0'], ['at nine pm', '21:0:0'], ['meet at six, please', '6:0:0'], ["7 o'clock in the evening", '19:0:0'],
    ['at 8 tonight', '20:0:0'], ['at 8 at night', '20:0:0'], ['midday', '12:0:0'], ['this afternoon', '15:0:0'], ['in the morning', '9:0:0'],
    ['凌晨三点', '3:0:0'], ['凌晨12点', '0:0:0'], ['晚上12点', '0:0:0+'], ['晚上12点半', '0:30:0+'], ['傍晚六点三刻', '18:45:0'], ['正午', '12:0:0'],
    ['中午两点', '14:0:0'], ['8时15分', '8:15:0'], ['9点05', '9:5:0'], ['21点', '21:0:0'], ['明早', '9:0:0'], ['每晚', '20:0:0'], ['下午', '15:0:0'],
  ])('"%s" is %s', (text, time) => {
    expect(shown(text)).toBe(time)
  })

  it.each(['', '25:00', '9:60', '9:30:61', '24:01', 'ratio 3:4', 'meet at a restaurant', 'at one point', 'at other times', 'at 50%', 'at 3rd place', 'version 1.9:30', '2026-10-09', '一点水', '8时候', '十点零千'.slice(0, 1), '早上好'])('"%s" is no time', text => {
    expect(shown(text)).toBeUndefined()
  })

  it('a part of the day beside a day moves the hour', () => {
    expect(shown('tomorrow evening at 8')).toBe('20:0:0')
    expect(shown('tomorrow morning at 8')).toBe('8:0:0')
    expect(shown('at 8 tomorrow night, by 9 am')).toBe('20:0:0')
    expect(shown("at 8 for this evening's dinner")).toBe('8:0:0')
  })

  it('a time with "at" wins over an earlier bare one', () => {
    expect(shown('take the 16:00 train at 15:30')).toBe('15:30:0')
    expect(shown('16:00 train, 15:30 bus')).toBe('16:0:0')
  })

  it('every written minute of the day is read as written', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
      expect(shown(`at ${hour}:${String(minute).padStart(2, '0')}`)).toBe(`${hour}:${minute}:0`)
      expect(shown(`${hour}点${minute}分`)).toBe(`${hour}:${minute}:0`)
    }))
  })
})
