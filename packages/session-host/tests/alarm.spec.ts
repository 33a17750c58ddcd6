import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { alarmClock, createAlarmClock, MAX_SEGMENT_MS, type AlarmClock } from '../src/alarm.ts'
import { mountHost } from './harness.ts'

/** A world whose wall clock and timers move only when told; timers count awake time, as Node's do. */
function fakeWorld(start = 1_000_000) {
  let wall = start
  let awake = 0
  let made = 0
  let timer: { at: number; callback: () => void } | undefined
  const errors: unknown[] = []
  const delays: number[] = []
  const alarm = createAlarmClock({
    now: () => wall,
    startTimer(delayMs, callback) {
      made += 1
      delays.push(delayMs)
      const mine = { at: awake + delayMs, callback }
      expect(timer, 'one timer at a time').toBeUndefined()
      timer = mine
      return () => {
        if (timer === mine) timer = undefined
      }
    },
    report: (error) => errors.push(error),
  })
  const run = (): void => {
    const due = timer
    if (due === undefined || due.at > awake) return
    timer = undefined
    due.callback()
  }
  return {
    alarm,
    errors,
    delays,
    now: () => wall,
    made: () => made,
    isArmed: () => timer !== undefined,
    /** Time passes while the machine is awake. */
    pass(ms: number) {
      const end = awake + ms
      while (timer !== undefined && timer.at <= end) {
        wall += timer.at - awake
        awake = timer.at
        run()
      }
      wall += end - awake
      awake = end
    },
    /** The machine sleeps, or the clock is set: the wall clock moves alone. */
    step(ms: number) {
      wall += ms
    },
  }
}

