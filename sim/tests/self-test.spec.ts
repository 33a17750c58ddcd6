import { expect, it } from 'vitest'
import { PLANTS } from '../src/plants.ts'
import { simulate } from '../src/simulate.ts'

/** A fault that is not found within so many seeds counts as missed. */
const SEEDS = 2000

it.each(Object.entries(PLANTS).flatMap(([name, { about, isRare }]) => (isRare === true ? [] : [[name, about] as const])))('X1 the simulator finds the planted fault %s: %s', async (name) => {
  let found: string | undefined
  let seed = 0
  while (found === undefined && seed < SEEDS) found = (await simulate((seed += 1), { plant: name })).violation
  expect(found, `not found within ${SEEDS} seeds`).toBeDefined()
  expect((await simulate(seed)).violation, 'the same schedule without the fault').toBeUndefined()
})
