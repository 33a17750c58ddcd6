import { describe, expect, it, vi } from 'vitest'
import { takeLead } from '../../../src/client/panel/lead.ts'
import { makeOpening } from '../../../src/client/panel/opening.ts'

/** A tab beside others: the locks are the platform's own. */
function tab() {
  const told: boolean[] = []
  const sleep: { asleep?: () => void; awake?: () => void } = {}
  const watchSleep = (asleep: () => void, awake: () => void): (() => void) => {
    Object.assign(sleep, { asleep, awake })
    return () => {
      delete sleep.asleep
    }
  }
  return { told, sleep, stop: takeLead({ locks: navigator.locks, watchSleep }, (isLeader) => void told.push(isLeader)) }
}

/** How many tabs lead, and how many wait. */
const tabs = async (): Promise<readonly [number, number]> => {
  const { held = [], pending = [] } = await navigator.locks.query()
  return [held.length, pending.length]
}

describe('the one tab that tells', () => {
  it('T12 is the first one, and the next one when that goes', async () => {
    const [first, second] = [tab(), tab()]
    await vi.waitUntil(() => first.told.length === 1)
    expect([first.told, second.told, await tabs()]).toEqual([[true], [], [1, 1]])
    first.stop()
    await vi.waitUntil(() => second.told.length === 1)
    expect([first.told, second.told, first.sleep.asleep]).toEqual([[true, false], [true], undefined])
    second.stop()
    await vi.waitUntil(async () => (await tabs())[0] === 0)
  })

  it('T12 gives it away when it is put to sleep, and stands again when it wakes up', async () => {
    const [first, second] = [tab(), tab()]
    await vi.waitUntil(() => first.told.length === 1)
    first.sleep.asleep?.()
    await vi.waitUntil(() => second.told.length === 1)
    first.sleep.awake?.()
    second.stop()
    await vi.waitUntil(() => first.told.length === 3)
    expect([first.told, second.told]).toEqual([[true, false, true], [true, false]])
    first.stop()
    await vi.waitUntil(async () => (await tabs())[0] === 0)
  })

  it('T12 a tab that goes while it waits leaves nothing behind', async () => {
    const [first, second] = [tab(), tab()]
    await vi.waitUntil(async () => (await tabs())[1] === 1)
    second.stop()
    first.stop()
    await vi.waitUntil(async () => (await tabs()).every((count) => count === 0))
    expect([first.told, second.told]).toEqual([[true, false], []])
  })
})

describe('a lock that is handed over late', () => {
  it('T12 makes nobody lead who has given up', async () => {
    const told: boolean[] = []
    let hand = async (): Promise<unknown> => undefined
    const request = (_name: string, _options: LockOptions, job: () => Promise<void>): Promise<void> => new Promise((resolve) => (hand = async () => resolve(await job())))
    takeLead({ locks: { request } as LockManager, watchSleep: () => () => undefined }, (isLeader) => void told.push(isLeader))()
    await hand()
    expect(told).toEqual([])
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
