import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberOf } from '../src/numerals.ts'

const DIGITS = '零一二三四五六七八九'

/** Standard Chinese numeral of 1–9999, built apart from the reader. */
function chinese(value: number): string {
  const digits = String(value).split('').map(Number)
  let text = ''
  let gap = false
  for (const [index, digit] of digits.entries()) {
    const unit = ['', '十', '百', '千'][digits.length - 1 - index] ?? ''
    if (digit === 0) gap = text !== ''
    else {
      text += (gap ? '零' : '') + (DIGITS[digit] ?? '') + unit
      gap = false
    }
  }
  return text
}

describe('numerals', () => {
  it.each([
    ['7', 7], ['1.5', 1.5], ['a', 1], ['an', 1], ['Half an', 0.5], ['half  a', 0.5], ['a couple of', 2], ['other', 2],
    ['nine', 9], ['nineteen', 19], ['Forty', 40], ['twenty-five', 25], ['ninety nine', 99],
    ['半', 0.5], ['两', 2], ['十', 10], ['十五', 15], ['二十', 20], ['一百零五', 105], ['二〇二六', 2026], ['两千', 2000],
  ])('%s is %d', (token, value) => {
    expect(numberOf(token)).toBe(value)
  })

  it.each(['', 'many', '1.', '-3', 'twenty-eleven', 'twenty-', 'one-two', 'twenty one two', 'zero', 'ten one', 'constructor', '十x', '1e3'])('"%s" is no number', token => {
    expect(numberOf(token)).toBeUndefined()
  })

  it('Chinese numerals up to 9999 are read as they are written', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 9999 }), value => numberOf(chinese(value)) === value))
    expect(chinese(9070)).toBe('九千零七十')
  })
})
