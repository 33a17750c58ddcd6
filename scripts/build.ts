// npm run build: packages/*/lib from packages/*/src, only what changed. With -- --docs, the generated files of the
// repository as well: the lists of tests, the pages of the API and of the configuration, and package-lock.json.
import { buildPackages } from './lib/build.ts'
import { writeCoverageTables } from './lib/coverage-table.ts'
import { writeRefusal } from './lib/npm-refusal.ts'

await buildPackages(line => console.log(line))
if (process.argv.includes('--docs')) {
  writeCoverageTables()
  // Only now: it runs the plugins' own code, which needs the packages that were built.
  const { writeGeneratedPages } = await import('./lib/docs/docs.ts')
  writeGeneratedPages()
  writeRefusal()
}
