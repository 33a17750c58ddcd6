import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CARRIER, carry, instantOf, planFacts, readFacts, subCallFacts, type DeliveryFact, type Fact, type MissedFact, type PlanFact, type SeriesRule } from '../src/facts.ts'
import { isRefusal } from '../src/errors.ts'
import { parseCreate } from '../src/input.ts'
import { planReminder, type Planned } from '../src/plan.ts'
import { viewReminder } from '../src/view.ts'
import { fail, id, NOW, planFact, POLICY, zone } from './events.ts'

const INSTANT = '2026-10-09T01:00:00.000Z'
const EVERY: SeriesRule = { kind: 'every', everySeconds: 300, anchor: INSTANT }
const CRON: SeriesRule = { kind: 'cron', cron: '0 9 * * *', zone: 'Asia/Shanghai' }
const DELIVERY: DeliveryFact = { fact: 'delivery', id: id('r-1'), occurrenceAt: INSTANT, deliveredAt: INSTANT, reasons: ['busy'] }
const MISSED: MissedFact = { fact: 'missed', id: id('r-1'), occurrenceAt: INSTANT, decidedAt: INSTANT, reasons: [] }

const wellFormed: Fact[] = [
  planFact('r-1'),
  planFact('r-1', { setBy: 'person', unattended: true, zone: 'Asia/Shanghai', lateLimitSeconds: 60, wake: true, snoozeOf: id('r-0') }),
  planFact('r-1', { replaces: id('r-0') }),
  planFact('r-1', { series: EVERY }),
  planFact('r-1', { series: { ...EVERY, until: INSTANT, count: 3 } }),
  planFact('r-1', { series: CRON }),
  planFact('r-1', { series: { ...CRON, until: INSTANT } }),
  DELIVERY,
  { ...DELIVERY, last: true },
  MISSED,
  { ...MISSED, last: true },
]

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('carriers', () => {
  it.each(wellFormed)('X7 %j comes back as it was', (fact) => {
    expect(readFacts(json(carry([fact])))).toEqual([fact])
  })

  it('X7 facts ride beside the other members of a source, in their order', () => {
    expect(readFacts({ kind: 'dsh-tool-schedule', form: 'notice', ...(json(carry(wellFormed)) as object) })).toEqual(wellFormed)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'timekeeper'],
    ['a number', 7],
    ['a list', [carry([DELIVERY])]],
    ['a carrier of another version', { [CARRIER]: { v: 2, facts: [DELIVERY] } }],
    ['a carrier whose version is a text', { [CARRIER]: { v: '1', facts: [DELIVERY] } }],
    ['a carrier without facts', { [CARRIER]: { v: 1 } }],
    ['a carrier whose facts are no list', { [CARRIER]: { v: 1, facts: DELIVERY } }],
    ['a carrier that is a text', { [CARRIER]: 'v1' }],
    ['an envelope of another name', { clock: { v: 1, facts: [DELIVERY] } }],
  ])('X6 %s holds no facts', (_name, carrier) => {
    expect(readFacts(carrier)).toEqual([])
  })
})

