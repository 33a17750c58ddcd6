import { parseCron, parseZone, type Cron, type ZoneName } from 'dsh-time-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, type Moment, type Rhythm } from '../src/decide.ts'
import { ClockFold } from '../src/fold.ts'
import type { Mode } from '../src/protocol.ts'
import { HandLog } from './events.ts'
import { HOUR, MINUTE, THURSDAY } from './harness.ts'

const SHANGHAI = parseZone('Asia/Shanghai') as ZoneName
const BERLIN = parseZone('Europe/Berlin') as ZoneName
/** A quiet Thursday noon in Shanghai: no date changes near it. */
const NOON = Date.parse('2026-10-08T04:00:00Z')

function cron(text: string): Cron {
  const parsed = parseCron(text)
  if (!parsed.ok) throw new Error(parsed.refusal.code)
  return parsed.cron
}

const rhythm = (mode: Mode, more: Partial<Rhythm> = {}): Rhythm => ({ mode, cron: cron('0 0 * * *'), gapMs: 30 * MINUTE, fineIntervalMs: 0, ...more })
const moment = (now: number, more: Partial<Moment> = {}): Moment => ({ now, step: 1, isAttended: false, zone: SHANGHAI, elsewhere: undefined, ...more })

function stateOf(write: (log: HandLog) => void): ClockFold {
  const log = new HandLog()
  write(log)
  const state = new ClockFold(0)
  for (const event of log.events) state.apply(event)
  return state
}

/** A conversation that was read to at `at` and that the model answered a second later. */
const readAt = (at: number): ClockFold =>
  stateOf((log) => {
    log.person(at)
    log.reading(at)
    log.model(at + 1000)
  })

describe('off', () => {
  it('R1 never reads, however stale the model is', () => {
    const state = stateOf((log) => {
      log.reading(NOON)
      log.add(NOON, 'session/end-seed', {})
    })
    expect(decide(state, rhythm('off'), moment(NOON + 100 * HOUR, { isAttended: true }))).toBeUndefined()
  })
})

describe('turn', () => {
  it('R1 reads on the first step of a turn and on no other', () => {
    const seen = [1, 2, 3, 40].map((step) => decide(readAt(NOON), rhythm('turn'), moment(NOON + HOUR, { step })))
    expect(seen).toEqual(['turn', undefined, undefined, undefined])
  })
})

describe('fine', () => {
  it('R1 reads at every step', () => {
    expect([1, 2, 3].map((step) => decide(readAt(NOON), rhythm('fine'), moment(NOON, { step })))).toEqual(['step', 'step', 'step'])
  })

  it.each([
    [29_999, undefined],
    [30_000, 'step'],
  ])('R1 fineIntervalMs 30000 after %i ms gives %s', (elapsed, expected) => {
    expect(decide(readAt(NOON), rhythm('fine', { fineIntervalMs: 30_000 }), moment(NOON + elapsed, { step: 2 }))).toBe(expected)
  })

  it('B69 an interval yields to a new date', () => {
    const slow = rhythm('fine', { fineIntervalMs: 10 * HOUR })
    expect(decide(readAt(THURSDAY), slow, moment(THURSDAY + 20 * MINUTE))).toBe('date')
  })
})

