// npm test: the unit lane with its coverage limits, then the lane on real hosts. Words after -- go to vitest.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackages } from './lib/build.ts'
import { program, runInTerminal } from './lib/child.ts'
import { closingLine, readTally, sum, type Tally } from './lib/test-report.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
/** The specs that drive a page; they find the browser by the variable CHROMIUM_PATH. */
const BROWSER_SPECS = 'e2e/browser/**'

interface Lane {
  readonly code: number
  readonly tally: Tally
}

const runLane = async (words: readonly string[], env: NodeJS.ProcessEnv): Promise<Lane> => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-report-'))
  try {
    const report = join(folder, 'report.json')
    const code = await runInTerminal([...program('vitest'), 'run', ...words, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], env)
    // A runner that died before it could count has failed, whatever its tests would have said.
    const tally = readTally(report) ?? { passed: 0, failed: 1, skipped: 0 }
    return { code, tally }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The lanes, each as words for vitest. Limits of coverage only make sense for a whole run. */
const lanesFor = (words: readonly string[], browser: readonly string[]): readonly (readonly string[])[] => {
  if (words.some(word => word.startsWith('--project'))) return [[...words, ...browser]]
  const filtered = words.length > 0 ? ['--passWithNoTests', ...words] : []
  return [
    ['--project', 'unit', ...(words.length > 0 ? [] : ['--coverage']), ...filtered],
    ['--project', 'sim', ...filtered],
    ['--project', 'e2e', ...filtered, ...browser],
  ]
}

const findChromium = (): string | undefined => [process.env['CHROMIUM_PATH'] ?? '', ...CHROMIUM].find(path => path !== '' && existsSync(path))

const main = async (words: readonly string[]): Promise<number> => {
  const chromium = findChromium()
  if (chromium === undefined && process.env['CI'] === 'true') {
    console.error('No Chromium here: the browser lane cannot run. Install it (apt-get install chromium) or set CHROMIUM_PATH.')
    return 1
  }
  await buildPackages(line => console.log(line))
  const env = { ...process.env, ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }) }
  const lanes: Lane[] = []
  for (const lane of lanesFor(words, chromium === undefined ? ['--exclude', BROWSER_SPECS] : [])) {
    const done = await runLane(lane, env)
    lanes.push(done)
    // Told to stop: the other lane was not meant either.
    if (done.code > 128) break
  }
  const total = sum(lanes.map(({ tally }) => tally))
  if (chromium === undefined) console.log('\nSKIPPED: the browser lane. No Chromium was found; install one or set CHROMIUM_PATH to run it.')
  if (total.passed + total.failed === 0) console.log('No test ran.')
  console.log(closingLine(total))
  return lanes.every(({ code }) => code === 0) && total.failed === 0 && total.passed > 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
