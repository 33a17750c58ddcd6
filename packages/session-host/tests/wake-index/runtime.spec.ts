import { describe, expect, it } from 'vitest'
import type { WakeResult } from '../../src/wake.ts'
import { LEASE_MS, LOOK_MS, SETTLE_MS } from '../../src/wake-index/decide.ts'
import { WakeRuntime } from '../../src/wake-index/runtime.ts'
import { StoreUnusable } from '../../src/wake-index/store.ts'
import type { Session } from '../harness.ts'
import { fakeClock, session, slotOf, type Replace } from './fakes.ts'
import { holder } from './holders.ts'

const START = 1_000_000_000
const ME = holder('me')

function runtimeOf(replace?: Replace) {
  const clock = fakeClock(START)
  const { slot, store, warnings } = slotOf(replace, clock.now)
  const live = new Map<string, Session>()
  const woken: string[] = []
  const listings: number[] = []
  const listed = { sessions: 0 }
  const runtime = new WakeRuntime({
    slot,
    alarm: clock.alarm,
    me: ME,
    verdict: () => 'running',
    now: clock.now,
    live: (id) => live.get(id),
    async wake(id): Promise<WakeResult> {
      woken.push(id)
      live.set(id, session(id))
      return { kind: 'live', agent: {} as never }
    },
    logs: () => ({
      async listSnapshots() {
        listings.push(clock.now() - START)
        return ['s', ...Array.from({ length: listed.sessions }, (_, at) => `stored-${at}`)].map((id) => ({ header: { id } as never, revision: 'r' }))
      },
      readFrom: async (id) => ({ meta: { id } as never, events: [] }),
    }),
    onOwnBehalf: (job) => job(),
    warn: (text) => void warnings.push(text),
  })
  store.mark(new Map([['s', { revision: 'r', kinds: ['countdown'] }]]))
  runtime.register('countdown', { foldOwed: () => undefined, regained: () => undefined })
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1000) {
      clock.pass(Math.min(left, 1000))
      await runtime.settled()
    }
  }
  return { runtime, store, clock, warnings, woken, live, listings, listed, pass }
}

describe('the running index', () => {
  it('B39 R20 leaves a session that another host has served since it was seen due', async () => {
    const { store, woken, pass } = runtimeOf((real) => ({
      take(id, ...rest) {
        // Between the look and the taking another host takes, serves and gives back.
        real.put(id, 'countdown', START + 100 * LOOK_MS, undefined)
        return real.take(id, ...rest)
      },
    }))
    store.put('s', 'countdown', START, undefined)
    await pass(10_000)
    expect(woken).toEqual([])
    expect(store.lease('s')).toBeUndefined()
  })

  it('B39 R20 does not touch a session that another host has taken first, and tries again in seconds', async () => {
    let isRaced = true
    const { store, woken, pass } = runtimeOf((real) => ({ take: (...args) => (isRaced ? undefined : real.take(...args)) }))
    store.put('s', 'countdown', START, undefined)
    await pass(1000)
    isRaced = false
    await pass(3000)
    expect(woken).toEqual([])
    await pass(2000)
    expect(woken).toEqual(['s'])
  })

  it('X6 rings again after a store that failed', async () => {
    let fails = true
    const { store, woken, warnings, pass } = runtimeOf((real) => {
      const failing = (): void => {
        if (fails) throw new StoreUnusable('inaccessible', '/home/wake.sqlite')
      }
      return {
        due: (now) => (failing(), real.due(now)),
        owing: () => (failing(), real.owing()),
        marks: () => (failing(), real.marks()),
      }
    })
    store.put('s', 'countdown', START, undefined)
    await pass(LOOK_MS + 1000)
    expect(woken).toEqual([])
    expect(warnings).toHaveLength(1)
    fails = false
    await pass(10_000)
    expect(woken).toEqual(['s'])
  })

  it('R20 X6 brings nobody back from a new store before other hosts have had the time to write to it', async () => {
    const { store, woken, clock, pass } = runtimeOf(() => ({ bornAt: () => START }))
    store.put('s', 'countdown', START, undefined)
    await pass(SETTLE_MS / 2)
    // Set forward, the clock says nothing of how much time the others have had.
    clock.set(START + 10 * LOOK_MS)
    await pass(SETTLE_MS)
    expect(woken).toEqual([])
    await pass(LOOK_MS)
    expect(woken).toEqual(['s'])
  })

  it('R18 X6 looks again soon after the clock was set back, although nobody asks for anything (sim seed 2839)', async () => {
    const { store, woken, clock, pass } = runtimeOf()
    await pass(LOOK_MS / 2)
    clock.set(START - 7_200_000)
    store.put('s', 'countdown', START - 7_200_000, undefined)
    await pass(LOOK_MS)
    expect(woken).toEqual(['s'])
  })

  it('R20 prolongs its leases every minute', async () => {
    const { runtime, store, live, pass } = runtimeOf()
    const s = session('s')
    live.set('s', s)
    runtime.owes('countdown', s, START + 100 * LOOK_MS)
    await pass(3 * LOOK_MS)
    expect(store.lease('s')?.until).toBe(START + 3 * LOOK_MS + LEASE_MS)
  })

  it('X6 goes on beating when a clock that was years ahead is set right', async () => {
    const { runtime, store, clock, live, listings, pass } = runtimeOf()
    const s = session('s')
    live.set('s', s)
    runtime.owes('countdown', s, START + 1e12)
    const years = 3 * 365 * 86_400_000
    clock.set(START + years)
    await pass(2 * LOOK_MS)
    const before = listings.length
    clock.set(START)
    runtime.owes('countdown', s, START + 2e12)
    await pass(2 * LOOK_MS)
    expect(store.lease('s')?.until).toBe(START + 2 * LOOK_MS + LEASE_MS)
    expect(listings.length).toBeGreaterThan(before)
  })

  it.each([
    [0, 11],
    [590, 11],
    [1790, 4],
    [6000, 1],
  ])('R18 with %d stored sessions the logs are listed %d times in ten minutes', async (sessions, times) => {
    const { listed, listings, pass } = runtimeOf()
    listed.sessions = sessions
    await pass(10 * LOOK_MS)
    expect(listings).toHaveLength(times)
    expect(listings[0]).toBe(500)
  })

  it('R18 a check that is asked for while one runs follows it', async () => {
    const { runtime, clock, listings } = runtimeOf()
    clock.pass(500)
    runtime.requestCheck()
    clock.pass(500)
    expect(listings).toEqual([500])
    await runtime.settled()
    clock.pass(500)
    await runtime.settled()
    expect(listings).toEqual([500, 1500])
  })
})
