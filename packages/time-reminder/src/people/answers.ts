import { formatInstant, nextFires, parseCanonicalInstant, plainLine, type Instant, type Language, type ZoneName } from 'dsh-time-core'
import { bySoonest } from '../countdowns/decide.ts'
import type { Countdown, Countdowns, Fired } from '../countdowns/fold.ts'
import type { Rhythm } from '../decide.ts'
import type { Refusal } from '../errors.ts'
import { effectText, stamp } from '../frame.ts'
import type { Shown } from '../session.ts'
import { shortDuration } from '../words.ts'
import { sayRefusal } from './refusals.ts'

/** When, where and in which language something was asked. */
export interface Asked {
  readonly now: Instant
  readonly zone: ZoneName
  readonly language: Language
}

/** How many pending countdowns `/timer` lists, and how many that have fired. */
const PENDING_LISTED = 20
const FIRED_LISTED = 5

/** How much of a note one line shows (code points); a name is shown whole. */
const NOTE_LENGTH = 80
const NAME_LENGTH = 64

/** The sentences of the commands' answers. */
const WORDS = {
  en: {
    mode: (mode: string, effect: string) => `Mode: ${mode}. ${effect}`,
    switched: (mode: string, effect: string) => `Mode set to ${mode}. ${effect}`,
    waits: 'The switch takes effect at the next step.',
    next: (time: string) => `The plan is due next at ${time}.`,
    done: { start: 'Started', snooze: 'Snoozed', cancel: 'Cancelled' },
    replaced: (time: string) => `It replaces the one that was due at ${time}.`,
    in: (time: string) => `in ${time}`,
    due: 'due now',
    quiet: 'waits for the next step',
    none: 'No countdowns are pending.',
    count: (total: number) => `${total} pending:`,
    more: (count: number) => `… and ${count} more.`,
    fired: 'Fired, newest first:',
  },
  zh: {
    mode: (mode: string, effect: string) => `模式：${mode}。${effect}`,
    switched: (mode: string, effect: string) => `模式已设为：${mode}。${effect}`,
    waits: '下一步生效。',
    next: (time: string) => `计划下次到点：${time}。`,
    done: { start: '已开始', snooze: '已推迟', cancel: '已取消' },
    replaced: (time: string) => `它取代了原定 ${time} 的那个。`,
    in: (time: string) => `还有 ${time}`,
    due: '已到点',
    quiet: '等下一步再告知',
    none: '没有进行中的倒计时。',
    count: (total: number) => `共有 ${total} 个倒计时：`,
    more: (count: number) => `……还有 ${count} 个。`,
    fired: '已响过，最近的在前：',
  },
} as const

const ZH_MODES = { off: '关闭（off）', cron: '计划（cron）', turn: '每轮（turn）', fine: '每步（fine）' } as const

/** The tool's sentence names one of three reasons; all of them come to this. */
const ZH_LIMIT = '注意：如果会话在此之前结束或关闭，要等它再次打开才会送达。'

/**
 * The answer to `/clock`: the time, the zone, the mode, and what it does (requirement T10).
 *
 * @param shown - what is shown of the session.
 * @param isSwitched - whether the person has just asked for this mode.
 * @param asked - when, where and in which language.
 */
export function sayClock({ rhythm, isPending }: Shown, isSwitched: boolean, { now, zone, language }: Asked): string {
  const words = WORDS[language]
  const [mode, effect] = language === 'zh' ? [ZH_MODES[rhythm.mode], zhEffect(rhythm)] : [rhythm.mode, effectText(rhythm, zone)]
  const [next] = rhythm.mode === 'cron' ? nextFires(rhythm.cron, zone, now, 1) : []
  return [
    `${showLocal(now, zone)} ${zone}`,
    (isSwitched ? words.switched : words.mode)(mode, effect),
    ...(next === undefined ? [] : [words.next(showBoth(next.instant, zone))]),
    ...(isPending ? [words.waits] : []),
  ].join('\n')
}

