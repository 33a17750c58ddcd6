import { describe, expect, it } from 'vitest'
import { textsOf } from '../src/cli/texts/texts.ts'
import { padEnd } from '../src/cli/width.ts'

/** What the texts that cannot do with two numbers are given. */
const GIVEN: Readonly<Record<string, readonly unknown[]>> = {
  ambiguous: [['given-1', 'given-2']],
  cron: [{ code: 'macro', macro: '@7' }],
  duration: [93_784_000],
  note: [{ code: 'short-months', days: [31] }],
}

/** Every text of a dictionary by its path; those that take something are given what can be found again. */
function leaves(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String((value as (...given: unknown[]) => unknown)(...(GIVEN[path.slice(path.lastIndexOf('.') + 1)] ?? [7, 8])))]]
  return Object.entries(value as object).flatMap(([name, one]) => leaves(one, `${path}.${name}`))
}

const [english, chinese] = [leaves(textsOf('en')), new Map(leaves(textsOf('zh')))]

describe('the texts', () => {
  it.each(english)('T14 %s is there in both languages', (path, text) => {
    expect(text).not.toBe('')
    expect(chinese.get(path)).not.toBe('')
    if (/\d/.test(text) && !path.includes('.help.')) expect(chinese.get(path)).toMatch(/\d/)
  })

  it('T14 the Chinese texts are Chinese, but for names and what stands between words', () => {
    const same = english.filter(([path, text]) => chinese.get(path) === text).map(([path]) => path)
    expect(same).toEqual([])
    expect([...chinese].filter(([, text]) => !/[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/.test(text)).map(([path]) => path)).toEqual([])
  })

  it('T14 durations are said in the language', () => {
    expect([textsOf('en').duration(93_784_000), textsOf('zh').duration(93_784_000), textsOf('zh').duration(61_000)]).toEqual(['1d 2h', '1天 2小时', '1分钟 1秒'])
  })

  it.each([
    ['abc', 'abc  |'],
    ['提醒', '提醒 |'],
    ['longer', 'longer|'],
  ])('T14 columns count what a terminal draws: %s', (text, line) => {
    expect(`${padEnd(text, 5)}|`).toBe(line)
  })
})
