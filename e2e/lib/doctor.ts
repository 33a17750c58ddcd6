import { execFile } from 'node:child_process'
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
  readonly found: string
  readonly advice: string
}

/** What the doctor says of a home. */
export interface Diagnosis {
  /** Exit code of the program. */
  readonly exit: number
  readonly host?: string
  readonly sessions: number
  readonly findings: readonly Finding[]
  readonly counts: { readonly problems: number; readonly notes: number }
}

/** Runs the program that is installed in the profile. @throws when it prints anything but one JSON document */
export const diagnose = (home: Home, env: Readonly<Record<string, string>> = {}): Promise<Diagnosis> =>
  new Promise((resolve, reject) => {
    const program = join(home.profile, 'node_modules/dsh-timekeeper/lib/cli.js')
    execFile(process.execPath, [program, 'doctor', '--home', home.path, '--json'], { env: { ...marked(), ...env } }, (error, out, err) => {
      if (err !== '' || out === '') reject(new Error(`timekeeper doctor: ${err}${out}`))
      else resolve({ ...parseJson<Omit<Diagnosis, 'exit'>>(out), exit: typeof error?.code === 'number' ? error.code : 0 })
    })
  })

/** @returns the codes of what is found, those of notes in parentheses */
export const findings = async (home: Home, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> =>
  (await diagnose(home, env)).findings.map(({ level, code }) => (level === 'problem' ? code : `(${code})`))
