import { simulate, type Game, type Verdict } from './simulate.ts'

/** What many runs came to. */
export interface Campaign {
  readonly runs: number
  /** The first run that broke a rule; the campaign ends with it. */
  readonly failed: Verdict | undefined
  readonly delivered: number
  readonly told: number
  readonly woken: number
}

/**
 * Play the schedules of many seeds, up to the first that breaks a rule.
 *
 * @param first - first seed.
 * @param runs - how many seeds.
 * @param game - how they are played.
 */
export async function simulateMany(first: number, runs: number, game?: Game): Promise<Campaign> {
  let [delivered, told, woken] = [0, 0, 0]
  for (let seed = first; seed < first + runs; seed += 1) {
    const verdict = await simulate(seed, game)
    delivered += verdict.delivered
    told += verdict.told
    woken += verdict.woken
    if (verdict.violation !== undefined) return { runs: seed - first + 1, failed: verdict, delivered, told, woken }
  }
  return { runs, failed: undefined, delivered, told, woken }
}

/**
 * A failure for people: the line that repeats it, then what happened.
 *
 * @param verdict - a run that failed, as it was or made short.
 * @param game - as it was played.
 */
export function explain({ seed, steps, violation }: Verdict, { plant }: Game = {}): string {
  const line = `npm run sim -- --seed ${seed} --runs 1${plant === undefined ? '' : ` --plant ${plant}`}  # ${violation ?? 'nothing broke'}`
  return [line, ...steps.map((step, at) => `  ${at + 1}. ${JSON.stringify(step)}`)].join('\n')
}
