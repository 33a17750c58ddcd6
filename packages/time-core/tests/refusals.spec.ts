import { expect, it } from 'vitest'
import { refusalsOf } from '../src/refusals.ts'

const { refuse, isRefusal, inEnglish } = refusalsOf({ late: 'It is too late.', early: 'It is too early.' }, (hour: number, language) => `Not before ${hour} (${language}).`)

it('S15 a refusal has the stable text of its code, and the field and the detail where they are known', () => {
  expect(refuse('late')).toEqual({ code: 'late', message: 'It is too late.' })
  expect(refuse('early', { field: 'at', detail: 9 })).toEqual({ code: 'early', message: 'It is too early.', field: 'at', detail: 9 })
})

it.each([[undefined], [null], ['late'], [7], [{}], [[]]])('S15 %j is no refusal', (value) => {
  expect(isRefusal(value)).toBe(false)
})

it('S15 what was refused is told from what was accepted', () => {
  expect(isRefusal(refuse('late'))).toBe(true)
})

it('S15 the model reads a detail in English, and everything else as it is', () => {
  expect(inEnglish(refuse('late', { field: 'at' }))).toEqual(refuse('late', { field: 'at' }))
  expect(JSON.stringify(inEnglish(refuse('early', { field: 'at', detail: 9 })))).toBe('{"code":"early","message":"It is too early.","field":"at","detail":"Not before 9 (en)."}')
})
