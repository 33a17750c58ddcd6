import { addDays, dateOf } from './days.ts'
import type { CivilDate } from './days.ts'
import type { ClockTime } from './clock-time.ts'
import { compactDuration } from './durations.ts'
import { PHRASES } from './phrases/phrases.ts'
import type { Phrases } from './phrases/phrases.ts'
import { dateText, timeText } from './reading.ts'
import type { Reading } from './reading.ts'
import type { Wish } from './rules/wish.ts'
import type { Act } from './script.ts'
import { oneLine } from './text.ts'
import type { Language } from './text.ts'
import type { When } from './when.ts'

/** What a wish is planned with. */
export interface Means {
  readonly language: Language
  /** Names of the tools the request offers. */
  readonly tools: ReadonlySet<string>
  readonly reading: Reading | undefined
}

type Arguments = Readonly<Record<string, unknown>>

const LONGEST_PROMPT = 500

const say = (text: string): Act => ({ kind: 'say', text })

/** Calls a tool under the name it is mounted by; hosts with a schedule of their own mount ours as `reminder_*`. */
function call(tool: string, args: Arguments, { tools, language }: Means): Act {
  const mounted = [tool, tool.replace(/^schedule_/, 'reminder_')].find(name => tools.has(name))
  if (mounted === undefined) return say(PHRASES[language].notMounted(tool))
  return { kind: 'call', tool: mounted, args: JSON.stringify(args) }
}

const secondOf = (time: ClockTime): number => (time.hour * 60 + time.minute) * 60 + time.second

/** Date of a local moment: the named day, or the first day on which the time is still ahead. */
function momentDate(when: Extract<When, { kind: 'local' }>, reading: Reading | undefined): CivilDate | undefined {
  const { day, time } = when
  if (day?.kind === 'date') return addDays(day.date, time.nextDay ? 1 : 0)
  if (reading === undefined) return undefined
  const named = day === undefined ? reading.date : dateOf(day, reading.date)
  const isPast = dateText(named) === dateText(reading.date) && !time.nextDay && secondOf(time) <= reading.secondOfDay
  const rolls = day === undefined ? 1 : day.kind === 'weekday' ? 7 : 0
  return addDays(named, (time.nextDay ? 1 : 0) + (isPast ? rolls : 0))
}

const zoneMember = (zone: string | undefined): Arguments => (zone === undefined ? {} : { time_zone: zone })

/** Arguments that say when, or the question that has to be answered first. */
function timing(when: When, reading: Reading | undefined, phrases: Phrases): Arguments | string {
  if (when.kind === 'after') return { after_seconds: when.seconds }
  if (when.kind === 'every') return { every_seconds: when.seconds }
  if (when.kind === 'instant') return { at: when.instant }
  if (when.kind === 'series') {
    const zone = when.zone ?? reading?.zone
    return zone === undefined ? phrases.askZone : { cron: `${when.time.minute} ${when.time.hour} ${when.days}`, time_zone: zone }
  }
  const date = momentDate(when, reading)
  if (date === undefined) return phrases.askDate
  return { at: { date: dateText(date), time: timeText(secondOf(when.time)), ...zoneMember(when.zone) } }
}

function planReminder(wish: Extract<Wish, { kind: 'remind' }>, means: Means): Act {
  const phrases = PHRASES[means.language]
  if (wish.when === undefined) return say(phrases.askWhen)
  const rule = timing(wish.when, means.reading, phrases)
  if (typeof rule === 'string') return say(rule)
  const prompt = wish.prompt === '' ? phrases.defaultPrompt : oneLine(wish.prompt, LONGEST_PROMPT)
  return call('schedule_create', { prompt, ...rule }, means)
}

function planTime({ language, reading }: Means): Act {
  const phrases = PHRASES[language]
  if (reading === undefined) return say(phrases.noReading)
  const offset = reading.offset === 'Z' ? 'UTC' : `UTC${reading.offset}`
  return say(phrases.timeIs(dateText(reading.date), timeText(reading.secondOfDay), reading.zone, offset))
}

function planCountdown({ action, name, seconds }: Extract<Wish, { kind: 'countdown' }>, means: Means): Act {
  const phrases = PHRASES[means.language]
  if (action === 'list') return call('time_countdown', { action }, means)
  if (action === 'start') return call('time_countdown', { action, name: name === '' ? phrases.defaultCountdown : name, in: compactDuration(seconds) }, means)
  return name === '' ? say(phrases.askName) : call('time_countdown', { action, name }, means)
}

/**
 * Turns a wish into one act: a call of a mounted tool, or words.
 *
 * @param wish what the person wants
 * @param means language, mounted tools and the newest time reading
 */
export function planFor(wish: Wish, means: Means): Act {
  const phrases = PHRASES[means.language]
  switch (wish.kind) {
    case 'remind': return planReminder(wish, means)
    case 'list': return call('schedule_list', {}, means)
    case 'cancel': return wish.id === undefined ? say(phrases.askReminderId) : call('schedule_delete', { id: wish.id }, means)
    case 'snooze': return wish.id === undefined ? say(phrases.askReminderId) : call('schedule_snooze', { id: wish.id, after_seconds: wish.seconds }, means)
    case 'mode': {
      if (wish.mode === undefined) return say(phrases.askMode)
      return call('time_mode', { mode: wish.mode, ...(wish.cron === undefined ? {} : { cron: wish.cron }) }, means)
    }
    case 'counter': return call('time_counter', { action: wish.action, ...(wish.name === '' ? {} : { name: wish.name }) }, means)
    case 'countdown': return planCountdown(wish, means)
    case 'time': return planTime(means)
    case 'unknown': break
  }
  return say(phrases.intro)
}
