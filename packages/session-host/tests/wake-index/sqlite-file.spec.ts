import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identityOf, openFile, setAside, transact, unusable } from '../../src/wake-index/sqlite-file.ts'
import { openSqliteStore } from '../../src/wake-index/sqlite-store.ts'
import { StoreUnusable, type WakeStore } from '../../src/wake-index/store.ts'
import { holder } from './holders.ts'

let directory: string
let path: string
const closing: { close(): void }[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timekeeper-file-'))
  path = join(directory, 'wake.sqlite')
})
afterEach(() => {
  for (const one of closing.splice(0)) {
    try {
      one.close()
    } catch {
      // Closed by its test already.
    }
  }
  rmSync(directory, { recursive: true, force: true })
})
const kept = <T extends { close(): void }>(one: T): T => closing[closing.push(one) - 1] as T
const open = (): WakeStore => kept(openSqliteStore(path, 1, 50))
/** The reason for which opening fails. */
function refusal(): unknown {
  try {
    openSqliteStore(path, 1, 50).close()
    return 'opened'
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUnusable)
    expect((error as StoreUnusable).path).toBe(path)
    expect(String(error)).toContain(path)
    return (error as StoreUnusable).reason
  }
}
/** A sound file of a hundred sessions. */
function filled(): Buffer {
  const store = openSqliteStore(path, 1)
  store.mark(new Map(Array.from({ length: 100 }, (_, at) => [`session-${at}`, { revision: 'r'.repeat(200), kinds: ['countdown'] }])))
  store.close()
  return readFileSync(path)
}

describe('a file that cannot be used', () => {
  it.each([
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 5000)],
    ['is cut inside its header', (bytes: Buffer) => bytes.subarray(0, 60)],
    ['is overwritten in the middle', (bytes: Buffer) => Buffer.from(bytes).fill(0xff, bytes.length - 4096)],
    ['is no database', () => Buffer.from('{"not": "a database"}'.repeat(40))],
  ])('B46 X6 one that %s is called corrupt, and no byte of it changes', (_what, damage) => {
    const bytes = damage(filled())
    writeFileSync(path, bytes)
    expect(refusal()).toBe('corrupt')
    expect(readFileSync(path)).toEqual(bytes)
  })

  it('B46 one that has lost a table is corrupt', () => {
    open().close()
    const file = kept(new DatabaseSync(path))
    file.exec('DROP TABLE lease')
    expect(refusal()).toBe('corrupt')
  })

  it('X6 one of a later version is left alone', () => {
    open().close()
    const file = kept(new DatabaseSync(path))
    file.exec('PRAGMA user_version = 2')
    file.close()
    const bytes = readFileSync(path)
    expect(refusal()).toBe('newer')
    expect(readFileSync(path)).toEqual(bytes)
  })

  it('X6 the database of another program is left alone', () => {
    const file = new DatabaseSync(path)
    file.exec('CREATE TABLE mine (a)')
    file.close()
    const bytes = readFileSync(path)
    expect(refusal()).toBe('foreign')
    expect(readFileSync(path)).toEqual(bytes)
    expect(readdirSync(directory)).toEqual(['wake.sqlite'])
  })

  it('X6 one that somebody keeps locked is called locked after a bounded wait', () => {
    open().close()
    const file = kept(new DatabaseSync(path))
    file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
    expect(refusal()).toBe('locked')
    file.close()
    expect(refusal()).toBe('opened')
  })

  it.each([
    [new Error('database or disk is full'), 'inaccessible (database or disk is full).'],
    ['row 3 missing\nrow 4 missing', 'inaccessible (row 3 missing row 4 missing).'],
    [undefined, 'inaccessible.'],
    [new Error('x'.repeat(1000)), `inaccessible (${'x'.repeat(199)}…).`],
  ])('X6 the error names the file, the reason and, on one line, what the medium says (%#)', (cause, end) => {
    const error = new StoreUnusable('inaccessible', '/home/wake.sqlite', cause)
    expect(error.message).toBe(`The wake index /home/wake.sqlite cannot be used: ${end}`)
    expect(error.cause).toBe(cause)
  })

  it('X6 a path that leads through a file, or to a directory, is inaccessible', () => {
    writeFileSync(join(directory, 'file'), '')
    path = join(directory, 'file', 'wake.sqlite')
    expect(refusal()).toBe('inaccessible')
    path = directory
    expect(refusal()).toBe('inaccessible')
  })

  it.each([
    ['directory', 0o555, 0o644],
    ['file', 0o755, 0o444],
  ])('X6 a read-only %s is inaccessible', (_what, directoryMode, fileMode) => {
    writeFileSync(path, '')
    chmodSync(path, fileMode)
    chmodSync(directory, directoryMode)
    const script = fileURLToPath(new URL('./open-as-nobody.ts', import.meta.url))
    // The superuser may write everywhere, so a child without rights looks in its place.
    const isSuper = process.getuid?.() === 0
    if (isSuper) for (const owned of [directory, path]) chownSync(owned, 65_534, 65_534)
    const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', script, path], { encoding: 'utf8', env: { ...process.env, AS_NOBODY: isSuper ? '1' : '' } })
    chmodSync(directory, 0o755)
    expect({ stdout, stderr }).toEqual({ stdout: 'inaccessible', stderr: '' })
  })

  it('names what is not of SQLite inaccessible, and keeps its own names', () => {
    expect(unusable('/p', new Error('other'))).toMatchObject({ reason: 'inaccessible', path: '/p' })
    const own = new StoreUnusable('newer', '/p')
    expect(unusable('/p', own)).toBe(own)
    expect(own.cause).toBeUndefined()
  })
})

