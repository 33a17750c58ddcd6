import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inEnglish, isRefusal, REFUSALS, type Refusal, type RefusalCode } from '../src/errors.ts'
import { MAX_PROMPT_LENGTH, parseCreate, parseOptionalTarget, parseTarget, type CreateInput } from '../src/input.ts'
import { cpuMsOf, fail, NOW, utc } from './events.ts'

/** As the model reads it. */
type Told = ReturnType<typeof inEnglish>

const refused = (result: object | undefined): Told => (result !== undefined && isRefusal(result) ? inEnglish(result) : fail('it was accepted'))
const accepted = (result: CreateInput | Refusal): CreateInput => (isRefusal(result) ? fail(JSON.stringify(result)) : result)

const create = (args: object): CreateInput | Refusal => parseCreate({ prompt: 'stretch', ...args })
const local = (date: unknown, time: unknown, zone?: unknown): object => ({ at: { date, time, ...(zone !== undefined && { time_zone: zone }) } })

describe('S9 what is accepted', () => {
  const nothing = { until: undefined, count: undefined, lateLimitSeconds: undefined, wake: false }

  it.each([1, 60, 86_400, Number.MAX_SAFE_INTEGER])('after_seconds %i', (seconds) => {
    expect(create({ after_seconds: seconds })).toEqual({ prompt: 'stretch', selector: { kind: 'after', seconds }, ...nothing })
  })

  it.each([
    ['2026-10-09T01:00:00Z', '2026-10-09T01:00:00.000Z'],
    ['2026-10-09T09:00:00+08:00', '2026-10-09T01:00:00.000Z'],
    ['2026-10-08T15:30:00.5-09:30', '2026-10-09T01:00:00.500Z'],
    ['2026-10-09T01:00:00.123Z', '2026-10-09T01:00:00.123Z'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z'],
  ])('S21 at %s is the instant %s, whether it is past or not', (at, instant) => {
    expect(accepted(create({ at })).selector).toEqual({ kind: 'instant', instant: utc(instant) })
  })

  it('S9 a local at with and without its zone', () => {
    const parsed = { year: 2026, month: 10, day: 9, hour: 9, minute: 0, second: 0, millisecond: 0 }
    expect(accepted(create(local('2026-10-09', '09:00'))).selector).toEqual({ kind: 'local', local: parsed, zone: undefined })
    expect(accepted(create(local('2026-10-09', '09:00:00', 'asia/shanghai'))).selector).toEqual({ kind: 'local', local: parsed, zone: 'Asia/Shanghai' })
  })

  it.each([300, 2700, 5400, 9000])('T1 B17 B18 every_seconds %i is an interval, exactly', (seconds) => {
    expect(accepted(create({ every_seconds: seconds })).selector).toEqual({ kind: 'every', seconds })
  })

  it('T2 cron with its zone', () => {
    const { selector } = accepted(create({ cron: '0  9 * * mon-fri', time_zone: 'Europe/Berlin' }))
    expect(selector).toMatchObject({ kind: 'cron', cron: { text: '0 9 * * MON-FRI' }, zone: 'Europe/Berlin' })
  })

  it('B15 cron takes 7 for Sunday', () => {
    expect(accepted(create({ cron: '0 9 * * 7', time_zone: 'UTC' })).selector).toMatchObject({ cron: { weekdays: [0] } })
  })

  it('T4 T5 T9 every option', () => {
    expect(create({ every_seconds: 300, until: '2026-12-31T23:59:59+01:00', count: 3, late_limit_seconds: 60, wake: true })).toEqual({
      prompt: 'stretch', selector: { kind: 'every', seconds: 300 }, until: utc('2026-12-31T22:59:59Z'), count: 3, lateLimitSeconds: 60, wake: true,
    })
    expect(accepted(create({ cron: '0 9 * * *', time_zone: 'UTC', count: 2, until: '2026-12-31T00:00:00Z' }))).toMatchObject({ count: 2, until: utc('2026-12-31T00:00:00Z') })
    expect(accepted(create({ after_seconds: 5, wake: false, late_limit_seconds: 1 }))).toMatchObject({ wake: false, lateLimitSeconds: 1 })
  })

  it('S7 the prompt is trimmed, and its inner lines are kept', () => {
    expect(accepted(parseCreate({ prompt: '\u2028\t stretch\nyour back \n', after_seconds: 5 })).prompt).toBe('stretch\nyour back')
  })

  it('S9 a prompt of the greatest length', () => {
    expect(accepted(parseCreate({ prompt: 'x'.repeat(MAX_PROMPT_LENGTH), after_seconds: 5 })).prompt).toHaveLength(MAX_PROMPT_LENGTH)
  })

  it('S9 a field that is given as undefined is not given', () => {
    expect(create({ after_seconds: 5, at: undefined, time_zone: undefined, until: undefined })).toEqual({ prompt: 'stretch', selector: { kind: 'after', seconds: 5 }, ...nothing })
  })
})

interface Row {
  readonly what: string
  readonly args: unknown
  readonly code: RefusalCode
  readonly field?: string
  readonly detail?: string | RegExp
}

const number = /must be a whole number of 1 or more/
const zones = ['UTC+8', 'GMT+8', 'CST', 'EST', 'Etc/GMT+8', ' Asia/Kolkata ', 'Asia/Kolkata\n', '+08:00', 'Mars/Olympus', '', 8, null, {}, ['UTC']]
const at = (value: unknown): object => ({ prompt: 'stretch', at: value })
const cron = (value: unknown, zone: unknown = 'UTC'): object => ({ prompt: 'stretch', cron: value, time_zone: zone })

const rows: Row[] = [
  ...[undefined, null, 'stretch', 7, [], true].map((args): Row => ({ what: `arguments ${JSON.stringify(args)}`, args, code: 'invalid_selector', detail: 'The arguments must be one object.' })),
  ...['', ' ', '\n\u2028\u00a0', 'x'.repeat(MAX_PROMPT_LENGTH + 1), 7, null, undefined, ['x'], {}].map((prompt): Row => ({ what: `arguments with ${JSON.stringify({ prompt }).slice(0, 30)}`, args: { prompt, after_seconds: 5 }, code: 'invalid_prompt', field: 'prompt' })),
  { what: 'no selector', args: { prompt: 'x' }, code: 'invalid_selector', detail: 'No selector is given.' },
  { what: 'only an option', args: { prompt: 'x', count: 3 }, code: 'invalid_selector', detail: 'No selector is given.' },
  { what: 'two selectors', args: { prompt: 'x', after_seconds: 5, at: '2026-10-09T01:00:00Z' }, code: 'invalid_selector', detail: 'Given together: after_seconds, at.' },
  { what: 'all selectors', args: { prompt: 'x', cron: '* * * * *', after_seconds: 5, at: 'x', every_seconds: 300 }, code: 'invalid_selector', detail: 'Given together: after_seconds, at, every_seconds, cron.' },
  { what: 'a selector that is null beside another', args: { prompt: 'x', after_seconds: 5, at: null }, code: 'invalid_selector', detail: 'Given together: after_seconds, at.' },
  ...['zone', 'timeZone', 'every', 'when', 'Prompt', 'id', '__proto__', ''].map((name): Row => ({ what: `the unknown field ${JSON.stringify(name)}`, args: JSON.parse(`{"prompt":"x","after_seconds":5,${JSON.stringify(name)}:1}`), code: 'invalid_selector', field: name, detail: `${name} is not a known field.` })),
  { what: 'an unknown field is named before anything else', args: { every: 5 }, code: 'invalid_selector', field: 'every' },
  ...[0, -1, 1.5, 2 ** 53, '60', null, true, [60], {}, Number.NaN, Number.POSITIVE_INFINITY].map((value): Row => ({ what: `after_seconds ${JSON.stringify(value)}`, args: { prompt: 'x', after_seconds: value }, code: 'invalid_rule', field: 'after_seconds', detail: number })),
  ...[0, -5, 1.5, 2 ** 53, '300', null].map((value): Row => ({ what: `B23 every_seconds ${JSON.stringify(value)}`, args: { prompt: 'x', every_seconds: value }, code: 'invalid_rule', field: 'every_seconds', detail: number })),
  ...[1, 60, 299].map((value): Row => ({ what: `every_seconds ${value}`, args: { prompt: 'x', every_seconds: value }, code: 'frequency_too_high', field: 'every_seconds' })),
  { what: 'B23 a zone with every_seconds', args: { prompt: 'x', every_seconds: 300, time_zone: 'UTC' }, code: 'invalid_selector', field: 'time_zone', detail: 'time_zone has no meaning with every_seconds.' },
  { what: 'a zone with after_seconds', args: { prompt: 'x', after_seconds: 300, time_zone: 'UTC' }, code: 'invalid_selector', field: 'time_zone', detail: 'time_zone has no meaning with after_seconds.' },
  { what: 'a zone beside at', args: { prompt: 'x', at: { date: '2026-10-09', time: '09:00' }, time_zone: 'UTC' }, code: 'invalid_selector', field: 'time_zone', detail: 'Put time_zone inside at, beside date and time.' },
  ...['tomorrow', '2026-10-09', '2026-10-09T09:00', '2026-10-09T09:00:00', '2026-10-09 09:00:00Z', '2026-10-09t09:00:00z', '2026-10-09T09:00:00.1234Z', '2026-10-09T09:00:00+0800', '2026-10-09T09:00:00+08:00[Asia/Shanghai]', ' 2026-10-09T09:00:00Z', '2026-W41-5T09:00:00Z', ''].map((value): Row => ({ what: `S21 at ${JSON.stringify(value)}`, args: at(value), code: 'invalid_rule', field: 'at', detail: /must look like 2026-10-09T09:00:00\+08:00/ })),
  ...['2026-02-30T09:00:00Z', '2025-02-29T09:00:00Z', '2026-13-01T09:00:00Z', '2026-10-09T24:00:00Z', '2026-10-09T09:60:00Z', '2026-12-31T23:59:60Z'].map((value): Row => ({ what: `S21 at ${value}`, args: at(value), code: 'invalid_rule', field: 'at', detail: 'This date or time of day does not exist.' })),
  ...['2026-10-09T09:00:00+24:00', '2026-10-09T09:00:00+08:60', '2026-10-09T09:00:00-00:00'].map((value): Row => ({ what: `S21 at ${value}`, args: at(value), code: 'invalid_rule', field: 'at', detail: 'The numeric offset is not valid.' })),
  ...['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+08:00', '9999-12-31T23:59:59-08:00'].map((value): Row => ({ what: `S21 at ${value}`, args: at(value), code: 'time_out_of_range', field: 'at', detail: 'The year must have four digits, in UTC too.' })),
  ...[7, null, true, [], ['2026-10-09', '09:00']].map((value): Row => ({ what: `at ${JSON.stringify(value)}`, args: at(value), code: 'invalid_rule', field: 'at', detail: 'at is a text with an offset, or { date, time, time_zone? }.' })),
  { what: 'an unknown field inside at', args: at({ date: '2026-10-09', time: '09:00', zone: 'UTC' }), code: 'invalid_rule', field: 'at.zone', detail: 'Known fields of at: date, time, time_zone.' },
  ...[{}, { date: '2026-10-09' }, { time: '09:00' }, { date: 20261009, time: '09:00' }, { date: '2026-10-09', time: 900 }].map((value): Row => ({ what: `at ${JSON.stringify(value)}`, args: at(value), code: 'invalid_rule', field: 'at', detail: /are needed/ })),
  ...['2026-2-3', '20261009', '09.10.2026', '10/09/2026', 'tomorrow', ' 2026-10-09', '2026-10-09T00:00'].map((date): Row => ({ what: `at.date ${date}`, args: at({ date, time: '09:00' }), code: 'invalid_rule', field: 'at.date', detail: 'date must look like 2026-10-09.' })),
  ...['9:00', '9am', '09:00 PM', '0900', '09:00Z', '09:00+08:00', '09:00:0', ''].map((time): Row => ({ what: `at.time ${time}`, args: at({ date: '2026-10-09', time }), code: 'invalid_rule', field: 'at.time', detail: 'time must look like 09:00 or 09:00:30.' })),
  ...['2026-02-29', '2026-04-31', '2026-00-10', '2026-13-01', '0000-01-01'].map((date): Row => ({ what: `at.date ${date}`, args: at({ date, time: '09:00' }), code: 'invalid_rule', field: 'at.date', detail: 'It does not exist.' })),
  ...['24:00', '23:60', '09:00:60'].map((time): Row => ({ what: `at.time ${time}`, args: at({ date: '2026-10-09', time }), code: 'invalid_rule', field: 'at.time', detail: 'It does not exist.' })),
  ...zones.map((zone): Row => ({ what: `B12 at.time_zone ${JSON.stringify(zone)}`, args: at({ date: '2026-10-09', time: '09:00', time_zone: zone }), code: 'invalid_time_zone', field: 'at.time_zone' })),
  ...zones.map((zone): Row => ({ what: `B12 B11 time_zone ${JSON.stringify(zone)} of cron`, args: cron('0 9 * * *', zone), code: 'invalid_time_zone', field: 'time_zone', detail: 'cron needs the time_zone that it is meant in.' })),
  { what: 'B11 cron without a zone', args: { prompt: 'x', cron: '0 9 * * *' }, code: 'invalid_time_zone', field: 'time_zone', detail: 'cron needs the time_zone that it is meant in.' },
  { what: 'B23 a cron that is none', args: cron('not a cron'), code: 'invalid_rule', field: 'cron', detail: /five fields/ },
  { what: 'B23 an empty cron', args: cron(''), code: 'invalid_rule', field: 'cron', detail: /five fields/ },
  { what: 'B23 a cron of six fields', args: cron('0 0 9 * * *'), code: 'invalid_rule', field: 'cron', detail: /five fields/ },
  { what: 'a cron that is no text', args: cron(9), code: 'invalid_rule', field: 'cron', detail: /five fields/ },
  { what: 'a cron macro', args: cron('@daily'), code: 'invalid_rule', field: 'cron', detail: /@DAILY/ },
  { what: 'a cron with a minute that does not exist', args: cron('60 9 * * *'), code: 'invalid_rule', field: 'cron', detail: /minute/ },
  { what: 'B21 a cron with LW', args: cron('0 5 LW * *'), code: 'invalid_rule', field: 'cron', detail: /nearest weekday/ },
  { what: 'B22 a cron with W', args: cron('0 9 1W * *'), code: 'invalid_rule', field: 'cron', detail: /nearest weekday/ },
  ...['0 0 31 4 *', '0 0 30 2 *', '0 0 31 2,4,6 *'].map((text): Row => ({ what: `B19 cron ${text}`, args: cron(text), code: 'no_future_occurrence', field: 'cron', detail: /never occurs/ })),
  ...['until', 'count'].flatMap((name) => [{ after_seconds: 5 }, { at: '2026-10-09T01:00:00Z' }].map((rule): Row => ({ what: `T4 ${name} with ${Object.keys(rule).join()}`, args: { prompt: 'x', ...rule, [name]: 1 }, code: 'invalid_selector', field: name, detail: `${name} goes with every_seconds or cron only.` }))),
  ...[0, -1, 1.5, '3', null, 2 ** 53].map((count): Row => ({ what: `T4 count ${JSON.stringify(count)}`, args: { prompt: 'x', every_seconds: 300, count }, code: 'invalid_rule', field: 'count', detail: number })),
  ...[0, -1, '60', null, 0.5].map((limit): Row => ({ what: `T5 late_limit_seconds ${JSON.stringify(limit)}`, args: { prompt: 'x', after_seconds: 5, late_limit_seconds: limit }, code: 'invalid_rule', field: 'late_limit_seconds', detail: number })),
  ...['yes', 1, null, {}].map((wake): Row => ({ what: `T9 wake ${JSON.stringify(wake)}`, args: { prompt: 'x', after_seconds: 5, wake }, code: 'invalid_rule', field: 'wake', detail: 'wake is true or false.' })),
  ...['2026-12-31', 'never', 7, null, {}, '2026-02-30T00:00:00Z', '9999-12-31T23:59:59-08:00'].map((until): Row => ({ what: `T4 until ${JSON.stringify(until)}`, args: { prompt: 'x', every_seconds: 300, until }, code: 'invalid_rule', field: 'until', detail: /until must look like/ })),
]

describe('S10 S15 S21 T4 T5 T9 B11 B12 B19 B21 B22 B23 what is refused', () => {
  it.each(rows)('$what is $code', ({ args, code, field, detail }) => {
    const refusal = refused(parseCreate(args))
    expect(refusal).toMatchObject({ code, message: REFUSALS[code], ...(field !== undefined && { field }) })
    if (field === undefined) expect(refusal).not.toHaveProperty('field')
    if (detail !== undefined) expect(refusal.detail).toMatch(detail)
  })

  it('T2 B19 an expression that can never match is refused in under 50 ms', () => {
    for (const text of ['0 0 31 4 *', '0 0 30 2 *', '0 0 31 2,4,6 *', '0 0 31 11 *']) expect(cpuMsOf(() => refused(parseCreate(cron(text))))).toBeLessThan(50)
  })
})

describe('ids of reminders', () => {
  it('S13 an id is trimmed, and a delay is read where one is needed', () => {
    expect(parseTarget({ id: ' r-1 ' }, false)).toEqual({ id: 'r-1', seconds: 0 })
    expect(parseTarget({ id: 'r-1', after_seconds: 600 }, true)).toEqual({ id: 'r-1', seconds: 600 })
  })

  it.each<[string, unknown, boolean, Partial<Told>]>([
    ['no arguments', undefined, false, { code: 'invalid_selector', detail: 'The arguments must be one object.' }],
    ['a list', ['r-1'], true, { code: 'invalid_selector', detail: 'The arguments must be one object.' }],
    ['an unknown field', { id: 'r-1', all: true }, false, { code: 'invalid_selector', field: 'all', detail: 'Known fields: id.' }],
    ['a delay where none is needed', { id: 'r-1', after_seconds: 5 }, false, { code: 'invalid_selector', field: 'after_seconds', detail: 'Known fields: id.' }],
    ['an unknown field of a snooze', { id: 'r-1', after_seconds: 5, until: 'x' }, true, { code: 'invalid_selector', field: 'until', detail: 'Known fields: id, after_seconds.' }],
    ['no id', {}, false, { code: 'invalid_rule', field: 'id' }],
    ['an empty id', { id: ' ' }, false, { code: 'invalid_rule', field: 'id' }],
    ['an id that is a number', { id: 1 }, true, { code: 'invalid_rule', field: 'id' }],
    ['no delay', { id: 'r-1' }, true, { code: 'invalid_rule', field: 'after_seconds' }],
    ['a delay of 0', { id: 'r-1', after_seconds: 0 }, true, { code: 'invalid_rule', field: 'after_seconds' }],
    ['a delay of half a second', { id: 'r-1', after_seconds: 0.5 }, true, { code: 'invalid_rule', field: 'after_seconds' }],
  ])('S10 T7 %s is refused', (_what, args, withDelay, refusal) => {
    expect(refused(parseTarget(args, withDelay))).toMatchObject({ message: REFUSALS[refusal.code ?? fail('no code')], ...refusal })
  })
})

describe('a target that may be left out', () => {
  it('S9 is none, or an id', () => {
    expect(parseOptionalTarget({})).toEqual({ id: undefined })
    expect(parseOptionalTarget({ id: ' r-1 ' })).toMatchObject({ id: 'r-1' })
  })

  it.each<[unknown, Partial<Told>]>([
    [{ limit: 5 }, { code: 'invalid_selector', field: 'limit', detail: 'Known fields: id.' }],
    [{ id: 'r-1', all: true }, { code: 'invalid_selector', field: 'all' }],
    [{ id: ' ' }, { code: 'invalid_rule', field: 'id' }],
    [{ id: 7 }, { code: 'invalid_rule', field: 'id' }],
    [undefined, { code: 'invalid_selector', detail: 'The arguments must be one object.' }],
    [null, { code: 'invalid_selector' }],
    ['all', { code: 'invalid_selector' }],
    [[], { code: 'invalid_selector' }],
  ])('S10 %j is refused', (args, refusal) => {
    expect(refused(parseOptionalTarget(args))).toMatchObject({ message: REFUSALS[refusal.code ?? fail('no code')], ...refusal })
  })
})

describe('fuzz', () => {
  const field = fc.constantFrom('prompt', 'after_seconds', 'at', 'every_seconds', 'cron', 'time_zone', 'until', 'count', 'late_limit_seconds', 'wake', 'id', 'date', 'time', '__proto__', 'toString')
  const word = fc.oneof(
    fc.constantFrom<unknown>('stretch', 'UTC', 'Asia/Shanghai', '2026-10-09T09:00:00+08:00', '2026-10-09', '09:00', '0 9 * * *', '*/5 * * * *', '@daily', 1, 300, 2 ** 53, -0, true, null),
    fc.jsonValue(),
    fc.stringMatching(/^[-0-9*/,A-Z ]{0,20}$/),
  )
  const args = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.oneof(word, fc.dictionary(field, word))))

  it('X3 no JSON makes a parser throw or hang, and every answer is of the closed set', () => {
    fc.assert(
      fc.property(args, (value) => {
        const started = performance.now()
        for (const result of [parseCreate(value), parseTarget(value, true), parseTarget(value, false), parseOptionalTarget(value)]) {
          if (isRefusal(result)) expect(REFUSALS[result.code]).toBe(result.message)
        }
        expect(performance.now() - started).toBeLessThan(500)
      }),
      { numRuns: 1500 },
    )
  })

  it('X3 what is accepted has a trimmed prompt, one selector and positive numbers', () => {
    const selector = fc.oneof(fc.record({ after_seconds: fc.nat() }), fc.record({ every_seconds: fc.nat(1000) }), fc.record({ at: fc.constantFrom('2026-10-09T09:00:00Z', 'x') }))
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), selector, fc.record({ count: fc.integer({ min: -1, max: 3 }), wake: fc.boolean() }, { requiredKeys: [] }), (prompt, rule, options) => {
        const input = parseCreate({ prompt, ...rule, ...options })
        if (isRefusal(input)) return
        expect(input.prompt).toBe(prompt.trim())
        expect(input.prompt).not.toBe('')
        if ('seconds' in input.selector) expect(input.selector.seconds).toBeGreaterThan(0)
        if (input.count !== undefined) expect(input.count).toBeGreaterThan(0)
      }),
    )
  })
})

it('S21 whether an instant is past is no matter of its shape', () => {
  expect(accepted(create({ at: '1999-01-01T00:00:00Z' })).selector).toEqual({ kind: 'instant', instant: utc('1999-01-01T00:00:00Z') })
  expect(NOW).toBeGreaterThan(utc('1999-01-01T00:00:00Z'))
})
