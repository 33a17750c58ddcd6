import { Config as OfflineConfig } from '../../../packages/llm-offline/src/index.ts'
import { Config as ClockConfig, readConfig } from '../../../packages/time-reminder/src/config.ts'
import { Config as ScheduleConfig } from '../../../packages/tool-schedule/src/config.ts'

/** A language of the guide. */
export type Language = 'en' | 'zh'

/** A text in both languages. */
export type Words = Readonly<Record<Language, string>>

/** The part of a schema that is documented. */
export interface OptionSchema {
  readonly type: string
  readonly value?: unknown
  readonly list?: readonly OptionSchema[]
  readonly inner?: OptionSchema
  readonly meta: {
    readonly default?: unknown
    readonly min?: number
    readonly max?: number
    readonly step?: number
    readonly description?: string | Readonly<Record<string, string>>
  }
}

/** A row of a profile that can be configured. */
export interface ConfigRow {
  /** Of the row that the bundle mounts. */
  readonly id: string
  /** What a row is named after that mounts it. */
  readonly plugin: string
  readonly title: Words
  /** What else is to be known about the row; empty for nothing. */
  readonly note: Words
  readonly options: Readonly<Record<string, OptionSchema>>
  /** Reads a config as the plugin does when it is loaded; throws for what it refuses. */
  readonly load: (config: object) => void
  /** For each key one value that is refused. */
  readonly bad: Readonly<Record<string, unknown>>
}

/** What a schema knows of itself is not in its public type. */
const optionsOf = (schema: unknown): Readonly<Record<string, OptionSchema>> => (schema as { dict: Readonly<Record<string, OptionSchema>> }).dict

/** Every row with options, in the order in which the bundles mount them. */
export const CONFIG_ROWS: readonly ConfigRow[] = [
  {
    id: 'timekeeper-schedule',
    plugin: 'dsh-timekeeper/tool-schedule',
    title: { en: 'Reminders', zh: '提醒' },
    note: { en: '', zh: '' },
    options: optionsOf(ScheduleConfig),
    load: config => void ScheduleConfig(config as never),
    bad: { toolNames: 'remind', activate: 'sometimes', wakeIndex: 'perhaps', wakeIndexPath: 5, maxUnanswered: 0, maxUnattendedChain: 1.5 },
  },
  {
    id: 'timekeeper-clock',
    plugin: 'dsh-timekeeper/time-reminder',
    title: { en: 'Clock, counters and countdowns', zh: '时钟、计时器和倒计时' },
    note: {
      en: 'The same keys may stand in the section `dsh-time-reminder` of the host\'s `settings.yaml`, over those of the row; there a change holds at once, and one that is not valid leaves the last good one in place.',
      zh: '同样的键也可以写在宿主 `settings.yaml` 的 `dsh-time-reminder` 一节里，优先于这一行；在那里改动立即生效，无效的改动不会取代上一次有效的值。',
    },
    options: optionsOf(ClockConfig),
    load: config => void readConfig(ClockConfig(config as never)),
    bad: { defaultMode: 'always', cron: '0 25 * * *', timeZone: 'CST', fineIntervalMs: -1, gapMinutes: 0, reading: 'short', counterNotice: 'on', pendingTable: 'perhaps', pendingPath: '~/timekeeper/' },
  },
  {
    id: 'llm-offline',
    plugin: 'dsh-llm-offline',
    title: { en: 'Demo model', zh: '演示模型' },
    note: {
      en: '`npm start` mounts it; `dsh-timekeeper` alone does not hold it.',
      zh: '由 `npm start` 挂载；`dsh-timekeeper` 本身不包含它。',
    },
    options: optionsOf(OfflineConfig),
    load: config => void OfflineConfig(config as never),
    bad: { asDefault: 'maybe', keys: 'DEEPSEEK_API_KEY' },
  },
]
