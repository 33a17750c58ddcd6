import { afterEach, expect, it, vi } from 'vitest'
import { addStyles } from '../../src/client/styles.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('R21 the rules are put in once, under the name of the loaded plugin, and every colour has a value of its own', () => {
  const tags: { dataset: Record<string, string>; textContent: string }[] = []
  vi.stubGlobal('document', { querySelector: () => tags[0] ?? null, createElement: () => ({ dataset: {}, textContent: '' }), head: { append: (tag: (typeof tags)[number]) => tags.push(tag) } })
  addStyles('dsh-timekeeper')
  addStyles('dsh-timekeeper')
  expect(tags).toMatchObject([{ dataset: { plugin: 'dsh-timekeeper', pluginCss: 'dsh-time-reminder:clock' } }])
  expect(tags[0]!.textContent).not.toMatch(/var\(--[\w-]+\)/)
})
