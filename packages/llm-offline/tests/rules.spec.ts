import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { understand } from '../src/rules.ts'
import { fastest } from './harness.ts'

const FRAGMENTS = [
  'remind me', ' in ', 'at ', 'every ', '20', ' seconds', '9:00', 'tomorrow', 'monday', ' and ', 'a ', 'half ', "o'clock", 'list', 'reminders', 'cancel ', 'snooze ',
  'countdown ', 'timer ', 'how long has ', 'clock ', '提醒我', '后', '分钟', '十', '点', '半', '每', '周', '一', '号', '月', '推迟', '取消', '倒计时', '计时', '多久', '，', '：', ' ', '\n', '"',
]

const sentence = fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 4 })), { maxLength: 40 }).map(parts => parts.join(''))

describe('rules', () => {
  it('X3 no text makes them throw or think for 50 ms', () => {
    fc.assert(fc.property(fc.oneof(sentence, fc.string({ unit: 'binary', maxLength: 700 })), text => {
      expect(understand(text)).toHaveProperty('kind')
      expect(fastest(() => understand(text))).toBeLessThan(50)
    }), { numRuns: 1000 })
  })

  it.each([...FRAGMENTS, 'a a ', 'one and a half ', '1d', '十个半', 'every every ', 'on monday, ', '每周一、'])('X3 "%s" repeated is answered within 50 ms', fragment => {
    const text = fragment.repeat(Math.floor(600 / fragment.length))
    expect(fastest(() => understand(text))).toBeLessThan(50)
  })

  it('a text of more than 600 characters is not searched', () => {
    expect(understand(`remind me in 5 minutes to ${'x'.repeat(500)}`).kind).toBe('remind')
    expect(understand(`remind me in 5 minutes to ${'x'.repeat(600)}`)).toEqual({ kind: 'unknown' })
  })

  it('a reminder to cancel or to snooze is a reminder', () => {
    expect(understand('remind me in 10 minutes to cancel reminder schedule-1')).toMatchObject({ kind: 'remind', prompt: 'cancel reminder schedule-1' })
    expect(understand('10分钟后提醒我取消提醒')).toMatchObject({ kind: 'remind', prompt: '取消提醒' })
    expect(understand('in 5 minutes remind me to set the clock')).toMatchObject({ kind: 'remind', prompt: 'set the clock' })
    expect(understand('in 5 minutes remind me to start a timer')).toMatchObject({ kind: 'remind' })
  })

  it('words of the reminder are kept as they were typed', () => {
    expect(understand('２０秒后提醒我：看《红楼梦》，第３回')).toMatchObject({ prompt: '看《红楼梦》，第３回' })
    expect(understand('remind me in 5 minutes to say "Hi, Ann!"')).toMatchObject({ prompt: 'say "Hi, Ann!"' })
  })

  it('a token with a digit is the id, else the only word that is not a filler', () => {
    expect(understand('snooze the reminder abc for 5 minutes')).toEqual({ kind: 'snooze', id: 'abc', seconds: 300 })
    expect(understand('cancel the reminder about stretching legs')).toEqual({ kind: 'cancel', id: undefined })
    expect(understand('snooze')).toEqual({ kind: 'unknown' })
  })

  it('a name is what is left when the words of the command are taken out', () => {
    expect(understand('count down 3 minutes for the eggs')).toEqual({ kind: 'countdown', action: 'start', name: 'eggs', seconds: 180 })
    expect(understand('start a stopwatch for the race')).toEqual({ kind: 'counter', action: 'start', name: 'the race' })
    expect(understand('start a timer ...')).toEqual({ kind: 'unknown' })
  })
})
