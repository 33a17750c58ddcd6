import type { Context } from '@deepseek-ai/cordis'
import type { SettingsNamespace } from '@deepseek-ai/dsh-settings'
import z from '@deepseek-ai/schemastery'
import { MINUTE_MS, parseCron, parseZone, sayCronRefusal, type Cron, type ZoneName } from 'dsh-time-core'
import { COUNTER_NOTICES, type CounterNotice } from './counters/sharing.ts'
import { MODES, type Mode } from './protocol.ts'

/** Name of the section in the host's settings document. */
const NAMESPACE = 'dsh-time-reminder' as SettingsNamespace

/** Config of the row, and the same keys in the host's settings document (requirement R27). */
export interface Config {
  /** Mode of a session that nobody has switched. */
  readonly defaultMode: Mode
  /** Plan of `cron` mode where none was given: five fields, in the session's zone. */
  readonly cron: string
  /** IANA zone of all sessions; without it the zone of the session's first request, else that of the process. */
  readonly timeZone?: string
  /** Least distance between two readings in `fine` mode (milliseconds); 0 reads at every step. */
  readonly fineIntervalMs: number
  /** A pause after which the model is told the time again (minutes). */
  readonly gapMinutes: number
  /** How much a reading says. */
  readonly reading: ReadingForm
  /** How those who see a counter are told of a change (requirement R10). */
  readonly counterNotice: CounterNotice
  /** Whether closed sessions are brought back for their countdowns; read at the start of the host. */
  readonly pendingTable: boolean
  /** File of the index of pending countdowns; a leading `~` is the user's directory; read at the start of the host. */
  readonly pendingPath?: string
}

/** full: the four lines of requirement R3 · compact: one line of at most 45 tokens. */
export type ReadingForm = 'full' | 'compact'

const OPTIONS = z.object({
  defaultMode: z.union(MODES).default('cron').description('Mode of a session that nobody has switched.'),
  cron: z.string().default('0 0 * * *').description('Plan of cron mode where none was given: five fields, in the zone of the session.'),
  timeZone: z.string().description('IANA zone of all sessions; else that of the session\'s first request, else that of the process.'),
  fineIntervalMs: z.natural().default(0).description('Least distance between two readings in fine mode, in milliseconds; 0 reads at every step.'),
  gapMinutes: z.number().min(1).default(30).description('Pause after which the model is told the time again, in minutes.'),
  reading: z.union(['full', 'compact'] as const).default('full').description('How much a reading says: full is four lines, compact one.'),
  counterNotice: z.union(COUNTER_NOTICES).default('inject').description('How those who see a counter are told of a change: inject with their next step, steer at once, off not at all.'),
  pendingTable: z.boolean().default(true).description('Whether closed sessions are brought back for their countdowns; read at the start of the host.'),
  pendingPath: z.string().description('File of the index of pending countdowns; a leading ~ is the directory of the user. Else timekeeper/wake.sqlite in the home. Read at the start of the host.'),
})

/** Checked when the row is loaded; a bad value stops the load with the key's name. */
export const Config: z<Config> = OPTIONS.i18n({
  zh: {
    defaultMode: '没有人切换过的会话所用的模式。',
    cron: 'cron 模式没有给出计划时所用的计划：五个字段，按会话的时区。',
    timeZone: '所有会话的 IANA 时区；不设则用会话第一次请求的时区，再不然用进程的时区。',
    fineIntervalMs: 'fine 模式两次读数之间的最小间隔，毫秒；0 表示每一步都读。',
    gapMinutes: '停顿多久之后再次告诉模型时间，分钟。',
    reading: '读数说多少：full 四行，compact 一行。',
    counterNotice: '计时器改变时怎样告诉看得见它的会话：inject 随它们的下一步，steer 立即，off 不告诉。',
    pendingTable: '是否为倒计时把已关闭的会话带回来；宿主启动时读取。',
    pendingPath: '待触发倒计时的索引文件；开头的 ~ 是用户目录。不设则为 home 里的 timekeeper/wake.sqlite。宿主启动时读取。',
  },
})

/** A config whose texts have been read. */
export interface Settings {
  readonly defaultMode: Mode
  readonly cron: Cron
  readonly timeZone: ZoneName | undefined
  readonly fineIntervalMs: number
  readonly gapMs: number
  readonly reading: ReadingForm
  readonly counterNotice: CounterNotice
}

/**
 * Read a config.
 *
 * @param config - of the schema's shape.
 * @throws RangeError that names the key, for a value of the right shape that means nothing.
 */
export function readConfig(config: Config): Settings {
  const cron = parseCron(config.cron)
  if (!cron.ok) throw badValue('cron', sayCronRefusal(cron.refusal, 'en'))
  const timeZone = parseZone(config.timeZone)
  if (timeZone === undefined && config.timeZone !== undefined) throw badValue('timeZone', 'It must be UTC or an IANA name such as Europe/Berlin.')
  // YAML can say .nan and .inf, which the schema takes for numbers.
  const gapMs = config.gapMinutes * MINUTE_MS
  if (!Number.isFinite(gapMs)) throw badValue('gapMinutes', 'It must be a number of minutes.')
  if (config.pendingPath !== undefined && !isPath(config.pendingPath)) throw badValue('pendingPath', 'It must be the path of a file.')
  const { defaultMode, fineIntervalMs, reading, counterNotice } = config
  return { defaultMode, cron: cron.cron, timeZone, fineIntervalMs, gapMs, reading, counterNotice }
}

function isPath(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0') && !/[/\\]$/.test(text)
}

function badValue(key: keyof Config, detail: string): RangeError {
  return new RangeError(`time-reminder: the config value ${key} is not valid. ${detail}`)
}

/**
 * The config as it is now: the row's, and over it, where the host has a settings document, the section of that document,
 * which may change while the host runs. A change that is not valid leaves the last good one in place; the host says so.
 *
 * @param ctx - the plugin's context.
 * @param config - of the row.
 * @returns reads the settings of this moment.
 * @throws RangeError as `readConfig`.
 */
export function liveSettings(ctx: Context, config: Config): () => Settings {
  const ofRow = readConfig(config)
  let current = ofRow
  ctx.inject(['settings'], (sub) => {
    const section = sub.settings.register(NAMESPACE, Config, { base: config, applies: 'live', validate: (value) => void readConfig(value) })
    current = readConfig(section.get())
    section.watch((next) => {
      current = readConfig(next)
    })
    sub.effect(() => () => {
      current = ofRow
    }, 'time-reminder settings')
  })
  return () => current
}
