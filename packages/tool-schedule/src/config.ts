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

const OPTIONS = z.object({
  toolNames: z.union(['auto', 'schedule', 'reminder'] as const).default('auto').description('First word of the names of the tools: auto takes reminder_ where another plugin has schedule_ already, the others force one.'),
  activate: z.union(['auto', 'always'] as const).default('auto').description('Where reminders are offered: auto only where the host can bring a session back, so not in a headless run; always everywhere.'),
  wakeIndex: z.boolean().default(true).description('Whether reminders with wake open their closed session; off, they wait until it is opened, like all others.'),
  wakeIndexPath: z.string().default('').description('File of the wake index, one per host: the first plugin decides. Empty: timekeeper/wake.sqlite in the home.'),
  maxUnanswered: z.natural().min(1).default(10).description('Deliveries without a human message after which a series pauses; it goes on with the next message.'),
  maxUnattendedChain: z.natural().min(1).default(50).description('Most reminders that turns which no person started may set, until a person writes.'),
})

/** Checked when the row is loaded; a bad value stops the load with the key's name. */
export const Config: z<Config> = OPTIONS.i18n({
  zh: {
    toolNames: '工具名的开头：auto 在别的插件已占用 schedule_ 时改用 reminder_，另外两个值强制指定。',
    activate: '在哪里提供提醒：auto 只在宿主能把会话带回来的地方（无界面运行不算），always 处处提供。',
    wakeIndex: '带 wake 的提醒是否打开自己已关闭的会话；关掉后，它们像其他提醒一样等到会话被打开。',
    wakeIndexPath: '唤醒索引的文件，每个宿主一个，由先加载的插件决定。空：home 里的 timekeeper/wake.sqlite。',
    maxUnanswered: '系列送达多少次无人发言后暂停；有人发言后继续。',
    maxUnattendedChain: '不是由人发起的轮次最多能设多少条提醒，直到有人发言。',
  },
})
