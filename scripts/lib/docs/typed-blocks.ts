import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../workspace.ts'

/** A block of TypeScript, and where it stands. */
export interface TypedBlock {
  /** Page and line. */
  readonly where: string
  readonly text: string
}

/** Blocks are compiled as if they lay here, where a plugin's dependencies can be found. */
const FOLDER = join(ROOT, 'packages/time-reminder/src')

const optionsOf = (root: string): ts.CompilerOptions => {
  const path = join(root, 'tsconfig.json')
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(path, file => ts.sys.readFile(file)).config, { ...ts.sys, readDirectory: () => [] }, root, undefined, path)
  // A reader adds to a block what uses its names.
  return { ...options, noUnusedLocals: false, noUnusedParameters: false }
}

/** @returns a line per error that the compiler finds in a block, each being a module of its own */
export const typeErrors = (blocks: readonly TypedBlock[]): readonly string[] => {
  if (blocks.length === 0) return []
  const options = optionsOf(ROOT)
  const texts = new Map(blocks.map((block, index) => [join(FOLDER, `block-${index}.ts`), block]))
  const real = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...real,
    fileExists: file => texts.has(file) || real.fileExists(file),
    readFile: file => texts.get(file)?.text ?? real.readFile(file),
    getSourceFile: (file, ...rest) => {
      const block = texts.get(file)
      return block === undefined ? real.getSourceFile(file, ...rest) : ts.createSourceFile(file, block.text, ts.ScriptTarget.ESNext, true)
    },
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return [...texts].flatMap(([file, { where }]) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(({ messageText, start }) => {
      const line = source === undefined || start === undefined ? '' : ` in its line ${source.getLineAndCharacterOfPosition(start).line + 1}`
      return `${where}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  })
}
