import { installMeter } from './meter.ts'
import { SCENARIOS } from './scenarios.ts'

// One scenario in a process of its own: no garbage, no compiled code and no timer of another. The last line is the result.
const [name = '', pace] = process.argv.slice(2)
const scenario = SCENARIOS[name]
if (scenario === undefined) throw new Error(`There is no scenario ${name}.`)
// The timers of a plugin do not keep a process alive; in life, the server of the host does.
setInterval(() => undefined, 60_000)
await installMeter()
const findings = await scenario(pace === 'quick')
await new Promise((resolve) => process.stdout.write(`\n${JSON.stringify(findings)}\n`, resolve))
// What a host leaves running is nothing that a measurement waits for.
process.exit(0)
