import { MAX_INSTANT, parseCron, parseZone, type Cron, type ZoneName } from 'dsh-time-core'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Almanac, CALENDAR } from '../src/almanac.ts'
import { Clock } from '../src/clock.ts'
import type { Settings } from '../src/config.ts'
import { decide, type Rhythm } from '../src/decide.ts'
import { ClockFold } from '../src/fold.ts'
import { HandLog } from './events.ts'
import { HOUR, MINUTE } from './harness.ts'

const zone = (name: string): ZoneName => parseZone(name) as ZoneName
const cron = (text: string): Cron => {
  const parsed = parseCron(text)
  if (!parsed.ok) throw new Error(parsed.refusal.code)
  return parsed.cron
}

const SHANGHAI = zone('Asia/Shanghai')
/** Clocks that change by an hour, half an hour, a whole day, and, in St. John's until 2011, back over midnight. */
const ZONES = ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia'].map(zone)
const PLANS = ['0 0 * * *', '*/30 * * * *', '30 2 * * *', '0 9 * * 1-5', '0 0 29 2 *'].map(cron)

/** Days on which some of them change. */
const EVENTFUL = ['2026-03-29T00:00:00Z', '2026-10-25T00:00:00Z', '2006-10-29T02:00:00Z', '2011-12-30T09:00:00Z', '2026-10-08T04:00:00Z'].map((iso) => Date.parse(iso))
const start = fc.tuple(fc.constantFrom(...EVENTFUL), fc.integer({ min: -30 * HOUR, max: 30 * HOUR })).map(([day, ms]) => day + ms)
const delta = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 40 * MINUTE }) }, { weight: 2, arbitrary: fc.integer({ min: 0, max: 30 * HOUR }) }, { weight: 1, arbitrary: fc.integer({ min: -3 * HOUR, max: 0 }) })

