import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cloneInto, filesOf, uncommittedIn } from '../lib/checkout.ts'
import { ROOT } from '../lib/workspace.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'timekeeper-checkout-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What somebody has who downloaded the files instead of cloning them, and has already built them. */
const archive = (): string => {
  const root = join(folder, 'archive')
  for (const file of ['.gitignore', '.ci/run', 'README.md', 'scripts/lib/checkout.ts']) cpSync(join(ROOT, file), join(root, file))
  for (const made of ['node_modules/a/index.js', 'packages/a/lib/index.js', 'packages/a/node_modules/b/index.js', 'a.tgz']) cpSync(join(ROOT, 'README.md'), join(root, made))
  return root
}

it('an archive without git has the files that are not ignored, those with a dot and folders called lib included', () => {
  expect(filesOf(archive()).toSorted()).toEqual(['.ci/run', '.gitignore', 'README.md', 'scripts/lib/checkout.ts'])
  expect(filesOf(archive(), '.md')).toEqual(['README.md'])
  expect(uncommittedIn(archive())).toEqual([])
})

it('an archive is copied where a checkout is cloned, without what was built', () => {
  const target = join(folder, 'clone')
  cloneInto(archive(), target)
  expect(filesOf(target).toSorted()).toEqual(['.ci/run', '.gitignore', 'README.md', 'scripts/lib/checkout.ts'])
  expect(existsSync(join(target, 'node_modules'))).toBe(false)
})

it('this checkout has its own files, whether by git or without', () => {
  const files = filesOf(ROOT)
  expect(files).toContain('scripts/lib/checkout.ts')
  expect(files.some(file => file.includes('node_modules/'))).toBe(false)
  writeFileSync(join(folder, '.gitignore'), '')
  expect(filesOf(folder)).toEqual(['.gitignore'])
})
