import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { receiptData, type Delivery, type Evidence, type Plan } from '../../src/client/evidence.ts'
import { create, dispatch } from '../events.ts'

const IDS = ['r-1', 'r-1.2', 'r-2'] as const

const deliveryOf = (id: string, messageId: string): Delivery => ({ id, messageId, occurrenceAt: '', deliveredAt: '', reasons: [] })

/** What is found by looking through all that was before, newest first. */
function lookedThrough(id: string, evidence: Evidence | undefined): unknown {
  const pieces: Evidence[] = []
  for (let one = evidence; one !== undefined; one = one.earlier) pieces.push(one)
  const series = id === 'r-1.2' ? 'r-1' : undefined
  return {
    creates: pieces.filter(({ createId }) => createId === id).map((piece) => piece.create),
    delivery: pieces.flatMap(({ deliveries }) => deliveries).find((one) => one.id === id),
    setBy: pieces.flatMap(({ plans }) => plans).find((one) => one.id === id || one.id === series)?.setBy,
  }
}

describe('what a window says about a dispatch', () => {
  it('S5 S35 is the same as when all that was before is looked through, on each of two windows that begin alike', () => {
    const id = fc.constantFrom(...IDS)
    const plan: fc.Arbitrary<Plan> = fc.record({ id, setBy: fc.constantFrom('model' as const, 'person' as const) })
    const piece = fc.record({ createId: fc.option(id, { nil: undefined }), deliveries: fc.array(id, { maxLength: 3 }), plans: fc.array(plan, { maxLength: 3 }), isFrom: fc.nat({ max: 20 }), asked: id })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (steps) => {
        const all: (Evidence | undefined)[] = [undefined]
        for (const [seq, { createId, deliveries, plans, isFrom, asked }] of steps.entries()) {
          // Now and then from an older piece on: another window with the same beginning.
          const earlier = isFrom < 3 ? all[isFrom % all.length] : all.at(-1)
          const next: Evidence = { create: createId === undefined ? undefined : create(seq, createId), createId, deliveries: deliveries.map((one, index) => deliveryOf(one, `m-${seq}-${index}`)), plans, earlier }
          all.push(next)
          for (const evidence of [next, earlier]) expect(receiptData(dispatch(seq, asked), evidence)).toEqual({ event: dispatch(seq, asked), ...(lookedThrough(asked, evidence) as object) })
        }
      }),
    )
  })

  it('P5 is found without looking twice at any piece', () => {
    let looks = 0
    let newest: Evidence | undefined
    for (let seq = 0; seq < 1000; seq += 1) {
      const earlier = newest
      newest = {
        create: create(seq, `r-${seq}`),
        createId: `r-${seq}`,
        deliveries: [],
        plans: [],
        get earlier() {
          looks += 1
          return earlier
        },
      }
      expect(receiptData(dispatch(seq, `r-${seq}`), newest).creates).toHaveLength(1)
    }
    expect(looks).toBe(1000)
  })
})
