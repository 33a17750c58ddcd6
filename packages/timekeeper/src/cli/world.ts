import type { Instant } from 'dsh-time-core'

/** All that the command line touches outside itself; a test gives its own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder that relative paths are meant from. */
  readonly cwd: string
  /** Home folder of the person, for `~`. */
  readonly userHome: string
  now(): Instant
  /** Print one text to the standard output, with a line break after it. */
  out(text: string): void
  /** The same for the standard error. */
  err(text: string): void
}
