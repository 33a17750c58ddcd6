import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'tsdown'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { atRecord, Log, MINUTE, NOW } from '../../tool-schedule/tests/events.ts'
import { packages } from '../../../scripts/lib/workspace.ts'
import { configOf } from '../../../tsdown.config.ts'
import { framesOf, header, temporary, textOf, write } from './harness.ts'

const ISSUE = ['next', '30 2 * * *', '--zone', 'America/New_York', '--after', '2026-03-08T06:30:00Z', '--count', '3', '--json']

describe('the built program', () => {
  let folder: string
  let program: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'timekeeper-program-'))
    program = join(folder, 'cli.js')
    const member = packages().find(({ name }) => name === 'dsh-timekeeper')
    if (member === undefined) throw new Error('dsh-timekeeper is not in packages/')
    await build({ ...configOf(member), entry: { cli: join(member.folder, 'src/cli.ts') }, outDir: folder, dts: false, config: false })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Run by Node alone: nothing of this workspace is near the file. */
  const start = (argv: readonly string[], env: object = {}): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [program, ...argv], { cwd: folder, env: { HOME: folder, ...env } }, (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }))
    })

  it('T14 is one file that can be executed, and needs nothing but Node', () => {
    const text = readFileSync(program, 'utf8')
    expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true)
    const imports = text.split('\n').flatMap((line) => /^import .* from "(.+)";$/.exec(line)?.[1] ?? [])
    expect(imports.filter((name) => !name.startsWith('node:'))).toEqual([])
    const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name)
    expect(required.filter((name) => !isBuiltin(String(name)))).toEqual([])
    expect(text).not.toContain('from "@deepseek-ai')
  })

  it('T14 T3 answers the example of the requirement with one JSON document and nothing else', async () => {
    const { code, out, err } = await start(ISSUE)
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ fires: [{ utc: '2026-03-08T07:00:00Z', note: expect.stringContaining('moved') as unknown }, {}, {}] })
  })

  it.each([
    [['next', '0 0 30 2 *', '--zone', 'UTC'], 1, 'no_future_occurrence'],
    [['nothing'], 2, 'There is no command "nothing"'],
    [['inspect'], 1, '.dsh does not exist'],
  ])('T14 %j ends with %i, without a stack trace', async (argv, code, text) => {
    const ended = await start(argv)
    expect([ended.code, ended.out]).toEqual([code, ''])
    expect(ended.err).toContain(text)
    expect(ended.err).not.toMatch(/^\s+at /m)
  })

  it('T14 reads a compressed log of a home, in the language of the terminal', async () => {
    const home = temporary()
    write(join(home, 'sessions/p/s-1/session.jsonl.zstd'), Buffer.concat(framesOf([header(), ...new Log().create(atRecord('r-1', NOW + MINUTE)).plan('r-1').events])))
    const { code, out } = await start(['inspect', 's-1'], { DSH_HOME: home, LANG: 'zh_CN.UTF-8' })
    expect(code).toBe(0)
    expect(out).toContain('等待中（1）')
    expect(out).toContain('2026-10-09T01:01:00Z')
  })

  it('T14 a reader that has had enough ends it quietly', async () => {
    const log = new Log()
    for (let number = 1; number <= 3000; number += 1) log.create(atRecord(`r-${number}`, NOW + MINUTE))
    const file = write(join(temporary(), 'session.jsonl'), textOf([header(), ...log.events]))
    const child = spawn(process.execPath, [program, 'inspect', file], { stdio: ['ignore', 'pipe', 'pipe'] })
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, err]).toEqual([0, ''])
  })
})

describe('the entry of the program', () => {
  afterEach(() => vi.restoreAllMocks())

  it('T14 gives its words to the command line and its exit code to the process; a closed pipe is no fault, another one is', async () => {
    const { argv, exitCode } = process
    const printed: string[] = []
    const handlers: ((error: Error) => void)[] = []
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'on').mockImplementation(function on(this: unknown, name: string | symbol, handler: (error: Error) => void) {
        if (name === 'error') handlers.push(handler)
        return stream
      } as never)
      vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    }
    const ended = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    try {
      process.argv = ['node', 'timekeeper', 'next', '* * *', '--lang', 'en', '--zone', 'UTC', '--json']
      await import('../src/cli.ts')
      expect(process.exitCode).toBe(1)
      process.argv = ['node', 'timekeeper']
      vi.resetModules()
      await import('../src/cli.ts')
      expect(process.exitCode).toBe(2)
    } finally {
      Object.assign(process, { argv, exitCode })
    }
    expect(printed[0]).toContain('"invalid_rule"')
    expect(printed[1]).toMatch(/^timekeeper: .*\n$/)
    handlers[0]?.(Object.assign(new Error('closed'), { code: 'EPIPE' }))
    expect(ended).toHaveBeenCalledTimes(1)
    expect(() => handlers[1]?.(new Error('full'))).toThrow('full')
  })

  it('T14 without --after it takes the clock of the machine', async () => {
    const { argv, exitCode } = process
    const printed: string[] = []
    vi.spyOn(process.stdout, 'on').mockReturnThis()
    vi.spyOn(process.stderr, 'on').mockReturnThis()
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    try {
      process.argv = ['node', 'timekeeper', 'next', '0 * * * *', '--zone', 'UTC', '--json']
      vi.resetModules()
      await import('../src/cli.ts')
    } finally {
      Object.assign(process, { argv, exitCode })
    }
    const { fires } = JSON.parse(printed.join('')) as { fires: { utc: string }[] }
    const first = Date.parse(fires[0]?.utc ?? '')
    expect(first - Date.now()).toBeLessThanOrEqual(3_600_000)
    expect(first).toBeGreaterThan(Date.now() - 60_000)
  })
})
