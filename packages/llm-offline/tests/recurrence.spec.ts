import { describe, expect, it } from 'vitest'
import { findRecurrence } from '../src/recurrence.ts'

describe('calendar series', () => {
  it.each([
    ['every working day', '* * 1-5'], ['on weekdays', '* * 1-5'], ['each day', '* * *'], ['every single day', '* * *'], ['daily at 9', '* * *'],
    ['every morning', '* * *'], ['every Saturday & Sunday', '* * 0,6'], ['every Monday and every Monday', '* * 1'], ['on weekends', '* * 0,6'],
    ['the 3rd day of each month', '3 * *'], ['monthly on the 31st', '31 * *'],
    ['天天', '* * *'], ['每个周末', '* * 0,6'], ['每周二和周四', '* * 2,4'], ['每星期日', '* * 0'], ['每周日至周二', '* * 0-2'], ['每个月的一号', '1 * *'],
  ])('"%s" is %s', (text, days) => {
    expect(findRecurrence(text)?.value).toBe(days)
  })

  it.each(['', 'the daily report', 'Monday', 'one of these days', 'every 2 days', 'on the 32nd of every month', 'every month on the 0th', '每月32号', '工作', '周末'])('"%s" is no series', text => {
    expect(findRecurrence(text)).toBeUndefined()
  })
})
