import { describe, expect, it } from 'vitest'
import { callFor, human, reading, wordsFor } from './harness.ts'

const at = (date: string, time: string) => ({ at: { date, time } })
const after = (seconds: number) => ({ after_seconds: seconds })
const every = (seconds: number) => ({ every_seconds: seconds })
const cron = (pattern: string) => ({ cron: pattern, time_zone: 'Asia/Shanghai' })

/** The reading says Friday, 2026-10-09 01:23:45 in Shanghai. */
const REMINDERS: readonly (readonly [string, string, object])[] = [
  ['20秒后提醒我喝水', '喝水', after(20)],
  ['２０秒后提醒我喝水', '喝水', after(20)],
  ['请在20秒之后提醒我喝水，谢谢！', '喝水', after(20)],
  ['麻烦你，十分钟后提醒我关火', '关火', after(600)],
  ['二十五分钟以后提醒我关火', '关火', after(1500)],
  ['一百零五秒后提醒我关火', '关火', after(105)],
  ['半小时后提醒我开会', '开会', after(1800)],
  ['半个小时后提醒我开会', '开会', after(1800)],
  ['一个半小时后叫我起床', '起床', after(5400)],
  ['两小时三十分钟后提醒我开会', '开会', after(9000)],
  ['一刻钟后提醒我开会', '开会', after(900)],
  ['过20分钟提醒我看锅', '看锅', after(1200)],
  ['再过两个小时提醒我看锅', '看锅', after(7200)],
  ['提醒我10分钟后喝一点水', '喝一点水', after(600)],
  ['10min后提醒我喝水', '喝水', after(600)],
  ['10分钟后提醒：喝水', '喝水', after(600)],
  ['三天后提醒我投票', '投票', after(259_200)],
  ['30秒后叫醒我', '提醒', after(30)],
  ['15:30提醒我给安打电话', '给安打电话', at('2026-10-09', '15:30:00')],
  ['１５：３０提醒我给安打电话', '给安打电话', at('2026-10-09', '15:30:00')],
  ['下午3点半提醒我给安打电话', '给安打电话', at('2026-10-09', '15:30:00')],
  ['下午三点十五分提醒我给安打电话', '给安打电话', at('2026-10-09', '15:15:00')],
  ['下午3:30提醒我给安打电话', '给安打电话', at('2026-10-09', '15:30:00')],
  ['中午12点提醒我吃饭', '吃饭', at('2026-10-09', '12:00:00')],
  ['中午1点一刻提醒我吃饭', '吃饭', at('2026-10-09', '13:15:00')],
  ['今晚8点提醒我看球', '看球', at('2026-10-09', '20:00:00')],
  ['今晚提醒我看球', '看球', at('2026-10-09', '20:00:00')],
  ['晚上12点提醒我睡觉', '睡觉', at('2026-10-10', '00:00:00')],
  ['1点整提醒我睡觉', '睡觉', at('2026-10-10', '01:00:00')],
  ['明天上午9点提醒我交报告', '交报告', at('2026-10-10', '09:00:00')],
  ['明天提醒我交报告', '交报告', at('2026-10-10', '09:00:00')],
  ['明天提醒我喝一点水', '喝一点水', at('2026-10-10', '09:00:00')],
  ['明早七点叫我起床', '起床', at('2026-10-10', '07:00:00')],
  ['后天晚上九点半提醒我看电影', '看电影', at('2026-10-11', '21:30:00')],
  ['大后天上午10点提醒我看牙', '看牙', at('2026-10-12', '10:00:00')],
  ['周一上午十点提醒我开例会', '开例会', at('2026-10-12', '10:00:00')],
  ['下周一上午十点提醒我开例会', '开例会', at('2026-10-12', '10:00:00')],
  ['下周五上午十点提醒我开例会', '开例会', at('2026-10-16', '10:00:00')],
  ['这周日上午十点提醒我给家里打电话', '给家里打电话', at('2026-10-11', '10:00:00')],
  ['2026年12月24日18:00提醒我包礼物', '包礼物', at('2026-12-24', '18:00:00')],
  ['12月24号下午6点提醒我包礼物', '包礼物', at('2026-12-24', '18:00:00')],
  ['一月五日晚上8点提醒我拆圣诞树', '拆圣诞树', at('2027-01-05', '20:00:00')],
  ['15号上午9点提醒我交房租', '交房租', at('2026-10-15', '09:00:00')],
  ['5号上午9点提醒我交房租', '交房租', at('2026-11-05', '09:00:00')],
  ['下个月15号上午9点提醒我交房租', '交房租', at('2026-11-15', '09:00:00')],
  ['今天下午5点之前提醒我交作业', '交作业', at('2026-10-09', '17:00:00')],
  ['帮我设个10分钟后的提醒，去收衣服', '去收衣服', after(600)],
  ['设一个明天早上7点的闹钟', '提醒', at('2026-10-10', '07:00:00')],
  ['每2小时提醒我喝水', '喝水', every(7200)],
  ['每隔半小时提醒我喝水', '喝水', every(1800)],
  ['每小时提醒我喝水', '喝水', every(3600)],
  ['每两天提醒我浇花', '浇花', every(172_800)],
  ['每周提醒我备份', '备份', every(604_800)],
  ['每天9点提醒我吃药', '吃药', cron('0 9 * * *')],
  ['每天早上八点半提醒我吃药', '吃药', cron('30 8 * * *')],
  ['每天提醒我吃药', '吃药', cron('0 9 * * *')],
  ['每晚10点提醒我睡觉', '睡觉', cron('0 22 * * *')],
  ['每个工作日9点提醒我写计划', '写计划', cron('0 9 * * 1-5')],
  ['工作日每天早上九点提醒我打卡', '打卡', cron('0 9 * * 1-5')],
  ['每周一9点提醒我开会', '开会', cron('0 9 * * 1')],
  ['每周一、三、五早上8点提醒我跑步', '跑步', cron('0 8 * * 1,3,5')],
  ['每周一到周五8点提醒我跑步', '跑步', cron('0 8 * * 1-5')],
  ['每周五至周日8点提醒我跑步', '跑步', cron('0 8 * * 5-7')],
  ['每周末10点提醒我大扫除', '大扫除', cron('0 10 * * 0,6')],
  ['每月15号9点提醒我交房租', '交房租', cron('0 9 15 * *')],
  ['每天9点站会', '站会', cron('0 9 * * *')],
]

