import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './workspace.ts'

const FILES = ['packages/*/{src,tests}/**/*.{ts,tsx,mts,mjs}', '{scripts,e2e,bench}/**/*.{ts,tsx,mts,mjs}', '*.config.ts']
const SOURCE_LIMIT = 400
const TEST_LIMIT = 500
/** Dictionaries are as long as what they translate. */
const FREE = /(^|\/)locales\.ts$/

const isTest = (file: string): boolean => file.includes('/tests/') || file.endsWith('.spec.ts')

const lines = (file: string): number => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length

/** @returns one line per file that is longer than the house allows; such a file has two jobs and is split by them */
export const oversizedFiles = (): readonly string[] =>
  globSync(FILES, { cwd: ROOT, exclude: name => name === 'node_modules' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !FREE.test(file))
    .map(file => ({ file, count: lines(file), limit: isTest(file) ? TEST_LIMIT : SOURCE_LIMIT }))
    .filter(({ count, limit }) => count > limit)
    .map(({ file, count, limit }) => `${file}: ${count} lines, at most ${limit}`)
