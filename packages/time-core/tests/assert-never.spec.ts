import { expect, it } from 'vitest'
import { assertNever } from '../src/index.ts'

it('a value from outside the types ends with an error that names it', () => {
  const foreign: unknown = 'monthly'
  expect(() => assertNever(foreign as never)).toThrow(new TypeError('Unexpected value: monthly'))
})
