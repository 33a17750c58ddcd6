import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proofsIn } from '../scripts/lib/coverage-table.ts'
import { withLock } from '../scripts/lib/lock.mjs'
import { UsageError, parseStart } from '../scripts/lib/start-options.ts'
import { closingLine, readTally, sum } from '../scripts/lib/test-report.ts'
import { ROOT } from '../scripts/lib/workspace.ts'
import { runCommand } from './lib/commands.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'timekeeper-commands-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the words after npm start --', () => {
  const nothing = { home: undefined, port: undefined, open: false, help: false, rest: [] }

  it.each([
    [[], nothing],
    [['--port', '3999'], { ...nothing, port: 3999 }],
    [['--port=3999', '--open'], { ...nothing, port: 3999, open: true }],
    [['--home', '~/.dsh'], { ...nothing, home: join(homedir(), '.dsh') }],
    [['--home=x/y'], { ...nothing, home: '/here/x/y' }],
    [['--patch', 'a.yml', '--home', '/h', '--trusted-host', 'b'], { ...nothing, home: '/h', rest: ['--patch', 'a.yml', '--trusted-host', 'b'] }],
    [['--no-open', '-h'], { ...nothing, help: true }],
  ])('%j', (words, options) => {
    expect(parseStart(words, '/here')).toEqual(options)
  })

  it.each([[['--port']], [['--port', '0']], [['--port', '70000']], [['--port', '3080x']], [['--home']], [['--home=']]])('%j is refused', words => {
    expect(() => parseStart(words, '/here')).toThrow(UsageError)
  })
})

const refuse = (): never => {
  throw new Error('taken')
}

describe('the lock of set-up and build', () => {
  it('lets four processes in one after the other', async () => {
    const lock = join(folder, 'lock')
    const trace = join(folder, 'trace')
    const module = pathToFileURL(join(ROOT, 'scripts/lib/lock.mjs')).href
    const program = `
      import { appendFileSync } from 'node:fs'
      import { setTimeout } from 'node:timers/promises'
      import { withLock } from ${JSON.stringify(module)}
      await withLock(${JSON.stringify(lock)}, () => {}, async () => {
        appendFileSync(${JSON.stringify(trace)}, 'in ')
        await setTimeout(30)
        appendFileSync(${JSON.stringify(trace)}, 'out ')
      })`
    await Promise.all([1, 2, 3, 4].map(() => runCommand(process.execPath, ['--input-type=module', '--eval', program])))
    expect(readFileSync(trace, 'utf8')).toBe('in out '.repeat(4))
  })

  it('takes over from a process that died holding it, and tells nobody to wait', async () => {
    const lock = join(folder, 'lock')
    const { output } = await runCommand(process.execPath, ['--eval', 'console.log(process.pid)'])
    writeFileSync(lock, output.trim())
    const waits: unknown[] = []
    expect(await withLock(lock, holder => waits.push(holder), () => 'done')).toBe('done')
    expect(waits).toEqual([])
  })

  it('can be refused instead of waited for', async () => {
    const lock = join(folder, 'lock')
    await withLock(lock, refuse, async () => {
      await expect(withLock(lock, refuse, () => 'never')).rejects.toThrow('taken')
    })
    expect(await withLock(lock, refuse, () => 'free')).toBe('free')
  })

  it('is free again after a job that throws', async () => {
    const lock = join(folder, 'lock')
    await expect(withLock(lock, () => {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await withLock(lock, () => {}, () => 'again')).toBe('again')
  })
})

describe('the list of tests by requirement number', () => {
  it('reads the numbers that titles begin with, in every form of a test, and no others', () => {
    const source = `
      describe('R1 a group', () => {
        it('S12, S23 a checkpoint', () => {})
        it.each([['S99 a row of a table']])('B04 each $row', () => {})
        it.skipIf(windows)(\`T2 a template\`, () => {})
        test.each\`a | b\`('X3 tagged', () => {})
        it('says S7 in the middle', () => {})
        report('S8 not a test')
      })`
    expect(proofsIn('a.spec.ts', source).map(({ number, title }) => [number, title])).toEqual([
      ['R1', 'a group'],
      ['S12', 'a checkpoint'],
      ['S23', 'a checkpoint'],
      ['B04', 'each $row'],
      ['T2', 'a template'],
      ['X3', 'tagged'],
    ])
  })
})

/** A JSON report of one file with these outcomes. */
const report = (tests: readonly string[], status = tests.includes('failed') ? 'failed' : 'passed'): string => {
  const file = join(folder, 'report.json')
  const count = (wanted: string): number => tests.filter(test => test === wanted).length
  const counts = { numPassedTests: count('passed'), numFailedTests: count('failed'), numPendingTests: count('pending'), numTodoTests: 0 }
  writeFileSync(file, JSON.stringify({ ...counts, testResults: [{ status, assertionResults: tests.map(test => ({ status: test })) }] }))
  return file
}

describe('the closing line of npm test', () => {
  it.each([
    [['passed', 'passed'], '2 passed, 0 failed'],
    [['passed', 'failed', 'pending'], '1 passed, 1 failed, 1 skipped'],
    [[], '0 passed, 0 failed'],
  ])('%j reads %s', (tests, line) => {
    const tally = readTally(report(tests))
    expect(tally && closingLine(tally)).toBe(line)
  })

  it('a file that could not be loaded is a failure', () => {
    const tally = readTally(report([], 'failed'))
    expect(tally && closingLine(sum([tally, { passed: 3, failed: 0, skipped: 0 }]))).toBe('3 passed, 1 failed')
  })

  it('a runner that left no report is not a run of nothing', () => {
    expect(readTally(join(folder, 'none.json'))).toBeUndefined()
  })
})
