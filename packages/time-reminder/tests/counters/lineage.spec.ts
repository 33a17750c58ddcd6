import { describe, expect, it } from 'vitest'
import type { Counter } from '../../src/counters/fold.ts'
import { Lineage, relationText, type Kin } from '../../src/counters/lineage.ts'

const counter = (more: Partial<Counter> = {}): Counter => ({ name: 'c', since: 0, note: undefined, inject: false, toChildren: true, toParents: true, depth: 16, ...more })

function kin(id: string, parent?: string, counters: readonly Counter[] = []): Kin {
  return { id, parent, counters: new Map(counters.map((one) => [one.name, one])) }
}

describe('a lineage', () => {
  it('R9 knows who sees a counter, and from where', () => {
    const lineage = new Lineage<Kin>()
    for (const one of [kin('a'), kin('b', 'a'), kin('c', 'b'), kin('d', 'b'), kin('x', 'gone')]) lineage.add(one)
    const seers = (id: string, more: Partial<Counter>): string[] => lineage.viewers(id, counter(more)).map(({ kin: { id: who }, relation }) => `${who}:${relation.side}:${relation.generations}`)
    expect(seers('b', {})).toEqual(['a:above:1', 'c:below:1', 'd:below:1'])
    expect(seers('a', { depth: 1 })).toEqual(['b:below:1'])
    expect(seers('c', { depth: 1 })).toEqual(['b:above:1'])
    expect(seers('c', { toParents: false })).toEqual([])
    expect(lineage.viewers('a', undefined)).toEqual([])
    expect(seers('x', {})).toEqual([])
  })

  it('R9 the nearest is seen first', () => {
    const lineage = new Lineage<Kin>()
    for (const one of [kin('a', undefined, [counter()]), kin('b', 'a', [counter()]), kin('c', 'b'), kin('d', 'c', [counter()])]) lineage.add(one)
    expect(lineage.seenBy('c').map(({ owner }) => owner)).toEqual(['b', 'd', 'a'])
  })

  it('R9 a line that runs in a circle ends', () => {
    const lineage = new Lineage<Kin>()
    for (const one of [kin('a', 'b', [counter()]), kin('b', 'a', [counter()])]) lineage.add(one)
    expect(lineage.seenBy('a').map(({ owner }) => owner)).toEqual(['b', 'b'])
    expect(lineage.viewers('a', counter({ toParents: false })).map(({ kin: { id } }) => id)).toEqual(['b'])
  })

  it('R9 who has left is seen no more', () => {
    const lineage = new Lineage<Kin>()
    const leave = [kin('a'), kin('b', 'a', [counter()]), kin('c', 'a', [counter()])].map((one) => lineage.add(one))
    leave[1]?.()
    expect(lineage.seenBy('a').map(({ owner }) => owner)).toEqual(['c'])
    leave[2]?.()
    leave[0]?.()
    expect(lineage.seenBy('a')).toEqual([])
  })

  it.each([
    [{ side: 'above', generations: 1 }, 'parent'],
    [{ side: 'above', generations: 2 }, 'grandparent'],
    [{ side: 'above', generations: 3 }, 'ancestor-3'],
    [{ side: 'below', generations: 1 }, 'child'],
    [{ side: 'below', generations: 2 }, 'grandchild'],
    [{ side: 'below', generations: 4 }, 'descendant-4'],
  ] as const)('R9 %j is called %s', (relation, word) => {
    expect(relationText(relation)).toBe(word)
  })
})
