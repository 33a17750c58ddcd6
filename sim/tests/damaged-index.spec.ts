import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoreSlot } from '../../packages/session-host/src/wake-index/slot.ts'
import { openSqliteStore, SQLITE_FILES } from '../../packages/session-host/src/wake-index/sqlite-store.ts'
import type { WakeStore } from '../../packages/session-host/src/wake-index/store.ts'

const NOW = Date.parse('2026-10-09T01:00:00.000Z')
const SESSIONS = 300
/** Around every border that the format has: its header, its first pages; and between them, here and there. */
const BORDERS = [2, 15, 16, 99, 100, 101, 4095, 4096, 4097, 8191, 8192, 8193]
const STEP = 2039

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'timekeeper-index-'))
  path = join(folder, 'wake.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const idOf = (n: number): string => `session-${n}`
const owedBy = (store: WakeStore): readonly number[] => [...store.owing()].map(id => Number(id.replace('session-', ''))).toSorted((a, b) => a - b)

const lengths = (whole: number): readonly number[] => [...BORDERS, ...Array.from({ length: Math.floor(whole / STEP) }, (_, n) => (n + 1) * STEP)].filter(length => length < whole)

const used = (): { readonly owed: readonly number[]; readonly warnings: readonly string[]; readonly isUsable: boolean } => {
  const warnings: string[] = []
  const slot = new StoreSlot({ path, now: () => NOW, files: SQLITE_FILES, warn: text => void warnings.push(text) })
  const owed = slot.use(owedBy, [])
  slot.use(store => store.put('session-new', 'reminder', NOW, undefined), false)
  slot.close()
  const again = openSqliteStore(path, NOW)
  const isUsable = again.owed('session-new').get('reminder') === NOW
  again.close()
  return { owed, warnings, isUsable }
}

it('X6 B46 an index that is cut at any length is put aside with its bytes and made anew, and can be written at once', () => {
  const store = openSqliteStore(path, NOW)
  for (let n = 0; n < SESSIONS; n += 1) store.put(idOf(n), 'reminder', NOW + n, undefined)
  store.close()
  expect(readdirSync(folder)).toEqual(['wake.sqlite'])
  const whole = readFileSync(path)
  expect(whole.length).toBeGreaterThan(5 * STEP)
  for (const length of lengths(whole.length)) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    writeFileSync(path, whole.subarray(0, length))
    const { owed, warnings, isUsable } = used()
    const kept = readdirSync(folder).find(name => name.includes('.corrupt-'))
    expect([length, owed, warnings, isUsable]).toEqual([length, [], [expect.stringContaining(`${path} was damaged; its bytes are kept in`)], true])
    expect([length, kept !== undefined && readFileSync(join(folder, kept)).equals(whole.subarray(0, length))]).toEqual([length, true])
  }
})

it('X6 R17 an index whose write-ahead log is cut at any length opens with the rows that are whole, without a word', () => {
  const rows = 12
  const store = openSqliteStore(path, NOW)
  for (let n = 0; n < rows; n += 1) store.put(idOf(n), 'reminder', NOW + n, undefined)
  // As a crash leaves it: the rows are in the log alone.
  for (const end of ['', '-wal']) copyFileSync(path + end, `${path}${end}.left`)
  store.close()
  const log = readFileSync(`${path}-wal.left`)
  let most = 0
  for (const length of [...lengths(log.length), log.length]) {
    for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) rmSync(path + end)
    copyFileSync(`${path}.left`, path)
    writeFileSync(`${path}-wal`, log.subarray(0, length))
    const { owed, warnings, isUsable } = used()
    // Whole writes from the first on, and never fewer for more bytes.
    expect([length, owed, warnings, isUsable]).toEqual([length, Array.from({ length: owed.length }, (_, n) => n), [], true])
    expect(owed.length).toBeGreaterThanOrEqual(most)
    most = owed.length
  }
  expect(most).toBe(rows)
})
