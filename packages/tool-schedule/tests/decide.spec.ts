import fc from 'fast-check'
import { formatInstant, type Instant } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import { BATCH_LIMIT, decide, isPaused, type Next } from '../src/decide.ts'
import type { SeriesRule } from '../src/facts.ts'
import type { Ledger, Series } from '../src/ledger.ts'
import { act, atRecord, DAY, deliveredAt, everyRecord, fail, foldOf, HOUR, id, Log, MINUTE, NOW, ourMessage, planFact, POLICY, SECOND, utc } from './events.ts'
import { commands, play } from './random-log.ts'

const every = (seconds: number, anchor: Instant = NOW, more: { until?: string; count?: number } = {}): SeriesRule => ({ kind: 'every', everySeconds: seconds, anchor: formatInstant(anchor), ...more })
const daily: SeriesRule = { kind: 'cron', cron: '0 9 * * *', zone: 'Asia/Shanghai' }

const at = (log: Log, now: Instant, policy = POLICY): Next => decide(log.ledger, now, policy)

type Act = Extract<Next, { kind: 'act' }>

function acting(next: Next): Act {
  return next.kind === 'act' ? next : fail(`it is ${next.kind}`)
}

const ids = (due: Act['deliver']): string[] => due.map(({ reminder }) => reminder.record.id)

describe('waiting and resting', () => {
  it('S25 without reminders there is nothing to wait for', () => {
    expect(at(new Log(), NOW)).toEqual({ kind: 'rest' })
    expect(at(new Log().create(atRecord('r-1')).dispatch('r-1'), NOW)).toEqual({ kind: 'rest' })
  })

  it('S25 the earliest instant is waited for, and nothing fires before it', () => {
    const log = new Log().create(atRecord('r-1', NOW + HOUR)).create(atRecord('r-2', NOW + MINUTE)).create(atRecord('r-3', NOW + DAY))
    expect(at(log, NOW)).toEqual({ kind: 'wait', until: NOW + MINUTE })
    expect(at(log, NOW + MINUTE - 1)).toEqual({ kind: 'wait', until: NOW + MINUTE })
    expect(ids(acting(at(log, NOW + MINUTE)).deliver)).toEqual(['r-2'])
  })

  it('S25 a clock that is set back only makes the wait longer', () => {
    const log = new Log().create(atRecord('r-1', NOW))
    expect(at(log, NOW - 400 * DAY)).toEqual({ kind: 'wait', until: NOW })
  })

  it('B34 a timer that wakes a millisecond early finds nothing due, and the slot runs once', () => {
    const log = new Log().series('r-1', every(300), NOW)
    expect(at(log, NOW - 1)).toEqual({ kind: 'wait', until: NOW })
    expect(deliveredAt(act(log, NOW))).toEqual(['2026-10-09T01:00:00.000Z'])
    expect(at(log, NOW)).toEqual({ kind: 'wait', until: NOW + 300 * SECOND })
  })

  it('B32 a clock that jumps two hours and back delivers nothing twice and is not silent until then', () => {
    const log = new Log().create(atRecord('r-1', NOW + MINUTE)).series('r-2', every(300, NOW + 2 * MINUTE), NOW + 2 * MINUTE)
    expect(ids(acting(at(log, NOW + 2 * HOUR)).deliver)).toEqual(['r-1', 'r-2.1'])
    act(log, NOW + 2 * HOUR)
    expect(at(log, NOW + MINUTE)).toEqual({ kind: 'wait', until: NOW + 2 * HOUR + 2 * MINUTE })
    log.create(atRecord('r-3', NOW + 3 * MINUTE))
    expect(at(log, NOW + 2 * MINUTE)).toEqual({ kind: 'wait', until: NOW + 3 * MINUTE })
  })

  it('S8 from a corrupt log nothing is concluded', () => {
    expect(at(new Log().create(atRecord('r-1')).delete('r-9'), NOW + DAY)).toEqual({ kind: 'rest' })
  })
})

