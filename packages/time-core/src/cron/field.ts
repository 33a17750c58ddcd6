/** The five fields, in their order. */
export type CronField = 'minute' | 'hour' | 'day' | 'month' | 'weekday'

/** The grammar of one field. */
interface FieldRule {
  readonly min: number
  readonly max: number
  /** Three-letter names; the first stands for `min`. */
  readonly names: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const RULES: Readonly<Record<CronField, FieldRule>> = {
  minute: { min: 0, max: 59, names: [] },
  hour: { min: 0, max: 23, names: [] },
  day: { min: 1, max: 31, names: [] },
  month: { min: 1, max: 12, names: MONTHS },
  weekday: { min: 0, max: 7, names: WEEKDAYS },
}

/** What a field's text means. */
export interface FieldValues {
  /** Ascending, each once; weekdays as 0 (Sunday) to 6. Empty only for a lone `L`. */
  readonly values: readonly number[]
  /** The day field holds an `L`. */
  readonly last: boolean
  /** The raw text starts with `*`, so that Vixie cron does not call the field restricted (B16). */
  readonly star: boolean
  /** The raw text holds a `*` or a step: the field of an interval-like rule. */
  readonly beat: boolean
}

/**
 * Why one item of a field's list cannot be read. `value`: something else than a value of the field, of which all are given.
 * `step-alone`: a step behind a single value. `backwards`: a range that ends before it begins. `step`: a step of 0, or of
 * more than `most`. `empty`: nothing between two commas. `question-mark`, `nth-weekday`, `nearest-weekday`, `last-of` (B21,
 * B22): notations of other crons.
 */
export type ItemFault =
  | { readonly code: 'value'; readonly least: number; readonly most: number; readonly names: readonly string[] }
  | { readonly code: 'step'; readonly most: number }
  | { readonly code: 'step-alone' | 'backwards' | 'empty' | 'question-mark' | 'nth-weekday' | 'nearest-weekday' | 'last-of' }

/** An item, in upper case, that cannot be read. */
export interface UnreadableItem {
  readonly code: 'unreadable'
  readonly field: CronField
  readonly item: string
  readonly fault: ItemFault
}

/** A field's values, or what of it cannot be read. */
export type FieldParse = { ok: true; values: FieldValues } | { ok: false; refusal: UnreadableItem }

const ITEM = /^(?:\*|(?:\d{1,2}|[A-Z]{3})(?:-(?:\d{1,2}|[A-Z]{3}))?)(?:\/\d{1,2})?$/

/** Reads one field of upper-case text: `*`, numbers, names, ranges, steps on `*` or a range, lists, and `L` for the last day. */
export function parseField(field: CronField, text: string): FieldParse {
  const found = new Set<number>()
  const items = text.split(',')
  for (const item of items.filter(part => !isLastDay(field, part))) {
    const span = parseItem(field, item)
    if ('code' in span) return { ok: false, refusal: { code: 'unreadable', field, item, fault: span } }
    for (let value = span.from; value <= span.to; value += span.step) found.add(field === 'weekday' ? value % 7 : value)
  }
  const values = [...found].toSorted((a, b) => a - b)
  const last = items.some(item => isLastDay(field, item))
  return { ok: true, values: { values, last, star: text.startsWith('*'), beat: /[*/]/.test(text) } }
}

function isLastDay(field: CronField, item: string): boolean {
  return field === 'day' && item === 'L'
}

/** One item of a list as a stepped range, or the reason it is not one. */
function parseItem(field: CronField, item: string): { from: number; to: number; step: number } | ItemFault {
  const rule = RULES[field]
  if (!ITEM.test(item)) return unreadable(item, rule)
  const [range, step] = cut(item, '/')
  const [first, end] = cut(range, '-')
  const star = range === '*'
  if (!star && end === undefined && step !== undefined) return { code: 'step-alone' }
  const from = star ? rule.min : toNumber(first, rule)
  // `*` in the weekday field ends at 6: 7 is only a second name for Sunday and would bend the steps.
  const to = star ? rule.max - (field === 'weekday' ? 1 : 0) : endOf(end ?? first, from, rule)
  if (!within(from, rule) || !within(to, rule)) return allowed(rule)
  if (from > to) return { code: 'backwards' }
  const stride = Number(step ?? 1)
  if (stride < 1 || stride > rule.max) return { code: 'step', most: rule.max }
  return { from, to, step: stride }
}

/** Splits at the first mark; the second part is `undefined` when there is none. */
function cut(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

/** Sunday closes a week that began before it: in `FRI-SUN` it is day 7. */
function endOf(text: string, from: number, rule: FieldRule): number {
  return text === 'SUN' && from > 0 ? 7 : toNumber(text, rule)
}

function toNumber(text: string, rule: FieldRule): number {
  if (/^\d/.test(text)) return Number(text)
  const at = rule.names.indexOf(text)
  return at === -1 ? NaN : at + rule.min
}

function within(value: number, { min, max }: FieldRule): boolean {
  return value >= min && value <= max
}

function allowed({ min, max, names }: FieldRule): ItemFault {
  return { code: 'value', least: min, most: max, names }
}

/** Says which foreign notation it is where people are likely to bring it along from another cron. */
function unreadable(item: string, rule: FieldRule): ItemFault {
  if (item === '') return { code: 'empty' }
  if (item.includes('?')) return { code: 'question-mark' }
  if (item.includes('#')) return { code: 'nth-weekday' }
  if (/^\d{0,2}L?W$|^W/.test(item)) return { code: 'nearest-weekday' }
  if (item.endsWith('L')) return { code: 'last-of' }
  return allowed(rule)
}
