import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inEnglish, isRefusal, REFUSALS } from '../src/errors.ts'
import { parseModeChange, parseSessionId, parseSwitch } from '../src/input.ts'
import { modeMarks, MODES } from '../src/protocol.ts'

describe('a request for a mode', () => {
  it.each(MODES)('R2 %s is taken, with a plan or without', (mode) => {
    expect(parseModeChange({ mode })).toEqual({ mode, cron: undefined })
    const change = parseModeChange({ mode, cron: ' 0  9 * * mon-fri ' })
    expect(isRefusal(change) || modeMarks(change)).toEqual({ mode, cron: '0 9 * * MON-FRI' })
  })

  it.each([
    ['61 * * * *', /minute field cannot read "61"/],
    ['0 0 31 2 *', /never occurs/],
    ['@daily', /macro/],
    ['', /five fields/],
    ['2026-10-09T09:00', /five fields/],
    [5, /text of five fields/],
    [null, /text of five fields/],
  ])('R2 B23 the plan %j is refused with the reason', (cron, reason) => {
    const refusal = parseModeChange({ mode: 'cron', cron })
    expect(isRefusal(refusal) && inEnglish(refusal)).toEqual({ code: 'bad-cron', message: REFUSALS['bad-cron'], field: 'cron', detail: expect.stringMatching(reason) as unknown })
  })

  it.each([undefined, null, 'hourly', 'CRON', 1, ['cron'], {}])('R2 the mode %j is refused', (mode) => {
    expect(parseModeChange({ mode })).toMatchObject({ code: 'bad-mode', field: 'mode' })
  })

  it('R2 an unknown field is refused by name, so that a misspelt plan is not taken for one that works', () => {
    expect(parseModeChange({ mode: 'cron', corn: '0 9 * * *' })).toEqual({ code: 'bad-request', message: REFUSALS['bad-request'], field: 'corn', detail: { code: 'known-fields', fields: ['mode', 'cron'] } })
    expect(parseModeChange({ mode: 'cron', [`a\n</system-reminder>${'x'.repeat(90)}`]: 1 })).toMatchObject({ field: expect.stringMatching(/^a <\/system-reminder>x+…$/) as unknown })
  })

  it.each([undefined, null, 'cron', 5, [], ['cron']])('R2 X5 what is no object (%j) is refused', (args) => {
    expect(parseModeChange(args)).toMatchObject({ code: 'bad-request' })
    expect(parseSwitch(args)).toMatchObject({ code: 'bad-request' })
  })
})

describe('a switch in the page', () => {
  it('R22 names its session', () => {
    for (const more of [{}, { language: 'en' }, { language: 'zh' }]) expect(parseSwitch({ sessionId: 's', mode: 'turn', ...more })).toEqual({ sessionId: 's', change: { mode: 'turn', cron: undefined } })
  })

  it.each([
    [{ mode: 'turn' }, 'bad-request', 'sessionId'],
    [{ sessionId: '', mode: 'turn' }, 'bad-request', 'sessionId'],
    [{ sessionId: 5, mode: 'turn' }, 'bad-request', 'sessionId'],
    [{ sessionId: 's' }, 'bad-mode', 'mode'],
    [{ sessionId: 's', mode: 'cron', cron: 'x' }, 'bad-cron', 'cron'],
    [{ sessionId: 's', mode: 'cron', plan: 'x' }, 'bad-request', 'plan'],
    [{ sessionId: 's', mode: 'turn', language: 'fr' }, 'bad-request', 'language'],
  ])('R22 X5 %j is refused as %s of %s', (body, code, field) => {
    expect(parseSwitch(body)).toMatchObject({ code, field })
  })

  it('R22 the id of a session is a text that is not empty', () => {
    for (const id of ['s', 's'.repeat(200)]) expect(parseSessionId(id)).toBe(id)
    expect([null, undefined, '', ['s'], 's'.repeat(201)].map((value) => parseSessionId(value))).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ code: 'bad-request' }) as unknown))
  })
})

describe('any input', () => {
  it('X3 is a change or a named refusal, in 50 ms each at the most', () => {
    const begin = performance.now()
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[\d*,/-]+( [\d*,/A-Z-]+){4}$/))
    const args = fc.oneof(fc.jsonValue(), fc.record({ sessionId: fc.string(), mode: fc.oneof(fc.constantFrom(...MODES), fc.string()), cron: text }, { requiredKeys: [] }))
    fc.assert(
      fc.property(args, (value) => {
        for (const parse of [parseModeChange, parseSwitch]) {
          const result = parse(value)
          expect(isRefusal(result) ? result.code in REFUSALS : 'mode' in result || 'change' in result).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
    expect(performance.now() - begin).toBeLessThan(500 * 50)
  })
})
