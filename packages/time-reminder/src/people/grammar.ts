import { parseCountdownWish } from '../countdowns/input.ts'
import type { PersonsWish } from '../countdowns/live.ts'
import { isRefusal, type Refusal } from '../errors.ts'
import { parseModeChange } from '../input.ts'
import type { Mode, ModeChange } from '../protocol.ts'

/** What a person calls the modes, beside their own names (requirement T10). */
const MODE_WORDS: ReadonlyMap<string, Mode> = new Map([['关闭', 'off'], ['计划', 'cron'], ['每轮', 'turn'], ['每步', 'fine']])

const CHANGE = /^(?<word>snooze|cancel|推迟|取消)(?:\s+(?<rest>.*))?$/isu
const ENDS_WITH_WORD = /^(?<name>.*\S)\s+(?<time>\S+)$/su

/** A stretch of time at the beginning; what follows it directly is a blank, a sign of punctuation or a Chinese character. */
const STRETCH = /^(?<amount>(?:\d{1,9}(?:[dhms]|天|个?小时|分钟|分(?!钟)|秒钟|秒(?!钟)))+)(?:之后|以后|后)?(?![^\s,，:：。\p{Script=Han}])[\s,，:：。]*/iu

/** Of 24 hours: `3:30 pm` must not be taken for the night. */
const TIME_OF_DAY = /^(?<hour>\d{1,2})[:：](?<minute>\d\d)(?![^\s,，。\p{Script=Han}])(?!\s*[ap]\.?m\b)[\s,，。]*/iu

const ZH_UNITS: readonly (readonly [RegExp, string])[] = [[/天/gu, 'd'], [/个?小时/gu, 'h'], [/分钟?/gu, 'm'], [/秒钟?/gu, 's']]

/**
 * Read what follows `/clock` (requirement T10): a mode, in English or Chinese, and perhaps a plan, with or without quotes.
 *
 * @param text - trimmed, not empty.
 */
export function readSwitch(text: string): ModeChange | Refusal {
  const word = text.replace(/\s.*$/su, '')
  const cron = text.slice(word.length).trim().replace(/^["'“](?<plain>.*)["'”]$/u, '$<plain>')
  return parseModeChange({ mode: MODE_WORDS.get(word) ?? word.toLowerCase(), ...(cron !== '' && { cron }) })
}

/**
 * Read what follows `/timer` (requirement T10): a stretch of time or a time of day with the name behind it, or `snooze`
 * and `cancel` with the name. Whatever else is said is refused, never guessed.
 *
 * @param text - trimmed, not empty.
 * @returns `unclear` where no form is recognised.
 */
export function readTimer(text: string): PersonsWish | Refusal | 'unclear' {
  const change = take(CHANGE, text)?.groups
  if (change !== undefined) return readChange(String(change['word']), change['rest'] ?? '')
  const stretch = take(STRETCH, text)
  if (stretch !== undefined) return wish({ action: 'start', name: stretch.rest, in: plainStretch(stretch.groups) })
  const time = take(TIME_OF_DAY, text)
  return time === undefined ? 'unclear' : wish({ action: 'start', name: time.rest, at: `${time.groups['hour']}:${time.groups['minute']}` })
}

/** The name comes first and may have blanks; the stretch of time is the last word. */
function readChange(word: string, rest: string): PersonsWish | Refusal | 'unclear' {
  if (/^(?:cancel|取消)$/iu.test(word)) return rest === '' ? 'unclear' : wish({ action: 'cancel', name: rest })
  const words = take(ENDS_WITH_WORD, rest)?.groups
  if (words === undefined) return 'unclear'
  const stretch = take(STRETCH, String(words['time']))
  return stretch?.rest === '' ? wish({ action: 'snooze', name: words['name'], in: plainStretch(stretch.groups) }) : 'unclear'
}

interface Found {
  readonly groups: Readonly<Record<string, string | undefined>>
  readonly rest: string
}

function take(pattern: RegExp, text: string): Found | undefined {
  const found = pattern.exec(text)
  return found === null ? undefined : { groups: found.groups as Found['groups'], rest: text.slice(found[0].length) }
}

function plainStretch(groups: Found['groups']): string {
  return ZH_UNITS.reduce((text, [unit, letter]) => text.replace(unit, letter), String(groups['amount']).toLowerCase())
}

/** The tool's own check: people and the model are held to the same rules (requirement R12). */
function wish(args: Readonly<Record<string, unknown>>): PersonsWish | Refusal {
  const read = parseCountdownWish(args)
  return isRefusal(read) ? read : (read as PersonsWish)
}
