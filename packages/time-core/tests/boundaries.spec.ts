import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What an example of a docstring imports, or reads the clock for, is its reader's. */
const withoutDocstrings = (text: string): string => text.replaceAll(/^ *\/\*\*[^]*?\*\/$/gm, '')

const root = new URL('../src/', import.meta.url)
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => ({ name, text: withoutDocstrings(readFileSync(new URL(name, root), 'utf8')) }))

/** The files whose text matches. */
const files = (pattern: RegExp): string[] => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

it.each([
  ['temporal-polyfill', 'temporal.ts'],
  ['croner', 'cron/walls.ts'],
])('only one module imports %s', (library, door) => {
  expect(files(new RegExp(`from '${library}'`))).toEqual([door])
})

it('nothing else is imported but files of this package', () => {
  const imported = sources.flatMap(({ text }) => [...text.matchAll(/from '([^']+)'/g)].map(match => match[1]!))
  expect(imported.filter(name => !/^\.{1,2}\//.test(name)).toSorted()).toEqual(['croner', 'temporal-polyfill'])
})

it('B10 no module reads a clock, the process or its zone', () => {
  expect(files(/Date\.now|new Date\(\)|performance\.|process\.|\.get(?:FullYear|Month|Date|Day|Hours|Minutes|TimezoneOffset)\(/)).toEqual([])
})
