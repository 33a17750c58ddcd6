// npm run build: packages/*/lib from packages/*/src, only what changed. With -- --docs, the generated files of the
// repository as well: the list of tests in docs/requirements.md, and package-lock.json.
import { buildPackages } from './lib/build.ts'
import { writeCoverageTables } from './lib/coverage-table.ts'
import { writeRefusal } from './lib/npm-refusal.ts'

await buildPackages(line => console.log(line))
if (process.argv.includes('--docs')) {
  writeCoverageTables()
  writeRefusal()
}
