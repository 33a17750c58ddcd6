import { describe, expect, it } from 'vitest'
import { makeOpening } from '../../../src/client/panel/opening.ts'
import { shareStream, type StreamPort } from '../../../src/client/panel/stream.ts'

/** A browser with tabs: one lock, one room. */
function browser(hasLocks = true) {
  const streams = new Set<(text: string) => void>()
  const rooms = new Set<(text: string) => void>()
  const waiting: (() => void)[] = []
  let isHeld = false
  const next = (): void => {
    isHeld = false
    waiting.shift()?.()
  }
  const request = (_name: string, { signal }: { signal: AbortSignal }, job: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        isHeld = true
        void job().then(() => {
          next()
          resolve()
        })
      }
      if (!isHeld) return start()
      waiting.push(start)
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  const port: StreamPort = {
    locks: hasLocks ? ({ request } as unknown as LockManager) : undefined,
    open(line) {
      streams.add(line)
      return () => streams.delete(line)
    },
    join(heard) {
      rooms.add(heard)
      return { tell: (text) => [...rooms].filter((room) => room !== heard).forEach((room) => room(text)), leave: () => rooms.delete(heard) }
    },
  }
  const tab = () => {
    const lines: [string, boolean][] = []
    return { lines, stop: shareStream(port, (text, isLeader) => void lines.push([text, isLeader])) }
  }
  return { tab, streams, rooms, say: (text: string) => streams.forEach((line) => line(text)) }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('one stream for all tabs', () => {
  it('T11 T12 one tab has it and tells the others', () => {
    const { tab, streams, say } = browser()
    const [first, second] = [tab(), tab()]
    say('a')
    expect([streams.size, first.lines, second.lines]).toEqual([1, [['a', true]], [['a', false]]])
  })

  it('T12 when that tab goes, the next one takes it over', async () => {
    const { tab, streams, rooms, say } = browser()
    const [first, second] = [tab(), tab()]
    first.stop()
    await settle()
    say('b')
    expect([streams.size, rooms.size, first.lines, second.lines]).toEqual([1, 1, [], [['b', true]]])
  })

  it('T12 a tab that goes while it waits leaves nothing behind', async () => {
    const { tab, streams, rooms } = browser()
    const [, second] = [tab(), tab()]
    second.stop()
    await settle()
    expect([streams.size, rooms.size]).toEqual([1, 1])
  })

  it('T11 without locks every tab has its own', () => {
    const { tab, streams } = browser(false)
    tab()
    tab()
    expect(streams.size).toBe(2)
  })
})

describe('the one panel of a page', () => {
  it('T11 shows one session and gives the focus back', () => {
    const opening = makeOpening()
    let told = 0
    let focused = 0
    const stop = opening.subscribe(() => (told += 1))
    const opener = { focus: () => (focused += 1) } as unknown as HTMLElement
    opening.open('s', opener)
    expect(opening.getSnapshot()).toEqual({ sessionId: 's', opener })
    opening.close()
    opening.close()
    opening.open('s', null)
    opening.close()
    stop()
    opening.open('s', null)
    expect([opening.getSnapshot()?.sessionId, told, focused]).toEqual(['s', 5, 1])
  })
})
