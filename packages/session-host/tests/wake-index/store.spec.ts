import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { createMemoryStore } from '../../src/wake-index/memory-store.ts'
import { openSqliteStore } from '../../src/wake-index/sqlite-store.ts'
import { firstFence, type WakeStore } from '../../src/wake-index/store.ts'
import { holder } from './holders.ts'

const A = holder('a')
const B = holder('b')

let directory: string
const stores: WakeStore[] = []
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'timekeeper-store-'))))
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Two views of one store, as two hosts have them. */
const IMPLEMENTATIONS: [string, () => [WakeStore, WakeStore]][] = [
  ['memory', () => {
    const store = createMemoryStore()
    return [store, store]
  }],
  ['sqlite', () => {
    const pair = [1, 2].map(() => openSqliteStore(join(directory, 'wake.sqlite'), 1)) as [WakeStore, WakeStore]
    stores.push(...pair)
    return pair
  }],
]

describe.each(IMPLEMENTATIONS)('contract of the %s store', (_name, open) => {
  let store: WakeStore
  let other: WakeStore
  beforeEach(() => void ([store, other] = open()))

  it('R17 answers who owes something, and when next', () => {
    store.put('s1', 'countdown', 300, undefined)
    store.put('s2', 'countdown', 100, undefined)
    other.put('s1', 'reminder', 200, undefined)
    expect(other.due(250).map((row) => [row.sessionId, row.kind, row.dueAt])).toEqual([['s2', 'countdown', 100], ['s1', 'reminder', 200]])
    expect(store.due(99)).toEqual([])
    expect(store.nextDue(99)).toBe(100)
    expect(store.nextDue(100)).toBe(200)
    expect(store.nextDue(300)).toBeUndefined()
    expect(other.owed('s1')).toEqual(new Map([['countdown', 300], ['reminder', 200]]))
    expect(other.owed('nobody')).toEqual(new Map())
    expect(store.owing()).toEqual(new Set(['s1', 's2']))
  })

  it('R17 a row is replaced by what is owed next, and goes when nothing is', () => {
    store.put('s', 'countdown', 100, undefined)
    expect(store.put('s', 'countdown', 50, undefined)).toBe(true)
    expect(store.owed('s')).toEqual(new Map([['countdown', 50]]))
    expect(store.put('s', 'countdown', undefined, undefined)).toBe(true)
    expect(store.put('s', 'countdown', undefined, undefined)).toBe(true)
    expect(store.owing()).toEqual(new Set())
  })

  it('B39 R20 of two hosts that want a session at the same moment one gets it', () => {
    store.put('s', 'countdown', 100, undefined)
    const fence = store.take('s', A, 1000, undefined)
    expect(fence).toBeTypeOf('number')
    expect(other.take('s', B, 1000, undefined)).toBeUndefined()
    expect(other.lease('s')).toEqual({ holder: A, until: 1000, fence })
    expect(other.due(100)[0]?.lease).toEqual({ holder: A, until: 1000, fence })
    expect(other.leases()).toEqual(new Map([['s', { holder: A, until: 1000, fence }]]))
    expect(store.lease('free')).toBeUndefined()
  })

  it('B43 R20 a session of a dead host is taken over once, by naming its fence', () => {
    const fence = store.take('s', A, 1000, undefined)
    const next = other.take('s', B, 2000, fence)
    expect(next).toBeGreaterThan(fence!)
    expect(store.take('s', A, 3000, fence)).toBeUndefined()
    expect(store.lease('s')).toMatchObject({ holder: B, fence: next })
  })

  it('R20 no fence comes twice, also not after everything about a session was dropped', () => {
    const fences = [store.take('s', A, 1, undefined)!]
    store.release('s', fences[0]!)
    fences.push(other.take('s', A, 1, undefined)!)
    store.forget('s', fences[1])
    fences.push(store.take('s', A, 1, undefined)!, other.take('other', A, 1, undefined)!)
    expect(fences).toEqual(fences.toSorted((a, b) => a - b))
    expect(new Set(fences).size).toBe(4)
  })

  it('R20 a holder that lost its lease cannot write, release, end or forget', () => {
    const lost = store.take('s', A, 1, undefined)!
    store.put('s', 'countdown', 100, lost)
    const now = other.take('s', B, 1, lost)!
    const mark = { revision: 'r', kinds: ['countdown'] }
    expect(store.put('s', 'countdown', 500, lost)).toBe(false)
    expect(store.put('s', 'countdown', undefined, undefined)).toBe(false)
    expect(store.correct('s', new Map([['countdown', undefined]]), mark, lost)).toBe(false)
    expect(store.release('s', lost)).toBe(false)
    expect(store.end('s', lost)).toBe(false)
    expect(store.forget('s', undefined)).toBe(false)
    expect(store.owed('s')).toEqual(new Map([['countdown', 100]]))
    expect(store.marks()).toEqual(new Map())
    expect(other.release('s', now)).toBe(true)
    expect(other.lease('s')).toBeUndefined()
  })

  it('R20 a host prolongs its own leases only', () => {
    store.take('mine', A, 1, undefined)
    store.take('too', A, 1, undefined)
    other.take('theirs', B, 1, undefined)
    store.renew('a', 99)
    expect(Object.fromEntries([...other.leases()].map(([id, { until }]) => [id, until]))).toEqual({ mine: 99, theirs: 1, too: 99 })
  })

  it('R18 what is known of the logs is kept', () => {
    store.mark(new Map())
    store.mark(new Map([['s1', { revision: 'r1', kinds: ['countdown', 'reminder'] }], ['s2', { revision: 'r2', kinds: ['reminder'] }]]))
    store.mark(new Map([['s2', { revision: 'r3', kinds: ['reminder'] }]]))
    expect(other.marks()).toEqual(new Map([['s1', { revision: 'r1', kinds: ['countdown', 'reminder'] }], ['s2', { revision: 'r3', kinds: ['reminder'] }]]))
  })

  it('R18 a log corrects the rows of the kinds it was folded for', () => {
    store.put('s', 'countdown', 100, undefined)
    store.put('s', 'alien', 5, undefined)
    const mark = { revision: 'r', kinds: ['countdown', 'reminder'] }
    expect(store.correct('s', new Map([['countdown', undefined], ['reminder', 70]]), mark, undefined)).toBe(true)
    expect(other.owed('s')).toEqual(new Map([['alien', 5], ['reminder', 70]]))
    expect(other.marks()).toEqual(new Map([['s', mark]]))
  })

  it('B58 what ends is gone with its lease and stays known; what is forgotten is gone altogether', () => {
    for (const id of ['ends', 'goes']) {
      store.correct(id, new Map([['countdown', 100]]), { revision: 'r', kinds: ['countdown'] }, undefined)
      store.take(id, A, 1, undefined)
    }
    expect(store.end('ends', store.lease('ends')?.fence)).toBe(true)
    expect(store.forget('goes', store.lease('goes')?.fence)).toBe(true)
    expect(other.owing()).toEqual(new Set())
    expect(other.leases()).toEqual(new Map())
    expect([...other.marks().keys()]).toEqual(['ends'])
  })

  it('R20 whatever two hosts do in whatever order, a session has one holder and no fence comes twice', () => {
    const who = fc.constantFrom(0, 1)
    const session = fc.constantFrom('s1', 's2')
    const command = fc.record({ do: fc.constantFrom('take', 'rob', 'release', 'put', 'end', 'forget', 'renew'), who, session })
    let round = 0
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        round += 1
        const views = [store, other]
        const believed = [new Map<string, number>(), new Map<string, number>()]
        const fences: number[] = []
        for (const { do: what, who: index, session: name } of commands) {
          const id = `${name}-${round}`
          const [view, mine, theirs] = [views[index]!, believed[index]!, believed[1 - index]!]
          const stands = view.lease(id)?.fence
          const holds = mine.has(id) && mine.get(id) === stands
          if (what === 'take' || what === 'rob') {
            const expected = what === 'take' ? undefined : mine.get(id) ?? theirs.get(id)
            const fence = view.take(id, index === 0 ? A : B, 1, expected)
            expect(fence !== undefined).toBe(expected === stands)
            if (fence !== undefined) mine.set(id, fences[fences.push(fence) - 1]!)
          } else if (what === 'renew') view.renew(index === 0 ? 'a' : 'b', round)
          else {
            const fence = mine.get(id) ?? -1
            const done = what === 'put' ? view.put(id, 'countdown', round, fence) : view[what as 'end'](id, fence)
            expect(done).toBe(holds)
          }
          // Each fence stands for one taking, so at most one of the two beliefs can be true.
          const now = view.lease(id)?.fence
          const trueBeliefs = believed.filter((belief) => now !== undefined && belief.get(id) === now)
          expect(trueBeliefs).toHaveLength(now === undefined ? 0 : 1)
        }
        expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b))
      }),
      { numRuns: 60 },
    )
  })
})

