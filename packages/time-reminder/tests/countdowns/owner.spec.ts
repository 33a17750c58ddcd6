import { createAlarmClock, type AlarmClock } from 'dsh-session-host'
import { parseZone, type ZoneName } from 'dsh-time-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { CountdownFold, type Countdown } from '../../src/countdowns/fold.ts'
import { makeCountdownOwner, type CountdownOwner, type CountdownPort } from '../../src/countdowns/owner.ts'
import type { UserMessage } from '../../src/frame.ts'

const T = Date.parse('2026-10-08T04:00:00.000Z')
const MINUTE = 60_000

/** A world in which everything is in the test's hands. */
class World {
  now = T
  isLive = true
  isOurs = true
  isBusy = false
  isStored = true
  readonly book = new CountdownFold()
  readonly said: string[] = []
  readonly warned: string[] = []
  readonly told: (number | undefined)[] = []
  confirms = 0
  claims = 0
  idle = Promise.withResolvers<void>()
  onSay: (() => void) | undefined
  onClaim: (() => void) | undefined
  onConfirm: (() => void) | undefined
  readonly alarm: AlarmClock = createAlarmClock({
    now: () => this.now,
    startTimer: (_delay, callback) => {
      this.ring = callback
      return () => (this.ring = undefined)
    },
    report: (error) => void this.warned.push(String(error)),
  })
  ring: (() => void) | undefined

  set(name: string, dueAt: number, onFire: Countdown['onFire'] = 'wake'): void {
    this.book.pending.set(name, { name, dueAt, onFire, note: undefined, setAt: T })
    this.book.changes += 1
  }

  owner(more: Partial<CountdownPort> = {}): CountdownOwner {
    return makeCountdownOwner({ ...this.port(), ...more }, this.alarm)
  }

  port(): CountdownPort {
    const say = (how: string) => (message: UserMessage) => {
      this.onSay?.()
      const marks = (message.source as unknown as { countdown: { name: string }[] }).countdown
      for (const { name } of marks) {
        this.said.push(`${how} ${name}`)
        this.book.pending.delete(name)
      }
      this.book.changes += 1
    }
    return {
      countdowns: this.book,
      now: () => this.now,
      zone: () => parseZone('UTC') as ZoneName,
      isLive: () => this.isLive,
      isOurs: () => this.isOurs,
      isBusy: () => this.isBusy,
      confirm: async () => {
        this.confirms += 1
        this.onConfirm?.()
        return this.isStored
      },
      claimIdle: (job) => {
        this.claims += 1
        if (this.isBusy) return 'busy'
        this.onClaim?.()
        return (async () => job())()
      },
      whenIdle: () => this.idle.promise,
      wake: say('wake'),
      inject: say('inject'),
      wakeWith: () => undefined,
      owes: (dueAt) => void this.told.push(dueAt),
      onOwnBehalf: (job) => job(),
      warn: (what) => void this.warned.push(what),
    }
  }
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 50; n += 1) await Promise.resolve()
}

let world: World
beforeEach(() => {
  world = new World()
})

