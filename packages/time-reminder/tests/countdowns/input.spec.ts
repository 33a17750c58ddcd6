import fc from 'fast-check'
import { MAX_INSTANT, parseZone, type ZoneName } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import { parseCountdownWish, resolveWhen } from '../../src/countdowns/input.ts'
import { inEnglish, isRefusal } from '../../src/errors.ts'
import { countdownTool } from '../../src/tools/time-countdown.ts'

const zone = (name: string): ZoneName => parseZone(name) as ZoneName
const at = (time: string, now: string, name: string): string => {
  const instant = resolveWhen({ kind: 'at', time }, Date.parse(now), zone(name))
  return isRefusal(instant) ? (inEnglish(instant).detail ?? '') : new Date(instant).toISOString()
}

describe('the arguments of time_countdown', () => {
  it.each([
    [{ action: 'start', name: 'tea', in: '90s' }, { ms: 90_000 }],
    [{ action: 'start', name: 'tea', in: '1h30m' }, { ms: 5_400_000 }],
    [{ action: 'snooze', name: 'tea', in: '2d' }, { ms: 172_800_000 }],
    [{ action: 'start', name: 'tea', at: '15:30' }, { time: '15:30' }],
    [{ action: 'start', name: 'tea', at: '9:05' }, { time: '09:05' }],
  ])('R12 %j are taken', (args, when) => {
    expect(parseCountdownWish(args)).toMatchObject({ action: args.action, name: 'tea', when, onFire: undefined, note: undefined })
  })

  it('R12 R13 a list needs no name, a cancel nothing but one', () => {
    expect(parseCountdownWish({ action: 'list' })).toEqual({ action: 'list', includeFired: false })
    expect(parseCountdownWish({ action: 'list', includeFired: true })).toEqual({ action: 'list', includeFired: true })
    expect(parseCountdownWish({ action: 'cancel', name: 'tea' })).toEqual({ action: 'cancel', name: 'tea' })
  })

  it.each([
    [{}, 'bad-request', 'action'],
    [{ action: 'begin' }, 'bad-request', 'action'],
    [{ action: 'start', in: '1m' }, 'bad-name', 'name'],
    [{ action: 'cancel' }, 'bad-name', 'name'],
    [{ action: 'start', name: 'a' }, 'bad-time', 'in'],
    [{ action: 'start', name: 'a', in: '1m', at: '15:30' }, 'bad-time', 'in'],
    [{ action: 'snooze', name: 'a' }, 'bad-time', 'in'],
    [{ action: 'snooze', name: 'a', at: '15:30' }, 'bad-time', 'at'],
    [{ action: 'start', name: 'a', in: 'soon' }, 'bad-time', 'in'],
    [{ action: 'start', name: 'a', in: 90 }, 'bad-time', 'in'],
    [{ action: 'start', name: 'a', in: '0s' }, 'bad-time', 'in'],
    [{ action: 'start', name: 'a', at: 'noon' }, 'bad-time', 'at'],
    [{ action: 'start', name: 'a', at: '15:30:00' }, 'bad-time', 'at'],
    [{ action: 'start', name: 'a', at: 1530 }, 'bad-time', 'at'],
    [{ action: 'start', name: 'a', in: '1m', onFire: 'shout' }, 'bad-request', 'onFire'],
    [{ action: 'start', name: 'a', in: '1m', note: 7 }, 'bad-request', 'note'],
    [{ action: 'list', includeFired: 'yes' }, 'bad-request', 'includeFired'],
    [{ action: 'start', name: 'a', inn: '1m' }, 'bad-request', 'inn'],
  ])('R12 %j are refused as %s, naming %s', (args, code, field) => {
    expect(parseCountdownWish(args)).toMatchObject({ code, field })
  })

  it('R12 X3 whatever the model sends is a wish or a refusal', () => {
    fc.assert(fc.property(fc.anything(), (args) => typeof parseCountdownWish(args) === 'object'))
  })
})

describe('a time of day', () => {
  it.each([
    ['15:30', '2026-10-08T03:00:00Z', 'Asia/Shanghai', '2026-10-08T07:30:00.000Z'],
    ['15:30', '2026-10-08T08:00:00Z', 'Asia/Shanghai', '2026-10-09T07:30:00.000Z'],
    ['15:30', '2026-10-08T07:30:00Z', 'Asia/Shanghai', '2026-10-09T07:30:00.000Z'],
    ['00:10', '2026-10-08T15:50:00Z', 'Asia/Shanghai', '2026-10-08T16:10:00.000Z'],
    ['08:00', '2026-12-31T23:30:00Z', 'America/New_York', '2027-01-01T13:00:00.000Z'],
    ['01:30', '2026-11-01T04:00:00Z', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['01:30', '2026-11-01T05:45:00Z', 'America/New_York', '2026-11-02T06:30:00.000Z'],
    ['02:30', '2026-03-08T12:00:00Z', 'America/New_York', '2026-03-09T06:30:00.000Z'],
  ])('R12 %s at %s in %s is %s', (time, now, name, expected) => {
    expect(at(time, now, name)).toBe(expected)
  })

  it.each([
    ['02:30', '2026-03-08T05:00:00Z', '2026-03-08'],
    ['02:30', '2026-03-07T12:00:00Z', '2026-03-08'],
  ])('R12 %s at %s is skipped by the clocks of %s, and refused', (time, now, date) => {
    expect(at(time, now, 'America/New_York')).toBe(`The clocks of America/New_York skip ${time} on ${date}; the first time after that is 2026-03-08T03:00:00-04:00.`)
  })

  it('R12 what is no time, or lies beyond all years, is refused', () => {
    expect(at('25:00', '2026-10-08T03:00:00Z', 'UTC')).toBe('at must be a time of day such as 15:30.')
    expect(at('00:00', '9999-12-31T23:59:00Z', 'UTC')).toBe('at must be a time of day such as 15:30.')
    expect(resolveWhen({ kind: 'in', ms: 1000 }, MAX_INSTANT, zone('UTC'))).toMatchObject({ code: 'bad-time', field: 'in' })
  })

  it('R12 the instant always lies ahead, and within two days', () => {
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    fc.assert(
      fc.property(clock, fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }), fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe'), (time, now, name) => {
        const instant = resolveWhen({ kind: 'at', time }, now, zone(name))
        return isRefusal(instant) || (instant > now && instant - now <= 49 * 3_600_000)
      }),
    )
  })
})

describe('the tool', () => {
  const port = { now: () => 0, zone: () => zone('UTC'), countdowns: { pending: new Map(), fired: [], changes: 0 }, limit: () => undefined, warn: () => undefined }
  const title = (args: unknown): string => (countdownTool(() => port).presentCall as (args: unknown) => { title: string })(args).title

  it('R12 says in one line what a call is about', () => {
    expect(title({ action: 'start', name: 'tea', in: '1m' })).toBe('Countdown: start tea')
    expect(title({ action: 'list' })).toBe('Countdown: list')
    expect(title({})).toBe('Countdown')
  })
})
