/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-return -- plain JavaScript has no types to check */
// The one door of every command (`npm start`, `npm test`, `npm run …`). Plain JavaScript for any Node >= 18, without
// dependencies, because it runs before anything is installed: it sets up what is missing, then runs scripts/<command>.ts.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ROOT, SetupError, setup } from './lib/setup.mjs'

const COMMANDS = {
  start: 'DSH in the browser with Timekeeper mounted; -- --port N, --home DIR, --open',
  test: 'unit tests, then tests on real hosts; -- PATTERN, --project unit',
  demo: 'one reminder through kills and restarts, as a story; -- --json',
  bench: 'our cost beside that of the host\'s own plugins; -- --quick, --only NAME, --json, --docs',
  walk: 'do what the pages say, in a fresh clone; -- PATTERN, --working-tree, --json',
  check: 'types, lint, sizes, unused code, packages, docs',
  build: 'packages/*/lib, only what changed; -- --docs',
  timekeeper: 'look into the reminders of a home',
  mutation: 'how many small changes of the pure rooms the tests notice (an hour)',
  sim: 'random schedules against the reminders; -- --seed N --runs M, --plant NAME, --strict',
  setup: 'install what the commands above need, and no more',
}

const INSTALL_REFUSAL = `
There is nothing to install: type  npm start  or  npm test  and what is missing is set up on the way.
(The workspace is managed by a pinned pnpm; a plain npm install of DSH does not come to an end.)
`

const PARENT_LOOK_MS = 500

/** npm passes on most signals, but not the ones that it does not survive itself: then its end is the signal. */
const onParentGone = tell => {
  const parent = process.ppid
  const isGone = () => process.ppid !== parent
  if (process.env.npm_lifecycle_event !== undefined) setInterval(() => isGone() && tell(), PARENT_LOOK_MS).unref()
}

/** Runs a command to its end and takes over its exit code; what this process is told to do, the child is told too. */
const run = (node, env, args) => {
  const child = spawn(node, args, { cwd: ROOT, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  onParentGone(() => child.kill('SIGTERM'))
  child.on('error', error => {
    console.error(`Cannot run ${node}: ${error.message}`)
    process.exitCode = 127
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

const scriptOf = command => join(ROOT, 'scripts', `${command}.ts`)

const isCommand = command => command === 'setup' || (Object.hasOwn(COMMANDS, command) && existsSync(scriptOf(command)))

const usage = () =>
  Object.entries(COMMANDS)
    .filter(([command]) => isCommand(command))
    .map(([command, text]) => `  npm run ${command.padEnd(11)} ${text}`)
    .join('\n')

const main = async ([command, ...args]) => {
  if (command === 'refuse-npm') {
    // pnpm runs the root's preinstall as well, and is welcome.
    if (process.env.npm_config_user_agent?.startsWith('pnpm/')) return
    throw new SetupError(INSTALL_REFUSAL.trim())
  }
  if (command === undefined || !isCommand(command)) throw new SetupError(`Commands:\n${usage()}`)
  const { node, env } = await setup()
  // Node 22 still warns that it strips types; 24 does not.
  if (command !== 'setup') run(node, env, ['--disable-warning=ExperimentalWarning', scriptOf(command), ...args])
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
