import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { earliest, findFirst, halfWidth, languageOf, leftover, oneLine, quoted } from '../src/text.ts'

const found = (value: string, start: number, end: number) => ({ value, start, end })

describe('text', () => {
  it('is Chinese as soon as one Han character is in it', () => {
    expect(['remind me', '', '20秒', 'remind me 喝水', 'ひらがな'].map(languageOf)).toEqual(['en', 'en', 'zh', 'zh', 'en'])
  })

  it('becomes half-width unit by unit', () => {
    expect(halfWidth('２０：３０，　ＯＫ！ what’s')).toBe("20:30, OK! what's")
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => halfWidth(text).length === text.length))
  })

  it('skips matches that read as nothing', () => {
    const read = (match: RegExpExecArray) => (Number(match[0]) > 10 ? Number(match[0]) : undefined)
    expect(findFirst('3 5 20 30', /\d+/g, read)).toEqual({ value: 20, start: 4, end: 6 })
    expect(findFirst('3 5', /\d+/g, read)).toBeUndefined()
  })

  it('prefers the earliest find, and the longer of two that start together', () => {
    expect(earliest([found('b', 4, 6), undefined, found('a', 1, 2), found('c', 1, 3)])?.value).toBe('c')
    expect(earliest([undefined])).toBeUndefined()
  })

  it('leaves what no span covers, whatever their order and overlap', () => {
    expect(leftover('remind me at 9 to run', [{ start: 10, end: 14 }, { start: 0, end: 9 }])).toBe('to run')
    expect(leftover('abcdef', [{ start: 1, end: 4 }, { start: 2, end: 3 }])).toBe('a ef')
    expect(leftover('abc', [])).toBe('abc')
  })

  it('is quoted on one line of bounded length', () => {
    expect(oneLine(' a\n\tb  c ', 10)).toBe('a b c')
    expect(oneLine('abcdef', 4)).toBe('abc…')
    fc.assert(fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const line = oneLine(text, max)
      return line.length <= max && !line.includes('\n')
    }))
  })

  it('X4 is quoted in an answer so that it opens no code, no link, no image and no HTML', () => {
    expect(quoted('![x](http://a.example/p.png)\n<b> `c` \\ d', 99)).toBe(String.raw`!\[x\](http://a.example/p.png) \<b> \`c\` \\ d`)
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'![](<>`\\ab') }), (text) => {
      const rest = quoted(text, 100).replaceAll(/\\[\\`[\]<]/g, '')
      return !/[\\`[\]<]/.test(rest)
    }))
  })
})
