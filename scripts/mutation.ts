// npm run mutation: changes the pure rooms in hundreds of small ways and asks the quick tests to notice. Takes an hour.
import { program, runInTerminal } from './lib/child.ts'

process.exitCode = await runInTerminal([...program('@stryker-mutator/core'), 'run', ...process.argv.slice(2)])
