import { afterEach, expect, it, vi } from 'vitest'
import { addPanelStyles } from '../../../src/client/panel/styles.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('T11 the rules are put in once, under the name of the loaded plugin, and every colour has a value of its own', () => {
  const tags: { dataset: Record<string, string>; textContent: string }[] = []
  vi.stubGlobal('document', { querySelector: () => tags[0] ?? null, createElement: () => ({ dataset: {}, textContent: '' }), head: { append: (tag: (typeof tags)[number]) => tags.push(tag) } })
  addPanelStyles('dsh-timekeeper')
  addPanelStyles('dsh-timekeeper')
  expect(tags).toMatchObject([{ dataset: { plugin: 'dsh-timekeeper', pluginCss: 'dsh-client-ui-schedule:panel' } }])
  expect(tags[0]!.textContent).not.toMatch(/var\(--[\w-]+\)/)
  expect(tags[0]!.textContent).toContain('prefers-reduced-motion')
})
