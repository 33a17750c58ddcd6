// npm run sim: random schedules against the real owner, fold and alarm clock, on virtual time; -- --seed N --runs M.
import { parseArgs } from 'node:util'
import { buildPackages } from './lib/build.ts'

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '10000' }, plant: { type: 'string' } } })
const [seed, runs] = [Number(values.seed), Number(values.runs)]
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(runs) || runs < 1) throw new TypeError('--seed and --runs take whole numbers, --runs at least 1')

// The sources of one package import the built form of another.
await buildPackages(line => console.log(line))
const { explain, simulateMany } = await import('../sim/src/campaign.ts')
const { PLANTS } = await import('../sim/src/plants.ts')
const { shrink } = await import('../sim/src/simulate.ts')
if (values.plant !== undefined && PLANTS[values.plant] === undefined) throw new TypeError(`--plant is one of ${Object.keys(PLANTS).join(', ')}`)

const game = { plant: values.plant }
const begin = performance.now()
const { failed, delivered, runs: played } = await simulateMany(seed, runs, game)
console.log(`${played} runs from seed ${seed}, ${delivered} deliveries, ${((performance.now() - begin) / 1000).toFixed(1)} s`)
if (failed === undefined) console.log('Every rule held.')
else {
  console.log(explain(await shrink(failed, game), game))
  process.exitCode = 1
}
