import { describe, expect, it } from 'vitest'
import { callFor, wordsFor, human, reading } from './harness.ts'

const at = (date: string, time: string, more: object = {}) => ({ at: { date, time, ...more } })
const after = (seconds: number) => ({ after_seconds: seconds })
const every = (seconds: number) => ({ every_seconds: seconds })
const cron = (pattern: string, zone = 'Asia/Shanghai') => ({ cron: pattern, time_zone: zone })

/** The reading says Friday, 2026-10-09 01:23:45 in Shanghai. */
const REMINDERS: readonly (readonly [string, string, object])[] = [
  ['remind me in 20 seconds to stretch', 'stretch', after(20)],
  ['REMIND ME IN 20 SECONDS TO STRETCH', 'STRETCH', after(20)],
  ['Could you please remind me in 10 minutes to call Ann?', 'call Ann?', after(600)],
  ['in 10 minutes remind me to check the oven', 'check the oven', after(600)],
  ['remind me in ten minutes to check the oven', 'check the oven', after(600)],
  ['remind me in twenty-five minutes to check the oven', 'check the oven', after(1500)],
  ['remind me in half an hour to leave', 'leave', after(1800)],
  ['remind me in an hour and a half to leave, thanks', 'leave', after(5400)],
  ['remind me in one and a half hours to leave', 'leave', after(5400)],
  ['remind me in 1.5 hours to leave', 'leave', after(5400)],
  ['remind me in 1h30m to leave', 'leave', after(5400)],
  ['remind me to leave in 2 hours and 15 minutes', 'leave', after(8100)],
  ['remind me 20 minutes from now to leave', 'leave', after(1200)],
  ['half an hour later, remind me to leave.', 'leave', after(1800)],
  ['remind me in a couple of days to vote', 'vote', after(172_800)],
  ['remind me about the meeting in 5 minutes', 'the meeting', after(300)],
  ['remind me in 90 minutes to leave at 9:00', 'leave at 9:00', after(5400)],
  ['wake me up in 90s', 'Reminder', after(90)],
  ['remind me in 20 seconds', 'Reminder', after(20)],
  ['remind me at 15:30 to call Ann', 'call Ann', at('2026-10-09', '15:30:00')],
  ['remind me at 15:30:20 to call Ann', 'call Ann', at('2026-10-09', '15:30:20')],
  ['remind me at 3:30 pm to call Ann', 'call Ann', at('2026-10-09', '15:30:00')],
  ['remind me to call Ann at 3pm', 'call Ann', at('2026-10-09', '15:00:00')],
  ['remind me at 3 p.m. to call Ann', 'call Ann', at('2026-10-09', '15:00:00')],
  ['remind me at 9 in the evening to call Ann', 'call Ann', at('2026-10-09', '21:00:00')],
  ['remind me at half past three to call Ann', 'call Ann', at('2026-10-09', '03:30:00')],
  ['remind me at quarter to nine tonight to call Ann', 'call Ann', at('2026-10-09', '20:45:00')],
  ["remind me at three o'clock to call Ann", 'call Ann', at('2026-10-09', '03:00:00')],
  ['remind me at 1:23:45 to sleep', 'sleep', at('2026-10-10', '01:23:45')],
  ['remind me at 1:23:46 to sleep', 'sleep', at('2026-10-09', '01:23:46')],
  ['remind me at 1:00 to sleep', 'sleep', at('2026-10-10', '01:00:00')],
  ['remind me at noon to eat', 'eat', at('2026-10-09', '12:00:00')],
  ['remind me at midnight to sleep', 'sleep', at('2026-10-10', '00:00:00')],
  ['remind me to take the 16:00 train at 15:30', 'take the 16:00 train', at('2026-10-09', '15:30:00')],
  ['remind me tomorrow at 9:00 to submit the report', 'submit the report', at('2026-10-10', '09:00:00')],
  ['remind me tomorrow to submit the report', 'submit the report', at('2026-10-10', '09:00:00')],
  ['remind me tomorrow evening to submit the report', 'submit the report', at('2026-10-10', '20:00:00')],
  ['remind me tomorrow evening at 8 to submit the report', 'submit the report', at('2026-10-10', '20:00:00')],
  ['remind me by Monday to file taxes', 'file taxes', at('2026-10-12', '09:00:00')],
  ['remind us in like 5 minutes to take a break', 'take a break', after(300)],
  ['remind me tonight to call mum', 'call mum', at('2026-10-09', '20:00:00')],
  ['remind me the day after tomorrow at 9am to vote', 'vote', at('2026-10-11', '09:00:00')],
  ['in 3 days at 9:00 remind me to vote', 'vote', at('2026-10-12', '09:00:00')],
  ['set a reminder for tomorrow at 10:00: call Ann', 'call Ann', at('2026-10-10', '10:00:00')],
  ['remind me on Monday at 8:15 to plan', 'plan', at('2026-10-12', '08:15:00')],
  ['remind me on Monday at 1:00 to plan', 'plan', at('2026-10-12', '01:00:00')],
  ['remind me on Friday at 8:15 to plan', 'plan', at('2026-10-09', '08:15:00')],
  ['remind me on Friday at 1:00 to plan', 'plan', at('2026-10-16', '01:00:00')],
  ['remind me next Friday at 8:15 to plan', 'plan', at('2026-10-16', '08:15:00')],
  ["remind me on Tue at 8:15 about Monday's report", "Monday's report", at('2026-10-13', '08:15:00')],
  ['remind me on 2026-12-24 at 18:00 to wrap the presents', 'wrap the presents', at('2026-12-24', '18:00:00')],
  ['remind me on December 24th at 6pm to wrap the presents', 'wrap the presents', at('2026-12-24', '18:00:00')],
  ['remind me on 24 December 2027 at 6pm to wrap the presents', 'wrap the presents', at('2027-12-24', '18:00:00')],
  ['remind me on Jan 5 at 6pm to take the tree down', 'take the tree down', at('2027-01-05', '18:00:00')],
  ['remind me on the 15th at 6pm to pay', 'pay', at('2026-10-15', '18:00:00')],
  ['remind me at 15:30 Europe/Berlin time to call Ann', 'call Ann', at('2026-10-09', '15:30:00', { time_zone: 'Europe/Berlin' })],
  ['remind me at 2026-12-24T18:00:00+01:00 to open the door', 'open the door', { at: '2026-12-24T18:00:00+01:00' }],
  ['every 2 hours remind me to drink water', 'drink water', every(7200)],
  ['remind me every 2 hours to drink water', 'drink water', every(7200)],
  ['remind me every hour to drink water', 'drink water', every(3600)],
  ['remind me every other day to water the plants', 'water the plants', every(172_800)],
  ['set an hourly reminder: drink water', 'drink water', every(3600)],
  ['remind me every week to back up', 'back up', every(604_800)],
  ['every weekday at 9:00 stand up', 'stand up', cron('0 9 * * 1-5')],
  ['every day at 7am wake me up', 'Reminder', cron('0 7 * * *')],
  ['remind me every day to stretch', 'stretch', cron('0 9 * * *')],
  ['remind me every evening to stretch', 'stretch', cron('0 20 * * *')],
  ['set a daily reminder at 18:45 to go home', 'go home', cron('45 18 * * *')],
  ['every Monday at 8:30 remind me to plan the week', 'plan the week', cron('30 8 * * 1')],
  ['remind me every Monday, Wednesday and Friday at 8:30 to run', 'run', cron('30 8 * * 1,3,5')],
  ['remind me on Sundays at 10:00 to call home', 'call home', cron('0 10 * * 0')],
  ['remind me every weekend at 10:00 to call home', 'call home', cron('0 10 * * 0,6')],
  ['remind me on the 1st of every month at 9:00 to pay rent', 'pay rent', cron('0 9 1 * *')],
  ['remind me every month on the 15th at 9:00 to pay rent', 'pay rent', cron('0 9 15 * *')],
  ['every day at 9:00 Europe/Berlin remind me to stretch', 'stretch', cron('0 9 * * *', 'Europe/Berlin')],
]

