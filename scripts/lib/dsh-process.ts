import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LOOPBACK } from './ports.ts'
import { DSH } from './workspace.ts'

/** Past this the host has missed its own limit for an orderly end (5 s) and is killed. */
const STOP_LIMIT_MS = 6_500
/** A first boot links some two hundred packages into the home; on a busy machine that takes a while. */
const BOOT_LIMIT_MS = 60_000
/** How much of what a host prints is kept for error messages. */
const KEPT_OUTPUT = 64_000

/** How a host is started. */
export interface DshOptions {
  /** DSH_HOME: sessions, settings and profiles live here. */
  readonly home: string
  /** A free loopback port. */
  readonly port: number
  /** Further words for `dsh web`, launcher flags first. */
  readonly args?: readonly string[]
  /** Laid over this process's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The folder the host runs in; its `.env` is read. */
  readonly cwd?: string
}

/** How a host ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The end of a host that was never ready. Its message carries the last words of the host. */
export class BootError extends Error {
  override readonly name = 'BootError'
}

/** A `dsh web` that runs as a child of this process, in a process group of its own. */
export interface DshProcess {
  readonly pid: number
  readonly port: number
  /** Where it serves, without a slash at the end. */
  readonly url: string
  /** Fulfilled when it has ended, whoever ended it. */
  readonly exited: Promise<Exit>
  /** What it printed, the newest 64 kB of each. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends one signal to the host alone. */
  readonly kill: (signal: NodeJS.Signals) => void
  /** Asks it to end, kills it when it does not within its limit, and waits until it and its children are gone. */
  readonly stop: () => Promise<Exit>
  /**
   * Waits until the whole plugin tree is up and the page is served.
   * @throws {BootError} when the host ends first or needs longer than a minute
   */
  readonly ready: () => Promise<void>
}

const keepTail = (stream: NodeJS.ReadableStream | null): (() => string) => {
  let text = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT_OUTPUT)
  })
  return () => text
}

/** Kills what is left of a process group; there is none on Windows, and none any more when all of it has ended. */
const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nobody left
  }
}

const serves = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}

/** The environment of this process with changes laid over it. */
const overlay = (changes: DshOptions['env'] = {}): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries({ ...process.env, ...changes }).filter(([, value]) => value !== undefined))

/**
 * Starts `dsh web`. It is not ready yet: see `ready`. The host has its own process group, so that a Ctrl-C in the
 * terminal reaches it once, through us: a second signal would cut its orderly end short.
 * @throws when Node cannot start a process at all
 */
export const startDsh = (options: DshOptions): DshProcess => {
  const leash = pathToFileURL(join(import.meta.dirname, 'leash.mjs')).href
  const words = ['web', ...(options.args ?? []), '--port', String(options.port)]
  const child = spawn(process.execPath, ['--import', leash, join(DSH, 'lib/bin.js'), ...words], {
    cwd: options.cwd,
    env: overlay({ ...options.env, DSH_HOME: options.home }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`cannot start ${process.execPath}`)
  const stdout = keepTail(child.stdout)
  const stderr = keepTail(child.stderr)
  // 'close' and not 'exit': the last words must have arrived.
  const exited = new Promise<Exit>(resolve => child.once('close', (code, signal) => resolve({ code, signal })))
  const url = `http://${LOOPBACK}:${options.port}`
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null

  const ready = async (): Promise<void> => {
    const limit = performance.now() + BOOT_LIMIT_MS
    // The host prints its address when the whole tree has settled; the page alone answers earlier.
    while (!stdout().includes('dsh web: http') || !(await serves(url))) {
      if (hasEnded()) throw new BootError(`dsh web ended while starting\n${stderr().trim()}`)
      if (performance.now() > limit) throw new BootError(`dsh web was not ready after ${BOOT_LIMIT_MS / 1000} s\n${stderr().trim()}`)
      await Promise.race([exited, new Promise(resolve => setTimeout(resolve, 50))])
    }
  }

  const stop = async (): Promise<Exit> => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    const exit = await exited
    clearTimeout(timer)
    // Whatever the host had started and not ended.
    killGroup(pid)
    return exit
  }

  return { pid, port: options.port, url, exited, stdout, stderr, kill: signal => void child.kill(signal), stop, ready }
}
