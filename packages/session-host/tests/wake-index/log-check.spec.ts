import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { LogCheck, type WakeKind } from '../../src/wake-index/check.ts'
import type { Place } from '../../src/wake-index/decide.ts'
import { slotOf } from './fakes.ts'

const HOUR = 3_600_000

/** A check over logs that the test makes up: each owes the instant that is its only event's time. */
function checkOf(ids: readonly string[]) {
  const { slot, store } = slotOf()
  const kinds = new Map<string, WakeKind>([['countdown', { foldOwed: (events) => events[0]?.time, regained: () => undefined }]])
  const warnings: string[] = []
  const reads: string[] = []
  const places = new Map<string, Place>()
  const world = { now: 0, onRead: (_id: string): void => undefined }
  const check = new LogCheck({
    slot,
    kinds,
    now: () => world.now,
    place: (id) => places.get(id) ?? 'cold',
    attended: () => [],
    warn: (text) => void warnings.push(text),
    count: () => undefined,
  })
  const header = (id: string) => ({ id, version: 0, createdAt: 0 }) as SessionHeader
  const logs = {
    listSnapshots: async () => ids.map((id) => ({ header: header(id), revision: 'r' })),
    async readFrom(id: string) {
      reads.push(id)
      world.onRead(id)
      return { meta: header(id), events: [{ time: 700 }] as SessionEvent[] }
    },
  }
  const stop = new AbortController()
  return { store, kinds, warnings, reads, places, world, stop, run: () => check.run(logs, stop.signal) }
}

describe('a check of the logs', () => {
  it('R18 writes what the logs owe, and says so', async () => {
    const { run, store } = checkOf(['a', 'b'])
    expect(await run()).toEqual({ listed: 2, mayHaveChanged: true })
    expect(store.owed('a')).toEqual(new Map([['countdown', 700]]))
    expect(await run()).toEqual({ listed: 2, mayHaveChanged: false })
  })

  it('lists nothing while no plugin is there', async () => {
    const { run, kinds, reads } = checkOf(['a'])
    kinds.clear()
    expect(await run()).toEqual({ listed: 0, mayHaveChanged: false })
    expect(reads).toEqual([])
  })

  it('R18 leaves a session to its owner that comes to life while its log is read', async () => {
    const { run, store, world, places } = checkOf(['a'])
    world.onRead = (id) => void places.set(id, 'here')
    await run()
    expect(store.owing()).toEqual(new Set())
    expect(store.marks().size).toBe(0)
  })

  it('S29 stops between two logs', async () => {
    const { run, reads, world, stop } = checkOf(['a', 'b'])
    world.onRead = () => stop.abort()
    await run()
    expect(reads).toEqual(['a'])
  })

  it('S29 a read that is broken off is no complaint', async () => {
    const { run, warnings, world, stop } = checkOf(['a', 'b'])
    world.onRead = () => {
      stop.abort()
      throw new Error('aborted')
    }
    await run()
    expect(warnings).toEqual([])
  })

  it('X6 leaves a log alone that cannot be read, tries it again after an hour, and complains once', async () => {
    const { run, reads, warnings, world, store } = checkOf(['a'])
    world.onRead = () => {
      throw new Error('unreadable')
    }
    await run()
    world.now = HOUR - 1
    await run()
    expect(reads).toHaveLength(1)
    world.now = HOUR
    await run()
    expect(reads).toHaveLength(2)
    expect(warnings).toEqual(['session a: its log cannot be read, so what it owes is not known'])
    world.now = -HOUR
    world.onRead = () => undefined
    await run()
    expect(store.owed('a'), 'a clock that was set back does not prolong the wait').toEqual(new Map([['countdown', 700]]))
  })

  it('X6 a fold that fails is an unreadable log', async () => {
    const { run, kinds, warnings, store } = checkOf(['a'])
    const broken = (): never => {
      throw new Error('corrupt record')
    }
    kinds.set('broken', { foldOwed: broken, regained: () => undefined })
    await run()
    expect(warnings).toHaveLength(1)
    expect(store.marks().size).toBe(0)
  })

  it('R17 a kind that goes away while logs are read keeps its rows, and the log is read again when it comes back', async () => {
    const { run, kinds, store, world, reads } = checkOf(['a'])
    kinds.set('reminder', { foldOwed: () => 900, regained: () => undefined })
    await run()
    store.mark(new Map([['a', { revision: 'old', kinds: ['countdown'] }]]))
    const reminder = kinds.get('reminder')!
    world.onRead = () => void kinds.delete('reminder')
    await run()
    expect(store.owed('a')).toEqual(new Map([['countdown', 700], ['reminder', 900]]))
    world.onRead = () => undefined
    kinds.set('reminder', reminder)
    await run()
    expect(reads).toHaveLength(3)
  })
})
