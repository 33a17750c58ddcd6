/** Stands for any characters inside a line, and alone on a line for any lines. */
const ANY = '…'

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/**
 * @param expected a line of a document; `…` in it matches any characters
 * @returns whether a printed line is that line, spaces at both ends apart
 */
export const matchesLine = (expected: string, line: string): boolean =>
  new RegExp(`^${expected.trim().split(ANY).map(escaped).join('.*')}$`, 'u').test(line.trim())

/** Where a list of expected lines stands. */
export interface Match {
  /** The first expected line that did not come; undefined when all of them did. */
  readonly missing: string | undefined
  /** How many lines were used up to the last one that came. */
  readonly used: number
}

/**
 * Looks for lines in their order; between two of them anything may stand.
 * @param expected lines of a document; empty ones and a lone `…` ask for nothing
 * @param lines what came, line by line
 */
export const matchInOrder = (expected: readonly string[], lines: readonly string[]): Match => {
  let used = 0
  for (const want of expected.filter(line => line.trim() !== '' && line.trim() !== ANY)) {
    const at = lines.findIndex((line, index) => index >= used && matchesLine(want, line))
    if (at === -1) return { missing: want, used }
    used = at + 1
  }
  return { missing: undefined, used }
}
