import ts from 'typescript'
import { parse } from 'yaml'
import { packages, type Package } from '../workspace.ts'
import { exchangesIn } from '../walk/chat.ts'
import { commandsIn } from '../walk/shell.ts'
import { CONFIG_ROWS } from './config-rows.ts'
import type { Block, Page } from './page.ts'
import { typeErrors } from './typed-blocks.ts'

/** Pages that are written from compiled declarations: their signatures name what other entries declare. */
const DECLARATIONS = /^docs\/api\//

/** A row of an overlay, as far as it is looked at: what it inserts, or the row that it changes. */
interface Row {
  readonly id?: unknown
  readonly name?: unknown
  readonly config?: unknown
  readonly insert?: unknown
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a row may be named after: a package of ours, or one of its entries. */
const pluginsOf = (members: readonly Package[]): ReadonlySet<string> =>
  new Set(members.flatMap(({ name, manifest }) => Object.keys(manifest.exports ?? {}).map(key => `${name}${key.slice(1)}`)))

const configOf = (row: Row, name: unknown): (typeof CONFIG_ROWS)[number] | undefined =>
  CONFIG_ROWS.find(({ id, plugin }) => row.id === id || name === plugin)

const rowFaults = (row: Row, plugins: ReadonlySet<string>): readonly string[] => {
  const faults: string[] = []
  if (row.id === undefined) faults.push('a row has no id')
  const { name } = row
  if (typeof name === 'string' && name.startsWith('dsh-') && !plugins.has(name)) faults.push(`no package of this workspace is ${name}`)
  const known = configOf(row, name)
  if (known === undefined || row.config === undefined) return faults
  const strange = isRow(row.config) ? Object.keys(row.config).filter(key => !Object.hasOwn(known.options, key)) : []
  faults.push(...strange.map(key => `${String(row.id)} has no option ${key}`))
  try {
    known.load(row.config as object)
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
  }
  return faults
}

const rowsOf = (list: readonly unknown[]): readonly Row[] =>
  list.filter(isRow).flatMap(row => (Array.isArray(row.insert) ? rowsOf(row.insert) : [row]))

/** An overlay is a list of rows with an id, or with what they insert. */
const isOverlay = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.length > 0 && value.every(isRow) && value.some(row => 'id' in row || 'insert' in row)

/**
 * @param text of a YAML file or block
 * @returns what is wrong with it: it does not parse, or, if it is an overlay, a row of it could not be mounted
 */
export const yamlFaults = (text: string): readonly string[] => {
  let value: unknown
  try {
    // `!!js …` is the host's own.
    value = parse(text, { logLevel: 'error' })
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  if (!isOverlay(value)) return []
  const rows = rowsOf(value)
  const plugins = pluginsOf(packages())
  const ids = rows.map(({ id }) => String(id))
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  return [...twice.map(id => `two rows have the id ${id}`), ...rows.flatMap(row => rowFaults(row, plugins))]
}

const jsonFaults = (text: string): readonly string[] => {
  try {
    JSON.parse(text)
    return []
  } catch (error) {
    return [String(error)]
  }
}

const scriptFaults = (text: string): readonly string[] =>
  (ts.transpileModule(text, { fileName: 'block.js', reportDiagnostics: true, compilerOptions: { allowJs: true, target: ts.ScriptTarget.ESNext } }).diagnostics ?? []).slice(0, 1).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))

const chatFaults = (text: string): readonly string[] => {
  try {
    return exchangesIn(text).length === 0 ? ['nothing is typed in it'] : []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

const CHECKS: Readonly<Record<string, (block: Block) => readonly string[]>> = {
  sh: ({ text }) => (commandsIn(text).length === 0 ? ['it has no command'] : []),
  chat: ({ text }) => chatFaults(text),
  text: () => [],
  // All of them are compiled together.
  ts: () => [],
  js: ({ text }) => scriptFaults(text),
  yml: ({ text }) => yamlFaults(text),
  yaml: ({ text }) => yamlFaults(text),
  json: ({ text }) => jsonFaults(text),
}

const isSkipped = ({ orders }: Block): boolean => orders.some(({ kind }) => kind === 'skip')

const isTyped = (page: Page, block: Block): boolean => block.lang === 'ts' && !isSkipped(block) && !(DECLARATIONS.test(page.file) && block.meta === 'declaration')

const faultsOf = (block: Block): readonly string[] => {
  if (block.lang === undefined) return ['the block has no language']
  const check = CHECKS[block.lang]
  if (check === undefined) return [`nothing checks a block of the language ${block.lang}`]
  return isSkipped(block) ? [] : check(block)
}

/** @returns a line per block, or comment of a block, with which something is wrong */
export const blockFaults = (pages: readonly Page[]): readonly string[] => [
  ...pages.flatMap(({ file, strayOrders }) => strayOrders.map(({ text, line }) => `${file}:${line}: the comment "walk: ${text}" stands before no block or is not understood`)),
  ...pages.flatMap(({ file, blocks }) => blocks.flatMap(block => faultsOf(block).map(fault => `${file}:${block.line}: ${fault}`))),
  ...typeErrors(pages.flatMap(page => page.blocks.filter(block => isTyped(page, block)).map(({ line, text }) => ({ where: `${page.file}:${line}`, text })))),
]
