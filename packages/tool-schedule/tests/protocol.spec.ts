import fc from 'fast-check'
import { MAX_INSTANT } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import { CorruptLog, createChange, decodeChange, deleteChange, dispatchChange, MIN_EVERY_SECONDS, SCHEDULE_CHANGE_VERSION, type ScheduleChange, type ScheduleRecord } from '../src/protocol.ts'
import { afterRecord, atRecord, everyRecord, id, NOW } from './events.ts'

const AT = { id: 'r-1', kind: 'at', prompt: 'stretch', scheduledAt: '2026-10-09T01:00:00.000Z' }
const AFTER = { ...AT, kind: 'after', afterSeconds: 60 }
const EVERY = { ...AT, kind: 'every', everySeconds: 300 }

const create = (schedule: unknown): unknown => ({ version: 1, operation: 'create', schedule })
const without = (value: object, name: string): unknown => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))

/** What the decoder says about data that it refuses. */
function rule(data: unknown): string {
  try {
    decodeChange(data)
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptLog)
    return (error as CorruptLog).message
  }
  throw new Error('it was accepted')
}

describe('well-formed changes', () => {
  it.each<[string, unknown]>([
    ['create of an at record', create(AT)],
    ['create of an after record', create(AFTER)],
    ['create of the longest after record', create({ ...AFTER, afterSeconds: Number.MAX_SAFE_INTEGER })],
    ['create of an every record of 300 seconds', create(EVERY)],
    ['create of the longest every record', create({ ...EVERY, everySeconds: Math.floor(Number.MAX_SAFE_INTEGER / 1000) })],
    ['delete', { version: 1, operation: 'delete', id: 'r-1' }],
    ['dispatch of a one-shot', { version: 1, operation: 'dispatch', id: 'r-1' }],
    ['dispatch of a fixed interval', { version: 1, operation: 'dispatch', id: 'r-1', acceptedAt: '2026-10-09T01:00:00.001Z' }],
    ['a record of the first instant', create({ ...AT, scheduledAt: '0001-01-01T00:00:00.000Z' })],
    ['a record of the last instant', create({ ...AT, scheduledAt: '9999-12-31T23:59:59.999Z' })],
    ['an id and a prompt with inner spaces and any letters', create({ ...AT, id: 'r 一', prompt: '起\n来' })],
  ])('S7 %s is decoded as it is', (_name, data) => {
    expect(decodeChange(data)).toEqual(data)
  })

  it('S7 the result is frozen and shares nothing with the event', () => {
    const data = { version: 1, operation: 'create', schedule: { ...AT } }
    const change = decodeChange(data) as Extract<ScheduleChange, { operation: 'create' }>
    data.schedule.prompt = 'changed'
    expect(change.schedule.prompt).toBe('stretch')
    const others = [AFTER, EVERY].map((record) => decodeChange(create(record)) as Extract<ScheduleChange, { operation: 'create' }>)
    const ends = [{ version: 1, operation: 'delete', id: 'r-1' }, { version: 1, operation: 'dispatch', id: 'r-1' }].map((end) => decodeChange(end))
    for (const frozen of [change, ...others, ...ends]) expect(Object.isFrozen(frozen)).toBe(true)
    for (const { schedule } of [change, ...others]) expect(Object.isFrozen(schedule)).toBe(true)
  })
})

