import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { ROOT } from './workspace.ts'

const DOCUMENT = join(ROOT, 'docs/requirements.md')
const SPECS = ['packages/*/tests/**/*.spec.{ts,tsx}', 'e2e/**/*.spec.ts']
const BEGIN = '<!-- tests by number, written by `npm run build -- --docs`: begin -->'
const END = '<!-- tests by number: end -->'

/** The kinds of numbers, in the order of the list: reminders, clock and counters, beyond, under fire, speed, bug bank. */
const KINDS = 'SRTXPB'
const NUMBER = /[SRTXPB]\d+/g
/** The numbers that a title begins with: `S12 …`, `S12, S23 …`. */
const LEADING = /^(?:[SRTXPB]\d+\b[\s,/]*)+/
/** A list item or a table row of the document that states a requirement. */
const STATED = /^(?:[-*] |\| ?)\**([SRTXPB]\d+)\b/gm

/** A test, or a group of tests, and one number that its title begins with. */
export interface Proof {
  readonly number: string
  readonly title: string
  /** The spec file, from the root of the checkout. */
  readonly file: string
}

const ROOTS = new Set(['it', 'test', 'describe'])

/** The first name of `it`, `it.each(…)`, `describe.skipIf(…)` and the like. */
const rootName = (node: ts.Expression): string | undefined => {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node))
    return rootName(ts.isTaggedTemplateExpression(node) ? node.tag : node.expression)
  return undefined
}

const titleOf = (node: ts.Node): string | undefined => {
  if (!ts.isCallExpression(node) || !ROOTS.has(rootName(node.expression) ?? '')) return undefined
  const [title] = node.arguments
  return title !== undefined && ts.isStringLiteralLike(title) ? title.text : undefined
}

const titlesIn = (source: string): readonly string[] => {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    const title = titleOf(node)
    if (title !== undefined) titles.push(title)
    node.forEachChild(visit)
  }
  visit(ts.createSourceFile('a.spec.tsx', source, ts.ScriptTarget.Latest))
  return titles
}

/**
 * @param file the path that the proofs carry
 * @param source the text of a spec
 * @returns a proof per number that the title of a test, or of a group of tests, begins with
 */
export const proofsIn = (file: string, source: string): readonly Proof[] =>
  titlesIn(source).flatMap(title => {
    const numbers = LEADING.exec(title)?.[0].match(NUMBER) ?? []
    return numbers.map(number => ({ number, title: title.replace(LEADING, ''), file }))
  })

const allProofs = (): readonly Proof[] =>
  globSync(SPECS, { cwd: ROOT })
    .map(file => file.replaceAll('\\', '/'))
    .toSorted()
    .flatMap(file => proofsIn(file, readFileSync(join(ROOT, file), 'utf8')))

const byNumber = (left: string, right: string): number => KINDS.indexOf(left.charAt(0)) - KINDS.indexOf(right.charAt(0)) || Number(left.slice(1)) - Number(right.slice(1))

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

const render = (stated: readonly string[], found: readonly Proof[]): string => {
  const numbers = [...new Set([...stated, ...found.map(({ number }) => number)])].toSorted(byNumber)
  const rows = numbers.map(number => {
    const titles = found.filter(proof => proof.number === number).map(({ title, file }) => `${cell(title)} (\`${file}\`)`)
    return `| ${number} | ${titles.length} | ${titles.length === 0 ? '*no test carries this number yet*' : [...new Set(titles)].join('<br>')} |`
  })
  return ['| number | tests | titles |', '|---|---|---|', ...rows].join('\n')
}

/** The document with its generated part brought up to date. Everything outside the two markers is kept. */
const updated = (): { readonly before: string; readonly after: string } => {
  const before = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : ''
  const [head = '', rest] = before.split(BEGIN)
  const tail = rest?.split(END)[1] ?? '\n'
  const stated = [...(head + tail).matchAll(STATED)].flatMap(match => match[1] ?? [])
  const start = rest === undefined ? `${head.trimEnd() || '# Requirements and their tests'}\n\n` : head
  return { before, after: `${start}${BEGIN}\n\n${render(stated, allProofs())}\n\n${END}${tail}` }
}

/** @returns whether docs/requirements.md lists exactly the tests that there are */
export const isCoverageTableFresh = (): boolean => {
  const { before, after } = updated()
  return before === after
}

/** Writes the list of tests by requirement number into docs/requirements.md. */
export const writeCoverageTable = (): void => {
  mkdirSync(dirname(DOCUMENT), { recursive: true })
  writeFileSync(DOCUMENT, updated().after)
}
