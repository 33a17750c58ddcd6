import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeIn, RECEIPT } from '../../src/client/definitions.ts'
import type { ReceiptData } from '../../src/client/evidence.ts'
import type { PageEvent, PageLocation } from '../../src/client/page.ts'
import { create, delivery, dispatch, event, message, other } from '../events.ts'
import { assemble } from './page.ts'

const spliced = (seq: number, ...inserted: readonly object[]): PageEvent => event(seq, 'agent/inbox/spliced', { target: 'next-turn', inserted })
const entered = (seq: number, data: object, surfaceOp = 'append'): PageEvent => ({ ...event(seq, 'user/message', data), surfaceOp })
const planned = (seq: number, ...facts: readonly object[]): PageEvent => event(seq, 'tool/result', { meta: { timekeeper: { v: 1, facts } } })

function receiptsOf(events: readonly PageEvent[]): readonly ReceiptData[] {
  return assemble(events).nodes.filter(({ kind }) => kind === RECEIPT).map(({ data }) => data as ReceiptData)
}

describe('rows of the transcript', () => {
  it('S31 S35 a dispatch is a row at its own place, with what the window says about it', () => {
    const log = [create(1, 'r-1', 'stretch'), planned(2, { fact: 'plan', id: 'r-1', setBy: 'person' }), spliced(3, message('m-1', [delivery('r-1', 5000, ['busy'])])), dispatch(4, 'r-1')]
    const [node] = assemble(log).nodes
    expect(node).toMatchObject({ kind: RECEIPT, target: 'chat', anchorSeq: 4, visibility: 'visible' })
    expect(node?.data).toMatchObject({ event: dispatch(4, 'r-1'), creates: [create(1, 'r-1', 'stretch')], setBy: 'person', delivery: { messageId: 'm-1', reasons: ['busy'] } })
  })

  it('S5 ids that come again in a fork neither stop the page nor mix up', () => {
    const log = [create(1, 'r-1', 'of the parent'), dispatch(2, 'r-1'), create(3, 'r-1', 'of the child'), dispatch(4, 'r-1'), dispatch(5, 'r-1')]
    expect(receiptsOf(log).map(({ creates }) => creates.map(({ seq }) => seq))).toEqual([[1], [3, 1], [3, 1]])
  })

  it('T1 an occurrence of a series knows who set the series', () => {
    const log = [planned(0, { fact: 'plan', id: 's-1', setBy: 'model' }), create(1, 's-1.2'), dispatch(2, 's-1.2')]
    expect(receiptsOf(log)[0]?.setBy).toBe('model')
  })

  it('S35 a change of a kind that is not known here is a row as well', () => {
    expect(receiptsOf([event(1, 'schedule/change', { version: 9 })])).toEqual([{ event: event(1, 'schedule/change', { version: 9 }), creates: [], delivery: undefined, setBy: undefined }])
  })

  it.each([
    ['another sender', message('m-1', [delivery('r-1')], 'user')],
    ['no id', { ...message('m-1', [delivery('r-1')]), id: 7 }],
    ['no facts', message('m-1', [{ fact: 'missed', id: 'r-1' }, { fact: 'delivery', id: 7 }, 'junk' as never])],
    ['nothing at all', 'junk' as never],
  ])('X6 a message of %s delivers nothing', (_what, inserted) => {
    const log = [create(1, 'r-1'), spliced(2, inserted), dispatch(3, 'r-1')]
    expect(receiptsOf(log)[0]?.delivery).toBeUndefined()
  })

  it('X6 a plan of no known author is none', () => {
    expect(receiptsOf([planned(0, { fact: 'plan', id: 'r-1', setBy: 'nobody' }), create(1, 'r-1'), dispatch(2, 'r-1')])[0]?.setBy).toBeUndefined()
  })

  it('X3 no event makes a definition throw', () => {
    const junk = fc.record({ type: fc.constantFrom('schedule/change', 'user/message', 'agent/inbox/spliced', 'tool/result'), data: fc.anything() })
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 8 }), (bodies) => {
        const log = bodies.map(({ type, data }, seq) => ({ ...event(seq, type, data), surfaceOp: 'append' }))
        expect(() => assemble(log)).not.toThrow()
      }),
    )
  })

  it('X3 not even an event whose members cannot be read stops the transcript', () => {
    const hostile = { seq: 1, time: 0, get type(): string { throw new Error('no') }, get data(): unknown { throw new Error('no') } }
    const { evidence, receipt, answer } = assemble([]).definitions
    expect([evidence, receipt, answer].map((definition) => definition.match(hostile as PageEvent))).toEqual([null, null, null])
    const start = { event: hostile as PageEvent, get location(): PageLocation { throw new Error('no') } }
    const context = { key: 'k', id: '1', start: undefined, state: undefined }
    const reader = { previous: () => { throw new Error('no') } }
    expect(evidence.start(context, start, reader)).toMatchObject({ create: undefined, earlier: undefined })
    expect(receipt.start(context, start, reader)).toMatchObject({ creates: [] })
    expect(answer.start(context, start, reader)).toEqual({ outcome: 'running' })
    expect(receipt.buildViewNode?.(context)).toBeNull()
    const unplaced = { event: { ...event(0, 'schedule/change', {}), seq: Number.NaN }, location: { kind: 'session' } }
    expect(receipt.start(context, unplaced, reader)).toMatchObject({ event: { type: '' } })
    expect(evidence.start(context, unplaced, reader)).toMatchObject({ deliveries: [] })
  })
})

describe('what became of the turn', () => {
  const ended = (kind: string): PageLocation => ({ kind: 'turn', turn: { end: { data: { turn: 2, reason: { kind } } } } })

  it.each([
    ['is waiting without a turn', [], { kind: 'session' }, 'waiting'],
    ['is running in an open turn', [entered(3, message('m-1', [delivery('r-1')]))], { kind: 'turn', turn: { end: undefined } }, 'running'],
    ['answered', [entered(3, message('m-1', [delivery('r-1')]))], ended('completed'), 'answered'],
    ['answered as far as the limit allowed', [entered(3, message('m-1', [delivery('r-1')]))], ended('max-tokens'), 'answered'],
    ['failed', [entered(3, message('m-1', [delivery('r-1')]))], ended('error'), 'failed'],
    ['was stopped', [entered(3, message('m-1', [delivery('r-1')]))], ended('aborted'), 'stopped'],
    ['ended in a way that is not known here', [entered(3, message('m-1', [delivery('r-1')]))], ended('later'), 'stopped'],
  ] as const)('S35 the model %s', (_fact, events, location, outcome) => {
    const { definitions, nodes } = assemble([spliced(1, message('m-1', [delivery('r-1')])), dispatch(2, 'r-1'), ...events], () => location)
    const key = definitions.answerKey('m-1')
    expect(outcomeIn(nodes.find((node) => node.key === key))).toBe(outcome)
  })

  it('S35 stands in a row that is only read, and a rewritten message stands in none', () => {
    const data = message('m-1', [delivery('r-1')])
    expect(assemble([entered(3, data)]).nodes).toMatchObject([{ visibility: 'hidden' }])
    expect(assemble([entered(3, data, 'replace'), other(4)]).nodes).toEqual([])
    expect(outcomeIn({ ...assemble([entered(3, data)]).nodes[0]!, data: {} })).toBe('running')
  })
})