const OTHERS: readonly (readonly [string, string, object])[] = [
  ['list my reminders', 'schedule_list', {}],
  ['Show me all reminders, please', 'schedule_list', {}],
  ['what reminders do I have?', 'schedule_list', {}],
  ['reminders', 'schedule_list', {}],
  ['cancel reminder schedule-1', 'schedule_delete', { id: 'schedule-1' }],
  ['Delete the reminder r-3.', 'schedule_delete', { id: 'r-3' }],
  ['please remove schedule-2', 'schedule_delete', { id: 'schedule-2' }],
  ['cancel the reminder with id "abc"', 'schedule_delete', { id: 'abc' }],
  ['snooze schedule-1 10 minutes', 'schedule_snooze', { id: 'schedule-1', after_seconds: 600 }],
  ['snooze reminder schedule-1 for an hour', 'schedule_snooze', { id: 'schedule-1', after_seconds: 3600 }],
  ['postpone schedule-1 by 1h30m', 'schedule_snooze', { id: 'schedule-1', after_seconds: 5400 }],
  ['snooze schedule-1', 'schedule_snooze', { id: 'schedule-1', after_seconds: 600 }],
  ['set clock mode turn', 'time_mode', { mode: 'turn' }],
  ['switch the clock to fine', 'time_mode', { mode: 'fine' }],
  ['turn the clock off', 'time_mode', { mode: 'off' }],
  ['clock mode every step', 'time_mode', { mode: 'fine' }],
  ['set the clock to cron 0 9 * * 1-5', 'time_mode', { mode: 'cron', cron: '0 9 * * 1-5' }],
  ['start a timer called build', 'time_counter', { action: 'start', name: 'build' }],
  ['start timer "nightly build"', 'time_counter', { action: 'start', name: 'nightly build' }],
  ['start timing build', 'time_counter', { action: 'start', name: 'build' }],
  ['how long has build been running?', 'time_counter', { action: 'lapse', name: 'build' }],
  ['how long since build?', 'time_counter', { action: 'lapse', name: 'build' }],
  ['reset timer build', 'time_counter', { action: 'reset', name: 'build' }],
  ['stop the timer build', 'time_counter', { action: 'remove', name: 'build' }],
  ['list my timers', 'time_counter', { action: 'list' }],
  ['countdown 10m tea', 'time_countdown', { action: 'start', name: 'tea', in: '10m' }],
  ['start a 90 second countdown called "green tea"', 'time_countdown', { action: 'start', name: '"green tea"', in: '1m30s' }],
  ['set a timer for 5 minutes', 'time_countdown', { action: 'start', name: 'countdown', in: '5m' }],
  ['cancel the countdown tea', 'time_countdown', { action: 'cancel', name: 'tea' }],
  ['list countdowns', 'time_countdown', { action: 'list' }],
]

