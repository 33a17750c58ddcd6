import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ZoneFold } from '../../packages/session-host/src/request-zone.ts'
import { play } from '../src/simulate.ts'
import { RealHome } from './real-host.ts'
import { SCHEDULES } from './schedules.ts'

// What the simulator and the fuzzers have found, each with what showed it. A fault that is not mended yet is marked as
// failing, so that its mending is noticed.

describe('messages of another shape', () => {
  it.each([
    ['null', null],
    ['nothing', undefined],
  ])('X3 X6 a message whose source is %s does not stop the zones of its session (fuzz seed -53744627)', (_, source) => {
    const zones = new ZoneFold()
    zones.apply({ type: 'user/message', seq: 0, time: 0, data: { id: 'm1', source } } as never)
    expect(zones.session).toBeUndefined()
  })
})

describe('schedules that broke a rule', () => {
  it.each(SCHEDULES)('X1 %s (first seen with seed %i)', async (_, seed, plant, steps) => {
    expect((await play(seed, steps)).violation).toBeUndefined()
    expect((await play(seed, steps, { plant })).violation).toBeDefined()
  })
})

describe('the same on the published host', () => {
  let home: RealHome
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.parse('2026-10-09T01:00:00.000Z') })
    home = new RealHome()
  })
  afterEach(async () => {
    await home.end()
    vi.useRealTimers()
  })

  const dieAt = async (appends: number): Promise<readonly string[]> => {
    await home.boot()
    await home.ask('one', 'schedule_create', { prompt: 'stretch', after_seconds: 60 })
    await home.crashIn(() => home.pass(61_000), appends)
    await home.session('one')
    await home.pass(61_000)
    return home.unheard('one')
  }

  it.each([1, 2, 3, 4, 7, 8])('X1 S30 a process that dies at append %i of a delivery has lost nothing of it', async (appends) => {
    expect(await dieAt(appends)).toEqual([])
  })

  // The turn has taken the message out of the inbox and not put it into the conversation yet.
  it.each([5, 6])('X1 S30 a process that dies at append %i of a delivery, inside its turn, has lost nothing of it', async (appends) => {
    expect(await dieAt(appends)).toEqual([])
  })
})
