import { describe, expect, it } from 'vitest'
import { NO_ANNEX } from '../../src/client/annex.ts'
import { makeClockFeed } from '../../src/client/clock-feed.ts'
import { readAnswer, receive, soonest, UNKNOWN } from '../../src/client/clock-state.ts'
import type { PageAnswer } from '../../src/client/page.ts'

const VIEW = { mode: 'cron', cron: '0 0 * * *', pending: false, live: true, timeZone: 'Asia/Shanghai', effect: 'One reading.' }
const REFUSAL = { error: { code: 'bad-cron', message: 'Not valid.', detail: 'minute 61' } }

describe('what the host says about a clock', () => {
  it('R22 is read with the instants of its countdowns', () => {
    const countdowns = [{ name: 'tea', dueAt: '2026-10-09T01:00:00.000Z' }, { dueAt: 'never' }, null]
    expect(readAnswer({ ...VIEW, countdowns })).toEqual({ kind: 'clock', host: { ...VIEW, countdowns: [Date.parse('2026-10-09T01:00:00Z')] } })
  })

  it.each([
    [REFUSAL, { kind: 'refused', message: 'Not valid.', detail: 'minute 61' }],
    [{ error: { message: 'No.' } }, { kind: 'refused', message: 'No.', detail: undefined }],
    [{ mode: 'hourly' }, { kind: 'unreachable' }],
    [7, { kind: 'unreachable' }],
    [null, { kind: 'unreachable' }],
    [{ mode: 'off' }, { kind: 'clock', host: { mode: 'off', cron: '', pending: false, live: false, timeZone: '', effect: '', countdowns: [] } }],
  ])('X5 R22 %j is taken for what it is', (value, read) => {
    expect(readAnswer(value)).toEqual(read)
  })

  it('R21 a refusal stays until the next switch, whatever a look says meanwhile', () => {
    const refused = receive(UNKNOWN, 'mode', readAnswer(REFUSAL))
    const looked = receive(refused, 'state', readAnswer(VIEW))
    expect([looked.refusal?.detail, looked.host?.mode]).toEqual(['minute 61', 'cron'])
    expect(receive(looked, 'state', { kind: 'unreachable' })).toEqual({ ...looked, isUnreachable: true })
    expect(receive(looked, 'mode', readAnswer(VIEW)).refusal).toBeUndefined()
  })

  it('R21 the next instant is the soonest that is still to come', () => {
    expect([soonest(5, [undefined, 5, 9, 7]), soonest(5, [undefined, 4])]).toEqual([7, undefined])
  })

  it('R21 without reminders beside it nothing is watched, due or opened', () => {
    const undo = [NO_ANNEX.subscribe(() => undefined), NO_ANNEX.watch('s')]
    expect([...undo.map((stop) => stop()), NO_ANNEX.nextDue('s'), NO_ANNEX.open('s', null)]).toEqual([undefined, undefined, undefined, undefined])
  })
})

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** A feed whose questions are answered by hand. */
function byHand() {
  const asked: unknown[] = []
  const answers: { readonly resolve: (answer: PageAnswer) => void; readonly reject: (error: Error) => void }[] = []
  const waiting: { readonly job: () => void; readonly ms: number }[] = []
  const feed = makeClockFeed(
    (endpoint, payload) => {
      asked.push([endpoint, payload])
      return new Promise((resolve, reject) => answers.push({ resolve, reject }))
    },
    (job, ms) => void waiting.push({ job, ms }),
  )
  const fail = async (index: number): Promise<void> => {
    answers[index]!.reject(new Error('404'))
    await settle()
  }
  const say = async (index: number, value: unknown): Promise<void> => {
    answers[index]!.resolve({ ok: true, value })
    await settle()
  }
  return { feed, asked, answers, say, fail, waiting }
}

describe('the feed of clocks', () => {
  it('R21 R23 a switch is under way at once, and no look overtakes it', async () => {
    const { feed, asked, say } = byHand()
    feed.refresh('s')
    feed.choose('s', { mode: 'fine', language: 'en' })
    feed.refresh('s')
    expect(asked).toEqual([['state', { sessionId: 's' }], ['mode', { sessionId: 's', mode: 'fine', language: 'en' }]])
    expect(feed.getSnapshot().get('s')?.isSaving).toBe(true)
    await say(0, VIEW)
    expect(feed.getSnapshot().get('s')?.host).toBeUndefined()
    await say(1, { ...VIEW, mode: 'fine', pending: true })
    expect(feed.getSnapshot().get('s')).toMatchObject({ isSaving: false, host: { mode: 'fine', pending: true } })
  })

  it("R21 a bad plan keeps the plan that is, with the host's reason", async () => {
    const { feed, asked, say } = byHand()
    feed.refresh('s')
    await say(0, VIEW)
    feed.choose('s', { mode: 'cron', cron: '61 * * * *', language: 'zh' })
    expect(asked.at(-1)).toEqual(['mode', { sessionId: 's', mode: 'cron', cron: '61 * * * *', language: 'zh' }])
    await say(1, REFUSAL)
    expect(feed.getSnapshot().get('s')).toMatchObject({ host: { cron: '0 0 * * *' }, refusal: { detail: 'minute 61' }, isSaving: false })
  })

  it('R21 a host that is away or cannot answer is told from a refusal, and asked again with a new connection', async () => {
    const { feed, asked, answers, say } = byHand()
    let told = 0
    const stop = feed.subscribe(() => (told += 1))
    feed.refresh('s')
    answers[0]!.reject(new Error('away'))
    await settle()
    expect(feed.getSnapshot().get('s')?.isUnreachable).toBe(true)
    feed.reconnected()
    answers[1]!.resolve({ ok: false, error: { message: 'no' } })
    await settle()
    expect(feed.getSnapshot().get('s')?.isUnreachable).toBe(true)
    feed.reconnected()
    await say(2, VIEW)
    expect([feed.getSnapshot().get('s')?.isUnreachable, asked.length, told]).toEqual([false, 3, 3])
    stop()
    feed.refresh('s')
    await say(3, VIEW)
    expect(told).toBe(3)
  })
})

describe('a host that comes back', () => {
  it('R21 is asked again until it has mounted the clock, ever less often', async () => {
    const { feed, asked, say, fail, waiting } = byHand()
    feed.refresh('s')
    await fail(0)
    waiting[0]!.job()
    await fail(1)
    waiting[1]!.job()
    await say(2, VIEW)
    expect([asked.length, waiting.map(({ ms }) => ms), feed.getSnapshot().get('s')?.isUnreachable]).toEqual([3, [500, 1000], false])
  })

  it('R21 is not asked for ever, and not twice when something newer was asked', async () => {
    const { feed, asked, fail, waiting } = byHand()
    feed.refresh('s')
    for (let number = 0; number < 6; number += 1) {
      await fail(number)
      waiting[number]!.job()
    }
    await fail(6)
    expect([asked.length, waiting.length]).toEqual([7, 6])
    feed.refresh('s')
    await fail(7)
    feed.choose('s', { mode: 'off', language: 'en' })
    waiting[6]!.job()
    await fail(8)
    expect([asked.length, waiting.length]).toEqual([9, 7])
  })
})
