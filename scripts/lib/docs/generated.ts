import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../workspace.ts'

/** A whole file of the docs that is written by a program. */
export interface GeneratedFile {
  /** From the root of the checkout. */
  readonly file: string
  readonly text: string
}

/** First line of every file that is written by `npm run build -- --docs`. */
export const DO_NOT_EDIT = '<!-- Written by `npm run build -- --docs`; do not edit. -->'

/** @returns the files that are not on disk as they would be written today */
export const staleFiles = (files: readonly GeneratedFile[], root: string = ROOT): readonly string[] =>
  files.filter(({ file, text }) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== text).map(({ file }) => file)

export const writeFiles = (files: readonly GeneratedFile[], root: string = ROOT): void => {
  for (const { file, text } of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}
