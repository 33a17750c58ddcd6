/** What a command has to say, in both forms. */
export interface Answer {
  readonly json: unknown
  readonly lines: readonly string[]
  /** Something was found that somebody has to act on. */
  readonly hasProblem: boolean
}