describe('an almanac answers as if it asked anew', () => {
  it('P2 S25 for any plan, any zones, any reading and any clock, also one that is set back', () => {
    const question = fc.record({ delta, place: fc.constantFrom(...ZONES), plan: fc.constantFrom(...PLANS), reads: fc.boolean() })
    fc.assert(
      fc.property(start, fc.array(question, { maxLength: 60 }), (from, questions) => {
        const almanac = new Almanac()
        let [since, now] = [from, from]
        return questions.every(({ delta: ms, place, plan, reads }) => {
          now += ms
          if (reads || now < since) since = now
          const isSame = almanac.isDue(plan, place, since, now) === CALENDAR.isDue(plan, place, since, now) && almanac.isAnotherDay(place, since, now) === CALENDAR.isAnotherDay(place, since, now)
          return isSame && almanac.isSameZone(place, SHANGHAI) === CALENDAR.isSameZone(place, SHANGHAI)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('B01 B14 at a clock that goes back over midnight, the date of the minute before counts again', () => {
    const [place, almanac] = [zone('America/St_Johns'), new Almanac()]
    // 00:00:30 on the 29th; half a minute later the clock shows 23:01 of the 28th.
    const since = Date.parse('2006-10-29T02:30:30Z')
    expect([0, 29_999, 30_000, 59 * MINUTE, 60 * MINUTE].map((ms) => almanac.isAnotherDay(place, since, since + ms))).toEqual([false, false, true, true, false])
  })

  it('S25 B01 a clock that is set back to the minute after midnight is in another day, though what came later was not', () => {
    const [place, almanac] = [zone('America/St_Johns'), new Almanac()]
    const since = Date.parse('2006-10-29T02:20:00Z')
    expect(['02:40:00', '02:30:30', '02:40:00', '02:29:59'].map((time) => almanac.isAnotherDay(place, since, Date.parse(`2006-10-29T${time}Z`)))).toEqual([false, true, false, false])
  })

  it('R1 a plan that does not come any more is never due', () => {
    const end = MAX_INSTANT - MINUTE
    expect([0, 1, MINUTE].map((ms) => new Almanac().isDue(PLANS[0]!, SHANGHAI, end, end + ms))).toEqual([false, false, false])
  })

  it('R1 what was found out for one reading does not hold for another', () => {
    const almanac = new Almanac()
    const noon = Date.parse('2026-10-08T04:00:00Z')
    expect([0, -24, 0, -13, -11].map((hours) => almanac.isAnotherDay(SHANGHAI, noon + hours * HOUR, noon + MINUTE))).toEqual([false, true, false, true, false])
  })
})

const SETTINGS: Settings = { defaultMode: 'cron', cron: cron('0 0 * * *'), timeZone: SHANGHAI, fineIntervalMs: 10 * MINUTE, gapMs: 30 * MINUTE, reading: 'full', counterNotice: 'inject' }

/** A clock, and beside it a fold without a memory; both follow one log. */
class Driven {
  settings = SETTINGS
  readonly clock = new Clock({ settings: () => this.settings, elseZone: () => SHANGHAI }, 0)
  readonly fold = new ClockFold(0)
  readonly #log = new HandLog()

  write(act: (log: HandLog) => void): void {
    const length = this.#log.events.length
    act(this.#log)
    for (const event of this.#log.events.slice(length)) for (const follower of [this.clock, this.fold]) follower.apply(event)
  }

  /** Why the clock reads at a step, if it does. */
  why(now: number, source: unknown): unknown {
    const message = this.clock.reading({ turn: 1, step: 1, sources: [source] }, now, () => [])
    return (message?.source as { why?: unknown } | undefined)?.why
  }
}

afterEach(() => void vi.restoreAllMocks())

describe('a clock that remembers', () => {
  it('P2 R1 reads at the same steps and for the same reasons as one that decides each anew', () => {
    const step = fc.record({
      delta,
      place: fc.constantFrom(undefined, ...ZONES),
      act: fc.constantFrom('none', 'none', 'none', 'model', 'resume'),
      mode: fc.constantFrom('cron', 'cron', 'fine'),
      plan: fc.constantFrom(...PLANS.slice(0, 3)),
    })
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 40 }), (from, steps) => {
        const driven = new Driven()
        let now = from
        return steps.every(({ delta: ms, place, act, mode, plan }) => {
          now += ms
          driven.settings = { ...SETTINGS, defaultMode: mode, cron: plan }
          const rhythm: Rhythm = { mode: mode, cron: plan, gapMs: SETTINGS.gapMs, fineIntervalMs: SETTINGS.fineIntervalMs }
          const anew = decide(driven.fold, rhythm, { now, step: 1, isAttended: place !== undefined, zone: SHANGHAI, elsewhere: place === SHANGHAI ? undefined : place })
          const told = driven.why(now, place === undefined ? { kind: 'agent' } : { kind: 'user', clientTimeZone: place })
          driven.write((log) => {
            if (place !== undefined) log.person(now)
            if (told !== undefined) log.reading(now)
            if (act === 'model') log.model(now + 1)
            if (act === 'resume') log.add(now, 'session/end-seed', {})
            log.add(now, 'turn/end', { turn: 1, reason: { kind: 'completed' } })
          })
          return told === anew
        })
      }),
      { numRuns: 200 },
    )
  })

  it.each(['cron', 'fine'] as const)('P2 a silent step in mode %s evaluates no rule, compares no dates and zones, and makes no formatter', (defaultMode) => {
    const driven = new Driven()
    driven.settings = { ...SETTINGS, defaultMode }
    const noon = Date.parse('2026-10-08T04:00:00Z')
    const silent = (second: number): void => {
      driven.write((log) => log.model(noon + second * 1000 - 1))
      expect(driven.why(noon + second * 1000, { kind: 'user', clientTimeZone: 'Europe/Berlin' })).toBeUndefined()
    }
    driven.write((log) => {
      log.person(noon)
      log.reading(noon)
      log.add(noon, 'turn/end', { turn: 1, reason: { kind: 'completed' } })
    })
    silent(1)
    const { walls } = SETTINGS.cron
    const work = [vi.spyOn(walls, 'next'), vi.spyOn(walls, 'previous'), vi.spyOn(CALENDAR, 'isAnotherDay'), vi.spyOn(CALENDAR, 'isSameZone'), vi.spyOn(Intl, 'DateTimeFormat')]
    for (let second = 2; second < 100; second += 1) silent(second)
    for (const spy of work) expect(spy).not.toHaveBeenCalled()
  })
})
