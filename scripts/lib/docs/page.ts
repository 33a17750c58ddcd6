import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import GithubSlugger from 'github-slugger'
import type { Code, Nodes, Parent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { filesOf } from '../checkout.ts'
import { ROOT } from '../workspace.ts'

/**
 * What a comment `<!-- walk: … -->` before a fenced block asks for. skip: the block is not walked, for this reason ·
 * file: it is written to this path of the clone first · until: its last line runs on as a server, ready when this text
 * is in its output.
 */
export interface Order {
  readonly kind: 'skip' | 'file' | 'until'
  readonly value: string
}

/** One fenced block. */
export interface Block {
  /** The first word after the fence; undefined when there is none. */
  readonly lang: string | undefined
  /** The other words after the fence. */
  readonly meta: string
  readonly text: string
  /** Of the fence, from 1. */
  readonly line: number
  readonly orders: readonly Order[]
  /** The `text` block that follows a `sh` block directly: what its commands print. */
  readonly output: Block | undefined
  /** Whether this is such an output. */
  readonly isOutput: boolean
}

/** One link or image, as it is written. */
export interface Link {
  readonly url: string
  readonly isImage: boolean
  readonly line: number
}

/** What the checks and the walk read of one Markdown file. */
export interface Page {
  /** From the root of the checkout, with slashes. */
  readonly file: string
  /** The depth of each heading, in order. */
  readonly headings: readonly { readonly depth: number; readonly text: string; readonly line: number }[]
  /** What may stand after `#` in a link to this page, as GitHub makes it. */
  readonly anchors: ReadonlySet<string>
  readonly links: readonly Link[]
  readonly blocks: readonly Block[]
  /** Comments `<!-- walk: … -->` that mean nothing, with their line. */
  readonly strayOrders: readonly { readonly text: string; readonly line: number }[]
}

const COMMENT = /<!--\s*walk:\s*(.*?)\s*-->/gs
const ORDER = /^(?:(skip|file)\s+(\S.*)|(until)\s+"(.+)")$/s
const HTML_LINK = /\b(?:(src)|href)\s*=\s*"([^"]*)"/g
const HTML_ANCHOR = /\b(?:id|name)\s*=\s*"([^"]*)"/g

const lineOf = (node: Nodes): number => node.position?.start.line ?? 0

const hasChildren = (node: Nodes): node is Parent & Nodes => 'children' in node

const plainText = (node: Nodes): string => (hasChildren(node) ? node.children.map(plainText).join('') : node.type === 'text' || node.type === 'inlineCode' ? node.value : '')

const visit = (node: Nodes, look: (node: Nodes) => void): void => {
  look(node)
  if (hasChildren(node)) for (const child of node.children) visit(child, look)
}

const linksOf = (node: Nodes): readonly Link[] => {
  if (node.type === 'link' || node.type === 'image' || node.type === 'definition') return [{ url: node.url, isImage: node.type === 'image', line: lineOf(node) }]
  if (node.type !== 'html') return []
  return [...node.value.replaceAll(/<!--.*?-->/gs, '').matchAll(HTML_LINK)].map(([, src, url = '']) => ({ url, isImage: src !== undefined, line: lineOf(node) }))
}

interface Found {
  readonly orders: readonly Order[]
  readonly strays: readonly string[]
}

/** @returns the orders of a comment, or undefined when the node is no comment of ours */
const ordersOf = (node: Nodes): Found | undefined => {
  if (node.type !== 'html') return undefined
  const texts = [...node.value.matchAll(COMMENT)].map(([, text = '']) => text)
  if (texts.length === 0) return undefined
  const read = texts.map(text => ({ text, parts: ORDER.exec(text) }))
  const orders = read.flatMap(({ parts }) => (parts === null ? [] : [{ kind: (parts[1] ?? parts[3]) as Order['kind'], value: parts[2] ?? parts[4] ?? '' }]))
  return { orders, strays: read.filter(({ parts }) => parts === null).map(({ text }) => text) }
}

const toBlock = (node: Code, orders: readonly Order[], output: Block | undefined, isOutput: boolean): Block => ({
  lang: node.lang ?? undefined,
  meta: node.meta ?? '',
  text: node.value,
  line: lineOf(node),
  orders,
  output,
  isOutput,
})

/** The blocks among the children of one node, with the orders before them and the outputs after them. */
const blocksIn = (children: readonly Nodes[], stray: (text: string, line: number) => void): readonly Block[] => {
  const blocks: Block[] = []
  let orders: readonly Order[] = []
  let before: Nodes | undefined
  for (const [index, node] of children.entries()) {
    const found = ordersOf(node)
    for (const text of found?.strays ?? []) stray(text, lineOf(node))
    if (found !== undefined) orders = [...orders, ...found.orders]
    else {
      if (node.type === 'code') {
        const next = children[index + 1]
        const output = node.lang === 'sh' && next?.type === 'code' && next.lang === 'text' ? toBlock(next, [], undefined, true) : undefined
        const isOutput = node.lang === 'text' && before?.type === 'code' && before.lang === 'sh' && orders.length === 0
        blocks.push(toBlock(node, orders, output, isOutput))
      } else for (const { kind, value } of orders) stray(`${kind} ${value}`, lineOf(node))
      orders = []
    }
    before = node
  }
  for (const { kind, value } of orders) stray(`${kind} ${value}`, lineOf(children.at(-1) ?? { type: 'root', children: [] }))
  return blocks
}

/**
 * @param file where the text lies, from the root of the checkout
 * @param text of a Markdown file
 */
export const parsePage = (file: string, text: string): Page => {
  const slugger = new GithubSlugger()
  const headings: { depth: number; text: string; line: number }[] = []
  const anchors = new Set<string>()
  const links: Link[] = []
  const blocks: Block[] = []
  const strayOrders: { text: string; line: number }[] = []
  visit(fromMarkdown(text), node => {
    links.push(...linksOf(node))
    if (node.type === 'heading') {
      headings.push({ depth: node.depth, text: plainText(node), line: lineOf(node) })
      anchors.add(slugger.slug(plainText(node)))
    }
    if (node.type === 'html') for (const [, name = ''] of node.value.matchAll(HTML_ANCHOR)) anchors.add(name)
    if (hasChildren(node)) blocks.push(...blocksIn(node.children, (stray, line) => strayOrders.push({ text: stray, line })))
  })
  return { file, headings, anchors, links, blocks: blocks.toSorted((left, right) => left.line - right.line), strayOrders }
}

/** @returns every Markdown file of a checkout, read */
export const readPages = (root: string = ROOT): readonly Page[] =>
  filesOf(root, '.md').map(file => parsePage(file, readFileSync(join(root, file), 'utf8')))
