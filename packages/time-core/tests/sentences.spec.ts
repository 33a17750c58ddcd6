import { expect, it } from 'vitest'
import { languageIn } from '../src/index.ts'

it.each([[{ language: 'zh' }, 'zh'], [{ language: 'en' }, 'en'], [{ language: 'fr' }, 'en'], [{}, 'en'], [null, 'en'], ['zh', 'en'], [undefined, 'en']])('T10 R22 a body %j is answered in %s', (body, language) => {
  expect(languageIn(body)).toBe(language)
})
