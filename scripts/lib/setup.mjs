/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-return -- plain JavaScript has no types to check */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'

/** The folder of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A sentence for the person at the keyboard; never followed by a stack trace. */
export class SetupError extends Error {}

const TOOLCHAIN = join(ROOT, '.toolchain')
const WINDOWS = process.platform === 'win32'
/** The first Node that runs DSH and strips types without a flag. */
const OLDEST_NODE = [22, 19]
/** How npm and pnpm say that the registry cannot be reached. */
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_PNPM_META_FETCH_FAIL|error sending request|dns error/i
/** What npm passes on that is about the way to the registry. Everything else it sets is about npm itself. */
const CONNECTION = /^npm_config_(registry|(https?[_-])?proxy|noproxy|ca|cafile|strict[_-]ssl)$/i
/** npm waits ten seconds and more before it tries again, and says nothing meanwhile. */
const RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=3000']
const STILL_WORKING_MS = 30_000

const members = () =>
  ['host', 'bench', ...readdirSync(join(ROOT, 'packages')).map(name => `packages/${name}`)].map(folder => join(ROOT, folder, 'package.json'))

/** @returns what an install depends on, as one hash: the machine, and the bytes of the files */
const fingerprint = files => {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const file of files) if (existsSync(file)) hash.update(`\0${file.slice(ROOT.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

const steps = () => [
  {
    title: 'Node 24 and pnpm (once, about 10 s)',
    folder: TOOLCHAIN,
    inputs: [join(TOOLCHAIN, 'package.json'), join(TOOLCHAIN, 'package-lock.json')],
    outputs: [join(TOOLCHAIN, 'node_modules/pnpm/package.json')],
    command: () => [...npm(), 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...RETRIES],
  },
  {
    title: 'DSH and the tools of this workspace (once, about 15 s)',
    folder: ROOT,
    inputs: [...['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map(file => join(ROOT, file)), ...members()],
    outputs: [join(ROOT, 'host/node_modules/@deepseek-ai/dsh/package.json'), join(ROOT, 'node_modules/vitest/package.json')],
    command: () => [...pnpm(), 'install', '--frozen-lockfile', '--reporter=append-only'],
  },
]

const stampOf = step => join(step.folder, 'node_modules/.timekeeper-stamp')

const isDone = step =>
  existsSync(stampOf(step)) && readFileSync(stampOf(step), 'utf8') === fingerprint(step.inputs) && step.outputs.every(file => existsSync(file))

/** npm's own script run by this Node where npm tells it: `npm` is a shell script on Windows, which spawn does not run. */
const npm = () => (process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm'])

/** pnpm's binary itself where it is there: its launcher would not pass on a signal. */
const pnpm = () => {
  const binary = join(TOOLCHAIN, 'node_modules/@pnpm', `exe.${process.platform}-${process.arch}`, WINDOWS ? 'pnpm.exe' : 'pnpm')
  return existsSync(binary) ? [binary] : [findNode(), join(TOOLCHAIN, 'node_modules/pnpm/bin/pnpm.mjs')]
}

const spawnQuietly = ([command, ...args], options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, shell: WINDOWS && command === 'npm', stdio: ['ignore', 'pipe', 'pipe'] })
    const forward = signal => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    let output = ''
    const keep = chunk => {
      const known = OFFLINE.test(output)
      output += chunk
      if (!known && OFFLINE.test(output)) console.error('  the npm registry does not answer; trying again …')
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, forward)
      resolve({ code, signal, output })
    })
  })

const explain = (step, result) => {
  if (result.signal !== null) return `Set-up was stopped (${result.signal}). Start the command again to go on.`
  const [offline] = OFFLINE.exec(result.output) ?? []
  if (offline !== undefined) return `The npm registry cannot be reached (${offline}). Set-up needs it once: check the connection, or npm's proxy and registry settings, and try again.`
  return `${result.output.trim().split('\n').slice(-15).join('\n')}\n\nSet-up failed at: ${step.title}. The lines above are the reason.`
}

const perform = async (step, env) => {
  const want = fingerprint(step.inputs)
  const begin = Date.now()
  const seconds = () => Math.round((Date.now() - begin) / 1000)
  console.error(`Setting up: ${step.title} …`)
  const patience = setInterval(() => console.error(`  still downloading after ${seconds()} s …`), STILL_WORKING_MS)
  try {
    const command = step.command()
    const result = await spawnQuietly(command, { cwd: step.folder, env }).catch(error => {
      throw new SetupError(`Set-up cannot run ${command[0]}: ${error.message}`)
    })
    if (result.code !== 0) throw new SetupError(explain(step, result))
  } finally {
    clearInterval(patience)
  }
  writeFileSync(stampOf(step), want)
  console.error(`  done in ${seconds()} s`)
}

/** @returns the Node that everything of ours runs on: the pinned one, else the user's own when it is new enough */
const findNode = () => {
  const pinned = join(TOOLCHAIN, 'node_modules', `node-${WINDOWS ? 'win' : process.platform}-${process.arch}`, WINDOWS ? 'bin/node.exe' : 'bin/node')
  if (existsSync(pinned)) return pinned
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath
  throw new SetupError(
    `DSH needs Node ${OLDEST_NODE.join('.')} or newer. This is Node ${process.versions.node}, and the npm registry has no Node 24 for ${process.platform} ${process.arch} to set up here.\n` +
      `Please install Node 24 from https://nodejs.org and run the command again.`,
  )
}

const environment = node => {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || CONNECTION.test(name))
  // pnpm reads the same settings under its own name.
  const again = kept.filter(([name]) => CONNECTION.test(name)).map(([name, value]) => [`p${name.toLowerCase()}`, value])
  const env = Object.fromEntries([...kept, ...again])
  // Windows spells it `Path`.
  const path = Object.keys(env).find(name => name.toUpperCase() === 'PATH') ?? 'PATH'
  const bins = [join(ROOT, 'node_modules/.bin'), join(ROOT, 'host/node_modules/.bin'), ...(node === undefined ? [] : [dirname(node)]), join(TOOLCHAIN, 'node_modules/.bin')]
  return { ...env, [path]: [...bins, env[path]].join(delimiter) }
}

const tellWaiting = holder => console.error(`Another set-up of this checkout is running (process ${holder}); waiting for it …`)

/**
 * Installs what is missing or out of date: the pinned Node and pnpm, then the workspace. Does nothing, and asks no
 * registry, when the stamps of an earlier run still fit.
 * @returns {Promise<{ node: string, env: Record<string, string> }>} the Node to run scripts with, and their environment
 * @throws {SetupError} when something cannot be installed, with the reason and what to do
 */
export const setup = async () => {
  const [toolchain, workspace] = steps()
  if (!isDone(toolchain) || !isDone(workspace)) {
    await withLock(join(ROOT, '.timekeeper/setup.lock'), tellWaiting, async () => {
      if (!isDone(toolchain)) await perform(toolchain, environment(undefined))
      if (!isDone(workspace)) await perform(workspace, environment(findNode()))
    })
  }
  const node = findNode()
  return { node, env: environment(node) }
}
