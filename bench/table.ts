import type { GoalRow, Table } from './findings.ts'
import { rounded } from './stats.ts'

type Row = Readonly<Record<string, string | number>>

/**
 * Rows as a Markdown table that also reads well as plain text: columns are padded, numbers stand on the right.
 *
 * @param rows - all with the keys of the first.
 * @returns an empty text without rows.
 */
export function markdown(rows: readonly Row[]): string {
  const keys = Object.keys(rows[0] ?? {})
  if (keys.length === 0) return ''
  const cells = rows.map((row) => keys.map((key) => cell(row[key])))
  const isNumber = keys.map((key) => rows.every((row) => typeof row[key] === 'number' || row[key] === '–'))
  const widths = keys.map((key, column) => Math.max(key.length, 3, ...cells.map((line) => line[column]?.length ?? 0)))
  const pad = (text: string, column: number): string => (isNumber[column] === true ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0))
  const line = (texts: readonly string[]): string => `| ${texts.map(pad).join(' | ')} |`
  const rule = widths.map((width, column) => (isNumber[column] === true ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(keys), `| ${rule.join(' | ')} |`, ...cells.map(line)].join('\n')
}

/** The goals as a table, ratios before the numbers that they are made of. */
export function goalTable(goals: readonly GoalRow[]): string {
  return markdown(goals.map(({ name, ours, theirs, ratio, goal, ok }) => ({ '': ok ? 'ok' : 'NOT OK', what: name, 'ours / theirs': ratio ?? '–', ours, theirs: theirs ?? '–', goal })))
}

/** A table under its title. */
export function titled({ title, rows }: Table): string {
  return `### ${title}\n\n${markdown(rows)}`
}

function cell(value: string | number | undefined): string {
  return typeof value === 'number' ? String(rounded(value)) : (value ?? '').replaceAll('|', String.raw`\|`)
}