describe('cron', () => {
  it('R1 B75 reads at the first step of a session', () => {
    expect(decide(stateOf(() => undefined), rhythm('cron'), moment(NOON))).toBe('first')
    expect(decide(stateOf((log) => log.person(NOON)), rhythm('cron'), moment(NOON, { step: 2 }))).toBe('first')
  })

  it('R1 reads once when an instant of the plan was crossed, however many were', () => {
    const hourly = rhythm('cron', { cron: cron('0 * * * *'), gapMs: 100 * HOUR })
    const at = NOON + 10 * MINUTE
    expect(decide(readAt(at), hourly, moment(at + 49 * MINUTE))).toBeUndefined()
    expect(decide(readAt(at), hourly, moment(at + 50 * MINUTE))).toBe('plan')
    expect(decide(readAt(at), hourly, moment(at + 9 * HOUR))).toBe('plan')
    expect(decide(readAt(at + 9 * HOUR), hourly, moment(at + 9 * HOUR + MINUTE))).toBeUndefined()
  })

  it('R1 the plan is meant in the zone of the session', () => {
    const nine = rhythm('cron', { cron: cron('0 9 * * *'), gapMs: 100 * HOUR })
    const before = Date.parse('2026-10-08T06:30:00Z') // 14:30 in Shanghai, 08:30 in Berlin
    expect(decide(readAt(before), nine, moment(before + HOUR))).toBeUndefined()
    expect(decide(readAt(before), nine, moment(before + HOUR, { zone: BERLIN }))).toBe('plan')
  })

  it('R1 a plan that never comes again reads no more', () => {
    const state = readAt(Date.parse('9999-12-31T15:00:00Z'))
    expect(decide(state, rhythm('cron', { gapMs: 100 * HOUR }), moment(Date.parse('9999-12-31T15:30:00Z')))).toBeUndefined()
  })

  it('B70 reads at the first step after a resume, also a minute later', () => {
    const state = stateOf((log) => {
      log.reading(NOON)
      log.add(NOON, 'session/end-seed', {})
    })
    expect(decide(state, rhythm('cron'), moment(NOON + MINUTE))).toBe('resume')
  })

  it('reads again when the newest reading went into a summary', () => {
    const state = stateOf((log) => {
      const reading = log.reading(NOON)
      log.message(NOON, { kind: 'plugin', plugin: 'compact' }, { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [reading.seq] })
    })
    expect(decide(state, rhythm('cron'), moment(NOON + MINUTE))).toBe('compaction')
  })

  it('B32 reads again when the clock was set back behind what the model was told, and then once', () => {
    expect(decide(readAt(NOON + 2 * HOUR), rhythm('cron'), moment(NOON))).toBe('clock')
    const corrected = stateOf((log) => {
      log.reading(NOON + 2 * HOUR)
      log.reading(NOON)
      log.model(NOON)
    })
    expect(decide(corrected, rhythm('cron'), moment(NOON + MINUTE))).toBeUndefined()
  })

  it('B69 reads when the local date has changed, ten minutes after ten to midnight', () => {
    const weekly = rhythm('cron', { cron: cron('0 9 * * 1') })
    expect(decide(readAt(THURSDAY), weekly, moment(THURSDAY + 9 * MINUTE))).toBeUndefined()
    expect(decide(readAt(THURSDAY), weekly, moment(THURSDAY + 10 * MINUTE))).toBe('date')
    expect(decide(readAt(THURSDAY), weekly, moment(THURSDAY + 10 * MINUTE, { zone: BERLIN }))).toBeUndefined()
  })

  it('B69 reads when the date has changed where the person is, if that is elsewhere', () => {
    const weekly = rhythm('cron', { cron: cron('0 9 * * 1') })
    const here = moment(THURSDAY + 10 * MINUTE, { zone: BERLIN, elsewhere: SHANGHAI })
    expect(decide(readAt(THURSDAY), weekly, here)).toBe('date')
  })

  it('B72 reads after the model has waited for gapMinutes, for a person or for a tool', () => {
    const state = readAt(NOON)
    expect(decide(state, rhythm('cron'), moment(NOON + 1000 + 30 * MINUTE - 1))).toBeUndefined()
    expect(decide(state, rhythm('cron'), moment(NOON + 1000 + 30 * MINUTE))).toBe('pause')
    const slowTool = stateOf((log) => {
      log.reading(NOON)
      log.model(NOON + 1000)
      log.result(NOON + 45 * MINUTE)
    })
    expect(decide(slowTool, rhythm('cron'), moment(NOON + 45 * MINUTE, { step: 2 }))).toBe('pause')
  })

  it('B72 a long conversation without a pause is left alone', () => {
    const state = stateOf((log) => {
      log.reading(NOON)
      for (let minute = 1; minute <= 180; minute += 5) {
        log.person(NOON + minute * MINUTE)
        log.model(NOON + minute * MINUTE + 1000)
      }
    })
    expect(decide(state, rhythm('cron'), moment(NOON + 181 * MINUTE, { isAttended: true }))).toBeUndefined()
  })

  it('B73 a person who comes back after gapMinutes finds a model that knows the time, also when a reminder kept it busy', () => {
    const at = (time: string): number => Date.parse(`2026-10-08T${time}:00+08:00`)
    const state = stateOf((log) => {
      log.person(at('11:01'))
      log.reading(at('11:01'))
      log.model(at('11:01'))
      log.message(at('11:30'), { kind: 'dsh-tool-schedule', form: 'notice' })
      log.model(at('11:30'))
    })
    expect(decide(state, rhythm('cron'), moment(at('11:30')))).toBeUndefined()
    expect(decide(state, rhythm('cron'), moment(at('11:35')))).toBeUndefined()
    expect(decide(state, rhythm('cron'), moment(at('11:35'), { isAttended: true }))).toBe('pause')
  })

  it('R1 B32 never reads twice for one cause: right after a reading every moment up to a minute is quiet', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000_000_000 }), fc.integer({ min: 0, max: 59_999 }), fc.constantFrom('0 0 * * *', '*/5 * * * *', '30 2 * * *'), (at, later, text) => {
        const now = at + later
        const isDayEdge = Math.floor((at + 8 * HOUR) / (24 * HOUR)) !== Math.floor((now + 8 * HOUR) / (24 * HOUR))
        const isMinuteEdge = Math.floor(at / MINUTE) !== Math.floor(now / MINUTE)
        fc.pre(!isDayEdge && !isMinuteEdge)
        expect(decide(readAt(at), rhythm('cron', { cron: cron(text) }), moment(now, { isAttended: true }))).toBeUndefined()
      }),
    )
  })
})