describe('S6 S8 malformed changes are refused, and the member is named', () => {
  it.each<[string, unknown]>([
    ['a text', 'create'],
    ['null', null],
    ['nothing', undefined],
    ['a list', [create(AT)]],
    ['a number', 1],
  ])('%s is no change', (_name, data) => {
    expect(rule(data)).toBe('schedule/change is not an object')
  })

  it.each<[unknown]>([[0], [2], ['1'], [null], [true], [1.5], [undefined]])('version %j is unknown', (version) => {
    expect(rule({ ...(create(AT) as object), version })).toBe('version is not 1')
  })

  it.each<[unknown]>([['update'], ['CREATE'], [''], [null], [1], [undefined], [['create']]])('operation %j is unknown', (operation) => {
    expect(rule({ version: 1, operation, id: 'r-1' })).toBe('operation is not create, delete or dispatch')
  })

  it.each<[unknown]>([['cron'], ['AT'], [null], [undefined], [1], ['constructor']])('schedule.kind %j is unknown', (kind) => {
    expect(rule(create({ ...AT, kind }))).toBe('schedule.kind is not after, at or every')
  })

  it.each<[string, unknown]>([
    ['create', { ...(create(AT) as object), zone: 'UTC' }],
    ['a create that carries an id', { ...(create(AT) as object), zone: 'UTC', id: 'r-1' }],
    ['delete', { version: 1, operation: 'delete', id: 'r-1', zone: 'UTC' }],
    ['dispatch', { version: 1, operation: 'dispatch', id: 'r-1', zone: 'UTC' }],
    ['dispatch with acceptedAt', { version: 1, operation: 'dispatch', id: 'r-1', acceptedAt: AT.scheduledAt, zone: 'UTC' }],
    ['an at record', create({ ...AT, zone: 'UTC' })],
    ['an after record', create({ ...AFTER, zone: 'UTC' })],
    ['an every record', create({ ...EVERY, zone: 'UTC' })],
  ])('a foreign member of %s', (_name, data) => {
    expect(rule(data)).toBe('member "zone" is not part of version 1')
  })

  it.each<[string, unknown, string]>([
    ['afterSeconds in an at record', create({ ...AT, afterSeconds: 60 }), 'afterSeconds'],
    ['everySeconds in an after record', create({ ...AFTER, everySeconds: 300 }), 'everySeconds'],
    ['afterSeconds in an every record', create({ ...EVERY, afterSeconds: 60 }), 'afterSeconds'],
    ['acceptedAt in a create', { ...(create(AT) as object), acceptedAt: AT.scheduledAt }, 'acceptedAt'],
    ['acceptedAt in a delete', { version: 1, operation: 'delete', id: 'r-1', acceptedAt: AT.scheduledAt }, 'acceptedAt'],
    ['acceptedAt inside a record', create({ ...EVERY, acceptedAt: AT.scheduledAt }), 'acceptedAt'],
    ['a prototype as a member of its own', JSON.parse('{"version":1,"operation":"delete","id":"r-1","__proto__":{}}'), '__proto__'],
  ])('%s is a foreign member there', (_name, data, name) => {
    expect(rule(data)).toBe(`member ${JSON.stringify(name)} is not part of version 1`)
  })

  it.each<[string, unknown, string]>([
    ['the record of a create', { version: 1, operation: 'create' }, 'schedule'],
    ['the id of a delete', { version: 1, operation: 'delete' }, 'id'],
    ...['id', 'prompt', 'scheduledAt'].map((name): [string, unknown, string] => [`${name} of an at record`, create(without(AT, name)), name]),
    ...['id', 'prompt', 'scheduledAt', 'afterSeconds'].map((name): [string, unknown, string] => [`${name} of an after record`, create(without(AFTER, name)), name]),
    ...['id', 'prompt', 'scheduledAt', 'everySeconds'].map((name): [string, unknown, string] => [`${name} of an every record`, create(without(EVERY, name)), name]),
  ])('%s is missing', (_name, data, name) => {
    expect(rule(data)).toBe(`member ${JSON.stringify(name)} is missing`)
  })

  it('the id of a dispatch is missing', () => {
    expect(rule({ version: 1, operation: 'dispatch' })).toBe('id is empty or not trimmed')
  })

  const badIds = ['', ' ', ' r-1', 'r-1 ', '\u00a0r-1', 'r-1\n', '\ufeffr-1', 1, null, true, ['r-1'], { id: 'r-1' }]
  it.each(badIds)('id %j', (bad) => {
    for (const data of [create({ ...AT, id: bad }), { version: 1, operation: 'delete', id: bad }, { version: 1, operation: 'dispatch', id: bad }]) {
      expect(rule(data)).toBe('id is empty or not trimmed')
    }
  })

  it.each(['', '  ', ' stretch', 'stretch\n', '\u2028stretch', 7, null, ['stretch'], {}])('prompt %j', (prompt) => {
    for (const record of [AT, AFTER, EVERY]) expect(rule(create({ ...record, prompt }))).toBe('schedule.prompt is empty or not trimmed')
  })

  const badInstants = [
    '2026-10-09T01:00:00Z', '2026-10-09T01:00:00.0Z', '2026-10-09T01:00:00.000000Z', '2026-10-09T01:00:00.000z', '2026-10-09t01:00:00.000Z',
    '2026-10-09T01:00:00.000+00:00', '2026-10-09T01:00:00.000', '2026-10-09 01:00:00.000Z', ' 2026-10-09T01:00:00.000Z', '2026-02-30T01:00:00.000Z',
    '2026-10-09T24:00:00.000Z', '2026-10-09T23:59:60.000Z', '2026-13-01T00:00:00.000Z', '0000-12-31T23:59:59.999Z', '+010000-01-01T00:00:00.000Z', '', NOW, null, {}, [AT.scheduledAt],
  ]
  it.each(badInstants)('instant %j is not canonical', (instant) => {
    expect(rule(create({ ...AT, scheduledAt: instant }))).toBe('schedule.scheduledAt is not a canonical UTC instant')
    expect(rule({ version: 1, operation: 'dispatch', id: 'r-1', acceptedAt: instant })).toBe('acceptedAt is not a canonical UTC instant')
  })

  it.each([0, -1, 1.5, 2 ** 53, -0, '60', null, [60], Number.NaN, Number.POSITIVE_INFINITY])('afterSeconds %j', (afterSeconds) => {
    expect(rule(create({ ...AFTER, afterSeconds }))).toBe('schedule.afterSeconds is not an integer of at least 1')
  })

  it.each([0, -300, 1, 299, 300.5, 2 ** 53, '300', null])('everySeconds %j', (everySeconds) => {
    expect(rule(create({ ...EVERY, everySeconds }))).toBe('schedule.everySeconds is not an integer of at least 300')
  })

  it('everySeconds that cannot be counted in milliseconds', () => {
    expect(rule(create({ ...EVERY, everySeconds: Math.floor(Number.MAX_SAFE_INTEGER / 1000) + 1 }))).toBe('schedule.everySeconds is too large')
  })

  it.each([undefined, null, 'at', [AT], 3])('schedule %j is no record', (schedule) => {
    expect(rule({ version: 1, operation: 'create', schedule })).toBe('schedule is not an object')
  })
})

