// node examples/headless/run.js [seconds]: sets a reminder in a DSH without a page, waits until it is delivered, exits 0.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const [seconds = '2'] = process.argv.slice(2)
const script = `call schedule_create {"prompt":"stretch","after_seconds":${Number(seconds)}} ;; say set`

/** Rows by absolute path: nothing is installed. `activate: always` because no page could reopen this session later. */
const overlay = `
- id: headless-runner
  disabled: true
- id: agent-default-model
  config: { provider: offline, model: timekeeper-demo }
- insert:
    - id: offline
      name: ${JSON.stringify(file('../../packages/llm-offline/lib/index.js'))}
      config: { asDefault: always }
    - id: reminders
      name: ${JSON.stringify(file('../../packages/timekeeper/lib/tool-schedule.js'))}
      config: { activate: always }
    - id: runner
      name: ${JSON.stringify(file('runner.js'))}
      config: { prompt: ${JSON.stringify(script)}, patienceMs: ${Number(seconds) * 1000 + 60_000} }
`

const home = mkdtempSync(join(tmpdir(), 'timekeeper-headless-'))
const patch = join(home, 'overlay.yml')
writeFileSync(patch, overlay)
const dsh = file('../../host/node_modules/@deepseek-ai/dsh/lib/bin.js')
const child = spawn(process.execPath, [dsh, '--profile', 'headless', '--patch', patch, 'unused'], {
  env: { ...process.env, DSH_HOME: home, DSH_TELEMETRY_DISABLED: '1' },
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.once('close', (code) => {
  rmSync(home, { recursive: true, force: true })
  process.exitCode = code ?? 1
})
