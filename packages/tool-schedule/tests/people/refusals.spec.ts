import { describe, expect, it } from 'vitest'
import { refuse, REFUSALS } from '../../src/errors.ts'
import { deny, sayRefusal } from '../../src/people/refusals.ts'
import { NOW } from '../events.ts'

describe('refusals in words', () => {
  it.each(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[])('T10 the refusal %s of the tools has words in both languages', (code) => {
    expect(sayRefusal({ code, message: REFUSALS[code] }, 'en').message).toBe(REFUSALS[code])
    expect(sayRefusal(deny(code), 'zh').message).toMatch(/\p{Script=Han}.*。$/u)
  })

  it('T10 a detail of the tools is said in the language of the person, and what has no language as it is', () => {
    const refusal = refuse('not_future', { field: 'at', detail: { code: 'now_is', now: NOW } })
    expect([sayRefusal(refusal, 'en'), sayRefusal(refusal, 'zh')]).toEqual([
      { code: 'not_future', message: REFUSALS.not_future, field: 'at', detail: 'Now is 2026-10-09T01:00:00.000Z.' },
      { code: 'not_future', message: '时间必须在将来。', field: 'at', detail: '现在是 2026-10-09T01:00:00.000Z。' },
    ])
    expect(sayRefusal(deny('no_such_time', { detail: '2026-02-30 09:00' }), 'zh').detail).toBe('2026-02-30 09:00')
  })

  it('T10 a detail of a request is said in the language of the person', () => {
    const refusal = deny('bad_request', { field: 'x', detail: { en: 'No.', zh: '不行。' } })
    expect([sayRefusal(refusal, 'en').detail, sayRefusal(refusal, 'zh').detail]).toEqual(['No.', '不行。'])
  })
})
