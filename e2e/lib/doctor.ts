import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseJson } from '../../scripts/lib/json.ts'
import type { Home } from './home.ts'
import { marked } from './leftovers.ts'

/** A finding as `timekeeper doctor --json` prints it. */
export interface Finding {
  readonly level: 'problem' | 'note'
  readonly code: string
  readonly session?: string
  readonly line?: number
  readonly detail: readonly string[]
  readonly found: string
  readonly advice: string
}

/** What the doctor says of a home. */
export interface Diagnosis {
  /** Exit code of the program. */
  readonly exit: number
  readonly host?: string
  readonly sessions: number
  /** Only where a browser was asked. */
  readonly browser?: { readonly name: string; readonly zone: string; readonly compared: number; readonly alike: number }
  readonly findings: readonly Finding[]
  readonly counts: { readonly problems: number; readonly notes: number }
}

/** The program that is installed in a profile. */
const programOf = (home: Home): string => join(home.profile, 'node_modules/dsh-timekeeper/lib/cli.js')

/** Runs the program that is installed in the profile. @throws when it prints anything but one JSON document */
export const diagnose = (home: Home, env: Readonly<Record<string, string>> = {}): Promise<Diagnosis> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [programOf(home), 'doctor', '--home', home.path, '--json'], { env: { ...marked(), ...env } }, (error, out, err) => {
      if (err !== '' || out === '') reject(new Error(`timekeeper doctor: ${err}${out}`))
      else resolve({ ...parseJson<Omit<Diagnosis, 'exit'>>(out), exit: typeof error?.code === 'number' ? error.code : 0 })
    })
  })

/** @returns the codes of what is found, those of notes in parentheses */
export const findings = async (home: Home, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> =>
  (await diagnose(home, env)).findings.map(({ level, code }) => (level === 'problem' ? code : `(${code})`))

/** A `doctor --browser` that waits. */
export interface Waiting {
  /** The page that it wants opened. */
  readonly url: string
  /** Ends it as Ctrl-C does. */
  readonly interrupt: () => void
  /** What it printed on both streams, and its exit code. */
  readonly ended: Promise<{ readonly exit: number | null; readonly out: string; readonly err: string }>
}

/** Starts `doctor --browser` of the installed program. @returns once it has printed an address @throws when it ends first */
export const waitingDoctor = (home: Home, args: readonly string[] = []): Promise<Waiting> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [programOf(home), 'doctor', '--home', home.path, '--browser', ...args], { env: marked(), stdio: ['ignore', 'pipe', 'pipe'] })
    const printed = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      printed.out += chunk.toString()
    })
    const ended = new Promise<Awaited<Waiting['ended']>>(done => child.once('close', exit => done({ exit, ...printed })))
    child.stderr.on('data', (chunk: Buffer) => {
      printed.err += chunk.toString()
      const [url] = /http:\S+(?=\n)/.exec(printed.err) ?? []
      if (url !== undefined) resolve({ url, interrupt: () => void child.kill('SIGINT'), ended })
    })
    ended.then(({ exit, out, err }) => reject(new Error(`it ended with ${String(exit)}: ${err}${out}`)), reject)
  })
