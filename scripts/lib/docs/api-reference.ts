import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../workspace.ts'
import { DO_NOT_EDIT, type GeneratedFile } from './generated.ts'

/** A name that a package exports, as its compiled declarations tell it. */
export interface Export {
  readonly name: string
  readonly kind: 'function' | 'class' | 'constant' | 'type'
  /** The declaration without its own docstring; those of its members are in it. */
  readonly declaration: string
  /** The text of its docstring before the first tag; empty when it has none. */
  readonly meaning: string
  readonly params: readonly { readonly name: string; readonly text: string }[]
  readonly returns: string | undefined
  readonly throws: readonly string[]
  /** Each a fenced block. */
  readonly examples: readonly string[]
}

/** The packages that other plugins are built on. */
const API_PACKAGES = ['time-core', 'session-host']

const KINDS = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['type', 'Types'],
] as const

type Declared = ts.FunctionDeclaration | ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableStatement

const isDeclared = (node: ts.Statement): node is Declared =>
  ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isVariableStatement(node)

const nameOf = (node: Declared): string => {
  const name = ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.name : node.name
  return name !== undefined && ts.isIdentifier(name) ? name.text : ''
}

const kindOf = (node: Declared): Export['kind'] => {
  if (ts.isFunctionDeclaration(node)) return 'function'
  if (ts.isClassDeclaration(node)) return 'class'
  return ts.isVariableStatement(node) ? 'constant' : 'type'
}

/** `Name` and `Name as Other` of the export lists at the end: the outer name by the inner one. */
const listed = (source: ts.SourceFile): ReadonlyMap<string, string> =>
  new Map(
    source.statements
      .flatMap(node => (ts.isExportDeclaration(node) && node.exportClause !== undefined && ts.isNamedExports(node.exportClause) ? [...node.exportClause.elements] : []))
      .map(({ name, propertyName }) => [(propertyName ?? name).text, name.text] as const),
  )

const isExported = (node: Declared): boolean => (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** `{@link Name}` reads as code; a line break of the source is none of the page. */
const prose = (comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string =>
  (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\{@link (\S+?)\}/g, '`$1`').replace(/^\s*-\s+/, '').replaceAll(/\s*\n\s*/g, ' ').trim()

const describe = (node: Declared, name: string): Export => {
  const doc = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc)
  const tags = [...(doc?.tags ?? [])]
  const ofTag = (tag: string): readonly ts.JSDocTag[] => tags.filter(({ tagName }) => tagName.text === tag)
  return {
    name,
    kind: kindOf(node),
    declaration: node.getText().replace(/^(export )?(declare )?/, ''),
    meaning: prose(doc?.comment),
    params: tags.filter(ts.isJSDocParameterTag).map(tag => ({ name: tag.name.getText(), text: prose(tag.comment) })),
    returns: ofTag('returns').map(({ comment }) => prose(comment))[0],
    throws: ofTag('throws').map(({ comment }) => prose(comment)),
    examples: ofTag('example').map(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? '').trim()),
  }
}

/**
 * @param text of a compiled declaration file
 * @returns what it exports, in its order
 */
export const exportsIn = (text: string): readonly Export[] => {
  const source = ts.createSourceFile('index.d.ts', text, ts.ScriptTarget.Latest, true)
  const names = listed(source)
  return source.statements.filter(isDeclared).flatMap(node => {
    const name = nameOf(node)
    const outer = names.get(name) ?? (isExported(node) ? name : undefined)
    return outer === undefined ? [] : [describe(node, outer)]
  })
}

const throwsText = (text: string): string => {
  const [, error, rest] = /^\{?(\w*Error|NotDurable)\}?\s+(.*)$/s.exec(text) ?? []
  return error === undefined ? text : `\`${error}\` ${rest}`
}

const entry = (one: Export): string => {
  const { name, declaration, meaning, params, returns, throws, examples } = one
  const facts = [
    ...params.map(param => `- \`${param.name}\`: ${param.text}`),
    ...(returns === undefined ? [] : [`- returns ${returns}`]),
    ...throws.map(text => `- throws ${throwsText(text)}`),
  ]
  return [`### ${name}`, `\`\`\`ts declaration\n${declaration}\n\`\`\``, ...(meaning === '' ? [] : [meaning]), ...(facts.length === 0 ? [] : [facts.join('\n')]), ...examples].join('\n\n')
}

const page = (folder: string, found: readonly Export[]): string => {
  const groups = KINDS.map(([kind, title]) => ({ title, members: found.filter(one => one.kind === kind).toSorted((left, right) => (left.name < right.name ? -1 : 1)) })).filter(({ members }) => members.length > 0)
  return `${[
    DO_NOT_EDIT,
    `# dsh-${folder}: API`,
    `Every name that the package exports, from its docstrings. What it is for, with examples and policies: [README](../../packages/${folder}/README.md). Numbers such as S21 are those of the [requirements](../requirements.md) and of the [bug bank](../bug-bank.md).`,
    ...groups.map(({ title, members }) => `${title}: ${members.map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`).join(', ')}`),
    ...groups.flatMap(({ title, members }) => [`## ${title}`, ...members.map(entry)]),
  ].join('\n\n')}\n`
}

const declarationsOf = (folder: string): string => readFileSync(join(ROOT, 'packages', folder, 'lib/index.d.ts'), 'utf8')

/** @returns `docs/api/*.md`, from the built declarations */
export const apiReference = (): readonly GeneratedFile[] => API_PACKAGES.map(folder => ({ file: `docs/api/${folder}.md`, text: page(folder, exportsIn(declarationsOf(folder))) }))

/** @returns a line for each exported name that no docstring explains */
export const undocumented = (declarations: ReadonlyMap<string, string> = new Map(API_PACKAGES.map(folder => [folder, declarationsOf(folder)]))): readonly string[] =>
  [...declarations].flatMap(([folder, text]) =>
    exportsIn(text).filter(({ meaning, returns }) => meaning === '' && returns === undefined).map(({ name }) => `${folder}: ${name} has no docstring`),
  )
