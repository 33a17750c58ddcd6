import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeTicker } from '../../../src/client/panel/ticker.ts'

beforeEach(() => vi.useFakeTimers({ now: 10_400 }))
afterEach(() => vi.useRealTimers())

it('P7 five hundred listeners share one timer, which ticks once in each second, and none is left without them', () => {
  const ticker = makeTicker()
  let told = 0
  const stops = Array.from({ length: 500 }, () => ticker.subscribe(() => (told += 1)))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(3000)
  expect([told, vi.getTimerCount(), ticker.now()]).toEqual([1500, 1, 13_005])
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(3000)
  expect([told, ticker.now()]).toEqual([1500, 13_005])
})
