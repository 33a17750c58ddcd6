import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/wake-index/sqlite-store.ts'

let directory: string
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'timekeeper-race-'))))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

interface Result {
  readonly signal: unknown
  readonly errors: string
  /** What it reported, line by line and word by word. */
  readonly lines: string[][]
}

/** Host processes that all open the file. The first starts, and the others as soon as it has reported something. */
async function race(path: string, dieAfter: readonly string[]): Promise<Result[]> {
  const children = dieAfter.map((after) => spawn(process.execPath, ['--no-warnings', fileURLToPath(new URL('./racer.ts', import.meta.url)), path, after]))
  const results = children.map(async (child): Promise<Result> => {
    let [output, errors] = ['', '']
    child.stdout.on('data', (data) => (output += String(data)))
    child.stderr.on('data', (data) => (errors += String(data)))
    const [, signal] = (await once(child, 'close')) as [unknown, unknown]
    return { signal, errors, lines: output.trim().split('\n').map((line) => line.split(' ')) }
  })
  await Promise.all(children.map((child) => Promise.race([once(child.stdout, 'data'), once(child, 'close')])))
  const [first, ...others] = children as [(typeof children)[number], ...typeof children]
  first.stdin.write('!')
  await Promise.race([once(first.stdout, 'data'), once(first, 'close')])
  for (const child of others) child.stdin.write('!')
  return Promise.all(results)
}

describe('hosts that share one file', () => {
  it('B38 B43 R20 three processes deliver each of 80 sessions once, also the one in whose claim a fourth was killed', async () => {
    const path = join(directory, 'wake.sqlite')
    // The first to come makes the file, while the others come.
    const store = openSqliteStore(path, Date.now(), 5000)
    for (let at = 0; at < 80; at += 1) store.put(`s${at}`, 'countdown', at, undefined)
    const results = await race(path, ['1', 'never', 'never', 'never'])
    expect(results.map(({ errors }) => errors)).toEqual(['', '', '', ''])
    expect(results.map(({ signal }) => signal)).toEqual(['SIGKILL', null, null, null])
    const lines = results.flatMap((result) => result.lines)
    const delivered = lines.filter(([what]) => what === 'D').map(([, session]) => session)
    expect(delivered).toHaveLength(80)
    expect(new Set(delivered).size).toBe(80)
    const fences = lines.filter(([what]) => what === 'C').map(([, , fence]) => fence)
    expect(fences.length).toBeGreaterThan(80)
    expect(new Set(fences).size, 'no fence twice').toBe(fences.length)
    expect(store.owing()).toEqual(new Set())
    store.close()
  }, 20_000)

  it('B47 three processes that make the file at the same moment all get it', async () => {
    const path = join(directory, 'wake.sqlite')
    const results = await race(path, ['never', 'never', 'never'])
    expect(results.map(({ signal, errors }) => [signal, errors])).toEqual([[null, ''], [null, ''], [null, '']])
  }, 20_000)
})