function zhEffect({ mode, cron, gapMs, fineIntervalMs }: Rhythm): string {
  switch (mode) {
    case 'off':
      return '不报时；工具仍可查询时间。'
    case 'cron':
      return `计划（${cron.text}）到点、恢复会话、停顿 ${shortDuration(gapMs)} 后、以及日期变化时，各报时一次。`
    case 'turn':
      return '每轮对话在第一步报时一次。'
    case 'fine':
      return `每一步都报时一次${fineIntervalMs === 0 ? '' : `，至少相隔 ${shortDuration(fineIntervalMs)}`}。`
  }
}

/**
 * The answer to a change of a countdown: the instant that a time was read as is always shown (requirement T10).
 *
 * @param value - what the tool would have answered.
 * @param asked - when, where and in which language.
 */
export function sayTimer(value: Readonly<Record<string, unknown>>, asked: Asked): string {
  const words = WORDS[asked.language]
  const { action, name, note, onFire, replaced, limit } = value as { readonly action: 'start' | 'snooze' | 'cancel'; readonly name: string } & Partial<Record<'note' | 'replaced' | 'limit', string>> & Pick<Countdown, 'onFire'>
  const dueAt = parseCanonicalInstant(value['dueAt'])
  if (dueAt === undefined) return `${words.done[action]} “${name}”.`
  return [
    `${words.done[action]} ${describe({ name, dueAt, onFire, note }, asked)}`,
    ...(replaced === undefined ? [] : [words.replaced(replaced.replace('T', ' '))]),
    ...(limit === undefined ? [] : [asked.language === 'zh' ? ZH_LIMIT : limit]),
  ].join('\n')
}

/**
 * The answer to `/timer`: what is pending, the soonest first, and what has fired last (requirements R13, T10).
 *
 * @param countdowns - of the session.
 * @param asked - when, where and in which language.
 */
export function sayTimers({ pending, fired }: Countdowns, asked: Asked): string {
  const words = WORDS[asked.language]
  const rows = bySoonest(pending.values()).slice(0, PENDING_LISTED).map((one) => `• ${describe(one, asked)}`)
  const more = pending.size > PENDING_LISTED ? [words.more(pending.size - PENDING_LISTED)] : []
  const newest = fired.slice(-FIRED_LISTED).toReversed().map((one) => `• ${describeFired(one, asked)}`)
  return [pending.size === 0 ? words.none : words.count(pending.size), ...rows, ...more, ...(newest.length === 0 ? [] : [words.fired, ...newest])].join('\n')
}

/**
 * Why a command did nothing, and what may be written instead.
 *
 * @param refusal - of the clock or a countdown; `unclear`: nothing was recognised.
 * @param command - shown before each example.
 * @param language - of the person.
 */
export function sayNo(refusal: Refusal | 'unclear', command: string, language: Language): string {
  const { message, detail, examples } = sayRefusal(refusal, language)
  const more = detail === undefined ? '' : ` ${plainLine(detail, 300)}`
  return [`${message}${more}`, ...examples.map((example) => `  /${command} ${example}`)].join('\n')
}

function describe({ name, dueAt, onFire, note }: Omit<Countdown, 'setAt'>, { now, zone, language }: Asked): string {
  const words = WORDS[language]
  const left = dueAt > now ? words.in(shortDuration(dueAt - now)) : words.due
  const quiet = onFire === 'inject' ? ` · ${words.quiet}` : ''
  return `${head({ name, note })} · ${showBoth(dueAt, zone)} · ${left}${quiet}`
}

function describeFired({ name, note, firedAt }: Fired, { zone }: Asked): string {
  return `${head({ name, note })} · ${showLocal(firedAt, zone)}`
}

function head({ name, note }: Pick<Countdown, 'name' | 'note'>): string {
  return `“${plainLine(name, NAME_LENGTH)}”${note === undefined ? '' : ` (${plainLine(note, NOTE_LENGTH)})`}`
}

/** The instant stands in UTC too, because that is what is stored. */
function showBoth(at: Instant, zone: ZoneName): string {
  return `${showLocal(at, zone)} ${zone} (${formatInstant(at).replace('T', ' ').replace(/\.\d{3}Z$/, 'Z')})`
}

function showLocal(at: Instant, zone: ZoneName): string {
  return stamp(at, zone).replace('T', ' ')
}
