import { describe, expect, it } from 'vitest'
import { en, zh } from '../../src/client/locales.ts'
import { longTime, nowText, shortTime } from '../../src/client/time-text.ts'

const NOW = Date.parse('2026-10-09T01:02:03.456Z')
const HOUR = 3_600_000
const ZONE = 'Asia/Shanghai'

describe('the time in words', () => {
  it.each([
    ['en-US', { time: '09:02:03', date: 'Friday, October 9, 2026', iso: '2026-10-09T01:02:03.000Z' }],
    ['zh-CN', { time: '09:02:03', date: '2026年10月9日星期五', iso: '2026-10-09T01:02:03.000Z' }],
  ])('R21 in %s the card has time, date and weekday', (locale, text) => {
    expect(nowText(NOW, locale, ZONE)).toEqual(text)
  })

  it.each([
    ['en-US', 0, '09:02'],
    ['en-US', 15, '00:02'],
    ['en-US', 23.9, '08:56'],
    ['en-US', 24, 'Sat'],
    ['en-US', 6 * 24, '10/15'],
    ['zh-CN', 24, '周六'],
    ['zh-CN', 6 * 24, '10/15'],
  ])('R21 in %s the button shows what is %f hours ahead as %s', (locale, hours, text) => {
    expect(shortTime(NOW + hours * HOUR, NOW, locale, ZONE)).toBe(text)
  })

  it('R21 nothing on the button is longer than its fixed width', () => {
    for (const locale of ['en-US', 'zh-CN']) for (let hours = 0; hours < 400 * 24; hours += 7) expect(shortTime(NOW + hours * HOUR, NOW, locale, ZONE).length).toBeLessThan(6)
  })

  it('R21 a line names the day as well', () => {
    expect(longTime(NOW, 'en-US', ZONE)).toBe('Fri, Oct 9, 09:02')
  })

  it('R21 both languages have every text, with the same places for values', () => {
    const places = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()
    for (const [key, text] of Object.entries(en)) expect([key, places(zh[key as keyof typeof en])]).toEqual([key, places(text)])
    expect(Object.keys(zh)).toEqual(Object.keys(en))
  })
})
