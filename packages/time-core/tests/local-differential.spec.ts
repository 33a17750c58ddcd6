import { expect, it } from 'vitest'
import { localFields, resolveLocal, type LocalResolution } from '../src/index.ts'
import { decadeWindows, DECADES, type Window } from './oracle/clock.ts'
import { seeded } from './oracle/random.ts'
import { zone } from './harness.ts'

const MINUTE = 60_000

/** The fields of a wall reading, cut out of its ISO text. */
function fields(wall: number) {
  const [year, month, day, hour, minute, second, millisecond] = new Date(wall).toISOString().match(/\d+/g)!.map(Number)
  return { year: year!, month: month!, day: day!, hour: hour!, minute: minute!, second: second!, millisecond: millisecond! }
}

/** The instants at which a clock that was watched minute by minute showed each reading. */
function sightings({ instants, walls }: Window): Map<number, number[]> {
  const seen = new Map<number, number[]>()
  for (const [index, wall] of walls.entries()) seen.set(wall, [...(seen.get(wall) ?? []), instants[index]!])
  return seen
}

/** What such a clock says about a reading `rest` milliseconds after a whole minute. */
function expected(hits: readonly number[] | undefined, rest: number, change: number): LocalResolution {
  if (hits === undefined) return { kind: 'gap', firstAfter: change }
  const [instant, later] = hits.map(hit => hit + rest)
  return later === undefined ? { kind: 'exact', instant: instant! } : { kind: 'overlap', instant: instant!, later }
}

it.each(DECADES)('S21 every local minute around every offset change of ten years in %s from %i resolves as the clock shows', (name, firstYear) => {
  const random = seeded(firstYear + name.length)
  const wrong: string[] = []
  const compare = (wall: number, found: unknown, wanted: unknown): void => {
    if (JSON.stringify(found) === JSON.stringify(wanted)) return
    wrong.push(`${new Date(wall).toISOString()}: ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`)
  }
  let compared = 0
  // A jump of a whole day needs the longer reach; elsewhere three hours hold everything.
  for (const window of decadeWindows(name, firstYear, /Apia|Kwajalein/.test(name) ? 26 : 3)) {
    const seen = sightings(window)
    for (let minute = window.walls[0]!; minute <= window.walls.at(-1)!; minute += MINUTE) {
      const rest = random.below(MINUTE)
      compare(minute + rest, resolveLocal(fields(minute + rest), zone(name)), expected(seen.get(minute), rest, window.change))
      compared += 1
    }
    for (const [index, instant] of window.instants.entries()) {
      const wall = window.walls[index]!
      const weekday = new Date(wall).getUTCDay() || 7
      compare(wall, localFields(instant, zone(name)), { ...fields(wall), weekday })
    }
  }
  expect(wrong.slice(0, 5)).toEqual([])
  expect(compared).toBeGreaterThan(250)
})
