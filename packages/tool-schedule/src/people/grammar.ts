import { parseCron, parseOffsetInstant, type ZoneName } from 'dsh-time-core'
import { codeOf, MAX_PROMPT_LENGTH, type Selector } from '../input.ts'
import { MIN_EVERY_SECONDS } from '../protocol.ts'
import { takeAmount, takeInterval } from './amounts.ts'
import { Cursor, MAX_TEXT_LENGTH } from './cursor.ts'
import { takeRepeatedDays } from './days.ts'
import { takeLocal, takeTimeOfDay, takeWhere, type Reader } from './local-times.ts'
import { deny, type PeopleRefusal } from './refusals.ts'
import type { OnceSelector } from './works.ts'

/** A time and what follows it. */
export interface Reading {
  readonly ok: true
  readonly selector: Selector
  /** Trimmed; may be empty. */
  readonly rest: string
}

/** A refusal of the grammar, told from a reading by `ok`. */
export type Misreading = { readonly ok: false; readonly refusal: PeopleRefusal }

/**
 * Read a time and what it is for (requirement T10): a delay, an instant, a local time, an interval or a calendar rule,
 * in English or Chinese, with the time first. What is ambiguous is refused with examples, never guessed.
 *
 * @param text - as a person typed it.
 * @param reader - clock and zone.
 */
export function readReminder(text: string, reader: Reader): Reading | Misreading {
  const reading = readTime(text, reader)
  if (!reading.ok) return reading
  const { rest } = reading
  if (rest === '' || rest.length > MAX_PROMPT_LENGTH) return no(deny('invalid_prompt', { field: 'text', showsGrammar: true }))
  return reading
}

/**
 * Read a time alone; what follows it is given back as `rest`.
 *
 * @param text - as a person typed it.
 * @param reader - clock and zone.
 * @param isAlone - nothing may follow, so that `两小时` can be nothing but a stretch of time.
 */
export function readTime(text: string, reader: Reader, isAlone = false): Reading | Misreading {
  if (text.length > MAX_TEXT_LENGTH) return no(deny('text_too_long', { field: 'text', detail: `≤ ${MAX_TEXT_LENGTH}` }))
  const cursor = new Cursor(text)
  const selector = takeCron(cursor, reader) ?? takeRepeated(cursor, reader) ?? takeOnce(cursor, reader, isAlone)
  return 'code' in selector ? no(selector) : { ok: true, selector, rest: cursor.rest }
}

/**
 * Read until when a reminder is put off, and nothing else: `10m`, `两小时`, `tonight 20:00`, `明天 9:00`.
 *
 * @param text - as a person typed it.
 * @param reader - clock and zone.
 */
export function readDelay(text: string, reader: Reader): { readonly ok: true; readonly selector: OnceSelector } | Misreading {
  const reading = readTime(text, reader, true)
  // The forms of a whole reminder are no examples here: a text behind the time would be refused.
  if (!reading.ok) return reading.refusal.showsGrammar === true ? no(NO_DELAY) : reading
  const { selector, rest } = reading
  if (rest !== '' || selector.kind === 'every' || selector.kind === 'cron') return no(NO_DELAY)
  return { ok: true, selector }
}

/** What a snooze may look like, in both languages. */
const NO_DELAY = deny('not_understood', { field: 'text', examples: ['10m', 'tonight 20:00', '10分钟', '明天 9:00'] })

function no(refusal: PeopleRefusal): Misreading {
  return { ok: false, refusal }
}

type Taken = Selector | PeopleRefusal

const QUOTED_CRON = /cron\s{1,3}(?:"(?<double>[^"]{1,150})"|'(?<single>[^']{1,150})'|“(?<curly>[^”]{1,150})”)/iy
const PLAIN_CRON = /cron\s{1,3}(?<plain>(?:[^\s"'“]{1,60}\s{1,3}){4}[^\s"'“]{1,60})(?=\s|$)/iy

function takeCron(cursor: Cursor, reader: Reader): Taken | undefined {
  const found = cursor.take(QUOTED_CRON) ?? cursor.take(PLAIN_CRON)
  if (found === undefined) return undefined
  return inZone(cursor, reader, (zone) => calendar(found('double') + found('single') + found('curly') + found('plain'), zone))
}

/** A calendar rule needs a zone, not an offset: an offset does not know when the clocks change. */
function inZone(cursor: Cursor, reader: Reader, then: (zone: ZoneName) => Taken): Taken {
  const where = takeWhere(cursor, reader)
  switch (where.kind) {
    case 'zone':
      return then(where.zone)
    case 'offset':
      return deny('invalid_time_zone', { field: 'text' })
    case 'refused':
      return where.refusal
  }
}

function calendar(text: string, zone: ZoneName): Taken {
  const parsed = parseCron(text)
  if (parsed.ok) return { kind: 'cron', cron: parsed.cron, zone }
  return deny(codeOf(parsed.refusal), { field: 'text', detail: { code: 'bad_cron', refusal: parsed.refusal }, examples: ['cron "0 9 * * 1-5" …'] })
}

function takeRepeated(cursor: Cursor, reader: Reader): Taken | undefined {
  const days = takeRepeatedDays(cursor)
  if (days !== undefined) {
    const time = takeTimeOfDay(cursor, { part: undefined, isDue: true })
    if (time === undefined) return deny('time_missing', { field: 'text', examples: [`${cursor.taken} 9:00 …`] })
    if ('code' in time) return time
    if (time.second !== 0) return deny('invalid_rule', { field: 'text', examples: [`… ${time.hour}:${String(time.minute).padStart(2, '0')} …`] })
    return inZone(cursor, reader, (zone) => calendar(`${time.minute} ${time.hour} * * ${days}`, zone))
  }
  const seconds = takeInterval(cursor)
  if (seconds === undefined) return undefined
  return seconds < MIN_EVERY_SECONDS ? deny('frequency_too_high', { field: 'text' }) : { kind: 'every', seconds }
}

const STRICT = /(?<instant>\d{4}-\d\d-\d\dT[0-9:.Z+-]{1,30})(?![^\s,，])/y

function takeOnce(cursor: Cursor, reader: Reader, isAlone: boolean): Taken {
  const strict = cursor.take(STRICT)?.('instant')
  if (strict !== undefined) {
    const parsed = parseOffsetInstant(strict)
    return parsed.ok ? { kind: 'instant', instant: parsed.instant } : deny('no_such_time', { field: 'text', examples: ['2026-10-09T09:00:00+08:00 …'] })
  }
  const amount = takeAmount(cursor, isAlone)
  if (amount !== undefined) return { kind: 'after', seconds: amount.seconds }
  return takeLocal(cursor, reader) ?? deny('not_understood', { field: 'text', showsGrammar: true })
}
