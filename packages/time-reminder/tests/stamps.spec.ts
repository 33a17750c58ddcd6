import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Stamps } from '../src/stamps.ts'

function stamps(...times: readonly number[]): Stamps {
  const all = new Stamps()
  for (const time of times) all.add(time)
  return all
}

describe('the newest time that has come', () => {
  it('R3 is that of the newest stamp, not of the last line', () => {
    expect(stamps(100, 300, 200).before(1000)).toBe(300)
  })

  it('R3 is unknown when nothing was recorded, and when all that is known has not come yet', () => {
    expect(stamps().before(1000)).toBeUndefined()
    expect(stamps(2000).before(1000)).toBeUndefined()
    expect(stamps(2000, 3000).before(1000)).toBeUndefined()
  })

  it('B32 is right again as soon as one event was recorded after the clock was set back', () => {
    expect(stamps(5000, 900).before(1000)).toBe(900)
    expect(stamps(5000, 900).before(5000)).toBe(5000)
  })

  it('tells whether there was any event at all', () => {
    expect([stamps().any, stamps(1).any]).toEqual([false, true])
  })

  it('R3 never lies in the future, and is the greatest of all when none does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1 }), fc.integer({ min: 0, max: 100 }), (times, now) => {
        const found = stamps(...times).before(now)
        expect(found ?? 0).toBeLessThanOrEqual(now)
        if (Math.max(...times) <= now) expect(found).toBe(Math.max(...times))
      }),
    )
  })
})
