import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, isInstant, MAX_INSTANT, MIN_INSTANT, parseCanonicalInstant } from '../src/index.ts'
import { at } from './harness.ts'

const anyInstant = fc.integer({ min: MIN_INSTANT, max: MAX_INSTANT })

describe('the range of instants', () => {
  it('S21 begins and ends with the four-digit years', () => {
    expect(formatInstant(MIN_INSTANT)).toBe('0001-01-01T00:00:00.000Z')
    expect(formatInstant(MAX_INSTANT)).toBe('9999-12-31T23:59:59.999Z')
  })

  it.each([MIN_INSTANT - 1, MAX_INSTANT + 1, 0.5, NaN, Infinity, '0', null, undefined, 0n])('%s is not an instant', value => {
    expect(isInstant(value)).toBe(false)
  })

  it.each([MIN_INSTANT, MAX_INSTANT, 0, -1])('%i is an instant', value => {
    expect(isInstant(value)).toBe(true)
  })
})

describe('the canonical text', () => {
  it.each([MIN_INSTANT - 1, MAX_INSTANT + 1, 1.5, NaN])('S7 formatting %s is a RangeError', value => {
    expect(() => formatInstant(value)).toThrow(RangeError)
  })

  it('S22 every instant comes back from its text', () => {
    fc.assert(
      fc.property(anyInstant, instant => {
        expect(parseCanonicalInstant(formatInstant(instant))).toBe(instant)
      }),
    )
  })

  it.each([
    '2026-10-09T01:23:45Z',
    '2026-10-09T01:23:45.00Z',
    '2026-10-09T01:23:45.0000Z',
    '2026-10-09T01:23:45.000+00:00',
    '2026-10-09t01:23:45.000z',
    '2026-10-09 01:23:45.000Z',
    ' 2026-10-09T01:23:45.000Z',
    '2026-10-09T01:23:45.000Z\n',
    '2026-02-30T00:00:00.000Z',
    '2026-10-09T24:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-10-09T23:59:60.000Z',
    '0000-12-31T23:59:59.999Z',
    '+002026-10-09T01:23:45.000Z',
    '',
    at('2026-10-09T01:23:45Z'),
    null,
    {},
  ])('S8 %j is not canonical', text => {
    expect(parseCanonicalInstant(text)).toBeUndefined()
  })
})
