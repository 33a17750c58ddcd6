import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hearStream } from '../../src/client/lasting-stream.ts'

/** A browser's socket; the test plays the host. */
class FakeSocket {
  static all: FakeSocket[] = []
  readonly url: string
  readonly #listeners = new Map<string, (event: { data?: string }) => void>()
  constructor(url: URL) {
    this.url = url.href
    FakeSocket.all.push(this)
  }
  addEventListener(event: string, listener: (event: { data?: string }) => void): void {
    this.#listeners.set(event, listener)
  }
  removeEventListener(event: string): void {
    this.#listeners.delete(event)
  }
  happens(event: string, data?: string): void {
    this.#listeners.get(event)?.({ ...(data !== undefined && { data }) })
  }
  close(): void {
    this.happens('close')
  }
}

let heard: string[]
let stop: () => void
const newest = (): FakeSocket => FakeSocket.all.at(-1) as FakeSocket

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { href: 'http://127.0.0.1:3080/somewhere' })
  FakeSocket.all = []
  heard = []
  stop = hearStream('/p', { opened: () => heard.push('open'), line: (text) => heard.push(text) })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('S34 a stream that is lost, or that a starting host refuses, is asked for again, and goes on', () => {
  newest().happens('open')
  newest().close()
  expect(FakeSocket.all).toHaveLength(1)
  vi.advanceTimersByTime(500)
  expect(FakeSocket.all.map(({ url }) => url)).toEqual(['ws://127.0.0.1:3080/p', 'ws://127.0.0.1:3080/p'])
  newest().happens('open')
  newest().happens('message', 'a line')
  expect(heard).toEqual(['open', 'open', 'a line'])
})

it('S34 a host that keeps refusing is asked ever less often, and as soon as at first once it has answered', () => {
  const asked = (withinMs: number): number => {
    const before = FakeSocket.all.length
    vi.advanceTimersByTime(withinMs)
    return FakeSocket.all.length - before
  }
  for (const wait of [500, 1000, 2000, 4000, 5000, 5000]) {
    newest().close()
    expect([asked(wait - 1), asked(1)]).toEqual([0, 1])
  }
  newest().happens('open')
  newest().close()
  expect(asked(500)).toBe(1)
})

it('S34 a page that leaves while it waits asks no more', () => {
  newest().close()
  stop()
  vi.advanceTimersByTime(60_000)
  expect(FakeSocket.all).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})
