import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMode, modeMarks, modeMeta, modeOfMeta, modeOfSource, modeOfValue, MODES, type ModeChange } from '../src/protocol.ts'

/** A change with the plan as text, for comparing. */
const told = (change: ModeChange | undefined): unknown => change && modeMarks(change)

describe('what a change of the mode rides on', () => {
  it.each(MODES)('R1 R25 the result of a call that sets %s carries it, and reads back', (mode) => {
    expect(told(modeOfMeta(modeMeta({ set: true, mode, effect: 'x' })))).toEqual({ mode })
    expect(told(modeOfMeta(modeMeta({ set: true, mode, cron: '0 9 * * mon' })))).toEqual({ mode, cron: '0 9 * * MON' })
  })

  it('R25 the carrier is the one of the whole bundle', () => {
    expect(modeMeta({ set: true, mode: 'turn' })).toEqual({ timekeeper: { v: 1, facts: [{ fact: 'mode', mode: 'turn' }] } })
  })

  it('R2 R11 a refusal carries nothing', () => {
    expect(modeMeta({ code: 'bad-cron', message: 'no', mode: 'cron' })).toEqual({ timekeeper: { v: 1, facts: [] } })
    expect(modeOfValue({ mode: 'turn' })).toBeUndefined()
  })

  it('R23 a notice of ours with the mode in its source is a change', () => {
    const source = { kind: 'dsh-time-reminder', form: 'notice', summary: 's', mode: 'cron', cron: '0 9 * * *' }
    expect(told(modeOfSource(source))).toEqual({ mode: 'cron', cron: '0 9 * * *' })
    expect(told(modeOfSource({ ...source, kind: 'plugin:dsh-time-reminder' }))).toEqual({ mode: 'cron', cron: '0 9 * * *' })
    expect(modeOfSource({ ...source, form: 'relay' })).toBeUndefined()
    expect(modeOfSource({ ...source, kind: 'dsh-tool-schedule' })).toBeUndefined()
  })

  it.each([
    ['an unknown mode', { set: true, mode: 'hourly' }],
    ['a plan that is not valid', { set: true, mode: 'cron', cron: '61 * * * *' }],
    ['a plan that is no text', { set: true, mode: 'cron', cron: 5 }],
  ])('R11 X6 %s changes nothing, not even half of it', (_what, value) => {
    expect(modeOfValue(value)).toBeUndefined()
    expect(modeOfMeta({ timekeeper: { v: 1, facts: [{ fact: 'mode', ...value }] } })).toBeUndefined()
    expect(modeOfSource({ kind: 'dsh-time-reminder', form: 'notice', ...value })).toBeUndefined()
  })

  it.each([undefined, null, 1, 'x', [], {}, { timekeeper: null }, { timekeeper: { v: 2, facts: [{ fact: 'mode', mode: 'off' }] } }, { timekeeper: { v: 1, facts: 'mode' } }, { timekeeper: { v: 1, facts: [null, { fact: 'plan', id: 'r-1' }] } }])(
    'X6 a carrier of another shape (%j) changes nothing',
    (meta) => {
      expect(modeOfMeta(meta)).toBeUndefined()
    },
  )

  it('X3 no JSON value makes a reader throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const read of [modeOfMeta, modeOfSource, modeOfValue, modeMeta, isMode]) expect(() => read(value)).not.toThrow()
      }),
    )
  })
})
