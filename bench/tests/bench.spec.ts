import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chart } from '../chart.ts'
import { generated } from '../docs.ts'
import { judge } from '../findings.ts'
import { SCENARIO_NAMES } from '../names.ts'
import { SCENARIOS } from '../scenarios.ts'
import { median, pairedRatio, quantile, rounded, summarize } from '../stats.ts'
import { goalTable, markdown } from '../table.ts'

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 })

describe('statistics', () => {
  it.each([
    { values: [3], middle: 3 },
    { values: [9, 1, 5], middle: 5 },
    { values: [4, 1, 3, 2], middle: 2.5 },
  ])('the median of $values is $middle', ({ values, middle }) => {
    expect(median(values)).toBe(middle)
  })

  it('half of the values are not above the median and half are not below it', () => {
    fc.assert(fc.property(numbers, (values) => {
      const middle = median(values)
      expect(values.filter((value) => value <= middle + 1e-9).length * 2).toBeGreaterThanOrEqual(values.length)
      expect(values.filter((value) => value >= middle - 1e-9).length * 2).toBeGreaterThanOrEqual(values.length)
    }))
  })

  it('a quantile is one of the values, grows with its share, and ends at the largest', () => {
    fc.assert(fc.property(numbers, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      expect(values).toContain(quantile(values, share))
      expect(quantile(values, share)).toBeLessThanOrEqual(quantile(values, 1))
      expect(quantile(values, 1)).toBe(Math.max(...values))
    }))
  })

  it('the 99th percentile of a hundred values leaves one out', () => {
    expect(summarize(Array.from({ length: 100 }, (_, index) => index + 1))).toEqual({ count: 100, median: 50.5, low: 25, high: 75, p99: 99 })
  })

  it('a burst that slows down both halves of some pairs does not change their ratio', () => {
    expect(pairedRatio([1, 10, 100, 1], [2, 20, 200, 2])).toBe(0.5)
  })

  it('nothing measured is no number, and no success', () => {
    expect([median([]), quantile([], 0.5), pairedRatio([], [1])]).toEqual([Number.NaN, Number.NaN, Number.NaN])
    expect(judge('x', { atMost: 1 }, median([])).ok).toBe(false)
    expect(judge('x', { ofTheirs: 1 }, 1).ok).toBe(false)
  })

  it.each([[0.123456, 0.123], [1234.5, 1230], [500_001, 500_001], [0, 0]])('%d is shown as %d', (value, shown) => {
    expect(rounded(value)).toBe(shown)
  })
})

describe('goals', () => {
  it.each([
    { goal: { atMost: 2 }, ours: 2, theirs: 4, ok: true, text: '≤ 2' },
    { goal: { atMost: 2 }, ours: 2.1, theirs: 4, ok: false, text: '≤ 2' },
    { goal: { below: 2 }, ours: 2, theirs: null, ok: false, text: '< 2' },
    { goal: { exactly: 0 }, ours: 0, theirs: 0, ok: true, text: '= 0' },
    { goal: { exactly: 10 }, ours: 9, theirs: null, ok: false, text: '= 10' },
    { goal: { ofTheirs: 0.2 }, ours: 1, theirs: 5, ok: true, text: '≤ 0.2 × theirs' },
    { goal: { ofTheirs: 0.2 }, ours: 1.1, theirs: 5, ok: false, text: '≤ 0.2 × theirs' },
  ])('$ours beside $theirs under "$text": $ok', ({ goal, ours, theirs, ok, text }) => {
    expect(judge('x', goal, ours, theirs)).toMatchObject({ ok, goal: text })
  })

  it('is judged by what was measured, not by what is shown', () => {
    expect(judge('x', { atMost: 2 }, 2.0004)).toMatchObject({ ours: 2, ok: false })
  })

  it('the ratio is that of the pairs where there are pairs, and none where the peer does nothing', () => {
    expect(judge('x', { ofTheirs: 0.2 }, 1, 2, 0.1)).toMatchObject({ ratio: 0.1, ok: true })
    expect(judge('x', { atMost: 1 }, 1, 0).ratio).toBeNull()
  })
})

describe('what people read', () => {
  it('has numbers on the right, and a bar inside a cell does not end it', () => {
    expect(markdown([{ name: 'a|b', ms: 1.23456 }])).toBe(['| name |   ms |', '| ---- | ---: |', String.raw`| a\|b | 1.23 |`].join('\n'))
  })

  it('a goal that does not hold is said to', () => {
    expect(goalTable([judge('P9 a thing', { atMost: 1 }, 2)])).toContain('NOT OK')
    expect(generated([{ goals: [judge('P9 a thing', { atMost: 1 }, 2)], tables: [] }], 'a machine')).toContain('0 of 1 goals hold. Measured on: a machine.')
  })

  it('the chart has a panel per measurement and a line per subject, with whole coordinates', () => {
    const picture = chart([
      { panel: 'list', subject: 'ours', points: [[1000, 1], [100_000, 1]] },
      { panel: 'list', subject: 'theirs', points: [[1000, 2], [100_000, 40]] },
      { panel: 'create', subject: 'ours', points: [[1000, 3]] },
    ])
    expect(picture.match(/<polyline/g)).toHaveLength(3)
    expect(picture.match(/font-weight/g)).toHaveLength(2)
    expect(picture).not.toMatch(/NaN|Infinity/)
  })

  it('every scenario has a name to be asked for by', () => {
    expect(Object.keys(SCENARIOS)).toEqual(SCENARIO_NAMES)
  })
})
