// npm run build: packages/*/lib from packages/*/src, only what changed. With -- --docs, the generated files of the
// repository as well: the lists of tests, the pages of the API and of the configuration, and package-lock.json.
import { buildPackages } from './lib/build.ts'
import { writeCoverageTables } from './lib/coverage-table.ts'
import { apiReference } from './lib/docs/api-reference.ts'
import { configReference } from './lib/docs/config-reference.ts'
import { writeFiles } from './lib/docs/generated.ts'
import { writeRefusal } from './lib/npm-refusal.ts'

await buildPackages(line => console.log(line))
if (process.argv.includes('--docs')) {
  writeCoverageTables()
  writeFiles([...apiReference(), ...configReference()])
  writeRefusal()
}
