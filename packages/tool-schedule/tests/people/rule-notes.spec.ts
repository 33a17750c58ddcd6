import fc from 'fast-check'
import { cronNotes, parseCron } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import { REFUSALS } from '../../src/errors.ts'
import { deny, sayRefusal } from '../../src/people/refusals.ts'
import { sayNotes } from '../../src/people/rule-notes.ts'

describe('words for people', () => {
  const field = (parts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom('*', ...parts)

  it('T3 T10 every note that a calendar rule can have is said in Chinese too', () => {
    fc.assert(
      fc.property(field(['0', '*/45', '*/7']), field(['9', '*/7']), field(['31', '*/2', '30,31']), field(['2', '*/2']), field(['1', '*/2', '1-5']), (...fields) => {
        const parsed = parseCron(fields.join(' '))
        if (!parsed.ok) return
        const notes = cronNotes(parsed.cron)
        expect(sayNotes(notes, 'en')).toEqual(notes)
        for (const note of sayNotes(notes, 'zh')) expect(note).toMatch(/^[^a-z]*(?:L[^a-z]*)?$/)
      }),
    )
    expect(sayNotes(['The clocks skip 02:30 that day; it comes at the first time after the gap.', 'Something new.'], 'zh')).toEqual(['那一天时钟会跳过 02:30，提醒改在跳过之后的第一个时刻。', 'Something new.'])
  })

  it.each(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[])('T10 the refusal %s of the tools has words in both languages', (code) => {
    expect(sayRefusal({ code, message: REFUSALS[code] }, 'en').message).toBe(REFUSALS[code])
    expect(sayRefusal(deny(code), 'zh').message).toMatch(/\p{Script=Han}.*。$/u)
  })
})
