import z from '@deepseek-ai/schemastery'
import type { DeliveryPolicy } from './decide.ts'
import type { NameChoice } from './names.ts'
import type { ChainPolicy } from './tools/create.ts'

/** Config of the row. */
export interface Config extends DeliveryPolicy, ChainPolicy {
  /** Names of the tools: `auto` (default) avoids names that are taken, the others force one. */
  readonly toolNames: NameChoice
  /** `auto` (default): only where the host can bring a session back, so not in a headless run; `always`: everywhere. */
  readonly activate: 'auto' | 'always'
  /** Whether reminders with `wake` open their closed session; off, they wait like all others. */
  readonly wakeIndex: boolean
  /** File of the wake index, one per host: the first plugin decides. Empty: `<DSH_HOME>/timekeeper/wake.sqlite`. */
  readonly wakeIndexPath: string
}

/** Checked when the row is loaded; a bad value stops the load with the key's name. */
export const Config: z<Config> = z.object({
  toolNames: z.union(['auto', 'schedule', 'reminder'] as const).default('auto').description('Names of the tools.'),
  activate: z.union(['auto', 'always'] as const).default('auto').description('Where reminders are offered.'),
  wakeIndex: z.boolean().default(true).description('Whether reminders with wake open their closed session.'),
  wakeIndexPath: z.string().default('').description('File of the wake index.'),
  maxUnanswered: z.natural().min(1).default(10).description('A series pauses after this many deliveries without a human message.'),
  maxUnattendedChain: z.natural().min(1).default(50).description('Most reminders set in turns that no person started.'),
})
