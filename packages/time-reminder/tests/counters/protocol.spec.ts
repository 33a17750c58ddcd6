import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCounterWish } from '../../src/counters/input.ts'
import { COUNTER_CALLS, counterChangeOf, counterMeta } from '../../src/counters/protocol.ts'
import { isRefusal } from '../../src/errors.ts'

const SCOPE = { inject: false, toChildren: true, toParents: false, depth: 2 }

describe('the change that a value states', () => {
  it('R11 is the one that its fact states', () => {
    const value = { set: true, action: 'start', name: 'build', since: 'now', note: 'x', ...SCOPE }
    const [fact] = COUNTER_CALLS.facts(value)
    expect(fact).toEqual({ fact: 'counter', action: 'start', name: 'build', note: 'x', ...SCOPE })
    expect(counterChangeOf(fact)).toEqual({ action: 'start', name: 'build', note: 'x', ...SCOPE })
    expect(counterMeta(value)).toEqual({ timekeeper: { v: 1, facts: [fact] } })
    expect(counterChangeOf({ fact: 'counter', action: 'remove', name: 'build' })).toEqual({ action: 'remove', name: 'build' })
  })

  it.each([
    [{ action: 'start', name: 'a', ...SCOPE }],
    [{ set: true, action: 'lapse', name: 'a', ...SCOPE }],
    [{ set: true, action: 'start', name: '', ...SCOPE }],
    [{ set: true, action: 'start', name: 7, ...SCOPE }],
    [{ set: true, action: 'start', name: 'a', ...SCOPE, depth: 0 }],
    [{ set: true, action: 'start', name: 'a', ...SCOPE, depth: 17 }],
    [{ set: true, action: 'start', name: 'a', ...SCOPE, depth: 1.5 }],
    [{ set: true, action: 'start', name: 'a', ...SCOPE, inject: 'yes' }],
    [{ set: true, action: 'start', name: 'a', ...SCOPE, toChildren: 1 }],
    [{ set: true, action: 'start', name: 'a', ...SCOPE, toParents: null }],
    [{ set: true, action: 'start', name: 'a', ...SCOPE, note: 7 }],
    [{ code: 'no-such-counter', message: 'x' }],
    ['text'],
    [null],
  ])('R11 %j states none', (value) => {
    expect(COUNTER_CALLS.facts(value)).toEqual([])
  })

  it('R11 a fact of something else is none', () => {
    expect(counterChangeOf({ fact: 'mode', action: 'remove', name: 'a' })).toBeUndefined()
  })
})

describe('the arguments of time_counter', () => {
  it.each([
    [{}, 'bad-request', 'action'],
    [{ action: 'stop', name: 'a' }, 'bad-request', 'action'],
    [{ action: 'start' }, 'bad-name', 'name'],
    [{ action: 'start', name: 7 }, 'bad-name', 'name'],
    [{ action: 'start', name: ' \u200b\n' }, 'bad-name', 'name'],
    [{ action: 'start', name: 'x'.repeat(65) }, 'bad-name', 'name'],
    [{ action: 'start', name: 'a', note: 7 }, 'bad-request', 'note'],
    [{ action: 'note', name: 'a' }, 'bad-request', 'note'],
    [{ action: 'scope', name: 'a' }, 'bad-request', undefined],
    [{ action: 'start', name: 'a', inject: 'yes' }, 'bad-request', 'inject'],
    [{ action: 'start', name: 'a', depth: 0 }, 'bad-request', 'depth'],
    [{ action: 'start', name: 'a', depht: 1 }, 'bad-request', 'depht'],
    [[], 'bad-request', undefined],
  ])('R8 %j are refused as %s, naming %s', (args, code, field) => {
    const refusal = parseCounterWish(args)
    expect(refusal).toMatchObject({ code, ...(field !== undefined && { field }) })
  })

  it('R8 a name and a note are one visible line', () => {
    expect(parseCounterWish({ action: 'start', name: ' a\n\u200bb ', note: 'x\ny', inject: true, depth: 3 })).toEqual({ action: 'start', name: 'a b', note: 'x y', scope: { inject: true, depth: 3 } })
    expect(parseCounterWish({ action: 'list' })).toEqual({ action: 'list', name: '', note: undefined, scope: {} })
  })

  it('R8 X3 whatever the model sends is a wish or a refusal', () => {
    fc.assert(fc.property(fc.anything(), (args) => isRefusal(parseCounterWish(args)) || typeof parseCounterWish(args) === 'object'))
  })
})
