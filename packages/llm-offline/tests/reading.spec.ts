import { describe, expect, it } from 'vitest'
import { dateText, readingIn, timeText } from '../src/reading.ts'

describe('readings', () => {
  it('the first stamped instant of a text is the reading', () => {
    expect(readingIn('Time sampled: 2026-10-09T01:23:45+08:00[Asia/Shanghai]\nprevious 2020-01-01T00:00:00Z[UTC]')).toEqual({
      date: { year: 2026, month: 10, day: 9 }, secondOfDay: 5025, offset: '+08:00', zone: 'Asia/Shanghai',
    })
  })

  it('fractions and missing seconds are accepted', () => {
    expect(readingIn('2026-10-09T01:23:45.678Z[Etc/GMT+8]')).toMatchObject({ secondOfDay: 5025, offset: 'Z', zone: 'Etc/GMT+8' })
    expect(readingIn('2026-10-09T01:23+00:00[UTC]')).toMatchObject({ secondOfDay: 4980 })
  })

  it.each(['', '2026-10-09T01:23:45Z', '2026-10-09 01:23:45 [UTC]', '2026-10-09T01:23:45Z[]'])('"%s" is no reading', text => {
    expect(readingIn(text)).toBeUndefined()
  })

  it('dates and times are written with leading zeros', () => {
    expect(dateText({ year: 7, month: 1, day: 2 })).toBe('0007-01-02')
    expect([0, 61, 86_399].map(timeText)).toEqual(['00:00:00', '00:01:01', '23:59:59'])
  })
})
