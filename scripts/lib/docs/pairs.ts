import type { Page } from './page.ts'

/** The Chinese page of an English one; undefined for a page that has no pair. */
const partnerOf = (file: string): string | undefined => {
  if (file === 'README.md') return 'README.zh.md'
  return file.startsWith('docs/guide/en/') ? file.replace('/en/', '/zh/') : undefined
}

const isChinese = (file: string): boolean => file === 'README.zh.md' || file.startsWith('docs/guide/zh/')

const outline = ({ headings }: Page): string => headings.map(({ depth }) => depth).join(' ')

const kinds = ({ blocks }: Page): readonly string[] => blocks.map(({ lang, orders }) => [lang ?? 'none', ...orders.map(({ kind, value }) => (kind === 'skip' ? kind : `${kind} ${value}`))].join(' '))

const differences = (english: Page, chinese: Page): readonly string[] => {
  const found: string[] = []
  if (outline(english) !== outline(chinese)) found.push(`${chinese.file} has the headings [${outline(chinese)}], ${english.file} [${outline(english)}]`)
  const [left, right] = [kinds(english), kinds(chinese)]
  const at = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => index).find(index => left[index] !== right[index])
  if (at !== undefined) found.push(`${chinese.file} has as block ${at + 1} "${right[at] ?? 'nothing'}", ${english.file} "${left[at] ?? 'nothing'}"`)
  return found
}

/** @returns a line per page without its other language, and per pair whose headings or blocks differ in number or kind */
export const unequalPairs = (pages: readonly Page[]): readonly string[] => {
  const byFile = new Map(pages.map(page => [page.file, page]))
  const expected = new Map(pages.flatMap(page => (partnerOf(page.file) === undefined ? [] : [[partnerOf(page.file) ?? '', page] as const])))
  const found = [...expected].flatMap(([file, english]) => {
    const chinese = byFile.get(file)
    return chinese === undefined ? [`${english.file} has no Chinese page`] : differences(english, chinese)
  })
  return [...found, ...pages.filter(({ file }) => isChinese(file) && !expected.has(file)).map(({ file }) => `${file} has no English page`)]
}
