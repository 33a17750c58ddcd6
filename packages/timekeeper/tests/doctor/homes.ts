import { join } from 'node:path'
import { openSqliteStore } from '../../../session-host/src/wake-index/sqlite-store.ts'
import type { WakeStore } from '../../../session-host/src/wake-index/store.ts'
import manifest from '../../package.json' with { type: 'json' }
import { json, LATER, temporary, textOf, write } from '../harness.ts'
import type { World } from '../../src/cli/world.ts'

/** The rows that the bundle mounts. */
export const OUR_ROWS = `- insert:
    - id: timekeeper-schedule
      name: dsh-timekeeper/tool-schedule
    - id: timekeeper-clock
      name: dsh-timekeeper/time-reminder
    - id: timekeeper-page
      name: dsh-timekeeper
`

/** What a home is to be like; everything is well unless told. */
export interface HomeShape {
  readonly host?: string
  /** Patches of the bundle. */
  readonly rows?: string
  /** The profile's own cordis.patch.yml. */
  readonly patch?: string
  readonly manifest?: object
  /** Files of the installed bundle that are left out. */
  readonly without?: readonly string[]
}

/** A home with DSH and the bundle installed, as a package manager and a first boot leave it. */
export function installed(shape: HomeShape = {}): string {
  const home = temporary()
  const shared = join(home, 'profiles/node_modules/@deepseek-ai')
  write(join(shared, 'dsh/package.json'), JSON.stringify({ version: shape.host ?? '0.1.0-rc.8' }))
  write(join(shared, 'dsh-base/package.json'), JSON.stringify({ dsh: { bundle: { patch: './cordis.patch.yml' } } }))
  write(join(shared, 'dsh-base/cordis.patch.yml'), '- insert:\n    - id: persistence\n      name: "@deepseek-ai/persistence"\n      config:\n        root: !!js dshHomePath("sessions")\n')
  const profile = join(home, 'profiles/web')
  write(join(profile, 'package.json'), JSON.stringify({ dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'dsh-timekeeper'] } } }))
  if (shape.patch !== undefined) write(join(profile, 'cordis.patch.yml'), shape.patch)
  const bundle = join(profile, 'node_modules/dsh-timekeeper')
  write(join(bundle, 'package.json'), JSON.stringify({ ...manifest, ...shape.manifest }))
  write(join(bundle, 'cordis.patch.yml'), shape.rows ?? OUR_ROWS)
  for (const file of ['index.js', 'tool-schedule.js', 'time-reminder.js', 'client.js']) if (shape.without?.includes(file) !== true) write(join(bundle, 'lib', file), '')
  return home
}

/** Store a session's log. */
export function store(home: string, id: string, rows: readonly unknown[]): string {
  return write(join(home, 'sessions/--work--', id, 'session.jsonl'), textOf(rows))
}

/** The wake index of a home, to be written to and closed. */
export function indexOf(home: string): WakeStore {
  return openSqliteStore(join(home, 'timekeeper/wake.sqlite'), LATER)
}

/** A finding as a program reads it. */
export interface Found {
  readonly level: string
  readonly code: string
  readonly session?: string
  readonly detail: readonly string[]
  readonly found: string
  readonly advice: string
}

/** Everything that a program reads. */
export interface Diagnosis {
  readonly machine: object
  readonly host?: string
  readonly rows: readonly { readonly id: string; readonly state: string }[]
  readonly sessions: number
  readonly index?: { readonly owed: number; readonly leases: number }
  readonly findings: readonly Found[]
  readonly counts: { readonly problems: number; readonly notes: number }
  readonly exit: number
}

/** Ask the doctor about a home. */
export function diagnose(home: string, world: Partial<World> = {}): Promise<Diagnosis> {
  return json<Diagnosis>(['doctor', '--home', home], world)
}

/** The codes of what is found, in order. */
export const codes = async (home: string, world: Partial<World> = {}): Promise<string[]> => (await diagnose(home, world)).findings.map(({ level, code }) => (level === 'problem' ? code : `(${code})`))

/** A message that a browser has sent. */
export const typed = (clientTimeZone: string): unknown => ({ id: 'm', role: 'user', content: [{ type: 'text', text: 'hello' }], source: { kind: 'user', rpcId: 'r', clientTimeZone } })
