/** One check: what it found wrong, as lines for a person; none when all is well. */
export interface Check {
  readonly name: string
  readonly run: () => Promise<readonly string[]>
}

/** What to do about a generated file that is not as it would be written now. */
export const STALE = 'It is out of date. Run: npm run build -- --docs'
