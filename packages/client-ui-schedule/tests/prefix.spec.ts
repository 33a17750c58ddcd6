import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEqual } from '../src/deep-equal.ts'
import { provenPrefix } from '../src/prefix.ts'
import { other } from './events.ts'

const HEADER = { version: 0, id: 's', createdAt: 1, cwd: '/', parentSession: 'p', seedLength: 2, agentPreset: 'default' }
const LOG = [other(0), other(1), other(2)]
const proven = (live: object, stored: object): Promise<number | undefined> =>
  provenPrefix({ header: HEADER, events: LOG, ...live }, { header: HEADER, events: LOG, ...stored }, async () => undefined)

describe('stored prefix', () => {
  it('S33 proves as much as storage holds', async () => {
    expect(await proven({}, {})).toBe(3)
    expect(await proven({}, { events: LOG.slice(0, 2) })).toBe(2)
    expect(await proven({}, { events: [] })).toBe(0)
  })

  it.each(Object.keys(HEADER))('S33 proves nothing when the %s of the header differs', async (name) => {
    expect(await proven({}, { header: { ...HEADER, [name]: 'another' } })).toBeUndefined()
    expect(await proven({ header: { ...HEADER, [name]: 'another' } }, {})).toBeUndefined()
  })

  it('S33 a missing depth is the depth zero, and no other', async () => {
    expect(await proven({}, { header: { ...HEADER, delegationDepth: 0 } })).toBe(3)
    expect(await proven({ header: { ...HEADER, delegationDepth: undefined } }, { header: { ...HEADER, delegationDepth: 0 } })).toBe(3)
    expect(await proven({}, { header: { ...HEADER, delegationDepth: 1 } })).toBeUndefined()
  })

  it.each([
    ['an event differs', [other(0), { ...other(1), time: 7 }, other(2)]],
    ['storage holds more', [...LOG, other(3)]],
    ['an event is missing', [other(0), other(2)]],
  ])('S33 proves nothing when %s', async (_why, events) => {
    expect(await proven({}, { events })).toBeUndefined()
  })

  it('S33 gives way to other work on a long log', async () => {
    const events = Array.from({ length: 5000 }, (_, seq) => other(seq))
    let pauses = 0
    expect(await provenPrefix({ header: HEADER, events }, { header: HEADER, events: structuredClone(events) }, async () => void (pauses += 1))).toBe(5000)
    expect(pauses).toBe(2)
  })
})

describe('equality of JSON values', () => {
  it('holds for a copy in any order of members, and for nothing else', () => {
    const isRight = fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      expect(deepEqual(left, structuredClone(left))).toBe(true)
      expect(deepEqual(left, right)).toBe(JSON.stringify(sorted(left)) === JSON.stringify(sorted(right)))
    })
    fc.assert(isRight)
  })

  it.each([
    [{ a: undefined }, {}, true],
    [{ a: null }, {}, false],
    [[1], { 0: 1 }, false],
    [{ 0: 1 }, [1], false],
    [[1], [1, 2], false],
    ['1', 1, false],
    [null, {}, false],
  ])('%j and %j: %s', (left, right, isEqual) => {
    expect(deepEqual(left, right)).toBe(isEqual)
  })
})

/** The same value with its members in one order: two values are the same exactly when their texts then are. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [second]) => (one < second ? -1 : 1))
  return { members: members.map(([name, member]) => [name, sorted(member)]) }
}