describe('the order of what is due', () => {
  it('T1 one-shots go first, then by instant, then by creation', () => {
    const log = new Log()
      .series('s-early', every(300, NOW - 10 * MINUTE), NOW - 10 * MINUTE)
      .create(everyRecord('host-early', 300, NOW - 20 * MINUTE))
      .create(atRecord('late', NOW))
      .create(atRecord('early-second', NOW - MINUTE))
      .create(atRecord('early-third', NOW - MINUTE))
      .series('s-late', every(300, NOW), NOW)
    expect(ids(acting(at(log, NOW)).deliver)).toEqual(['early-second', 'early-third', 'late', 'host-early', 's-early.1', 's-late.1'])
  })

  it('T1 creation order decides, whatever order the log is folded into', () => {
    const log = new Log().create(atRecord('b')).create(atRecord('a')).create(everyRecord('z', 300)).create(everyRecord('y', 300))
    log.accept('z', NOW).create(atRecord('c'))
    expect(ids(acting(at(log, NOW + 300 * SECOND)).deliver)).toEqual(['b', 'a', 'c', 'y', 'z'])
  })

  it('B53 two reminders of the same minute are both delivered', () => {
    const log = new Log().create(atRecord('r-1')).create(atRecord('r-2'))
    expect(ids(acting(at(log, NOW)).deliver)).toEqual(['r-1', 'r-2'])
  })

  it('B42 of 200 that are overdue, no more than a batch goes into each message, until none is left', () => {
    const log = new Log()
    for (let n = 1; n <= 200; n += 1) log.create(atRecord(`r-${n}`, NOW - (200 - n) * SECOND))
    const sizes: number[] = []
    for (let next = act(log, NOW); next !== false; next = act(log, NOW)) sizes.push(next.deliver.length)
    expect(sizes).toEqual(Array.from({ length: 10 }, () => BATCH_LIMIT))
    expect(log.ledger.outcomes.at(-1)?.id).toBe('r-200')
  })

  it('B42 of 200 that are too late, no message tells all at once', () => {
    const log = new Log()
    for (let n = 1; n <= 200; n += 1) log.create(atRecord(`r-${n}`)).plan(`r-${n}`, { lateLimitSeconds: 1 })
    expect(acting(at(log, NOW + HOUR)).miss.length).toBeLessThanOrEqual(BATCH_LIMIT)
  })
})

