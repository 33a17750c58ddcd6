// npm run bench: what Timekeeper costs beside the host's own plugins and beside the floor, measured here and now.
import { spawn } from 'node:child_process'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBenchDocs } from '../bench/docs.ts'
import type { Findings } from '../bench/findings.ts'
import { SCENARIO_NAMES } from '../bench/names.ts'
import { goalTable, titled } from '../bench/table.ts'
import { buildPackages } from './lib/build.ts'
import { ROOT } from './lib/workspace.ts'

const HELP = `npm run bench -- [words]
  --quick       fewer rounds and lengths, some three minutes
  --only NAME   one of: ${SCENARIO_NAMES.join(', ')}; may be given again
  --json        the goals as one JSON array, for machines
  --docs        also write docs/performance.md and its chart, from a whole run
  --strict      exit code 1 when a goal does not hold`

/** Logs of half a million events, three of them at once. */
const NODE_FLAGS = ['--expose-gc', '--max-old-space-size=8192', '--disable-warning=ExperimentalWarning']

const readWords = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    options: { quick: { type: 'boolean' }, only: { type: 'string', multiple: true }, json: { type: 'boolean' }, docs: { type: 'boolean' }, strict: { type: 'boolean' }, help: { type: 'boolean' } },
  }).values

/** One scenario in a process of its own. Its last line is what it found. */
const runScenario = (name: string, isQuick: boolean): Promise<Findings> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...NODE_FLAGS, join(ROOT, 'bench/run.ts'), name, ...(isQuick ? ['quick'] : [])], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child.kill(signal))
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve(JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Findings)
      else reject(new Error(`The scenario ${name} ended with exit code ${code}.`))
    })
  })

const machine = (): string => `${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}, Node ${process.version}`

const main = async (words: readonly string[]): Promise<number> => {
  const { quick = false, only = SCENARIO_NAMES, json = false, docs = false, strict = false, help = false } = readWords(words)
  const unknown = only.filter(name => !SCENARIO_NAMES.includes(name))
  const complaints = [...unknown.map(name => `There is no scenario ${name}.`), ...(docs && (quick || only.length < SCENARIO_NAMES.length) ? ['The page is written from a whole run: --docs goes without --quick and --only.'] : [])]
  if (help || complaints.length > 0) {
    console.log([...complaints, HELP].join('\n'))
    return help ? 0 : 2
  }
  // What is for machines has stdout for itself.
  const say = json ? (line: string) => console.error(line) : (line: string) => console.log(line)
  await buildPackages(say)
  const found: Findings[] = []
  let failed = 0
  for (const name of only) {
    const begin = performance.now()
    const findings = await runScenario(name, quick).catch((error: unknown) => {
      console.error(String(error))
      failed += 1
    })
    if (findings === undefined) continue
    found.push(findings)
    say(`${name}: ${((performance.now() - begin) / 1000).toFixed(0)} s`)
    if (!json) for (const table of findings.tables) console.log(`\n${titled(table)}\n`)
  }
  const goals = found.flatMap(findings => findings.goals)
  console.log(json ? JSON.stringify(goals, undefined, 2) : `\n${goalTable(goals)}\n\n${goals.filter(({ ok }) => ok).length} of ${goals.length} hold.`)
  if (failed > 0) return 1
  if (docs) say(`written: ${writeBenchDocs(found, machine(), ROOT).join(', ')}`)
  return strict && goals.some(({ ok }) => !ok) ? 1 : 0
}

process.exitCode = await main(process.argv.slice(2))
