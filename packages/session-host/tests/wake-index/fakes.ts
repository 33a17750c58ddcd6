import { createAlarmClock, type AlarmClock } from '../../src/alarm.ts'
import { createMemoryStore } from '../../src/wake-index/memory-store.ts'
import { StoreSlot } from '../../src/wake-index/slot.ts'
import { SQLITE_FILES } from '../../src/wake-index/sqlite-store.ts'
import type { WakeStore } from '../../src/wake-index/store.ts'
import type { Session } from '../harness.ts'

/** A session as far as the index looks at it. */
export function session(id: string): Session {
  return { id } as Session
}

/** Methods of a store that a test puts before the real ones. */
export type Replace = (real: WakeStore) => Partial<WakeStore>

/** A place whose file is a store in memory. @returns the real store beside it. */
export function slotOf(replace: Replace = () => ({}), now = () => 0): { slot: StoreSlot; store: WakeStore; warnings: string[] } {
  const store = createMemoryStore()
  const replaced: Partial<WakeStore> = { isCurrent: () => true, ...replace(store) }
  const seen = new Proxy(store, {
    get(_, name: keyof WakeStore) {
      const method = replaced[name] ?? store[name]
      return method.bind(store) as unknown
    },
  })
  const warnings: string[] = []
  return { store, warnings, slot: new StoreSlot({ path: '/home/wake.sqlite', now, files: { ...SQLITE_FILES, open: () => seen }, warn: (text) => void warnings.push(text) }) }
}

/** A wall clock and an alarm clock that move only when told. */
export function fakeClock(start: number): { alarm: AlarmClock; now(): number; pass(ms: number): void; set(at: number): void } {
  let wall = start
  let timer: { at: number; callback: () => void } | undefined
  const alarm = createAlarmClock({
    now: () => wall,
    startTimer(delayMs, callback) {
      const mine = { at: wall + delayMs, callback }
      timer = mine
      return () => {
        if (timer === mine) timer = undefined
      }
    },
    report(error) {
      throw error
    },
  })
  const pass = (ms: number): void => {
    const end = wall + ms
    for (let due = timer; due !== undefined && due.at <= end; due = timer) {
      timer = undefined
      wall = Math.max(wall, due.at)
      due.callback()
    }
    wall = end
  }
  return {
    alarm,
    now: () => wall,
    pass,
    set(at) {
      // The timer that runs counts awake time, whatever the wall clock says.
      if (timer !== undefined) timer = { ...timer, at: timer.at - wall + at }
      wall = at
    },
  }
}
