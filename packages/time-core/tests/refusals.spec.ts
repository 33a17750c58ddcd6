import { expect, it } from 'vitest'
import { refusalsOf } from '../src/refusals.ts'

const { refuse, isRefusal } = refusalsOf({ late: 'It is too late.', early: 'It is too early.' })

it('S15 a refusal has the stable text of its code, and the field and the detail where they are known', () => {
  expect(refuse('late')).toEqual({ code: 'late', message: 'It is too late.' })
  expect(refuse('early', { field: 'at', detail: 'Not before nine.' })).toEqual({ code: 'early', message: 'It is too early.', field: 'at', detail: 'Not before nine.' })
})

it.each([[undefined], [null], ['late'], [7], [{}], [[]]])('S15 %j is no refusal', (value) => {
  expect(isRefusal(value)).toBe(false)
})

it('S15 what was refused is told from what was accepted', () => {
  expect(isRefusal(refuse('late'))).toBe(true)
})
