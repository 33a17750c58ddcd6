import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { ROOT } from './workspace.ts'

const SPECS = ['packages/*/tests/**/*.spec.{ts,tsx}', 'sim/tests/*.spec.ts', 'bench/tests/*.spec.ts', 'scripts/tests/*.spec.ts', 'e2e/**/*.spec.ts']
const BEGIN = '<!-- tests by number, written by `npm run build -- --docs`: begin -->'
const END = '<!-- tests by number: end -->'

/** A document with a table of tests, and the kinds of numbers in it, in their order. */
interface CoverageTable {
  readonly file: string
  readonly title: string
  readonly kinds: string
}

const TABLES: readonly CoverageTable[] = [
  // Reminders, clock and counters, beyond both, under fire, speed.
  { file: 'docs/requirements.md', title: 'Requirements and their tests', kinds: 'SRTXP' },
  { file: 'docs/bug-bank.md', title: 'Faults of others and their tests', kinds: 'B' },
]
const NUMBER = /[SRTXPB]\d+/g
/** The numbers that a title begins with: `S12 …`, `S12, S23 …`. */
const LEADING = /^(?:[SRTXPB]\d+\b[\s,/]*)+/
/** A list item or a table row of the document that states a number. */
const STATED = /^(?:[-*] |\| ?)\**([SRTXPB]\d+)\b/gm
/** A list item that says why a number has no test. */
const REASON = /^- ([SRTXPB]\d+) has no test: (.+)$/gm

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

const byNumber = (kinds: string) => (left: string, right: string): number => kinds.indexOf(left.charAt(0)) - kinds.indexOf(right.charAt(0)) || Number(left.slice(1)) - Number(right.slice(1))

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

const render = ({ kinds }: CoverageTable, prose: string, found: readonly Proof[]): string => {
  const stated = [...prose.matchAll(STATED)].flatMap(match => match[1] ?? [])
  const reasons = new Map([...prose.matchAll(REASON)].map(([, number = '', reason = '']) => [number, reason]))
  const numbers = [...new Set([...stated, ...found.map(({ number }) => number)])].filter(number => kinds.includes(number.charAt(0))).toSorted(byNumber(kinds))
  const rows = numbers.map(number => {
    const titles = found.filter(proof => proof.number === number).map(({ title, file }) => `${cell(title)} (\`${file}\`)`)
    const none = reasons.get(number) ?? '*no test carries this number yet*'
    return `| ${number} | ${titles.length} | ${titles.length === 0 ? none : [...new Set(titles)].join('<br>')} |`
  })
  return ['| number | tests | titles |', '|---|---|---|', ...rows].join('\n')
}

/** A document with its generated part brought up to date. Everything outside the two markers is kept. */
const updated = (table: CoverageTable): { readonly path: string; readonly before: string; readonly after: string } => {
  const path = join(ROOT, table.file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [head = '', rest] = before.split(BEGIN)
  const tail = rest?.split(END)[1] ?? '\n'
  const start = rest === undefined ? `${head.trimEnd() || `# ${table.title}`}\n\n` : head
  return { path, before, after: `${start}${BEGIN}\n\n${render(table, head + tail, allProofs())}\n\n${END}${tail}` }
}

/** @returns whether the documents list exactly the tests that there are */
export const areCoverageTablesFresh = (): boolean => TABLES.map(updated).every(({ before, after }) => before === after)

/** Writes the lists of tests by number into their documents. */
export const writeCoverageTables = (): void => {
  for (const { path, after } of TABLES.map(updated)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, after)
  }
}
