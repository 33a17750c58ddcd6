import { describe, expect, it } from 'vitest'
import { isRefusal, refuse, REFUSALS, type RefusalCode } from '../src/errors.ts'
import { MAX_PROMPT_LENGTH } from '../src/input.ts'
import { MIN_EVERY_SECONDS } from '../src/protocol.ts'

/** Issue and requirement S15 name the first twelve; the other two belong to S13 and T8. */
const CODES = [
  'invalid_prompt', 'invalid_selector', 'invalid_rule', 'invalid_time_zone', 'timezone_confirmation_required', 'not_future', 'time_out_of_range', 'frequency_too_high',
  'no_future_occurrence', 'corrupt_schedule_log', 'persistence_uncertain', 'internal_error', 'schedule_not_found', 'unattended_limit',
]

describe('refusals', () => {
  it('S15 the codes are a closed set', () => {
    expect(Object.keys(REFUSALS).toSorted()).toEqual(CODES.toSorted())
  })

  it.each(Object.entries(REFUSALS))('S15 the text of %s is one plain line of sentences', (_code, text) => {
    expect(text).toMatch(/^[\x20-\x7e]+\.$/)
    expect(text.length).toBeLessThanOrEqual(200)
  })

  it('S15 no two refusals have the same text', () => {
    expect(new Set(Object.values(REFUSALS)).size).toBe(CODES.length)
  })

  it('S15 a refusal is its code and its stable text, and nothing more unless it is given', () => {
    for (const [code, message] of Object.entries(REFUSALS)) expect(refuse(code as RefusalCode)).toEqual({ code, message })
    expect(refuse('invalid_rule', { field: 'at', detail: { code: 'does_not_exist' } })).toEqual({ code: 'invalid_rule', message: 'The rule is not valid.', field: 'at', detail: { code: 'does_not_exist' } })
  })

  it('S15 the limits that the texts name are those that hold', () => {
    expect(REFUSALS.invalid_prompt).toContain(String(MAX_PROMPT_LENGTH))
    expect(REFUSALS.frequency_too_high).toContain(String(MIN_EVERY_SECONDS))
  })

  it('S15 a refusal is told from a result by its code', () => {
    expect(isRefusal(refuse('not_future'))).toBe(true)
    expect(isRefusal({ id: 'r-1' })).toBe(false)
  })
})