describe('requests in English', () => {
  it.each(REMINDERS)('"%s" sets one reminder', (text, prompt, rule) => {
    expect(callFor(text)).toEqual(['schedule_create', { prompt, ...rule }])
  })

  it.each(OTHERS)('"%s" calls %s', (text, tool, args) => {
    expect(callFor(text)).toEqual([tool, args])
  })

  it.each([
    ['what time is it?', 'By the newest reading in this conversation it was 01:23:45 on 2026-10-09 (Asia/Shanghai, UTC+08:00).'],
    ["What's the date today", '2026-10-09'],
    ['time?', '01:23:45'],
    ['remind me to stretch', 'When?'],
    ['remind me on 12/11 at 18:00 to pay', 'When?'],
    ['cancel my reminder', 'Which reminder?'],
    ['delete all reminders', 'Which reminder?'],
    ['snooze the reminder', 'Which reminder?'],
    ['set the clock', 'Which mode'],
    ['cancel the countdown', 'What is its name?'],
    ['tell me a joke', 'not an AI'],
    ['wake me', 'not an AI'],
    ['I met a man at 15:30', 'not an AI'],
    ['cancel my subscription', 'not an AI'],
    ['stop the timer', 'not an AI'],
    ['the weekly report is late', 'not an AI'],
    ['call Ann', 'not an AI'],
    ['remind me in 0 seconds to stretch', 'When?'],
    ['remind me in 900000 weeks to stretch', 'When?'],
  ])('"%s" is answered in words', (text, words) => {
    expect(wordsFor([reading(), human(text)])).toContain(words)
  })

  it('an example that the introduction gives is understood', () => {
    const intro = wordsFor([human('hello')])
    const examples = intro.split('\n').filter(line => line.startsWith('- '))
    expect(examples).toHaveLength(3)
    for (const example of examples) expect(callFor(example.slice(2))[0]).toMatch(/^schedule_/)
  })
})