describe('the owner', () => {
  it('R17 tells what it begins with, more at once, and less only once that is stored', async () => {
    const owner = world.owner()
    expect(world.told).toEqual([undefined])
    world.set('tea', T + MINUTE)
    world.isStored = false
    owner.poke()
    await settled()
    expect(world.told).toEqual([undefined, T + MINUTE])
    world.book.pending.clear()
    world.book.changes += 1
    owner.poke()
    await settled()
    expect(world.told).toHaveLength(2)
    world.isStored = true
    owner.poke()
    await settled()
    expect(world.told).toEqual([undefined, T + MINUTE, undefined])
    await owner.dispose()
  })

  it('R17 what was set while less was being stored is not lost', async () => {
    world.set('tea', T + 5 * MINUTE)
    const owner = world.owner()
    world.book.pending.clear()
    world.book.changes += 1
    world.onConfirm = () => {
      world.onConfirm = undefined
      world.set('egg', T + MINUTE)
    }
    owner.poke()
    await settled()
    expect(world.told.at(-1)).toBe(T + MINUTE)
    expect(world.confirms).toBe(2)
    await owner.dispose()
  })

  it.each(Array.from({ length: 16 }, (_, ticks) => [ticks]))('X1 R12 a countdown that is set %i ticks after a look began is waited for (sim seed 42)', async (ticks) => {
    const owner = world.owner()
    owner.poke()
    for (let n = 0; n < ticks; n += 1) await Promise.resolve()
    world.set('tea', T + MINUTE)
    owner.poke()
    await settled()
    expect(world.alarm.size).toBe(1)
    await owner.dispose()
  })

  it('R16 a notice that was dropped unread does not say that nobody waited for its countdown', async () => {
    world.set('tea', T + MINUTE)
    const tea = world.book.pending.get('tea')
    const late: unknown[] = []
    const owner = world.owner({ wake: ({ id, source }) => {
      late.push((source as unknown as { countdown: { late: unknown }[] }).countdown[0]?.late)
      world.book.pending.delete('tea')
      world.book.fired = [{ ...(tea as Countdown), firedAt: world.now, messageId: id, notice: 'waiting' }]
    } })
    owner.poke()
    await settled()
    world.now += MINUTE
    world.ring?.()
    await settled()
    world.book.fired = []
    world.book.pending.set('tea', tea as Countdown)
    world.now += 10_000
    owner.poke()
    await settled()
    expect(late).toEqual([[], ['held-up']])
    await owner.dispose()
  })

  it('R20 does nothing in a session that another host holds, looks again each minute, and delivers when told', async () => {
    world.set('tea', T)
    world.isOurs = false
    const owner = world.owner()
    owner.poke()
    await settled()
    expect([world.said, world.claims]).toEqual([[], 0])
    world.now += MINUTE
    world.ring?.()
    await settled()
    expect(world.said).toEqual([])
    world.isOurs = true
    owner.poke()
    await settled()
    expect(world.said).toEqual(['wake tea'])
    await owner.dispose()
  })

  it('R14 waits exactly once for a busy agent, also when that wait fails', async () => {
    world.set('tea', T)
    world.isBusy = true
    const owner = world.owner()
    for (let n = 0; n < 3; n += 1) {
      owner.poke()
      await settled()
    }
    expect(world.said).toEqual([])
    world.isBusy = false
    world.idle.reject(new Error('gone'))
    await settled()
    expect(world.said).toEqual(['wake tea'])
    await owner.dispose()
  })

  it('R19 a countdown that cannot be queued stays, and is tried again', async () => {
    world.set('tea', T)
    world.onSay = () => {
      world.onSay = undefined
      throw new Error('full')
    }
    const owner = world.owner()
    owner.poke()
    await settled()
    expect(world.warned).toEqual(['could not queue the end of a countdown; it stays pending'])
    expect(world.said).toEqual([])
    world.now += MINUTE
    world.ring?.()
    await settled()
    expect(world.said).toEqual(['wake tea'])
    await owner.dispose()
  })

  it('R19 a fault is said and does not end the deliveries', async () => {
    world.set('tea', T)
    let faults = 1
    const owner = world.owner({
      isOurs: () => {
        if (faults-- > 0) throw new Error('broken')
        return true
      },
    })
    owner.poke()
    await settled()
    expect(world.warned).toEqual(['could not look after the countdowns of this session'])
    world.now += MINUTE
    world.ring?.()
    await settled()
    expect(world.said).toEqual(['wake tea'])
    await owner.dispose()
  })

  it('R15 says nothing in the idle phase when the agent has gone in the meantime', async () => {
    world.set('tea', T)
    world.onClaim = () => {
      world.isLive = false
    }
    const owner = world.owner()
    owner.poke()
    await settled()
    expect(world.said).toEqual([])
    await owner.dispose()
  })

  it('R15 says nothing in the idle phase when all was taken back in the meantime', async () => {
    world.set('tea', T)
    world.onClaim = () => world.book.pending.clear()
    const owner = world.owner()
    owner.poke()
    await settled()
    expect(world.said).toEqual([])
    await owner.dispose()
  })

  it('S29 leaves neither an alarm nor a promise behind', async () => {
    world.set('tea', T + MINUTE)
    world.set('late', T)
    world.isBusy = true
    const owner = world.owner()
    owner.poke()
    await settled()
    expect(world.alarm.size).toBe(1)
    await owner.dispose()
    expect([world.alarm.size, world.alarm.running]).toEqual([0, false])
    owner.poke()
    world.isBusy = false
    world.idle.resolve()
    await settled()
    expect(world.said).toEqual([])
  })

  it('R14 P6 a delivery confirms the log once', async () => {
    world.set('tea', T)
    const owner = world.owner()
    owner.poke()
    await settled()
    expect([world.said, world.confirms]).toEqual([['wake tea'], 1])
    await owner.dispose()
  })

  it('R12 what does not wake and what does are told apart in one go', async () => {
    world.set('tea', T)
    world.set('quiet', T - 1, 'inject')
    const owner = world.owner()
    owner.poke()
    await settled()
    expect(world.said).toEqual(['inject quiet', 'wake tea'])
    await owner.dispose()
  })
})