const OTHERS: readonly (readonly [string, string, object])[] = [
  ['列出提醒', 'schedule_list', {}],
  ['我有哪些提醒？', 'schedule_list', {}],
  ['帮我看看有什么提醒', 'schedule_list', {}],
  ['提醒列表', 'schedule_list', {}],
  ['取消提醒 schedule-1', 'schedule_delete', { id: 'schedule-1' }],
  ['请把 schedule-2 取消', 'schedule_delete', { id: 'schedule-2' }],
  ['删掉提醒r-3。', 'schedule_delete', { id: 'r-3' }],
  ['schedule-1 推迟10分钟', 'schedule_snooze', { id: 'schedule-1', after_seconds: 600 }],
  ['把schedule-1延后半小时', 'schedule_snooze', { id: 'schedule-1', after_seconds: 1800 }],
  ['推迟 schedule-1', 'schedule_snooze', { id: 'schedule-1', after_seconds: 600 }],
  ['时钟模式 turn', 'time_mode', { mode: 'turn' }],
  ['把时钟设为每步', 'time_mode', { mode: 'fine' }],
  ['关闭时钟', 'time_mode', { mode: 'off' }],
  ['时钟改成定时', 'time_mode', { mode: 'cron' }],
  ['计时 build', 'time_counter', { action: 'start', name: 'build' }],
  ['给 build 计时', 'time_counter', { action: 'start', name: 'build' }],
  ['build 跑了多久了？', 'time_counter', { action: 'lapse', name: 'build' }],
  ['重置计时器 build', 'time_counter', { action: 'reset', name: 'build' }],
  ['删除计时器 build', 'time_counter', { action: 'remove', name: 'build' }],
  ['列出计时器', 'time_counter', { action: 'list' }],
  ['倒计时10分钟 泡茶', 'time_countdown', { action: 'start', name: '泡茶', in: '10m' }],
  ['倒计时10分钟', 'time_countdown', { action: 'start', name: '倒计时', in: '10m' }],
  ['取消倒计时 泡茶', 'time_countdown', { action: 'cancel', name: '泡茶' }],
  ['列出倒计时', 'time_countdown', { action: 'list' }],
]

describe('requests in Chinese', () => {
  it.each(REMINDERS)('“%s” sets one reminder', (text, prompt, rule) => {
    expect(callFor(text)).toEqual(['schedule_create', { prompt, ...rule }])
  })

  it.each(OTHERS)('“%s” calls %s', (text, tool, args) => {
    expect(callFor(text)).toEqual([tool, args])
  })

  it.each([
    ['现在几点', '2026-10-09 01:23:45（Asia/Shanghai，UTC+08:00）'],
    ['几点了？', '01:23:45'],
    ['今天星期几', '2026-10-09'],
    ['提醒我喝水', '什么时候'],
    ['取消提醒', '哪一条提醒'],
    ['打开时钟', '哪种模式'],
    ['取消倒计时', '叫什么名字'],
    ['给我讲个笑话', '不是 AI'],
    ['我9点吃过饭了', '不是 AI'],
    ['3个工作日后到货', '不是 AI'],
  ])('“%s” is answered in words', (text, words) => {
    expect(wordsFor([reading(), human(text)])).toContain(words)
  })

  it('an example that the introduction gives is understood', () => {
    const examples = wordsFor([human('你好')]).split('\n').filter(line => line.startsWith('- '))
    expect(examples).toHaveLength(3)
    for (const example of examples) expect(callFor(example.slice(2))[0]).toMatch(/^schedule_/)
  })
})