describe('a file in use', () => {
  it('X6 says what fails while it is used', () => {
    const store = open()
    const file = kept(new DatabaseSync(path))
    file.exec('BEGIN IMMEDIATE')
    expect(() => store.put('s', 'countdown', 1, undefined)).toThrow(expect.objectContaining({ reason: 'locked', path }))
    expect(store.due(1), 'reading goes on').toEqual([])
    file.exec('ROLLBACK; DROP TABLE owed')
    expect(() => store.due(1)).toThrow(expect.objectContaining({ reason: 'corrupt' }))
    expect(() => store.put('s', 'countdown', 1, undefined)).toThrow(expect.objectContaining({ reason: 'corrupt' }))
    expect(store.take('s', holder('a'), 1, undefined), 'a statement that failed leaves no open transaction').toBeTypeOf('number')
    store.close()
    store.close()
    expect(() => store.renew('a', 1)).toThrow(expect.objectContaining({ reason: 'inaccessible' }))
  })

  it('B46 a file that is put aside keeps its bytes, and its replacement is not disturbed by who still has it open', () => {
    const before = open()
    before.put('s', 'countdown', 1, undefined)
    const keptPath = setAside(path, 0)
    expect(keptPath).toBe(`${path}.corrupt-1970-01-01T00.00.00.000Z`)
    expect(existsSync(path)).toBe(false)
    const after = open()
    expect([before.isCurrent(), after.isCurrent()]).toEqual([false, true])
    after.put('t', 'countdown', 2, undefined)
    before.close()
    expect(open().owed('t')).toEqual(new Map([['countdown', 2]]))
    const old = kept(new DatabaseSync(keptPath))
    expect(old.prepare('SELECT session_id FROM owed').all()).toEqual([expect.objectContaining({ session_id: 's' })])
    expect(setAside(path, 0)).toBe(`${keptPath}-2`)
    expect(identityOf(path)).toBeUndefined()
  })

  it('a path that turns into a loop is not the file any more', () => {
    const store = open()
    setAside(path, 0)
    symlinkSync(path, path)
    expect(store.isCurrent()).toBe(false)
  })

  it('R20 fences of a new file lie above those of the file before', () => {
    const fence = open().take('s', holder('a'), 1, undefined)!
    setAside(path, 0)
    const later = kept(openSqliteStore(path, 2))
    expect(later.take('s', holder('a'), 1, undefined)).toBeGreaterThan(fence)
  })

  it('says what failed also when SQLite has rolled back already', () => {
    const file = kept(openFile(path, 1, 50))
    const job = (): never => {
      file.exec('ROLLBACK')
      throw new Error('half-way')
    }
    expect(() => transact(file, job)).toThrow('half-way')
    expect(transact(file, () => 'next')).toBe('next')
  })

  it('makes missing directories', () => {
    mkdirSync(join(directory, 'home'))
    kept(openFile(join(directory, 'home', 'timekeeper', 'wake.sqlite'), 1, 50))
    expect(readdirSync(join(directory, 'home', 'timekeeper'))).toContain('wake.sqlite')
  })
})
