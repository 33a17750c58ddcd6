import { describe, expect, it } from 'vitest'
import { locate, repeatOf, seamsBetween, wallAt } from '../src/wall.ts'
import { at, zone } from './harness.ts'

/** The offset changes of a span as readable texts. */
function changes(name: string, from: string, until: string): string[] {
  const text = (ms: number): string => new Date(ms).toISOString().replace(/\.000Z$/, '')
  return [...seamsBetween(zone(name), at(from), at(until))].map(seam => `${text(seam.at)}Z ${text(seam.from)} → ${text(seam.to)}`)
}

describe('offset changes', () => {
  it.each([
    ['UTC', '2000-01-01T00:00:00Z', '2030-01-01T00:00:00Z', []],
    [
      'America/New_York',
      '2026-01-01T00:00:00Z',
      '2027-01-01T00:00:00Z',
      ['2026-03-08T07:00:00Z 2026-03-08T02:00:00 → 2026-03-08T03:00:00', '2026-11-01T06:00:00Z 2026-11-01T02:00:00 → 2026-11-01T01:00:00'],
    ],
    ['Pacific/Apia', '2011-12-01T00:00:00Z', '2012-01-01T00:00:00Z', ['2011-12-30T10:00:00Z 2011-12-30T00:00:00 → 2011-12-31T00:00:00']],
    [
      'America/Noronha', // a summer time of one week, the shortest there has been
      '2000-10-01T00:00:00Z',
      '2000-11-01T00:00:00Z',
      ['2000-10-08T02:00:00Z 2000-10-08T00:00:00 → 2000-10-08T01:00:00', '2000-10-15T01:00:00Z 2000-10-15T00:00:00 → 2000-10-14T23:00:00'],
    ],
    ['Africa/Monrovia', '1972-01-01T00:00:00Z', '1972-02-01T00:00:00Z', ['1972-01-07T00:44:30Z 1972-01-07T00:00:00 → 1972-01-07T00:44:30']],
  ])('S21 %s from %s until %s', (name, from, until, expected) => {
    expect(changes(name, from, until)).toEqual(expected)
  })

  it('S21 the span begins after its first instant and ends with its last', () => {
    expect(changes('America/New_York', '2026-03-08T07:00:00Z', '2026-04-01T00:00:00Z')).toEqual([])
    expect(changes('America/New_York', '2026-03-08T06:59:59.999Z', '2026-03-08T07:00:00Z')).toHaveLength(1)
  })
})

describe('a reading of the wall clock', () => {
  const monrovia = zone('Africa/Monrovia')

  it('S21 offsets with seconds and fractions of a second keep every digit', () => {
    const instant = at('1972-01-07T00:44:29.999Z')
    expect(wallAt(monrovia, instant)).toBe(at('1972-01-06T23:59:59.999Z'))
    expect(locate(at('1972-01-06T23:59:59.999Z'), monrovia)).toEqual({ kind: 'exact', instant })
    expect(locate(at('1972-01-07T00:00:00.000Z'), monrovia)).toMatchObject({ kind: 'gap', seam: { at: at('1972-01-07T00:44:30Z') } })
  })

  it('S21 an overlap knows its change and which pass it is', () => {
    const name = zone('Europe/Berlin')
    const wall = at('2026-10-25T02:30:00Z')
    const seam = { at: at('2026-10-25T01:00:00Z'), from: at('2026-10-25T03:00:00Z'), to: at('2026-10-25T02:00:00Z') }
    expect(repeatOf(wall, at('2026-10-25T00:30:00Z'), name)).toEqual({ seam, second: false })
    expect(repeatOf(wall, at('2026-10-25T01:30:00Z'), name)).toEqual({ seam, second: true })
    expect(repeatOf(at('2026-10-25T03:00:00Z'), at('2026-10-25T02:00:00Z'), name)).toBeUndefined()
  })
})
