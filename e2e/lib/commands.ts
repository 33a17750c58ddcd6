import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { DSH, ROOT } from '../../scripts/lib/workspace.ts'
import { marked } from './leftovers.ts'

/** How a command ended, and all that it printed. */
export interface Finished {
  readonly code: number
  readonly output: string
}

/** A command that is running. */
export interface Running {
  readonly child: ChildProcess
  /** What it printed so far, both streams. */
  readonly output: () => string
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/** Starts a command the way a terminal does, in the checkout, and keeps what it prints. */
export const startCommand = (file: string, args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}): Running => {
  const child = spawn(file, args, { cwd: ROOT, env: { ...marked(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve => child.once('close', (code, signal) => resolve({ code, signal })))
  return { child, output: () => text, exited }
}

/** Runs a command to its end; a failure is an answer, not an exception. */
export const runCommand = (file: string, args: readonly string[], options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string | undefined>> } = {}): Promise<Finished> =>
  new Promise(resolve => {
    const env = { ...marked(), ...options.env }
    execFile(file, args, { cwd: options.cwd ?? ROOT, env, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, output: stdout + stderr })
    })
  })

/**
 * Runs the published `dsh` itself on a home, to its end.
 * @returns what it printed
 * @throws when it fails, with what it printed
 */
export const runDsh = async (home: string, args: readonly string[]): Promise<string> => {
  const { code, output } = await runCommand(process.execPath, [join(DSH, 'lib/bin.js'), ...args], { env: { DSH_HOME: home } })
  if (code !== 0) throw new Error(`dsh ${args.join(' ')} ended with ${code}\n${output}`)
  return output
}
