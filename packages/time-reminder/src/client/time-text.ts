/** The time as the card shows it. */
export interface NowText {
  /** `14:32:07` */
  readonly time: string
  /** Date and weekday in the language of the person. */
  readonly date: string
  /** For machines: canonical UTC, in whole seconds. */
  readonly iso: string
}

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const DAY_MS = 86_400_000

/**
 * The current time in words.
 *
 * @param now - epoch milliseconds.
 * @param locale - BCP 47 tag.
 * @param timeZone - IANA zone of the person.
 */
export function nowText(now: number, locale: string, timeZone: string): NowText {
  const show = (shape: Intl.DateTimeFormatOptions): string => new Intl.DateTimeFormat(locale, { ...shape, timeZone }).format(now)
  return {
    time: show({ ...CLOCK, second: '2-digit' }),
    date: show({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' }),
    iso: new Date(Math.floor(now / 1000) * 1000).toISOString(),
  }
}

/**
 * An instant in at most six narrow characters, for the button in the header: `14:32` within a day, then the weekday,
 * then month and day.
 *
 * @param at - epoch milliseconds.
 * @param now - epoch milliseconds.
 * @param locale - BCP 47 tag.
 * @param timeZone - IANA zone of the person.
 */
export function shortTime(at: number, now: number, locale: string, timeZone: string): string {
  const shape: Intl.DateTimeFormatOptions = at - now < DAY_MS ? CLOCK : at - now < 6 * DAY_MS ? { weekday: 'short' } : { month: 'numeric', day: 'numeric' }
  const text = new Intl.DateTimeFormat(locale, { ...shape, timeZone }).format(at)
  // Chinese month and day may come with their units, which do not fit.
  return text.replace('月', '/').replace('日', '')
}

/**
 * An instant with its day, for a line of the card and for screen readers.
 *
 * @param at - epoch milliseconds.
 * @param locale - BCP 47 tag.
 * @param timeZone - IANA zone of the person.
 */
export function longTime(at: number, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { ...CLOCK, month: 'short', day: 'numeric', weekday: 'short', timeZone }).format(at)
}
