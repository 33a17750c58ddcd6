import { describe, expect, it } from 'vitest'
import { nextFire, parseCron, previousFire, type Cron, type Fire } from '../../src/index.ts'
import { decadeWindows, DECADES, type Window } from '../oracle/clock.ts'
import { firesByWalking } from '../oracle/fires.ts'
import { seeded, type Random } from '../oracle/random.ts'
import { oracleRule, randomExpression } from '../oracle/rule.ts'
import { cron, shown, zone } from '../harness.ts'

/** Hours on either side of a change: more than the longest jump there has been, a whole day. */
const REACH = 26
const RULES_PER_CHANGE = 20

/** A disagreement as one line that can be tried by hand; `undefined` when both agree. */
function disagreement(window: Window, rule: Cron, fires: readonly Fire[], pivot: number): string | undefined {
  const name = zone(window.zone)
  const next = nextFire(rule, name, pivot)
  const previous = previousFire(rule, name, pivot)
  const expectedNext = fires.find(fire => fire.instant > pivot)
  const expectedPrevious = fires.findLast(fire => fire.instant < pivot)
  const [first, last] = [window.instants[0]!, window.instants.at(-1)!]
  // Outside its window the oracle knows nothing but that the answer must lie outside too.
  const nextAgrees = expectedNext ? shown(next) === shown(expectedNext) : next === undefined || next.instant > last
  const previousAgrees = expectedPrevious ? shown(previous) === shown(expectedPrevious) : previous === undefined || previous.instant < first
  if (nextAgrees && previousAgrees) return undefined
  const asked = `'${rule.text}' ${window.zone} at ${new Date(pivot).toISOString()}`
  return `${asked}: next ${shown(next)} (expected ${shown(expectedNext)}), previous ${shown(previous)} (expected ${shown(expectedPrevious)})`
}

/** Instants worth asking about: the change and its neighbours, the fires nearest to it, and some at random. */
function pivots(window: Window, fires: readonly Fire[], random: Random): number[] {
  const distance = (instant: number): number => Math.abs(instant - window.change)
  const near = fires.map(fire => fire.instant).toSorted((a, b) => distance(a) - distance(b)).slice(0, 5)
  const anywhere = Array.from({ length: 4 }, () => window.instants[random.below(window.instants.length)]! + random.below(60_000))
  return [window.change - 1, window.change, window.change + 1, ...near, ...anywhere]
}

describe('nextFire and previousFire against a clock that is walked minute by minute', () => {
  it.each(DECADES)('T2 every rule agrees around every offset change of ten years in %s from %i', (name, firstYear) => {
    const random = seeded(firstYear * 7919 + name.length)
    const wrong: string[] = []
    let compared = 0
    for (const window of decadeWindows(name, firstYear, REACH)) {
      for (let count = 0; count < RULES_PER_CHANGE; count += 1) {
        const parse = parseCron(randomExpression(random, window.walls[window.instants.indexOf(window.change)]!))
        if (!parse.ok) continue
        const fires = firesByWalking(window, oracleRule(parse.cron.text))
        for (const pivot of pivots(window, fires, random)) {
          compared += 1
          const line = disagreement(window, parse.cron, fires, pivot)
          if (line !== undefined) wrong.push(line)
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([])
    expect(compared).toBeGreaterThan(100)
  })

  it.each(['*/20 * * * *', '17 * * * *', '30 1,2 * * *', '*/30 2 * * *', '0 1-3 * * *', '40 */2 * * *'])(
    'T2 %s: two walks over New York’s clock changes, one forward and one back, see the same fires',
    text => {
      for (const window of decadeWindows('America/New_York', 2024, REACH).slice(0, 4)) {
        const expected = firesByWalking(window, oracleRule(text)).map(shown)
        expect(forward(window, cron(text))).toEqual(expected)
        expect(backward(window, cron(text))).toEqual(expected)
      }
    },
  )
})

/** The fires of a window found from its beginning, each from the one before. */
function forward({ zone: name, instants }: Window, rule: Cron): string[] {
  const found: string[] = []
  let fire = nextFire(rule, zone(name), instants[0]! - 1)
  while (fire && fire.instant <= instants.at(-1)!) {
    found.push(shown(fire))
    fire = nextFire(rule, zone(name), fire.instant)
  }
  return found
}

/** The fires of a window found from its end, each from the one after, in their order in time. */
function backward({ zone: name, instants }: Window, rule: Cron): string[] {
  const found: string[] = []
  let fire = previousFire(rule, zone(name), instants.at(-1)! + 1)
  while (fire && fire.instant >= instants[0]!) {
    found.unshift(shown(fire))
    fire = previousFire(rule, zone(name), fire.instant)
  }
  return found
}
