import { describe, expect, it } from 'vitest'
import { makePanelFeed, type PanelFeed } from '../../../src/client/panel/feed.ts'
import { isAnswer, nextDueOf, NOTHING_KNOWN, receiveState, saveStatus } from '../../../src/client/panel/known.ts'
import type { PageAnswer } from '../../../src/client/page.ts'
import type { ReminderState } from '../../../../tool-schedule/src/people/wire.ts'
import { NOON, pending, state } from './reminders.ts'

type Ask = (endpoint: string, payload: Readonly<Record<string, unknown>>) => Promise<PageAnswer>

const done = (more: object): PageAnswer => ({ ok: true, value: { outcome: 'done', ...more } })

/** A feed with a host that answers as it is told. */
function feedOf(answer: Ask) {
  const asked: unknown[] = []
  const heard: ReminderState[] = []
  const jobs: (() => void)[] = []
  const feed: PanelFeed = makePanelFeed({
    ask: (endpoint, payload) => {
      asked.push([endpoint, payload])
      return answer(endpoint, payload)
    },
    now: () => NOON - 500,
    zone: 'Asia/Shanghai',
    language: () => 'zh',
    later: (job) => void jobs.push(job),
    heard: (told) => void heard.push(told),
  })
  return { feed, asked, heard, jobs }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('the feed of reminders', () => {
  it('T11 asks for what is watched, and again with a new connection and a newer line', async () => {
    const { feed, asked, heard } = feedOf(async () => done(state({ revision: 3 })))
    let told = 0
    const stop = feed.subscribe(() => (told += 1))
    const [leave, leaveToo] = [feed.watch('s'), feed.watch('s')]
    await settle()
    expect(asked[0]).toEqual(['state', { sessionId: 's', language: 'zh', timeZone: 'Asia/Shanghai' }])
    expect(asked).toHaveLength(2)
    expect([feed.knownOf('s').skew, feed.getSnapshot().get('s')?.state?.revision, heard.length]).toEqual([500, 3, 2])
    for (const [text, count] of [['{"sessionId":"s","revision":3}', 2], ['{"sessionId":"s","revision":4}', 3], ['{"sessionId":"x","revision":4}', 3], ['{', 3], ['{"sessionId":1}', 3]] as const) {
      feed.line(text, false)
      expect(asked).toHaveLength(count)
    }
    feed.line('{"sessionId":"x","revision":4}', true)
    expect(asked).toHaveLength(4)
    feed.reconnected()
    expect(asked).toHaveLength(5)
    leave()
    feed.reconnected()
    expect(asked).toHaveLength(6)
    leaveToo()
    leaveToo()
    feed.reconnected()
    expect(asked).toHaveLength(6)
    await settle()
    const before = told
    stop()
    feed.refresh('s')
    await settle()
    expect(told).toBe(before)
  })

  it('T12 what a tab let pass it looks at once it is the one that tells, once and as it is by then', async () => {
    const { feed, asked } = feedOf(async () => done(state({ sessionId: 'x' })))
    for (const revision of [4, 5]) feed.line(`{"sessionId":"x","revision":${revision}}`, false)
    feed.line('{"sessionId":"y","revision":1}', false)
    expect(asked).toEqual([])
    feed.catchUp()
    feed.catchUp()
    expect(asked.map((one) => (one as [string, { sessionId: string }])[1].sessionId)).toEqual(['x', 'y'])
  })

  it('T11 a change is being saved until the host has said what there is now', async () => {
    const { feed, asked } = feedOf(async (endpoint) => done(endpoint === 'state' ? state() : { stored: true, notes: [], revision: 2 }))
    const change = feed.change('delete', 's', { id: 'r-1' })
    expect(saveStatus(feed.knownOf('s'))).toBe('saving')
    expect(await change).toMatchObject({ outcome: 'done', stored: true })
    expect([asked[0], saveStatus(feed.knownOf('s'))]).toEqual([['delete', { sessionId: 's', language: 'zh', id: 'r-1' }], 'saved'])
  })

  it('T11 a change that nobody confirms is not called saved', async () => {
    const { feed, jobs, asked } = feedOf(async (endpoint) => {
      if (endpoint === 'undo') throw new Error('the host is gone')
      return done(state({ stored: endpoint !== 'state' || asked.length > 3 }))
    })
    expect(await feed.change('undo', 's')).toBeUndefined()
    expect([feed.knownOf('s').isLost, saveStatus(feed.knownOf('s'))]).toEqual([true, 'unconfirmed'])
    expect(jobs).toHaveLength(0)
    feed.watch('s')
    await settle()
    expect(jobs).toHaveLength(1)
    jobs[0]!()
    await settle()
    expect([feed.knownOf('s').state?.stored, jobs.length]).toEqual([true, 1])
    // What became of the lost change is still not known.
    expect(saveStatus(feed.knownOf('s'))).toBe('unconfirmed')
  })

  it('T11 an older answer that comes late changes nothing', async () => {
    const answers: ((answer: PageAnswer) => void)[] = []
    const { feed } = feedOf(() => new Promise((resolve) => answers.push(resolve)))
    feed.refresh('s')
    feed.refresh('s')
    answers[1]!(done(state({ revision: 8 })))
    await settle()
    answers[0]!(done(state({ revision: 7 })))
    await settle()
    expect(feed.knownOf('s').state?.revision).toBe(8)
  })

  it('T10 a preview is asked for and changes nothing', async () => {
    const { feed, asked } = feedOf(async () => done({ notes: [] }))
    expect(await feed.preview('s', '10m tea')).toMatchObject({ outcome: 'done' })
    expect([asked, feed.getSnapshot().size]).toEqual([[['preview', { sessionId: 's', language: 'zh', timeZone: 'Asia/Shanghai', text: '10m tea' }]], 0])
  })

  it.each([[{ ok: false, error: { message: 'no' } } as const], [{ ok: true, value: 7 } as const]])('T11 %j is no answer', async (answer) => {
    const { feed, heard } = feedOf(async () => answer)
    feed.refresh('s')
    await settle()
    expect([feed.knownOf('s').trouble, heard]).toEqual(['unreachable', []])
  })
})

describe('what is known of a session', () => {
  it('T11 a refusal and a silent host leave what was shown', () => {
    const known = receiveState(NOTHING_KNOWN, { outcome: 'done', ...state() }, NOON)
    const refusal = { code: 'x', message: 'no' }
    expect(receiveState(known, undefined, NOON)).toEqual({ ...known, trouble: 'unreachable' })
    expect(receiveState(known, { outcome: 'refused', refusal }, NOON)).toEqual({ ...known, trouble: refusal })
    expect([saveStatus(known), saveStatus(NOTHING_KNOWN), saveStatus({ ...known, state: state({ stored: false }) })]).toEqual(['saved', undefined, 'unconfirmed'])
  })

  it('P7 a reminder that is as it was stays the same object, so that its row is not drawn anew', () => {
    const list = [pending(NOON, { id: 'r-1' }), pending(NOON + 5000, { id: 'r-2' })]
    const known = receiveState(NOTHING_KNOWN, { outcome: 'done', ...state({ pending: list }) }, NOON)
    const again = [pending(NOON, { id: 'r-1' }), pending(NOON + 9000, { id: 'r-2' }), pending(NOON + 9999, { id: 'r-3' })]
    const now = receiveState(known, { outcome: 'done', ...state({ pending: again }) }, NOON).state?.pending ?? []
    expect([now[0] === list[0], now[1] === again[1], now[2] === again[2]]).toEqual([true, true, true])
  })

  it('T11 the next one is the soonest that comes by itself, on the clock of the browser', () => {
    expect(nextDueOf(NOTHING_KNOWN)).toBeUndefined()
    const list = [pending(NOON, { state: 'paused' }), pending(NOON + 5000)]
    expect(nextDueOf({ ...NOTHING_KNOWN, skew: 1000, state: state({ pending: list }) })).toBe(NOON + 4000)
  })

  it.each([
    [{ outcome: 'done' }, true],
    [{ outcome: 'refused' }, true],
    [{ outcome: 'maybe' }, false],
    [{}, false],
    [null, false],
    ['done', false],
  ])('X5 %j is an answer: %s', (value, is) => {
    expect(isAnswer(value)).toBe(is)
  })
})
