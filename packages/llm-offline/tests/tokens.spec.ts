import { describe, expect, it } from 'vitest'
import { requestTokens, tokensOf } from '../src/tokens.ts'
import { called, human, result, said, toolsNamed } from './harness.ts'

describe('token estimates', () => {
  it('are a quarter of the UTF-8 bytes, rounded up', () => {
    expect(['', 'a', 'abcd', 'abcde', '喝水'].map(tokensOf)).toEqual([0, 1, 1, 2, 2])
  })

  it('count system text, messages, calls, results and schemas', () => {
    expect(requestTokens({ messages: [] })).toBe(1)
    const base = requestTokens({ messages: [human('x'.repeat(400))] })
    expect(base).toBe(100)
    expect(requestTokens({ messages: [human('x'.repeat(400)), said('abcd')], system: 'y'.repeat(40) })).toBe(base + 11)
    expect(requestTokens({ messages: [called('abcd', '{"a":1}'), result('abcd')] })).toBe(4)
    expect(requestTokens({ messages: [], tools: toolsNamed(['schedule_list']) })).toBeGreaterThan(10)
  })

  it('ignore blocks that are not text', () => {
    const image = { type: 'image', attachment: {} } as never
    expect(requestTokens({ messages: [{ ...human('abcd'), content: [image, { type: 'reasoning', text: 'abcd' }] }] })).toBe(1)
  })
})
