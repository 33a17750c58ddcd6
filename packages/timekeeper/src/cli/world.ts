import type { Instant } from 'dsh-time-core'
import type { Comparison } from './doctor/browser/compare.ts'
import type { BrowserRequest } from './doctor/browser/server.ts'
import type { Machine } from './doctor/machine.ts'
import type { Refusal } from './refusal.ts'

/** All that the command line touches outside itself; a test gives its own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder that relative paths are meant from. */
  readonly cwd: string
  /** Home folder of the person, for `~`. */
  readonly userHome: string
  /** Node and its data, and the zone in which it runs. */
  readonly machine: Omit<Machine, 'tzVariable'>
  now(): Instant
  /** Let a browser of this machine answer, and wait until one has. */
  askBrowser(request: BrowserRequest): Promise<Comparison | Refusal>
  /** Print one text to the standard output, with a line break after it. */
  out(text: string): void
  /** The same for the standard error. */
  err(text: string): void
  /** Show how far a long job is, in place of what was shown before; absent where nobody looks. */
  readonly status?: ((text: string) => void) | undefined
}