describe('what is written', () => {
  const records: ScheduleRecord[] = [atRecord('r-1'), afterRecord('r-2', 60), everyRecord('r-3', 300)]

  it.each(records)('S6 the create of $kind is version 1 and decodes to itself', (record) => {
    expect(createChange(record)).toEqual({ version: SCHEDULE_CHANGE_VERSION, operation: 'create', schedule: record })
    expect(decodeChange(createChange(record))).toEqual(createChange(record))
  })

  it('S7 a delete carries only the id', () => {
    expect(deleteChange(id('r-1'))).toEqual({ version: 1, operation: 'delete', id: 'r-1' })
  })

  it('S7 a dispatch of a one-shot carries only the id', () => {
    expect(dispatchChange(atRecord('r-1'), NOW)).toEqual({ version: 1, operation: 'dispatch', id: 'r-1' })
    expect(dispatchChange(afterRecord('r-1', 60), NOW)).toEqual({ version: 1, operation: 'dispatch', id: 'r-1' })
  })

  it('S7 a dispatch of a fixed interval carries the decision instant', () => {
    expect(dispatchChange(everyRecord('r-1', MIN_EVERY_SECONDS), MAX_INSTANT)).toEqual({ version: 1, operation: 'dispatch', id: 'r-1', acceptedAt: '9999-12-31T23:59:59.999Z' })
  })
})

describe('fuzz', () => {
  /** What the decoder makes of data: the data itself, or a named refusal; everything else is thrown on. */
  const outcome = (data: unknown): unknown => {
    try {
      return decodeChange(data)
    } catch (error) {
      if (error instanceof CorruptLog) return data
      throw error
    }
  }

  it('X3 any JSON value is decoded to itself or refused by name', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        expect(outcome(data)).toEqual(data)
      }),
      { numRuns: 500 },
    )
  })

  it('X3 so is a change with members exchanged, dropped and added', () => {
    const member: fc.Arbitrary<string> = fc.constantFrom('version', 'operation', 'schedule', 'id', 'acceptedAt', 'kind', 'prompt', 'scheduledAt', 'afterSeconds', 'everySeconds', 'zone', '__proto__', 'constructor')
    const value = fc.oneof(fc.constantFrom<unknown>(1, 2, 'create', 'delete', 'dispatch', 'at', 'after', 'every', 'r-1', 300, '2026-10-09T01:00:00.000Z', AT, AFTER, EVERY), fc.jsonValue())
    const base = fc.constantFrom<object>(create(AT) as object, AT, AFTER, EVERY, deleteChange(id('r-1')))
    fc.assert(
      fc.property(base, fc.array(fc.tuple(member, value), { maxLength: 3 }), fc.array(member, { maxLength: 2 }), (whole, patches, drops) => {
        const data = Object.fromEntries([...Object.entries(whole), ...patches].filter(([name]) => !drops.includes(name)))
        for (const one of [data, create(data)]) expect(outcome(one)).toEqual(one)
      }),
      { numRuns: 1000 },
    )
  })
})
