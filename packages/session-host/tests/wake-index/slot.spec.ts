import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreSlot, TRIP_MS } from '../../src/wake-index/slot.ts'
import { openSqliteStore, SQLITE_FILES } from '../../src/wake-index/sqlite-store.ts'
import type { WakeStore } from '../../src/wake-index/store.ts'

let directory: string
let path: string
let now: number
let warnings: string[]
const slots: StoreSlot[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timekeeper-slot-'))
  path = join(directory, 'wake.sqlite')
  now = 1_000_000
  warnings = []
})
afterEach(() => {
  for (const one of slots.splice(0)) one.close()
  rmSync(directory, { recursive: true, force: true })
})
function slot(open = (at: string, when: number): WakeStore => openSqliteStore(at, when, 20)): StoreSlot {
  const made = new StoreSlot({ path, now: () => now, files: { ...SQLITE_FILES, open }, warn: (text) => void warnings.push(text) })
  slots.push(made)
  return made
}
const put = (store: WakeStore): boolean => store.put('s', 'countdown', 7, undefined)
const owed = (store: WakeStore): number | undefined => store.owed('s').get('countdown')

/** Keeps the file locked until it is closed. */
function lock(): DatabaseSync {
  const file = new DatabaseSync(path)
  file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
  return file
}

describe('the place of the store', () => {
  it('R17 is the file, and stays it', () => {
    const one = slot()
    expect(one.use(put, false)).toBe(true)
    expect(one.refresh()).toBe(false)
    expect(slot().use(owed, 0)).toBe(7)
    expect(warnings).toEqual([])
  })

  it('B46 X6 puts a damaged file aside with its bytes kept, says where, and begins anew', () => {
    writeFileSync(path, 'not a database at all, but somebody may want it back')
    const one = slot()
    expect(one.use(put, false)).toBe(true)
    const kept = readdirSync(directory).find((name) => name.includes('corrupt'))
    expect(readFileSync(join(directory, kept!), 'utf8')).toBe('not a database at all, but somebody may want it back')
    expect(warnings).toEqual([expect.stringMatching(/wake\.sqlite was damaged.*wake\.sqlite\.corrupt-/)])
    expect(one.refresh()).toBe(false)
  })

  it('B46 does not put aside what another host has made anew in the meantime', () => {
    writeFileSync(path, 'damaged')
    let calls = 0
    const one = slot((at, when) => {
      calls += 1
      if (calls > 1) return openSqliteStore(at, when)
      try {
        return openSqliteStore(at, when)
      } finally {
        renameSync(at, `${at}.by-another`)
        const theirs = openSqliteStore(at, when)
        put(theirs)
        theirs.close()
      }
    })
    expect(one.use(owed, 0)).toBe(7)
    expect(warnings).toEqual([])
  })

  it('R17 X6 works in memory while the file cannot be used, says so once with the path, and goes back to the file', () => {
    openSqliteStore(path, 1).close()
    const locked = lock()
    const one = slot()
    expect(one.use(put, false)).toBe(true)
    expect(one.isReplaced, 'memory has no place that another could take').toBe(false)
    expect(one.refresh()).toBe(false)
    expect(one.refresh()).toBe(false)
    expect(one.use(owed, 0)).toBe(7)
    expect(warnings).toEqual([`StoreUnusable: The wake index ${path} cannot be used: locked (database is locked). Deliveries go on without it.`])
    locked.close()
    expect(one.refresh()).toBe(true)
    expect(one.use(owed, 0), 'the file knows nothing of it').toBeUndefined()
    expect(one.refresh()).toBe(false)
  })

  it('R17 a write that fails is a warning, and a locked file is left alone for a while', () => {
    let opened: WakeStore | undefined
    const one = slot((at, when) => (opened = openSqliteStore(at, when, 20)))
    const file = new DatabaseSync(path)
    file.exec('BEGIN IMMEDIATE')
    expect(one.use(put, false)).toBe(false)
    expect(warnings).toHaveLength(1)
    file.close()
    expect(put(opened!)).toBe(true)
    expect(one.use(owed, 0), 'not asked').toBe(0)
    now += TRIP_MS
    expect(one.use(owed, 0)).toBe(7)
  })

  it('X6 a file that breaks in use is replaced, and the new one is told so', () => {
    const one = slot()
    const file = new DatabaseSync(path)
    file.exec('DROP TABLE owed')
    file.close()
    expect(one.use(put, false)).toBe(false)
    expect(one.refresh()).toBe(true)
    expect(one.use(put, false)).toBe(true)
    expect(readdirSync(directory).filter((name) => /corrupt-[\d-]+T[\d.]+Z$/.test(name))).toHaveLength(1)
  })

  it('X6 a file that breaks and cannot be replaced leaves memory', () => {
    let fails = false
    const one = slot((at, when) => {
      if (fails) throw new Error('no more')
      return openSqliteStore(at, when)
    })
    const file = new DatabaseSync(path)
    file.exec('DROP TABLE owed')
    file.close()
    one.use(put, false)
    fails = true
    expect(one.refresh()).toBe(true)
    expect(one.use(put, false)).toBe(true)
    expect(warnings.at(-1)).toContain('no more')
  })

  it('X6 a file that was removed is made anew', () => {
    const one = slot()
    one.use(put, false)
    expect(one.isReplaced).toBe(false)
    for (const name of readdirSync(directory)) rmSync(join(directory, name))
    expect(one.isReplaced).toBe(true)
    expect(one.refresh()).toBe(true)
    expect(one.isReplaced).toBe(false)
    expect(one.use(owed, 0)).toBeUndefined()
    expect(slot().use(put, false)).toBe(true)
  })

  it('an error of ours is not mistaken for one of the file', () => {
    const broken = (): never => {
      throw new TypeError('a bug')
    }
    expect(() => slot().use(broken, 0)).toThrow('a bug')
  })
})
