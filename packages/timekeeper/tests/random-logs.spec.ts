import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commands, play } from '../../tool-schedule/tests/random-log.ts'
import { framesOf, header, json, run, stored, textOf } from './harness.ts'

interface Report {
  readonly counts: { readonly active: number; readonly delivered: number; readonly missed: number; readonly problems: number }
  readonly series: readonly { readonly state: string }[]
  readonly queued: readonly { readonly id: string }[]
  readonly timeline: readonly { readonly kind: string; readonly id: string; readonly seq: number }[]
  readonly problems: readonly unknown[]
}

interface Change {
  readonly operation: string
}

describe('any course of a session', () => {
  it('T14 X7 the report agrees with the log event by event, plain and compressed, and finds nothing wrong', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (course) => {
        const log = play(course)
        const rows = [header(), ...log.events]
        const changes = log.events.filter(({ type }) => (type as string) === 'schedule/change').map(({ data }) => data as unknown as Change)
        const found = await json<Report>(['inspect', stored(textOf(rows))])
        const { counts, series, queued, timeline } = found
        expect(found.problems).toEqual([])
        expect(timeline).toHaveLength(changes.length)
        expect(timeline.filter(({ kind }) => kind === 'set' || kind === 'planned')).toHaveLength(changes.filter(({ operation }) => operation === 'create').length)
        expect(counts.delivered).toBe(changes.filter(({ operation }) => operation === 'dispatch').length)
        expect(counts.active).toBe(log.ledger.active.size)
        expect(series.filter(({ state }) => state === 'active' || state === 'paused')).toHaveLength(log.ledger.series.size)
        expect(queued.map(({ id }) => id).toSorted()).toEqual([...log.ledger.undispatched.keys()].toSorted())
        expect(timeline.map(({ seq }) => seq)).toEqual(timeline.map(({ seq }) => seq).toSorted((a, b) => a - b))
        expect(await json<Report>(['inspect', stored(Buffer.concat(framesOf(rows)))])).toMatchObject({ counts, timeline: [...timeline] })
        expect(await run(['inspect', stored(textOf(rows)), '--lang', 'zh'])).toMatchObject({ code: 0, err: '' })
      }),
      { numRuns: 60 },
    )
  })

  it('X3 X6 whatever an event holds, the report is made, and everything else is in it', async () => {
    const fact = fc.record(
      {
        fact: fc.constantFrom('plan', 'delivery', 'missed'),
        id: fc.constantFrom('r-1', 'r-2', 'r-2.1', 'r-3'),
        setBy: fc.constantFrom('model', 'person'),
        zone: fc.constantFrom('Asia/Shanghai', 'nowhere'),
        occurrenceAt: fc.constantFrom('9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z'),
        deliveredAt: fc.constantFrom('9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z'),
        reasons: fc.array(fc.string(), { maxLength: 2 }),
        series: fc.oneof(
          fc.record({ kind: fc.constant('cron'), cron: fc.constantFrom('0 9 * * *', 'x'), zone: fc.constantFrom('UTC', 'x'), count: fc.nat() }, { requiredKeys: ['kind'] }),
          fc.record({ kind: fc.constant('every'), everySeconds: fc.constantFrom(1, 300, 2e11, 1e13, 9e15), anchor: fc.constantFrom('9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z') }),
        ),
      },
      { requiredKeys: ['fact', 'id'] },
    )
    const carrier = fc.record({ timekeeper: fc.oneof(fc.jsonValue(), fc.record({ v: fc.constantFrom(1, 1, 1, 2), facts: fc.array(fact) })) })
    const data = fc.oneof(
      fc.jsonValue(),
      fc.record({ meta: carrier }),
      fc.record({ target: fc.constantFrom('next-turn', 'next-step', 'x'), start: fc.integer(), inserted: fc.array(fc.record({ id: fc.string(), source: carrier.map((more) => ({ kind: 'dsh-tool-schedule', ...more })) })) }),
      fc.record({ version: fc.constant(1), operation: fc.constantFrom('create', 'delete', 'dispatch'), id: fc.constantFrom('r-1', 'r-2.1'), schedule: fc.jsonValue() }, { requiredKeys: ['version', 'operation'] }),
    )
    const foreign = fc.record({ at: fc.nat(200), type: fc.constantFrom('schedule/change', 'tool/result', 'agent/inbox/spliced', 'user/message', 'tool/code-dispatch', 'turn/start', 'x/y'), data })
    await fc.assert(
      fc.asyncProperty(commands, fc.array(foreign, { minLength: 1, maxLength: 5 }), fc.nat(3), async (course, strange, seedLength) => {
        const events: object[] = [...play(course).events]
        for (const { at, ...event } of strange) events.splice(at % (events.length + 1), 0, event)
        const rows = events.map((event, seq) => ({ time: 0, ...event, seq }))
        const file = stored(textOf([header({ seedLength }), ...rows]))
        expect(await json<Report>(['inspect', file])).toMatchObject({ log: { events: rows.length } })
        expect((await run(['inspect', file, '--lang', 'zh'])).err).toBe('')
      }),
      { numRuns: 300 },
    )
  })
})
