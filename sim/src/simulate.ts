import { setImmediate as turn } from 'node:timers/promises'
import { finish } from './finale.ts'
import { PLANTS } from './plants.ts'
import { scheduleOf, type Step } from './steps.ts'
import { World } from './world.ts'

/** What came of one run. */
export interface Verdict {
  readonly seed: number
  readonly steps: readonly Step[]
  /** The first broken rule; absent when everything held. */
  readonly violation: string | undefined
  /** How much was delivered, for seeing that the runs are about something. */
  readonly delivered: number
  /** How many notices of countdowns were queued, likewise. */
  readonly told: number
  /** How many closed sessions the index has brought back, likewise. */
  readonly woken: number
}

/** How a schedule is played. */
export interface Game {
  /** Name of a planted fault. */
  readonly plant?: string | undefined
}

/**
 * Play a schedule from an empty home to a quiet end.
 *
 * @param seed - named in the verdict.
 * @param steps - what happens.
 * @param game - a planted fault.
 */
export async function play(seed: number, steps: readonly Step[], { plant }: Game = {}): Promise<Verdict> {
  const world = new World(plant === undefined ? undefined : PLANTS[plant])
  try {
    for (const step of steps) {
      await world.play(step)
      if (world.violations.length > 0) break
    }
    if (world.violations.length === 0) await finish(world)
  } catch (error) {
    world.violation(`the run threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  // Who waits for something real, such as a test runner, has his turn between two runs.
  await turn()
  const lines = [...world.disk.logs.values()].flatMap((log) => log.lines)
  const count = (text: string): number => lines.filter((line) => line.includes(text)).length
  return { seed, steps, violation: world.violations[0], delivered: count('"operation":"dispatch"'), told: count('"countdown":['), woken: world.woken }
}

/**
 * Play the schedule of a seed.
 *
 * @param seed - any whole number.
 * @param game - see `play`.
 */
export function simulate(seed: number, game?: Game): Promise<Verdict> {
  return play(seed, scheduleOf(seed), game)
}

/**
 * Make a failing schedule short: leave out runs of steps, then single ones, as long as something still breaks.
 *
 * @param verdict - of a run that failed.
 * @param game - as it was played.
 */
export async function shrink(verdict: Verdict, game?: Game): Promise<Verdict> {
  let best = verdict
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at + size <= best.steps.length; ) {
      const tried = await play(best.seed, best.steps.toSpliced(at, size), game)
      if (tried.violation === undefined) at += size
      else best = tried
    }
  }
  return best
}