describe('alarm clock', () => {
  it('S25 says within a segment that the clock was set back, to whoever still listens', () => {
    const world = fakeWorld()
    const told: string[] = []
    world.alarm.onSetBack(() => told.push('one'))
    const end = world.alarm.onSetBack(() => {
      told.push('two')
      throw new Error('broken')
    })
    world.alarm.set({}, world.now() + 3_600_000, () => undefined)
    world.pass(MAX_SEGMENT_MS)
    expect(told).toEqual([])
    world.step(-7_200_000)
    world.pass(MAX_SEGMENT_MS)
    expect(told).toEqual(['one', 'two'])
    expect(world.errors).toHaveLength(1)
    end()
    world.step(-2 * MAX_SEGMENT_MS)
    world.pass(MAX_SEGMENT_MS)
    expect(told).toEqual(['one', 'two', 'one'])
    expect(world.isArmed()).toBe(true)
    world.alarm.dispose()
  })

  it('S25 what is set right after the clock was set forward does not wait for the rest of a segment', () => {
    const world = fakeWorld()
    const rings: string[] = []
    world.alarm.set({}, world.now() + 20_000, () => rings.push('passed'))
    world.step(600_000)
    world.alarm.set({}, world.now() + 5000, () => rings.push('new'))
    world.alarm.set({}, world.now() + 6000, () => rings.push('newer'))
    expect(world.delays, 'a timer that fires at once is left alone').toEqual([20_000, 0])
    world.pass(5000)
    expect(rings).toEqual(['passed', 'new'])
    world.pass(1000)
    expect(rings).toEqual(['passed', 'new', 'newer'])
  })

  it('P3 rings many keys with one timer, in the order of their instants', () => {
    const world = fakeWorld()
    const rings: string[] = []
    for (const [name, delay] of [['c', 3000], ['a', 1000], ['b', 2000]] as const) {
      world.alarm.set({ name }, world.now() + delay, () => rings.push(name))
    }
    expect(world.alarm.size).toBe(3)
    world.pass(10_000)
    expect(rings).toEqual(['a', 'b', 'c'])
    expect(world.alarm.size).toBe(0)
    expect(world.alarm.running).toBe(false)
  })

  it('B26 never arms a timer longer than a segment, and rings a target 30 days ahead once', () => {
    const world = fakeWorld()
    let rings = 0
    world.alarm.set({}, world.now() + 30 * 86_400_000, () => rings++)
    world.pass(29 * 86_400_000)
    expect(rings).toBe(0)
    world.pass(2 * 86_400_000)
    expect(rings).toBe(1)
    expect(Math.max(...world.delays)).toBe(MAX_SEGMENT_MS)
  })

  it('B30 B31 notices within one segment that the machine has slept past the target', () => {
    const world = fakeWorld()
    const rings: number[] = []
    world.alarm.set({}, world.now() + 2 * 3_600_000, (now) => rings.push(now))
    world.pass(3_600_000)
    world.step(8 * 3_600_000)
    const woke = world.now()
    world.pass(MAX_SEGMENT_MS)
    expect(rings).toHaveLength(1)
    expect(rings[0]! - woke).toBeLessThanOrEqual(MAX_SEGMENT_MS)
  })

  it('S25 a clock set back rings nothing early', () => {
    const world = fakeWorld()
    const due = world.now() + 60_000
    const rings: number[] = []
    world.alarm.set({}, due, (now) => rings.push(now))
    world.pass(50_000)
    world.step(-3_600_000)
    world.pass(60_000)
    expect(rings).toEqual([])
    world.pass(3_600_000)
    expect(rings).toHaveLength(1)
    expect(rings[0]).toBeGreaterThanOrEqual(due)
  })

  it('S25 a clock set forward makes due what it passed', () => {
    const world = fakeWorld()
    const rings: string[] = []
    world.alarm.set({}, world.now() + 86_400_000, () => rings.push('tomorrow'))
    world.step(2 * 86_400_000)
    world.pass(MAX_SEGMENT_MS)
    expect(rings).toEqual(['tomorrow'])
  })

  it('B34 a timer that wakes a millisecond early rings once, at the instant', () => {
    const world = fakeWorld()
    const due = world.now() + 1000
    const rings: number[] = []
    world.alarm.set({}, due, (now) => rings.push(now))
    world.step(-1)
    world.pass(5000)
    expect(rings).toEqual([due])
  })

  it('rings what is due already in the next macrotask, never inside set', () => {
    const world = fakeWorld()
    let rings = 0
    world.alarm.set({}, world.now() - 1, () => rings++)
    expect(rings).toBe(0)
    world.pass(0)
    expect(rings).toBe(1)
  })

  it('replaces what was set for a key, and forgets what is cleared', () => {
    const world = fakeWorld()
    const rings: string[] = []
    const [moved, cleared] = [{}, {}]
    world.alarm.set(moved, world.now() + 1000, () => rings.push('old'))
    world.alarm.set(moved, world.now() + 2000, () => rings.push('new'))
    world.alarm.set(cleared, world.now() + 1500, () => rings.push('cleared'))
    world.alarm.clear(cleared)
    world.alarm.clear({})
    world.pass(1999)
    expect(rings).toEqual([])
    world.pass(1)
    expect(rings).toEqual(['new'])
  })

  it('stays small when a key is set again and again, and makes no timer for a target that is not the next', () => {
    const world = fakeWorld()
    const [near, far] = [{}, {}]
    world.alarm.set(near, world.now() + 10_000, () => undefined)
    const before = world.made()
    for (let turn = 0; turn < 1000; turn += 1) world.alarm.set(far, world.now() + 20_000 + turn, () => undefined)
    expect(world.made()).toBe(before)
    expect(world.alarm.size).toBe(2)
  })

  it('goes on with the others when a ring throws', () => {
    const world = fakeWorld()
    const rings: string[] = []
    const failure = new Error('broken')
    world.alarm.set({}, world.now() + 1, () => {
      throw failure
    })
    world.alarm.set({}, world.now() + 2, () => rings.push('other'))
    world.pass(10)
    expect(world.errors).toEqual([failure])
    expect(rings).toEqual(['other'])
  })

  it('lets a ring set itself again', () => {
    const world = fakeWorld()
    const key = {}
    const rings: number[] = []
    const again = (now: number): void => {
      rings.push(now)
      if (rings.length < 3) world.alarm.set(key, now + 1000, again)
    }
    world.alarm.set(key, world.now() + 1000, again)
    world.pass(10_000)
    expect(rings).toEqual([1_001_000, 1_002_000, 1_003_000])
  })

  it('S29 leaves no timer once disposed', () => {
    const world = fakeWorld()
    world.alarm.set({}, world.now() + 1000, () => undefined)
    world.alarm.dispose()
    expect(world.isArmed()).toBe(false)
    expect(world.alarm.size).toBe(0)
  })

  it('rings every key exactly once, never early, whatever is set, replaced and cleared', () => {
    const command = fc.oneof(
      fc.record({ do: fc.constant('set' as const), key: fc.nat(9), delay: fc.integer({ min: -100, max: 100_000 }) }),
      fc.record({ do: fc.constant('clear' as const), key: fc.nat(9), delay: fc.constant(0) }),
      fc.record({ do: fc.constant('pass' as const), key: fc.constant(0), delay: fc.nat(60_000) }),
      fc.record({ do: fc.constant('step' as const), key: fc.constant(0), delay: fc.integer({ min: -50_000, max: 50_000 }) }),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const world = fakeWorld(10_000_000)
        const keys = Array.from({ length: 10 }, () => ({}))
        const waiting = new Map<number, number>()
        for (const { do: what, key, delay } of commands) {
          if (what === 'pass') world.pass(delay)
          else if (what === 'step') world.step(delay)
          else if (what === 'clear') {
            world.alarm.clear(keys[key]!)
            waiting.delete(key)
          } else {
            const at = world.now() + delay
            waiting.set(key, at)
            world.alarm.set(keys[key]!, at, (now) => {
              expect(waiting.get(key)).toBe(at)
              expect(now).toBeGreaterThanOrEqual(at)
              waiting.delete(key)
            })
          }
          expect(world.alarm.size).toBe(waiting.size)
          expect(world.isArmed()).toBe(waiting.size > 0)
        }
        world.pass(500_000)
        expect(waiting.size).toBe(0)
      }),
      { numRuns: 300 },
    )
  })
})

describe('alarm clock of a host', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('P3 is one for all plugins of a host, and its timer ends with the last of them', async () => {
    const host = await mountHost({ persistence: false })
    const alarms: AlarmClock[] = []
    const plugins = await Promise.all([1, 2].map(() => host.ctx.plugin({ apply: (ctx) => void alarms.push(alarmClock(ctx)) })))
    expect(alarms[0]).toBe(alarms[1])
    const rings: string[] = []
    alarms[0]!.set({}, Date.now() + 500, () => rings.push('rung'))
    alarms[0]!.set({}, Date.now() + 501, () => {
      throw new Error('broken ring')
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(rings).toEqual(['rung'])
    expect(host.log.join()).toContain('broken ring')
    alarms[0]!.set({}, Date.now() + 60_000, () => undefined)
    await plugins[0]!.dispose()
    expect(alarms[1]!.running).toBe(true)
    await plugins[1]!.dispose()
    expect(alarms[1]!.running).toBe(false)
    await host.dispose()
  })
})
