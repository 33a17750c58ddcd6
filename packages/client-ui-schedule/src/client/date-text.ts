const FORMATS = new Map<string, Intl.DateTimeFormat>()

let knownOffsets = ''

/** Half a year apart: where the browser is taken to another zone, one of them changes. */
const JANUARY = Date.UTC(2026, 0, 1)
const JULY = Date.UTC(2026, 6, 1)

/**
 * An instant in words. To make a format takes fifty times as long as to use it, so each is made once; a browser that is
 * taken to another zone makes them anew.
 *
 * @param ms - epoch milliseconds.
 * @param locale - BCP 47 tag.
 * @param shape - what is shown.
 * @param timeZone - IANA; the browser's own when absent.
 */
export function dateText(ms: number, locale: string, shape: Intl.DateTimeFormatOptions, timeZone?: string): string {
  const offsets = `${new Date(JANUARY).getTimezoneOffset()} ${new Date(JULY).getTimezoneOffset()}`
  if (offsets !== knownOffsets) FORMATS.clear()
  knownOffsets = offsets
  const key = JSON.stringify([locale, timeZone, shape])
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat(locale, { ...shape, timeZone })
  FORMATS.set(key, format)
  return format.format(ms)
}
