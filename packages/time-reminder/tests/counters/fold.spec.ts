import { describe, expect, it } from 'vitest'
import { CounterFold, type CounterTurn } from '../../src/counters/fold.ts'
import { HandLog } from '../events.ts'

const T = 1_000_000
const SCOPE = { inject: false, toChildren: true, toParents: false, depth: 2 }

function foldOf(...facts: readonly (readonly unknown[])[]): { fold: CounterFold; turns: CounterTurn[] } {
  const log = new HandLog()
  const turns: CounterTurn[] = []
  const fold = new CounterFold((turn) => void turns.push(turn))
  facts.forEach((list, n) => {
    log.add(T + n * 100, 'tool/call', { callId: `c${n}`, name: 'time_counter' })
    log.add(T + n * 100 + 7, 'tool/result', { message: { content: [{ toolCallId: `c${n}` }] }, meta: { timekeeper: { v: 1, facts: list } } }, { surfaceOp: 'append' })
  })
  for (const event of log.events) fold.apply(event)
  return { fold, turns }
}

const fact = (action: string, more: Record<string, unknown> = {}): unknown => ({ fact: 'counter', action, name: 'build', ...SCOPE, ...more })

describe('the fold', () => {
  it('R11 counts from the call, and a change of anything else leaves that', () => {
    const { fold } = foldOf([fact('start')], [fact('note', { note: 'x' })], [fact('scope', { note: 'x', depth: 3 })])
    expect(fold.counters.get('build')).toEqual({ name: 'build', since: T, note: 'x', ...SCOPE, depth: 3 })
    expect(foldOf([fact('start')], [fact('reset')]).fold.counters.get('build')?.since).toBe(T + 100)
  })

  it('R11 what changes a counter that is not there changes nothing and is no news', () => {
    const { fold, turns } = foldOf([fact('note', { note: 'x' })], [fact('remove')])
    expect([fold.counters.size, turns]).toEqual([0, []])
  })

  it('R11 facts of others, and facts that cannot be read, change nothing', () => {
    expect(foldOf([{ fact: 'mode', mode: 'off' }, fact('start', { depth: 99 }), 7]).fold.counters.size).toBe(0)
  })

  it('R10 says what was before and what is after', () => {
    const { turns } = foldOf([fact('start')], [fact('remove')])
    expect(turns.map(({ action, before, after }) => [action, before?.name, after?.name])).toEqual([['start', undefined, 'build'], ['remove', 'build', undefined]])
  })
})
