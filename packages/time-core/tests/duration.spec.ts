import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, MAX_DURATION_MS, parseDuration } from '../src/index.ts'

describe('reading a duration', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1d12h30m5s', 131_405_000],
    ['0h5m', 300_000],
    ['36500d', MAX_DURATION_MS],
  ])('R12 %s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    ['45m', 2_700_000],
    ['90m', 5_400_000],
    ['150m', 9_000_000],
  ])('B17 B18 %s keeps its exact length: %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    '',
    '0s',
    '0d0h',
    '10',
    'm',
    '-5m',
    '1.5h',
    '1,5h',
    '30m1h',
    '5m5m',
    '1h-30m',
    '1h 30m',
    ' 10m',
    '10m\n',
    '10m; rm',
    'in 10m',
    '1M',
    '1mo',
    '1w',
    '1H',
    'PT10M',
    '1e3s',
    '\uff11\uff10m',
    '10分钟',
    '36501d',
    '36500d1s',
    '99999999999999d',
    '1000000h',
  ])('R12 %j is refused', text => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it('R12 any units in their order add up', () => {
    const unit = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(unit(36_000), unit(999), unit(999), unit(9999), (d, h, m, s) => {
        const total = (((d * 24 + h) * 60 + m) * 60 + s) * 1000
        expect(parseDuration(`${d}d${h}h${m}m${s}s`)).toBe(total === 0 ? undefined : total)
      }),
    )
  })
})

describe('writing a duration', () => {
  it.each([
    [0, '<1s'],
    [999, '<1s'],
    [1000, '1s'],
    [45_999, '45s'],
    [5_400_000, '1h 30m'],
    [183_600_000, '2d 3h'],
    [3_630_000, '1h'],
    [172_800_000 + 59_000, '2d'],
    [3_599_999, '59m 59s'],
    [-5_400_000, '-1h 30m'],
    [-1, '<1s'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it.each([NaN, Infinity, -Infinity])('%s is a RangeError', ms => {
    expect(() => formatDuration(ms)).toThrow(RangeError)
  })

  it('R12 a written duration reads back as itself, cut to its two units', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: MAX_DURATION_MS }), ms => {
        const back = parseDuration(formatDuration(ms).replace(' ', ''))!
        expect(back).toBeLessThanOrEqual(ms)
        expect(ms - back).toBeLessThan(ms < 3_600_000 ? 1000 : ms < 86_400_000 ? 60_000 : 3_600_000)
      }),
    )
  })
})
