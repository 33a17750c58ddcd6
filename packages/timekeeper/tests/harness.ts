import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { afterEach } from 'vitest'
import { runCli, type ExitCode } from '../src/cli/main.ts'
import type { World } from '../src/cli/world.ts'

/** 2026-10-09T04:00:00Z, three hours after the first event of the logs that `Log` writes. */
export const LATER = Date.parse('2026-10-09T04:00:00.000Z')

/** How a command line ended, and what it printed. */
export interface Run {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

/** Run a command line in a world of its own. */
export async function run(argv: readonly string[], world: Partial<World> = {}): Promise<Run> {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(argv, {
    env: {},
    cwd: '/',
    userHome: '/nowhere',
    machine: { node: '24.0.0', tz: '2026a', icu: '78', zone: 'UTC' },
    now: () => LATER,
    askBrowser: () => Promise.reject(new Error('no browser is to be asked')),
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    ...world,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** The one JSON document that a command line prints, taken at the caller's word. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a test says which shape it looks at
export async function json<T = Record<string, unknown>>(argv: readonly string[], world: Partial<World> = {}): Promise<T & { readonly exit: ExitCode }> {
  const { code, out, err } = await run(['--json', ...argv], world)
  if (err !== '' || out.includes('\n')) throw new Error(`not one document: ${out}${err}`)
  return { ...(JSON.parse(out) as T), exit: code }
}

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder that is gone after the test. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-cli-'))
  folders.push(folder)
  return folder
}

/** What a header line holds; `id` and the rest can be overridden. */
export const header = (more: object = {}): object => ({ type: 'session', version: 0, id: 's-1', createdAt: Date.parse('2026-10-09T01:00:00.000Z'), cwd: '/work', delegationDepth: 0, ...more })

/** Rows as the file holds them: a header, then events. */
export const textOf = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** One checksummed frame, as the host writes per batch. */
export const frame = (text: string): Buffer => zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })

/** The same log compressed: the header in a frame of its own, then two rows per frame. */
export function framesOf(rows: readonly unknown[]): Buffer[] {
  const [first, ...rest] = rows
  const batches = rest.flatMap((_, index) => (index % 2 === 0 ? [rest.slice(index, index + 2)] : []))
  return [[first], ...batches].map((batch) => frame(textOf(batch)))
}

/** Write a file, and the folders above it. */
export function write(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** Write a log into a folder of its own. */
export const stored = (content: string | Buffer, name = 'session.jsonl'): string => write(join(temporary(), name), content)