describe('what hosts can rely on', () => {
  it('R17 memory is seen by nobody else, and its fences can start above those of a file', () => {
    const store = createMemoryStore(5000)
    expect(store.isCurrent()).toBe(false)
    expect(store.take('s', A, 1, undefined)).toBe(5001)
    store.close()
    expect(store.lease('s')?.fence).toBe(5001)
  })

  it('R20 memory and file know when they were made, however often a session was taken since', () => {
    const path = join(directory, 'born.sqlite')
    const file = openSqliteStore(path, 7000)
    for (const store of [createMemoryStore(firstFence(7000)), file]) {
      for (let n = 0; n < 10; n += 1) store.release('s', store.take('s', A, 1, undefined) ?? 0)
      expect(store.bornAt()).toBe(7000)
    }
    file.close()
    const again = openSqliteStore(path, 9000)
    stores.push(again)
    expect(again.bornAt()).toBe(7000)
  })

  it('B47 a file keeps everything across closing, and its fences go on', () => {
    const path = join(directory, 'deep', 'er', 'wake.sqlite')
    const first = openSqliteStore(path, 1)
    const fence = first.take('s', A, 1, undefined)!
    first.put('s', 'countdown', 100, fence)
    first.close()
    const second = openSqliteStore(path, 999)
    stores.push(second)
    expect(second.due(100)).toEqual([{ sessionId: 's', kind: 'countdown', dueAt: 100, lease: { holder: A, until: 1, fence } }])
    expect(second.take('s', B, 1, fence)).toBe(fence + 1)
  })
})
