import { afterEach, expect, it, vi } from 'vitest'
import { dateText } from '../../src/client/date-text.ts'

const NOON = Date.UTC(2026, 9, 9, 12)
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

it('P7 a format is made once for each language, zone and shape', () => {
  let made = 0
  class Counted extends Intl.DateTimeFormat {
    constructor(...words: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      super(...words)
      made += 1
    }
  }
  vi.stubGlobal('Intl', { DateTimeFormat: Counted })
  const say = (): readonly string[] => [dateText(NOON, 'en-US', TIME, 'Asia/Shanghai'), dateText(NOON, 'en-US', TIME, 'UTC'), dateText(NOON, 'zh-CN', { weekday: 'short' }, 'UTC')]
  expect(say()).toEqual(['20:00', '12:00', '周五'])
  for (let number = 0; number < 100; number += 1) say()
  expect(made).toBe(3)
})

it('R21 a browser that is taken to another zone tells the time there', () => {
  vi.stubEnv('TZ', 'Asia/Shanghai')
  expect(dateText(NOON, 'en-US', TIME)).toBe('20:00')
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(dateText(NOON, 'en-US', TIME)).toBe('14:00')
})
