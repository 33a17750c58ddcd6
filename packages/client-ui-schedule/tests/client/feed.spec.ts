import { describe, expect, it } from 'vitest'
import { makeFeed, type Feed } from '../../src/client/feed.ts'
import { receiptOf } from '../../src/client/store.ts'
import { create, dispatch } from '../events.ts'

interface Question {
  readonly endpoint: string
  readonly payload: object
  answer(value: unknown): Promise<void>
  fail(): Promise<void>
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

function scene(): { readonly feed: Feed; readonly questions: Question[]; readonly changes: () => number } {
  const questions: Question[] = []
  let changes = 0
  const feed = makeFeed({
    ask(endpoint, payload) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const answer = async (value: unknown): Promise<void> => {
        resolve(value)
        await tick()
      }
      const fail = async (): Promise<void> => {
        reject(new Error('no host'))
        await tick()
      }
      questions.push({ endpoint, payload, answer, fail })
      return promise
    },
  })
  feed.subscribe(() => (changes += 1))
  return { feed, questions, changes: () => changes }
}

const cursor = (throughSeq: number, host = 'h'): object => ({ host, lifetime: 1, throughSeq, seedLength: 0 })
const promptAt = (feed: Feed, seq: number): string | undefined => receiptOf(feed.getSnapshot().sessions.get('s'), seq)?.presentation?.prompt

describe('feed', () => {
  it('S33 asks once for a session, however many rows it has, and shows what the answer proves', async () => {
    const { feed, questions, changes } = scene()
    feed.see('s', [dispatch(2, 'r-1'), create(1, 'r-1', 'stretch')])
    feed.see('s', [dispatch(4, 'r-2'), create(3, 'r-2')])
    await tick()
    expect(changes()).toBe(1)
    expect(questions).toMatchObject([{ endpoint: 'cursor', payload: { sessionId: 's' } }])
    await questions[0]!.answer(cursor(3))
    expect(promptAt(feed, 2)).toBe('stretch')
    expect(promptAt(feed, 4)).toBeUndefined()
    feed.push(JSON.stringify({ ...cursor(5), sessionId: 's' }))
    expect(promptAt(feed, 4)).toBe('prompt 3')
    expect(questions).toHaveLength(1)
  })

  it('S34 asks once for a create that the window lacks', async () => {
    const { feed, questions } = scene()
    feed.see('s', [dispatch(2, 'r-1')])
    await tick()
    await questions[0]!.answer(cursor(3))
    expect(questions[1]).toMatchObject({ endpoint: 'creates', payload: { sessionId: 's', dispatchSeq: 2 } })
    await questions[1]!.answer({ events: [create(1, 'r-1', 'stretch')] })
    expect(promptAt(feed, 2)).toBe('stretch')
    expect(questions).toHaveLength(2)
  })

  it('S34 two answers under way at once both arrive', async () => {
    const { feed, questions } = scene()
    feed.see('s', [dispatch(2, 'r-1'), dispatch(4, 'r-2')])
    await tick()
    await questions[0]!.answer(cursor(5))
    await Promise.all([questions[2]!.answer({ events: [create(3, 'r-2', 'two')] }), questions[1]!.answer({ events: [create(1, 'r-1', 'one')] })])
    expect([promptAt(feed, 2), promptAt(feed, 4)]).toEqual(['one', 'two'])
  })

  it('S34 after a reconnect it asks again, and the old answer comes to nothing', async () => {
    const { feed, questions } = scene()
    feed.see('s', [dispatch(2, 'r-1'), create(1, 'r-1', 'stretch')])
    await tick()
    feed.reconnected()
    feed.see('s', [dispatch(2, 'r-1'), create(1, 'r-1', 'stretch')])
    await tick()
    await questions[0]!.answer(cursor(3))
    expect(promptAt(feed, 2)).toBeUndefined()
    await questions[1]!.answer(cursor(3))
    expect(promptAt(feed, 2)).toBe('stretch')
  })

  it('S34 pushes that were missed while the stream was down are asked for when it is open again', async () => {
    const { feed, questions } = scene()
    feed.reopened()
    feed.see('s', [dispatch(2, 'r-1'), create(1, 'r-1', 'stretch')])
    await tick()
    await questions[0]!.answer(cursor(1))
    feed.reopened()
    await questions[1]!.answer(cursor(3))
    expect(promptAt(feed, 2)).toBe('stretch')
  })

  it.each([
    ['it fails', (question: Question) => question.fail()],
    ['it is no cursor', (question: Question) => question.answer({ throughSeq: 99 })],
  ])('S33 shows nothing on an answer when %s', async (_why, reply) => {
    const { feed, questions } = scene()
    feed.see('s', [dispatch(2, 'r-1'), create(1, 'r-1')])
    await tick()
    await reply(questions[0]!)
    expect(promptAt(feed, 2)).toBeUndefined()
    feed.push('junk')
    expect(promptAt(feed, 2)).toBeUndefined()
  })

  it('tells nobody any more who has left', async () => {
    const { feed, questions } = scene()
    let heard = 0
    feed.subscribe(() => (heard += 1))()
    feed.see('s', [dispatch(2, 'r-1')])
    await tick()
    expect([heard, questions.length]).toEqual([0, 1])
  })
})
