import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRefusal } from '../../src/errors.ts'
import { readSwitch, readTimer } from '../../src/people/grammar.ts'
import { languageFor } from '../../src/people/language.ts'
import { HandLog } from '../events.ts'

const MINUTE = 60_000
const start = (name: string, when: object) => ({ action: 'start', name, when, onFire: undefined, note: undefined })
const snooze = (name: string, ms: number) => ({ action: 'snooze', name, when: { kind: 'in', ms }, onFire: undefined, note: undefined })

describe('what follows /timer', () => {
  it.each([
    ['10m tea', 'tea', { kind: 'in', ms: 10 * MINUTE }],
    ['1h30m  call  Ann', 'call Ann', { kind: 'in', ms: 90 * MINUTE }],
    ['90S tea', 'tea', { kind: 'in', ms: 90_000 }],
    ['2d, pay rent', 'pay rent', { kind: 'in', ms: 2880 * MINUTE }],
    ['10分钟 泡茶', '泡茶', { kind: 'in', ms: 10 * MINUTE }],
    ['10分钟后泡茶', '泡茶', { kind: 'in', ms: 10 * MINUTE }],
    ['1个小时30分以后，开会', '开会', { kind: 'in', ms: 90 * MINUTE }],
    ['2天3秒钟 x', 'x', { kind: 'in', ms: 2880 * MINUTE + 3000 }],
    ['10m泡茶', '泡茶', { kind: 'in', ms: 10 * MINUTE }],
    ['15:30 call Ann', 'call Ann', { kind: 'at', time: '15:30' }],
    ['9：05 开会', '开会', { kind: 'at', time: '09:05' }],
    ['15:30开会', '开会', { kind: 'at', time: '15:30' }],
    ['15:30 amend the plan', 'amend the plan', { kind: 'at', time: '15:30' }],
  ])('T10 R12 %s is a countdown named by the text', (text, name, when) => {
    expect(readTimer(text)).toEqual(start(name, when))
  })

  it.each([
    ['snooze tea 5m', snooze('tea', 5 * MINUTE)],
    ['SNOOZE call Ann 1h', snooze('call Ann', 60 * MINUTE)],
    ['推迟 泡茶 5分钟', snooze('泡茶', 5 * MINUTE)],
    ['cancel call Ann', { action: 'cancel', name: 'call Ann' }],
    ['取消 泡茶', { action: 'cancel', name: '泡茶' }],
  ])('T10 R12 %s names the countdown first', (text, wish) => {
    expect(readTimer(text)).toEqual(wish)
  })

  it.each([
    'tea', 'tea 10m', '10 tea', '10x tea', '10分钟x', '3:30pm call', '3:30 pm call Ann', '3:30 P.M.', '15:30:20 tea', '下午3点 开会', '半小时后 开会',
    'snooze', 'snooze tea', 'snooze 5m', 'snooze tea 15:30', 'snooze tea 5mx', '推迟 泡茶 明天', 'cancel', '取消', 'snoozes tea 5m',
  ])('T10 %s is not guessed at', (text) => {
    expect(readTimer(text)).toBe('unclear')
  })

  it.each([
    ['10m', 'bad-name'],
    ['15:30', 'bad-name'],
    [`10m ${'x'.repeat(65)}`, 'bad-name'],
    ['cancel \u200b', 'bad-name'],
    ['0m tea', 'bad-time'],
    ['5m1h tea', 'bad-time'],
    ['snooze tea 5m1h', 'bad-time'],
  ])('T10 R12 %s is refused by the rules of the tool', (text, code) => {
    expect(readTimer(text)).toMatchObject({ code })
  })

  it('X4 no text makes it fail, and a name is one visible line', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.tuple(fc.constantFrom('10m ', '15:30 ', 'cancel ', '10分钟后'), fc.string({ unit: 'binary' })).map((parts) => parts.join('')))
    fc.assert(fc.property(text, (given) => {
      const read = readTimer(given.trim())
      return read === 'unclear' || isRefusal(read) || /^[^\n\r\u2028\u2029\u202e]{1,128}$/u.test(read.name)
    }))
  })
})

describe('what follows /clock', () => {
  it.each([
    ['off', 'off', undefined],
    ['关闭', 'off', undefined],
    ['每轮', 'turn', undefined],
    ['每步', 'fine', undefined],
    ['Fine', 'fine', undefined],
    ['计划', 'cron', undefined],
    ['cron 0 9 * * 1-5', 'cron', '0 9 * * 1-5'],
    ['计划  "0 9 * * 1-5"', 'cron', '0 9 * * 1-5'],
    ['cron “*/30 * * * *”', 'cron', '*/30 * * * *'],
  ])('T10 R1 %s is a mode', (text, mode, cron) => {
    const change = readSwitch(text)
    expect(isRefusal(change) ? change : [change.mode, change.cron?.text]).toEqual([mode, cron])
  })

  it.each([
    ['constructor', 'bad-mode'],
    ['on', 'bad-mode'],
    ['cron 61 * * * *', 'bad-cron'],
    ['cron tomorrow', 'bad-cron'],
  ])('T10 %s is refused', (text, code) => {
    expect(readSwitch(text)).toMatchObject({ code })
  })
})

describe('language', () => {
  const spoken = (text: string): HandLog => {
    const log = new HandLog()
    log.add(1, 'user/message', { id: 'a', content: [{ type: 'image' }, { type: 'text', text }], source: { kind: 'user' } })
    log.reading(2)
    return log
  }

  it.each([
    ['10m 泡茶', 'hello', 'zh'],
    ['10m tea', '你好', 'en'],
    ['', '你好', 'zh'],
    ['', 'hello', 'en'],
    ['snooze 10m', '你好', 'zh'],
    ['CRON 0 9 * * 1-5', '你好', 'zh'],
    ['off', 'hello', 'en'],
  ])('T10 %j after %j is answered in %s', (text, last, language) => {
    expect(languageFor(text, spoken(last).events)).toBe(language)
  })

  it('T10 is English while nobody has said anything', () => {
    expect(languageFor('', [])).toBe('en')
  })
})
