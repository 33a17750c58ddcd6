import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { readJson } from './json.ts'
import { ROOT } from './workspace.ts'

/** How a command ended, and all that it printed. */
export interface Result {
  /** 0 when all went well; 128 plus the number of a signal that ended it, as a shell counts. */
  readonly code: number
  readonly output: string
}

/** Past this a command that was told to end is killed, with everything that it started. */
const END_LIMIT_MS = 8_000

const exitCode = (code: number | null, signal: NodeJS.Signals | null): number => code ?? 128 + (signal === null ? 0 : constants.signals[signal])

const signalGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // all of it has ended
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command in the checkout's folder with this terminal as its own. It gets its own process group, and what this
 * process is told to do is passed to that group once, so that a Ctrl-C is not heard twice.
 * @returns its exit code
 */
export const runInTerminal = (command: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> =>
  new Promise((resolve, reject) => {
    const [file = '', ...args] = command
    const child = spawn(file, args, { cwd: ROOT, env, stdio: 'inherit', detached: process.platform !== 'win32' })
    let timer: NodeJS.Timeout | undefined
    const pass = (signal: NodeJS.Signals): void => {
      if (timer !== undefined) return
      signalGroup(child.pid, signal)
      timer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), END_LIMIT_MS)
    }
    for (const signal of SIGNALS) process.on(signal, pass)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      for (const name of SIGNALS) process.off(name, pass)
      signalGroup(child.pid, 'SIGKILL')
      resolve(exitCode(code, signal))
    })
  })

/** Runs a command without a terminal and keeps what it prints. */
export const runQuietly = (command: readonly string[], options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}): Promise<Result> =>
  new Promise((resolve, reject) => {
    const [file = '', ...args] = command
    const child = spawn(file, args, { cwd: ROOT, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code: exitCode(code, signal), output }))
  })

/**
 * @param name a dev dependency of the workspace with one program
 * @returns the words that run the program with this very Node, which works on every system
 */
export const program = (name: string): readonly string[] => {
  const folder = join(ROOT, 'node_modules', name)
  const { bin } = readJson<{ bin: string | Record<string, string> }>(join(folder, 'package.json'))
  const [path] = typeof bin === 'string' ? [bin] : Object.values(bin)
  if (path === undefined) throw new Error(`${name} has no program`)
  return [process.execPath, join(folder, path)]
}
