import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactDuration, findDelay, findDuration, findInterval, LONGEST_SECONDS } from '../src/durations.ts'

describe('durations', () => {
  it.each([
    ['10m', 600], ['10 min', 600], ['90-minute', 5400], ['1 hour, 2 minutes and 3 seconds', 3723], ['2d3h', 183_600],
    ['a quarter of an hour', 900], ['2 and a half hours', 9000], ['a week', 604_800], ['0.5h', 1800],
    ['半天', 43_200], ['两分半', 150], ['一小时零五分', 3900], ['3刻钟', 2700], ['两个礼拜', 1_209_600],
  ])('"%s" is %d seconds', (text, seconds) => {
    expect(findDuration(text)?.value).toBe(seconds)
  })

  it.each(['', 'as soon as possible', '10', '9:30', 'm', '3点10分', '10 apples', '0 seconds', '99999999999 hours', 'a day-dream'.slice(0, 2)])('"%s" holds no duration', text => {
    expect(findDuration(text)).toBeUndefined()
  })

  it('a minute of the clock is not a duration', () => {
    expect(findDelay('9点30分后')).toBeUndefined()
    expect(findDelay('9时30分后')).toBeUndefined()
    expect(findDelay('下车后天气')).toBeUndefined()
  })

  it('a delay needs a word that says "from now"', () => {
    expect(findDelay('20 minutes')).toBeUndefined()
    expect(findDelay('in 20 minutes')).toEqual({ value: 1200, start: 0, end: 13 })
    expect(findDelay("in 20 minutes' time")?.end).toBe(19)
  })

  it('of two delays the first counts', () => {
    expect(findDelay('in 5 minutes to check in 10 minutes')?.value).toBe(300)
  })

  it.each([
    ['every half hour', 1800], ['each minute', 60], ['hourly', 3600], ['every 3 days', 259_200], ['每隔10分钟', 600], ['每个小时', 3600], ['每2h', 7200],
  ])('"%s" repeats every %d seconds', (text, seconds) => {
    expect(findInterval(text)?.value).toBe(seconds)
  })

  it('weekdays are no fixed interval', () => {
    expect(findInterval('每周一')).toBeUndefined()
    expect(findInterval('every Monday')).toBeUndefined()
    expect(findInterval('the weekly report')).toBeUndefined()
  })

  it('the compact form is exact and is read back', () => {
    expect([1, 60, 90, 3600, 5400, 86_400, 90_061].map(compactDuration)).toEqual(['1s', '1m', '1m30s', '1h', '1h30m', '1d', '1d1h1m1s'])
    fc.assert(fc.property(fc.integer({ min: 1, max: LONGEST_SECONDS }), seconds => findDuration(compactDuration(seconds))?.value === seconds))
  })
})
