import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Page } from './page.ts'

const EXTERNAL = /^[a-z][a-z+.-]*:/i
const IMAGE = /\.(png|svg|gif|jpe?g|webp)$/i

const slashed = (path: string): string => path.replaceAll('\\', '/')

/** Where a link leads: a path from the root of the checkout, and what stands after `#`. */
const targetOf = (page: Page, url: string): { readonly path: string; readonly anchor: string } => {
  const [path = '', anchor = ''] = decodeURI(url).split('#', 2)
  return { path: path === '' ? page.file : slashed(normalize(join(dirname(page.file), path))), anchor: decodeURIComponent(anchor) }
}

const isRelative = ({ url }: { readonly url: string }): boolean => !EXTERNAL.test(url)

/**
 * @param pages all pages of the checkout
 * @param root of the checkout
 * @returns a line per link or image that leads nowhere, and per anchor that its page does not have
 */
export const brokenLinks = (pages: readonly Page[], root: string): readonly string[] => {
  const anchors = new Map(pages.map(page => [page.file, page.anchors]))
  return pages.flatMap(page =>
    page.links.filter(isRelative).flatMap(({ url, line }) => {
      const { path, anchor } = targetOf(page, url)
      const where = `${page.file}:${line}: ${url}`
      if (url.startsWith('/') || path.startsWith('..') || !existsSync(join(root, path))) return [`${where} leads to no file`]
      if (anchor === '' || !path.endsWith('.md') || anchors.get(path)?.has(anchor) === true) return []
      return [`${where} leads to no heading of ${path}`]
    }),
  )
}

/**
 * @param pages all pages of the checkout
 * @param files all files of the checkout
 * @returns a line per image below docs/ that no page shows
 */
export const unusedImages = (pages: readonly Page[], files: readonly string[]): readonly string[] => {
  const shown = new Set(pages.flatMap(page => page.links.filter(isRelative).map(({ url }) => targetOf(page, url).path)))
  return files.filter(file => file.startsWith('docs/') && IMAGE.test(file) && !shown.has(file)).map(file => `${file} is shown by no page`)
}
