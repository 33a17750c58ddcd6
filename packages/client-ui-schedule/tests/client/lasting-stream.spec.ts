import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hearStream } from '../../src/client/lasting-stream.ts'

const CONNECTING = 0
const CLOSED = 2

/** A browser's stream; the test plays the host. */
class FakeStream {
  static all: FakeStream[] = []
  readyState = CONNECTING
  readonly path: string
  readonly #listeners = new Map<string, (event: { data?: string }) => void>()
  constructor(path: string) {
    this.path = path
    FakeStream.all.push(this)
  }
  addEventListener(event: string, listener: (event: { data?: string }) => void): void {
    this.#listeners.set(event, listener)
  }
  happens(event: string, data?: string): void {
    this.#listeners.get(event)?.({ ...(data !== undefined && { data }) })
  }
  close(): void {
    this.readyState = CLOSED
  }
  refused(): void {
    this.readyState = CLOSED
    this.happens('error')
  }
}

let heard: string[]
let stop: () => void
const newest = (): FakeStream => FakeStream.all.at(-1) as FakeStream

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeStream)
  FakeStream.all = []
  heard = []
  stop = hearStream('/p', { opened: () => heard.push('open'), line: (text) => heard.push(text) })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('S34 a stream that a starting host refuses is asked for again, and goes on', () => {
  newest().happens('open')
  newest().refused()
  expect(FakeStream.all).toHaveLength(1)
  vi.advanceTimersByTime(500)
  expect(FakeStream.all.map(({ path }) => path)).toEqual(['/p', '/p'])
  newest().happens('open')
  newest().happens('message', 'a line')
  expect(heard).toEqual(['open', 'open', 'a line'])
})

it('S34 a connection that is only lost is left to the browser, which comes back by itself', () => {
  newest().happens('error')
  vi.advanceTimersByTime(60_000)
  expect(FakeStream.all).toHaveLength(1)
})

it('S34 a host that keeps refusing is asked ever less often, and as soon as at first once it has answered', () => {
  const asked = (withinMs: number): number => {
    const before = FakeStream.all.length
    vi.advanceTimersByTime(withinMs)
    return FakeStream.all.length - before
  }
  for (const wait of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    newest().refused()
    expect([asked(wait - 1), asked(1)]).toEqual([0, 1])
  }
  newest().happens('open')
  newest().refused()
  expect(asked(500)).toBe(1)
})

it('S34 a page that leaves while it waits asks no more', () => {
  newest().refused()
  stop()
  vi.advanceTimersByTime(60_000)
  expect(FakeStream.all).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})
