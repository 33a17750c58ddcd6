import { describe, expect, it } from 'vitest'
import { LEASE_MS, RETRY_MS } from '../../src/wake-index/decide.ts'
import type { Verdict } from '../../src/wake-index/holder.ts'
import { Seats } from '../../src/wake-index/seats.ts'
import { StoreUnusable } from '../../src/wake-index/store.ts'
import { session, slotOf, type Replace } from './fakes.ts'
import { holder } from './holders.ts'

const ME = holder('me')
const OTHER = holder('other')
const NOW = 1000

/** Seats in front of a store; the other holder is what the test says it is. */
function seatsOf(replace?: Replace) {
  const { slot, store } = slotOf(replace)
  const closed = new Set<string>()
  const warnings: string[] = []
  let other: Verdict = 'running'
  const seats = new Seats({
    slot,
    me: ME,
    judge: () => ({ now: NOW, steady: { since: 0, last: NOW }, hostId: 'me', verdict: () => other }),
    isLive: ({ id }) => !closed.has(id),
    warn: (text) => void warnings.push(text),
  })
  return { seats, store, closed, warnings, otherIs: (verdict: Verdict) => void (other = verdict) }
}

describe('the live sessions of a host', () => {
  it('R20 a session is taken as soon as it owes something, and kept when it no longer does', () => {
    const { seats, store } = seatsOf()
    const s = session('s')
    seats.owes('countdown', s, undefined)
    expect(store.lease('s')).toBeUndefined()
    seats.owes('countdown', s, 50)
    expect(store.lease('s')).toMatchObject({ holder: ME, until: NOW + LEASE_MS })
    const fence = store.lease('s')?.fence
    seats.owes('countdown', s, undefined)
    expect(store.lease('s')?.fence).toBe(fence)
    expect(store.owing()).toEqual(new Set())
    expect(seats.attended('s')).toEqual(['countdown'])
    expect(seats.attended('unknown')).toEqual([])
  })

  it('R17 a row that says too much is corrected without taking the session, unless another host holds it', () => {
    const { seats, store, otherIs } = seatsOf()
    store.put('free', 'countdown', 5, undefined)
    seats.owes('countdown', session('free'), undefined)
    expect(store.owed('free')).toEqual(new Map())
    const fence = store.take('held', OTHER, 1, undefined)
    store.put('held', 'countdown', 5, fence)
    seats.owes('countdown', session('held'), undefined)
    expect(store.owed('held'), 'its holder keeps it').toEqual(new Map([['countdown', 5]]))
    otherIs('gone')
    seats.rewrite()
    expect(store.owed('held')).toEqual(new Map())
    expect(store.lease('held')?.fence, 'not taken').toBe(fence)
  })

  it('B39 R20 whoever loses the race for a session waits for it', () => {
    let isRaced = true
    const { seats, store } = seatsOf((real) => ({ take: (...args) => (isRaced ? undefined : real.take(...args)) }))
    const s = session('s')
    seats.owes('countdown', s, 500)
    expect(seats.isOurs(s)).toBe(false)
    expect(store.owing()).toEqual(new Set())
    expect(seats.regain()).toEqual([])
    isRaced = false
    expect(seats.regain()).toEqual([s])
    expect(store.owed('s')).toEqual(new Map([['countdown', 500]]))
    expect(seats.regain(), 'told once').toEqual([])
  })

  it('R20 a write that another host overtakes is tried again', () => {
    let isOvertaken = true
    const { seats, store } = seatsOf((real) => ({ put: (...args) => !isOvertaken && real.put(...args) }))
    seats.owes('countdown', session('s'), 500)
    expect(seats.attended('s')).toEqual([])
    isOvertaken = false
    seats.rewrite()
    expect(store.owed('s')).toEqual(new Map([['countdown', 500]]))
  })

  it('R20 tries often to get a session only while something of it is overdue', () => {
    const { seats, store, closed } = seatsOf()
    store.take('s', OTHER, 1, undefined)
    const s = session('s')
    seats.owes('countdown', s, NOW + 1)
    seats.owes('reminder', s, undefined)
    expect(seats.regainAt(NOW)).toBeUndefined()
    expect(seats.regainAt(NOW + 1)).toBe(NOW + 1 + RETRY_MS)
    closed.add('s')
    expect(seats.regainAt(NOW + 1)).toBeUndefined()
  })

  it('R17 delivers when the store fails, except what another host was known to hold', () => {
    let fails = false
    const { seats, store } = seatsOf((real) => ({
      lease(id) {
        if (fails) throw new StoreUnusable('locked', '/home/wake.sqlite')
        return real.lease(id)
      },
    }))
    store.take('theirs', OTHER, 1, undefined)
    const [mine, theirs] = [session('mine'), session('theirs')]
    expect([seats.isOurs(mine), seats.isOurs(theirs)]).toEqual([true, false])
    fails = true
    expect([seats.isOurs(mine), seats.isOurs(theirs)]).toEqual([true, false])
  })

  it('R20 what another host has moved on is not delivered, nor is it waited for', () => {
    const { seats, store, warnings, otherIs } = seatsOf()
    const fence = store.take('s', OTHER, 1, undefined)
    store.put('s', 'countdown', 500, fence)
    const s = session('s')
    seats.owes('countdown', s, 500)
    store.put('s', 'countdown', 900, fence)
    otherIs('gone')
    expect(seats.regain()).toEqual([])
    expect(seats.isOurs(s)).toBe(false)
    expect(seats.regainAt(NOW)).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('session s was also live in another host')])
    expect(seats.isOurs(session('s')), 'once it is opened again').toBe(true)
  })

  it('R20 R17 a store that is lost says nothing of what another host has delivered (sim seed 2397)', () => {
    const { seats, store, otherIs, warnings } = seatsOf()
    const s = session('s')
    store.put('s', 'countdown', NOW, store.take('s', OTHER, NOW, undefined))
    seats.owes('countdown', s, NOW)
    expect(seats.isOurs(s)).toBe(false)
    store.forget('s', store.lease('s')?.fence)
    otherIs('gone')
    seats.reset()
    expect([seats.isOurs(s), warnings]).toEqual([true, []])
  })

  it('R17 everything is written again to another store', () => {
    const { seats, store } = seatsOf()
    seats.owes('countdown', session('s'), 500)
    store.forget('s', store.lease('s')?.fence)
    seats.rewrite()
    expect(store.owing()).toEqual(new Set())
    seats.reset()
    expect(store.owed('s')).toEqual(new Map([['countdown', 500]]))
    expect(store.lease('s')).toMatchObject({ holder: ME })
  })
})
