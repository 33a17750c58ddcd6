import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chart } from './chart.ts'
import type { Findings } from './findings.ts'
import { goalTable, titled } from './table.ts'

const BEGIN = '<!-- bench: begin. Written by `npm run bench -- --docs`. -->'
const END = '<!-- bench: end -->'

/**
 * Put the findings into docs/performance.md, between its two marks, and draw the chart beside it. The words around the
 * marks are written by people and stay.
 *
 * @param found - of all scenarios of one run.
 * @param machine - what it was measured on, in words.
 * @param root - folder of the checkout.
 * @returns the files that were written.
 * @throws Error when the marks are missing.
 */
export function writeBenchDocs(found: readonly Findings[], machine: string, root: string): readonly string[] {
  const [page, picture] = ['docs/performance.md', 'docs/performance.svg']
  const path = join(root, page)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${page} has no place for the tables: the marks are missing.`)
  writeFileSync(path, `${text.slice(0, begin)}${BEGIN}\n\n${generated(found, machine)}\n\n${text.slice(end)}`)
  const lines = found.flatMap((findings) => findings.lines ?? [])
  if (lines.length === 0) return [page]
  writeFileSync(join(root, picture), chart(lines))
  return [page, picture]
}

/**
 * The part of the page that a run writes.
 *
 * @param found - of all scenarios of one run.
 * @param machine - in words.
 */
export function generated(found: readonly Findings[], machine: string): string {
  const goals = found.flatMap((findings) => findings.goals)
  const summary = `${goals.filter(({ ok }) => ok).length} of ${goals.length} goals hold. Measured on: ${machine}.`
  return [`## Goals\n\n${summary}\n\n${goalTable(goals)}`, `## Measurements\n`, ...found.flatMap(({ tables }) => tables.map(titled))].join('\n\n')
}
