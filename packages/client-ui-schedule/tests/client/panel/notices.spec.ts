import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideNotices, noticeTag, readTold, type Told } from '../../../src/client/panel/notices.ts'
import { NOON, past, state } from './reminders.ts'

const seqs = ({ tell }: { readonly tell: readonly { readonly seq: number }[] }): readonly number[] => tell.map(({ seq }) => seq)

describe('which deliveries are news', () => {
  it('T12 one that came after the browser began to listen is, an earlier one is not', () => {
    const decision = decideNotices({}, state({ past: [past(NOON - 1000, { seq: 9 }), past(NOON - 3000, { seq: 5 })] }), NOON - 2000)
    expect([seqs(decision), decision.told]).toEqual([[9], { s: 9 }])
  })

  it('T12 after a reload it is by what was told, and only if it is no older than a minute', () => {
    const decision = decideNotices({ s: 5 }, state({ past: [past(NOON - 30_000, { seq: 9 }), past(NOON - 61_000, { seq: 7 }), past(NOON - 1000, { seq: 5 })] }), NOON)
    expect([seqs(decision), decision.told]).toEqual([[9], { s: 9 }])
  })

  it('T12 what is missed is none, and a burst is cut to its newest three', () => {
    const burst = [8, 7, 6, 5].map((seq) => past(NOON, { seq }))
    expect(seqs(decideNotices({ s: 1 }, state({ past: [past(NOON, { seq: 9, outcome: 'missed' }), ...burst] }), NOON))).toEqual([6, 7, 8])
  })

  it('T12 a session without deliveries is remembered, and fifty sessions in all', () => {
    const decision = decideNotices({}, state(), NOON)
    expect(decision).toEqual({ told: { s: -1 }, tell: [] })
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x${n}`, n]))
    const { told } = decideNotices(many, state(), NOON)
    expect([Object.keys(told).length, 'x10' in told, 'x11' in told, told['s']]).toEqual([50, false, true, -1])
  })

  it('T12 no occurrence is told twice, in whatever order states arrive', () => {
    const states = fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }), { maxLength: 20 })
    fc.assert(
      fc.property(states, (windows) => {
        let told: Told = {}
        const all = windows.flatMap((window) => {
          const decision = decideNotices(told, state({ past: [...new Set(window)].map((seq) => past(NOON, { seq })) }), 0)
          told = decision.told
          return seqs(decision)
        })
        expect(new Set(all).size).toBe(all.length)
      }),
    )
  })

  it.each([[null], ['{'], ['7'], ['null'], ['{"s":"x"}']])('T12 nothing is remembered from %j', (text) => {
    expect(readTold(text)).toEqual({})
  })

  it('T12 reads what it has written, and names a notification by its occurrence', () => {
    expect(readTold('{"s":4}')).toEqual({ s: 4 })
    expect(noticeTag('s', { occurrenceId: 'r-3.4' })).toBe('dsh-timekeeper s r-3.4')
  })
})