describe('series', () => {
  it('T1 an overdue series is delivered once, with its latest occurrence, and goes on ahead of now', () => {
    const log = new Log().series('r-1', every(300), NOW)
    expect(acting(at(log, NOW + HOUR + SECOND)).deliver).toMatchObject([{ occurrenceAt: NOW + HOUR, passedOver: 12, nextAt: NOW + HOUR + 300 * SECOND, tooLate: false }])
  })

  it('B33 a clock that jumps 30 days makes one delivery of 8641 and one that waits', () => {
    const log = new Log().series('r-1', every(300), NOW)
    expect(deliveredAt(act(log, NOW + 30 * DAY))).toEqual([formatInstant(NOW + 30 * DAY)])
    expect(at(log, NOW + 30 * DAY)).toEqual({ kind: 'wait', until: NOW + 30 * DAY + 300 * SECOND })
  })

  it('B61 after 100 slow deliveries and a restart the targets are still the anchor plus n intervals', () => {
    const log = new Log().series('r-1', every(600), NOW)
    for (let n = 0; n < 100; n += 1) expect(deliveredAt(act(log, NOW + n * 600 * SECOND + 3 * SECOND, { maxUnanswered: 101 }))).toEqual([formatInstant(NOW + n * 600 * SECOND)])
    const resumed = new Log()
    for (const { type, time, data } of log.events) {
      resumed.now = time
      resumed.add(type, data)
    }
    expect(at(resumed, NOW, { maxUnanswered: 101 })).toEqual({ kind: 'wait', until: NOW + 100 * 600 * SECOND })
  })

  it('B37 what was delivered today is not delivered again after a resume', () => {
    const log = new Log().series('r-1', daily, NOW)
    act(log, NOW)
    expect(at(log, NOW + HOUR)).toEqual({ kind: 'wait', until: NOW + DAY })
  })

  it('B35 a daily reminder and a one-shot that came due while the host was down are each delivered late, once', () => {
    const log = new Log().series('r-1', daily, NOW).create(atRecord('r-2', NOW))
    expect(ids(acting(at(log, NOW + MINUTE)).deliver)).toEqual(['r-2', 'r-1.1'])
    act(log, NOW + MINUTE)
    expect(at(log, NOW + MINUTE)).toEqual({ kind: 'wait', until: NOW + DAY })
  })

  it('B30 due in two hours, asleep for eight: it is due at once on waking, and the next comes by the wall clock', () => {
    const log = new Log().series('r-1', every(8 * 3600, NOW + 2 * HOUR), NOW + 2 * HOUR)
    expect(acting(at(log, NOW + 9 * HOUR)).deliver).toMatchObject([{ occurrenceAt: NOW + 2 * HOUR, nextAt: NOW + 10 * HOUR }])
  })

  it('B44 what was taken back stays away after a restart', () => {
    const log = new Log().create(atRecord('r-1', NOW)).series('r-2', daily, NOW).delete('r-1').delete('r-2.1')
    expect(decide(foldOf(log.events), NOW + 9 * DAY, POLICY)).toEqual({ kind: 'rest' })
  })

  it('B45 a reminder that is set again in the slot of one that was taken back is waited for', () => {
    const log = new Log().create(atRecord('r-1', NOW + MINUTE)).delete('r-1').create(atRecord('r-2', NOW + MINUTE))
    expect(at(log, NOW)).toEqual({ kind: 'wait', until: NOW + MINUTE })
  })

  it('B28 a one-shot of next year is one instant, not a rule that comes sooner', () => {
    const log = new Log(utc('2026-01-15T00:00:00Z')).create(atRecord('r-1', utc('2027-09-12T09:00:00Z')))
    expect(at(log, utc('2026-09-12T09:00:00Z'))).toEqual({ kind: 'wait', until: utc('2027-09-12T09:00:00Z') })
  })

  it('T4 the last delivery has no next, by count and by until', () => {
    const counted = new Log().series('r-1', every(300, NOW, { count: 1 }), NOW)
    expect(acting(at(counted, NOW)).deliver).toMatchObject([{ nextAt: undefined }])
    const ended = new Log().series('r-1', every(300, NOW, { until: formatInstant(NOW + 299 * SECOND) }), NOW)
    expect(acting(at(ended, NOW)).deliver).toMatchObject([{ nextAt: undefined }])
  })

  it('T4 count 3 delivers three times and ends', () => {
    const log = new Log().series('r-1', every(300, NOW, { count: 3 }), NOW)
    const delivered: string[] = []
    for (let n = 0; n < 10; n += 1) delivered.push(...deliveredAt(act(log, NOW + n * 300 * SECOND)))
    expect(delivered).toEqual(['2026-10-09T01:00:00.000Z', '2026-10-09T01:05:00.000Z', '2026-10-09T01:10:00.000Z'])
    expect(at(log, NOW + DAY)).toEqual({ kind: 'rest' })
  })

  it('X6 a rule that cannot be counted stops neither its neighbours nor the decision', () => {
    const log = new Log().series('r-1', every(Number.MAX_SAFE_INTEGER), NOW).create(atRecord('r-2', NOW))
    expect(ids(acting(at(log, NOW)).deliver)).toContain('r-2')
  })

  it('X6 a rule that this version cannot read is delivered once more, as its last', () => {
    const log = new Log().series('r-1', { kind: 'cron', cron: '0 9 LW * *', zone: 'UTC' }, NOW)
    expect(act(log, NOW)).toMatchObject({ deliver: [{ nextAt: undefined }] })
    expect(at(log, NOW + 400 * DAY)).toEqual({ kind: 'rest' })
  })
})

