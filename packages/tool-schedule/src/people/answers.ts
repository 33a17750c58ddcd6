import { formatDuration, plainLine, type Instant } from 'dsh-time-core'
import { sayRuleNotes } from '../rule-notes.ts'
import type { DeskChange } from './desk.ts'
import type { Language, Moment, PendingReminder, ReminderState, WireRefusal } from './wire.ts'

/** How much of a prompt one line of an answer shows (code points). */
const PROMPT_LENGTH = 120

/** How many reminders `/reminders` lists. */
const LISTED = 20

/** The sentences of the commands' answers. */
const WORDS = {
  en: {
    done: { set: 'Set', snoozed: 'Snoozed, again as', deleted: 'Cancelled' },
    in: (time: string) => `in ${time}`,
    late: 'overdue',
    next: 'then',
    every: (time: string) => `every ${time}`,
    paused: 'paused until you write a message',
    none: 'No reminders are pending.',
    count: (total: number) => `${total} pending:`,
    more: (count: number) => `… and ${count} more.`,
    unconfirmed: 'Not confirmed as stored yet: do not repeat it, look at /reminders.',
    broken: (seq: number, rule: string) => `The reminder records of this session break their format at event ${seq}: ${rule}.`,
    examples: 'For example:',
    where: 'Delivered in this session while it is open, else when it is opened again.',
  },
  zh: {
    done: { set: '已设置', snoozed: '已推迟，新编号', deleted: '已取消' },
    in: (time: string) => `还有 ${time}`,
    late: '已到期',
    next: '之后',
    every: (time: string) => `每 ${time}`,
    paused: '已暂停，等您发消息后继续',
    none: '没有待触发的提醒。',
    count: (total: number) => `共有 ${total} 个提醒：`,
    more: (count: number) => `……还有 ${count} 个。`,
    unconfirmed: '尚未确认写入磁盘：请不要重复操作，先查看 /reminders。',
    broken: (seq: number, rule: string) => `本会话的提醒记录在第 ${seq} 个事件处格式有误：${rule}。`,
    examples: '例如：',
    where: '会话打开时在会话中送达，否则在下次打开时送达。',
  },
} as const

/** What a command did. */
export type Done = keyof (typeof WORDS)['en']['done']

/**
 * The answer to a command that changed something: what it was read as is always shown (requirements T3, T10, S3).
 *
 * @param done - what was done.
 * @param change - at the desk.
 * @param now - the clock, for the time that is left.
 * @param language - of the person.
 */
export function sayChange(done: Done, { stored, reminder, removed, notes }: DeskChange, now: Instant, language: Language): string {
  const words = WORDS[language]
  const what = reminder === undefined ? `${String(removed)}.` : describe(reminder, now, language)
  const lines = [`${words.done[done]} ${what}`, ...sayRuleNotes(notes, language), ...(reminder === undefined ? [] : [words.where]), ...(stored ? [] : [words.unconfirmed])]
  return lines.join('\n')
}

/**
 * The pending reminders, soonest first.
 *
 * @param state - of the session.
 * @param language - of the person.
 */
export function sayList({ pending, total, corruption, now, stored }: ReminderState, language: Language): string {
  const words = WORDS[language]
  if (corruption !== undefined) return words.broken(corruption.seq, corruption.rule)
  const rows = pending.slice(0, LISTED).map((reminder) => `• ${describe(reminder, now.ms, language)}`)
  const lines = total === 0 ? [words.none] : [words.count(total), ...rows, ...(total > LISTED ? [words.more(total - LISTED)] : [])]
  return [...lines, ...(stored ? [] : [words.unconfirmed])].join('\n')
}

/**
 * Why a command did nothing, and what may be written instead.
 *
 * @param refusal - in the person's language.
 * @param language - of the person.
 * @param command - shown before each example.
 */
export function sayNo({ message, detail, examples = [] }: WireRefusal, language: Language, command: string): string {
  const more = detail === undefined ? '' : ` ${plainLine(detail, 300)}`
  const shown = examples.length === 0 ? [] : [WORDS[language].examples, ...examples.map((example) => `  ${command} ${plainLine(example, 120)}`)]
  return [`${message}${more}`, ...shown].join('\n')
}

function describe(reminder: PendingReminder, now: Instant, language: Language): string {
  const words = WORDS[language]
  const { id, prompt, due, next, zone, rule, state } = reminder
  const left = state === 'paused' ? words.paused : state === 'overdue' ? words.late : words.in(formatDuration(due.ms - now))
  const repeats = rule === undefined ? '' : rule.kind === 'cron' ? ` · ${rule.cron}` : ` · ${words.every(formatDuration(rule.everySeconds * 1000))}`
  const coming = next.length === 0 ? '' : ` · ${words.next} ${next.map(showMoment).join(', ')}`
  // The zone's name stands once; the instant stands in UTC too, because that is what is stored (B10).
  const where = zone === undefined ? '' : ` ${zone} (${showUtc(due)})`
  return `${id} “${plainLine(prompt, PROMPT_LENGTH)}” · ${showMoment(due)}${where} · ${left}${repeats}${coming}`
}

function showMoment(at: Moment): string {
  return at.local?.replace('T', ' ') ?? showUtc(at)
}

function showUtc({ utc }: Moment): string {
  return utc.replace('T', ' ').replace(/\.\d{3}Z$/, 'Z')
}
