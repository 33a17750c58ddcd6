import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore, readWakeIndex } from '../../src/wake-index/sqlite-store.ts'
import { StoreUnusable, type WakeStore } from '../../src/wake-index/store.ts'
import { holder } from './holders.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'timekeeper-read-'))
  path = join(directory, 'wake.sqlite')
})
afterEach(() => {
  chmodSync(directory, 0o755)
  rmSync(directory, { recursive: true, force: true })
})

/** An index in which one session owes two things and is held, and another owes one. */
function filled(): WakeStore {
  const store = openSqliteStore(path, 1)
  store.put('a', 'reminder', 2000, undefined)
  store.put('a', 'countdown', 1000, undefined)
  store.put('b', 'reminder', 3000, undefined)
  store.take('a', holder('me'), 9000, undefined)
  return store
}

/** Names, sizes and times of what is in the folder. */
const traces = (): unknown[] => readdirSync(directory).map((name) => [name, statSync(join(directory, name)).size, statSync(join(directory, name)).mtimeMs])

const rows = { owed: [{ sessionId: 'a', kind: 'countdown', dueAt: 1000, lease: { holder: holder('me') } }, { sessionId: 'a', dueAt: 2000 }, { sessionId: 'b', dueAt: 3000, lease: undefined }] }

describe('the index, read by a program that is no host', () => {
  it('T14 no file is no index, and none is made', () => {
    expect(readWakeIndex(path)).toBeUndefined()
    expect(readdirSync(directory)).toEqual([])
  })

  it('T14 a file without tables is no index yet', () => {
    writeFileSync(path, '')
    expect(readWakeIndex(path)).toBeUndefined()
    expect(traces()).toEqual([['wake.sqlite', 0, expect.any(Number)]])
  })

  it('T14 R17 after its hosts have closed it all rows are read, and not a trace is left', () => {
    filled().close()
    const before = traces()
    const found = readWakeIndex(path)
    expect(found).toMatchObject(rows)
    expect([...(found?.leases.keys() ?? [])]).toEqual(['a'])
    expect(traces()).toEqual(before)
  })

  it('T14 R17 while a host writes it, what that host has stored is seen, and the host goes on', () => {
    const store = filled()
    expect(readWakeIndex(path)).toMatchObject(rows)
    const names = readdirSync(directory)
    store.put('b', 'reminder', 4000, undefined)
    expect(readWakeIndex(path)?.owed.at(-1)?.dueAt).toBe(4000)
    expect(readdirSync(directory)).toEqual(names)
    store.close()
    expect(readdirSync(directory)).toEqual(['wake.sqlite'])
  })

  it.each([
    ['no database', 'corrupt', () => writeFileSync(path, 'x'.repeat(5000))],
    ['cut short', 'corrupt', () => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
  ])('B46 X6 one that is %s is named as %s, and keeps its bytes', (_, reason, damage) => {
    filled().close()
    damage()
    const bytes = readFileSync(path)
    const failure = (): unknown => {
      try {
        return readWakeIndex(path)
      } catch (error) {
        return error
      }
    }
    expect(failure()).toBeInstanceOf(StoreUnusable)
    expect(failure()).toMatchObject({ reason, path })
    expect(readFileSync(path)).toEqual(bytes)
    expect(readdirSync(directory)).toEqual(['wake.sqlite'])
  })
})