describe('X6 a fact that cannot be read is left out, and its neighbours are kept', () => {
  const plan = (more: object): unknown => ({ ...planFact('r-1'), ...more })
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'plan'],
    ['a list', ['plan']],
    ['of no kind', { id: 'r-1' }],
    ['of an unknown kind', { ...DELIVERY, fact: 'receipt' }],
    ['of the clock of this bundle', { fact: 'mode', mode: 'turn' }],
    ['without an id', { ...DELIVERY, id: undefined }],
    ['with an empty id', { ...DELIVERY, id: '' }],
    ['with an untrimmed id', { ...DELIVERY, id: 'r-1 ' }],
    ['with an id that is no text', plan({ id: 1 })],
    ['set by nobody', plan({ setBy: undefined })],
    ['set by somebody else', plan({ setBy: 'host' })],
    ['with an empty zone', plan({ zone: '' })],
    ['with a zone that is no text', plan({ zone: 8 })],
    ['with a late limit of 0', plan({ lateLimitSeconds: 0 })],
    ['with a late limit that is no number', plan({ lateLimitSeconds: '60' })],
    ['with a late limit that is no whole number', plan({ lateLimitSeconds: 1.5 })],
    ['with wake: false', plan({ wake: false })],
    ['with unattended: 1', plan({ unattended: 1 })],
    ['with an empty snoozeOf', plan({ snoozeOf: '' })],
    ['with replaces that is no id', plan({ replaces: 7 })],
    ['with a series of no kind', plan({ series: {} })],
    ['with a series that is a text', plan({ series: 'daily' })],
    ['with a series of an unknown kind', plan({ series: { kind: 'lunar' } })],
    ['with an interval of 0', plan({ series: { ...EVERY, everySeconds: 0 } })],
    ['with an interval that is a text', plan({ series: { ...EVERY, everySeconds: '300' } })],
    ['with an anchor that is not canonical', plan({ series: { ...EVERY, anchor: '2026-10-09T01:00:00Z' } })],
    ['with an empty cron', plan({ series: { ...CRON, cron: '' } })],
    ['with a cron without a zone', plan({ series: { ...CRON, zone: undefined } })],
    ['with an end that is not canonical', plan({ series: { ...CRON, until: 'tomorrow' } })],
    ['with a count of 0', plan({ series: { ...EVERY, count: 0 } })],
    ['a delivery at no instant', { ...DELIVERY, occurrenceAt: undefined }],
    ['a delivery at an instant that is a number', { ...DELIVERY, deliveredAt: NOW }],
    ['a delivery whose reasons are no list', { ...DELIVERY, reasons: 'busy' }],
    ['a delivery whose reasons are no words', { ...DELIVERY, reasons: ['busy', 1] }],
    ['a miss at no instant', { ...MISSED, occurrenceAt: undefined }],
    ['a miss that was decided at no instant', { ...MISSED, decidedAt: null }],
    ['a miss without reasons', { ...MISSED, reasons: undefined }],
  ])('%s', (_name, fact) => {
    expect(readFacts(json(carry([DELIVERY, fact as Fact, MISSED])))).toEqual([DELIVERY, MISSED])
  })

  it('X3 any JSON as a carrier, an envelope or a fact gives facts of our shape, and never throws', () => {
    const key = fc.constantFrom('fact', 'id', 'setBy', 'series', 'kind', 'everySeconds', 'anchor', 'cron', 'zone', 'until', 'count', 'occurrenceAt', 'deliveredAt', 'decidedAt', 'reasons')
    const word = fc.constantFrom<unknown>('plan', 'delivery', 'missed', 'r-1', 'model', 'every', 'cron', INSTANT, 300, 'UTC', '* * * * *', ['busy'], EVERY, CRON)
    const fact = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.oneof(word, fc.jsonValue())), fc.constantFrom(...wellFormed))
    const carrier = fc.oneof(fc.jsonValue(), fc.array(fact).map((facts) => json({ [CARRIER]: { v: 1, facts } })))
    fc.assert(
      fc.property(carrier, (value) => {
        const facts = readFacts(value)
        expect(readFacts(json(carry(facts)))).toEqual(facts)
        for (const { fact: kind } of facts) expect(['plan', 'delivery', 'missed']).toContain(kind)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('what a tool value says', () => {
  const zones = { request: { kind: 'one', zone: zone('Asia/Shanghai') }, session: zone('Asia/Shanghai'), isMarked: true } as const

  function planned(args: unknown, more: { setBy?: 'model' | 'person'; unattended?: boolean; bare?: boolean } = {}): Planned {
    const input = parseCreate(args)
    if (isRefusal(input)) return fail(JSON.stringify(input))
    const noZones = { request: { kind: 'unavailable' }, session: undefined, isMarked: false } as const
    const result = planReminder(input, { id: id('r-7'), now: NOW, zones: more.bare === true ? noZones : zones, setBy: more.setBy ?? 'model', unattended: more.unattended ?? false })
    return isRefusal(result) ? fail(JSON.stringify(result)) : result
  }

  const echo = ({ record, plan }: Planned): unknown => ({ deliveryMode: 'session-local', set: true, ...viewReminder({ record, dueAt: instantOf(record.scheduledAt), plan, series: undefined }, NOW, POLICY) })

  const requests = fc.record(
    {
      prompt: fc.constantFrom('stretch', 'call Ann'),
      selector: fc.constantFrom<object>(
        { after_seconds: 60 },
        { at: '2026-10-10T09:00:00+08:00' },
        { at: { date: '2026-10-10', time: '09:00' } },
        { at: { date: '2026-10-10', time: '09:00', time_zone: 'Europe/Berlin' } },
        { every_seconds: 300 },
        { every_seconds: 86_400, until: '2026-12-31T00:00:00Z', count: 3 },
        { cron: '0 9 * * 1-5', time_zone: 'America/New_York' },
        { cron: '30 2 * * *', time_zone: 'UTC', count: 1 },
        { cron: '30 2 L * *', time_zone: 'Etc/UTC', until: '2027-12-31T00:00:00Z' },
      ),
      late_limit_seconds: fc.integer({ min: 1, max: 86_400 }),
      wake: fc.boolean(),
    },
    { requiredKeys: ['prompt', 'selector'] },
  )

  it('X7 is exactly the plan that was made: nothing is kept in a second place', () => {
    fc.assert(
      fc.property(requests, fc.record({ setBy: fc.constantFrom<'model' | 'person'>('model', 'person'), unattended: fc.boolean() }), ({ selector, ...rest }, more) => {
        const made = planned({ ...rest, ...selector }, more)
        expect(planFacts(json(echo(made)))).toEqual([made.plan])
      }),
    )
  })

  it('X7 also where no zone is known', () => {
    for (const args of [{ prompt: 'x', after_seconds: 60 }, { prompt: 'x', every_seconds: 300 }]) {
      const made = planned(args, { bare: true })
      expect(made.plan.zone).toBeUndefined()
      expect(planFacts(json(echo(made)))).toEqual([made.plan])
    }
  })

  it('T7 of a snooze is the plan with its link', () => {
    const plan: PlanFact = planFact('r-8', { snoozeOf: id('r-7'), zone: 'Asia/Shanghai' })
    const record = { id: id('r-8'), kind: 'after', prompt: 'x', afterSeconds: 60, scheduledAt: INSTANT } as const
    expect(planFacts(json(echo({ record, plan })))).toEqual([plan])
  })

  it.each<[string, unknown]>([
    ['a list of reminders', { total: 1, reminders: [{ id: 'r-1', kind: 'at' }] }],
    ['a view that sets nothing', { id: 'r-1', kind: 'at' }],
    ['a refusal', { code: 'not_future', message: 'x' }],
    ['set: 1', { set: 1, id: 'r-1' }],
    ['a value without an id', { set: true }],
    ['a value with a broken rule', { set: true, id: 'r-1', kind: 'every', everySeconds: 300 }],
    ['a text', 'set'],
    ['null', null],
  ])('X6 %s says nothing', (_name, value) => {
    expect(planFacts(value)).toEqual([])
  })

  it('X3 any JSON value is read without a throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('set', 'id', 'kind', 'cron', 'zone', 'everySeconds', 'scheduledAt', 'setBy'), fc.oneof(fc.constantFrom<unknown>(true, 'r-1', 'cron', 'every', 300, INSTANT), fc.jsonValue()))), (value) => {
        expect(planFacts(value).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a call inside a program', () => {
  const made = JSON.stringify({ deliveryMode: 'session-local', set: true, id: 'r-1', kind: 'at', zone: 'UTC' })
  const text = (value: string): unknown[] => [{ type: 'text', text: value }]

  it.each(['schedule_create', 'schedule_snooze', 'reminder_create', 'reminder_snooze'])('X7 the logged text of %s says what was set', (tool) => {
    expect(subCallFacts(tool, text(made))).toEqual([planFact('r-1', { zone: 'UTC' })])
  })

  it.each<[string, string, unknown[]]>([
    ['another tool', 'web_fetch', text(made)],
    ['a tool with a name that only begins alike', 'schedule_create_all', text(made)],
    ['a tool of ours that sets nothing', 'schedule_list', text(made)],
    ['a result without content', 'schedule_create', []],
    ['a result that is no text', 'schedule_create', [{ type: 'image', data: made }]],
    ['a text that was cut', 'schedule_create', text(made.slice(0, -3))],
    ['a text that is no object', 'schedule_create', text('"set"')],
    ['a refusal', 'schedule_create', text('{"code":"not_future"}')],
  ])('X4 %s says nothing', (_what, tool, content) => {
    expect(subCallFacts(tool, content)).toEqual([])
  })
})

it('S22 the instant of a stored text is read without a zone', () => {
  expect(instantOf(INSTANT)).toBe(NOW)
})