describe('T5 the limit of lateness', () => {
  const limited = (seconds: number): Log => new Log().create(atRecord('r-1')).plan('r-1', { lateLimitSeconds: seconds })

  it('B36 an occurrence later than its limit is missed and not delivered', () => {
    expect(at(limited(1800), NOW + 1800 * SECOND + 1)).toMatchObject({ kind: 'act', deliver: [], miss: [{ tooLate: true, occurrenceAt: NOW, nextAt: undefined }] })
  })

  it('B36 at its limit it is still delivered, and without a limit however late', () => {
    expect(ids(acting(at(limited(1800), NOW + 1800 * SECOND)).deliver)).toEqual(['r-1'])
    expect(ids(acting(at(new Log().create(atRecord('r-1')), NOW + 4000 * DAY)).deliver)).toEqual(['r-1'])
  })

  it('B36 a series misses the latest and goes on', () => {
    const log = new Log().series('r-1', daily, NOW, { lateLimitSeconds: 1800 })
    expect(acting(at(log, NOW + 5 * DAY + HOUR)).miss).toMatchObject([{ occurrenceAt: NOW + 5 * DAY, nextAt: NOW + 6 * DAY }])
    act(log, NOW + 5 * DAY + HOUR)
    expect(log.ledger.outcomes).toMatchObject([{ kind: 'missed', occurrenceAt: NOW + 5 * DAY }])
    expect(ids(acting(at(log, NOW + 6 * DAY)).deliver)).toEqual(['r-1.2'])
  })

  it('T5 the latest occurrence is what is judged: an old one that was passed over makes nothing late', () => {
    const log = new Log().series('r-1', every(300), NOW, { lateLimitSeconds: 60 })
    expect(acting(at(log, NOW + HOUR + 30 * SECOND))).toMatchObject({ miss: [], deliver: [{ occurrenceAt: NOW + HOUR }] })
  })

  it('T4 T5 a miss is not counted as a delivery', () => {
    const log = new Log().series('r-1', daily, NOW, { lateLimitSeconds: 60, series: { ...daily, count: 1 } })
    expect(acting(at(log, NOW + HOUR)).miss).toMatchObject([{ nextAt: NOW + DAY }])
  })

  it('T5 a series that ended while the host was away is missed with its own last instant', () => {
    const log = new Log().series('r-1', every(300, NOW, { until: formatInstant(NOW + 10 * MINUTE) }), NOW, { lateLimitSeconds: 600 })
    expect(at(log, NOW + DAY)).toMatchObject({ deliver: [], miss: [{ occurrenceAt: NOW + 10 * MINUTE, nextAt: undefined }] })
  })
})

describe('T8 unattended series', () => {
  const policy = { maxUnanswered: 3 }

  it('B68 a series pauses after so many deliveries without a human message, and resumes with the next', () => {
    const log = new Log().series('r-1', every(1800), NOW)
    const delivered = [0, 1, 2, 3, 4, 5].flatMap((n) => deliveredAt(act(log, NOW + n * 1800 * SECOND, policy)))
    expect(delivered).toHaveLength(3)
    expect(at(log, NOW + 21 * DAY, policy)).toEqual({ kind: 'rest' })
    log.human()
    expect(deliveredAt(act(log, NOW + 21 * DAY + SECOND, policy))).toEqual([formatInstant(NOW + 21 * DAY)])
    expect(at(log, NOW + 21 * DAY + SECOND, policy)).toEqual({ kind: 'wait', until: NOW + 21 * DAY + 1800 * SECOND })
  })

  it('T8 a paused series does not hold up the others', () => {
    const log = new Log().series('r-1', every(300), NOW).create(atRecord('r-2', NOW + DAY))
    for (let n = 0; n < 3; n += 1) act(log, NOW + n * 300 * SECOND, policy)
    expect(at(log, NOW + HOUR, policy)).toEqual({ kind: 'wait', until: NOW + DAY })
    expect(ids(acting(at(log, NOW + DAY, policy)).deliver)).toEqual(['r-2'])
  })

  it('T8 one-shots and the intervals of the host are never paused', () => {
    expect(isPaused(undefined, policy)).toBe(false)
    const log = new Log().create(everyRecord('schedule-1', 300))
    for (let n = 0; n < 6; n += 1) expect(deliveredAt(act(log, NOW + n * 300 * SECOND, policy))).toHaveLength(1)
  })

  it.each([
    [2, false],
    [3, true],
    [4, true],
  ])('T8 with %i unanswered deliveries of 3, paused is %s', (unanswered, paused) => {
    expect(isPaused({ unanswered } as Series, policy)).toBe(paused)
  })
})

