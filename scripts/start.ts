// npm start: the published DSH in the browser, with the plugins of this checkout mounted.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages } from './lib/build.ts'
import { connect } from './lib/dsh-client.ts'
import { BootError, startDsh, type DshProcess } from './lib/dsh-process.ts'
import { firstFreePort, isFree } from './lib/ports.ts'
import { withLock } from './lib/lock.mjs'
import { ForeignPackage, dshVersion, installBundles, skipWelcome, type Installation } from './lib/profile.ts'
import { UsageError, parseStart, type StartOptions } from './lib/start-options.ts'
import { STATE, packages } from './lib/workspace.ts'

const DEFAULT_PORT = 3080
const OWN_HOME = join(STATE, 'home')
const OWN_WORKSPACE = join(STATE, 'workspace')

const HELP = `npm start [-- OPTIONS]

  --port N      listen on this port (default: ${DEFAULT_PORT}, or the next free one)
  --home DIR    use this DSH home, such as ~/.dsh (default: .timekeeper/home, of this checkout only)
  --open        open the page in the browser

Everything else is passed on to "dsh web": --patch FILE, --trusted-host NAME, …`

const say = (line: string): void => console.log(line)

const choosePort = async (wanted: number | undefined): Promise<number> => {
  if (wanted === undefined) return firstFreePort(DEFAULT_PORT)
  if (await isFree(wanted)) return wanted
  throw new UsageError(`Port ${wanted} is taken. Choose another, or leave --port out and a free one is found.`)
}

/** What was done to a home that is the person's own, and how to take it back. */
const tellInstallation = ({ profile, folders, changedFiles, registered }: Installation): void => {
  if (changedFiles === 0 && registered.length === 0) return
  say(`In your home, DSH ${dshVersion()} of this checkout runs with these additions to the profile ${profile}:`)
  for (const folder of folders) say(`  folder  ${folder}`)
  if (registered.length > 0) say(`  bundles ${registered.join(', ')} in package.json`)
  say('To undo: delete these folders and take the names out of dsh.profile.bundles in that package.json.')
  say('Do not run two hosts on one home at the same time.\n')
}

const prepareHome = async (home: string): Promise<void> => {
  await buildPackages(say, 'bundles')
  const bundles = packages().filter(({ manifest }) => manifest.dsh?.bundle !== undefined)
  if (home === OWN_HOME) skipWelcome(home)
  const done = await installBundles(home, bundles)
  if (home !== OWN_HOME) tellInstallation(done)
}

interface Settings {
  readonly namespaces: readonly { readonly ns: string; readonly value?: { readonly provider?: string; readonly model?: string } }[]
}

/** Which model answers in a new session: the host knows, whoever chose it. */
const tellModel = async (url: string): Promise<void> => {
  const { namespaces } = await connect(url).call<Settings>('settings.describe', {})
  const chosen = namespaces.find(({ ns }) => ns === 'agent-default-model')?.value
  if (chosen?.provider !== 'offline') {
    say(`  Model  ${chosen?.model ?? 'as chosen in the page'}`)
    return
  }
  say('  Model  no key is set, so the offline demo model answers: a small set of rules, not an AI')
  say('         try: remind me in 20 seconds to stretch     or: 20秒后提醒我伸展一下')
  say('         for a real model: DEEPSEEK_API_KEY=… npm start, or add a key in Settings ▸ Models and choose a model')
}

/** A fresh home has no folder to work in, and the page would ask for one before it lets anyone type. */
const offerWorkspace = async (url: string): Promise<void> => {
  const { call } = connect(url)
  const { items } = await call<{ items: readonly unknown[] }>('workspace.list', {})
  if (items.length > 0) return
  mkdirSync(OWN_WORKSPACE, { recursive: true })
  await call('workspace.create', { path: OWN_WORKSPACE })
}

const tellReady = async (host: DshProcess, home: string): Promise<void> => {
  say(`\nTimekeeper on DSH ${dshVersion()} is ready:\n`)
  say(`  ${host.url}\n`)
  say(`  Home   ${home}${home === OWN_HOME ? '  (of this checkout only)' : ''}`)
  await tellModel(host.url)
  say('  Stop   Ctrl-C\n')
}

const serve = async (host: DshProcess, home: string): Promise<number> => {
  let stopping: Promise<unknown> | undefined
  // A repeated signal changes nothing: the host's end has its own limit.
  const stop = (): void => {
    stopping ??= host.stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  try {
    await host.ready()
    if (home === OWN_HOME) await offerWorkspace(host.url)
    await tellReady(host, home)
  } catch (error) {
    if (stopping === undefined) {
      await host.stop()
      throw error
    }
  }
  const exit = await host.exited
  if (stopping !== undefined) {
    await stopping
    say('Stopped.')
    return 0
  }
  console.error(`dsh web ended by itself (${exit.signal ?? exit.code}).\n${host.stderr().trim()}`)
  return exit.code === 0 || exit.code === null ? 1 : exit.code
}

const run = async (options: StartOptions, home: string, port: number): Promise<number> => {
  await prepareHome(home)
  return serve(startDsh({ home, port, args: [...options.rest, ...(options.open ? [] : ['--no-open'])] }), home)
}

const main = async (): Promise<number> => {
  const options = parseStart(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd())
  if (options.help) {
    say(HELP)
    return 0
  }
  const port = await choosePort(options.port)
  const home = options.home ?? OWN_HOME
  const lock = join(home, '.timekeeper-start.lock')
  const refuse = (holder: number): never => {
    throw new UsageError(`Another npm start (process ${holder}) uses the home ${home}, and two hosts on one home would write over each other.\nStop it first, or take another home: npm start -- --home DIR   (If it is long gone, delete ${lock}.)`)
  }
  return withLock(lock, refuse, () => run(options, home, port), Infinity)
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof BootError || error instanceof UsageError || error instanceof ForeignPackage)) throw error
  console.error(error.message)
  if (error instanceof BootError) console.error(`\nThe host did not start. The lines above are its own words; if they do not help, try a fresh home: npm start -- --home NEW-FOLDER`)
  process.exitCode = 1
}