describe('S30 after a crash', () => {
  const delivery = (name: string) => ({ fact: 'delivery', id: id(name), occurrenceAt: formatInstant(NOW), deliveredAt: formatInstant(NOW), reasons: [] }) as const

  it('S30 what is queued without a dispatch is settled, not sent again', () => {
    const message = ourMessage([delivery('r-1')])
    const log = new Log().create(atRecord('r-1')).create(atRecord('r-2')).queue(message)
    expect(at(log, NOW)).toMatchObject({ deliver: [{ reminder: { record: { id: 'r-2' } } }], settle: [{ id: 'r-1', messageId: message.id, waiting: true }] })
  })

  it('S30 even before its instant, when the clock was set back', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')])).turn()
    expect(at(log, NOW - DAY)).toMatchObject({ kind: 'act', deliver: [], settle: [{ id: 'r-1', waiting: false }] })
  })

  it('S30 after the settling nothing is left to do', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')]))
    act(log, NOW)
    expect(at(log, NOW)).toEqual({ kind: 'rest' })
  })

  it('S30 also when the reminder was taken back meanwhile', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')])).delete('r-1')
    act(log, NOW)
    expect(at(log, NOW)).toEqual({ kind: 'rest' })
  })

  it('B43 a series without an active occurrence gets its next one, after what was settled', () => {
    const log = new Log().series('r-1', every(300), NOW).dispatch('r-1.1')
    expect(acting(at(log, NOW + HOUR)).renew).toMatchObject([{ series: { id: 'r-1' }, at: NOW + 300 * SECOND }])
    act(log, NOW + HOUR)
    expect(deliveredAt(act(log, NOW + HOUR))).toEqual([formatInstant(NOW + HOUR)])
  })

  it('B43 a series of which nothing was settled begins after its creation', () => {
    const bare = { ...([...new Log().series('r-1', every(300), NOW).ledger.series.values()][0] ?? fail('none')), activeId: undefined }
    const ledger: Ledger = { ...new Log().ledger, active: new Map(), undispatched: new Map(), corruption: undefined, series: new Map([[bare.id, bare]]), isUsed: () => true, setCount: 1 }
    expect(decide(ledger, NOW, POLICY)).toMatchObject({ renew: [{ at: NOW + 300 * SECOND }] })
  })

  it('T4 an ended series is not renewed', () => {
    const log = new Log().series('r-1', every(300, NOW, { count: 1 }), NOW).dispatch('r-1.1')
    expect(at(log, NOW + HOUR)).toEqual({ kind: 'rest' })
  })
})

describe('laws', () => {
  const offsets = fc.integer({ min: -DAY, max: 60 * DAY })

  it('S25 nothing is delivered, missed or renewed early, and a wait is always for the future', () => {
    fc.assert(
      fc.property(commands, offsets, (course, offset) => {
        const log = play(course)
        const now = log.now + offset
        const next = at(log, now)
        if (next.kind === 'wait') expect(next.until).toBeGreaterThan(now)
        if (next.kind !== 'act') return
        for (const due of [...next.deliver, ...next.miss]) {
          expect(due.reminder.dueAt).toBeLessThanOrEqual(due.occurrenceAt)
          expect(due.occurrenceAt).toBeLessThanOrEqual(now)
          if (due.nextAt !== undefined) expect(due.nextAt).toBeGreaterThan(now)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('S30 acting comes to an end: what was done is not to be done again', () => {
    fc.assert(
      fc.property(commands, offsets, (course, offset) => {
        const log = play(course)
        const now = log.now + offset
        for (let rounds = 0; act(log, now) !== false; rounds += 1) expect(rounds).toBeLessThan(10)
        expect(at(log, now).kind).not.toBe('act')
        expect(log.ledger.corruption).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })

  it('T4 no series is delivered at an instant that it does not have', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 5000 }), fc.nat(DAY), fc.array(fc.nat(HOUR), { maxLength: 20 }), (seconds, span, steps) => {
        const log = new Log().series('r-1', every(seconds, NOW, { until: formatInstant(NOW + span) }), NOW)
        let now = NOW
        for (const step of steps) {
          now += step
          for (const text of deliveredAt(act(log, now))) {
            expect(utc(text)).toBeLessThanOrEqual(NOW + span)
            expect((utc(text) - NOW) % (seconds * SECOND)).toBe(0)
          }
        }
      }),
    )
  })

  it('T8 a plan of a one-shot does not make it a series', () => {
    expect(new Log().create(atRecord('r-1')).result([planFact('r-1', { lateLimitSeconds: 5 })]).reminder('r-1').series).toBeUndefined()
  })
})
