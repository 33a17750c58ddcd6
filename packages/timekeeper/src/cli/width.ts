/** Characters that terminals draw two columns wide: those of East Asian scripts and full-width forms (UAX #11). */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/gu

/**
 * Fill a text with spaces up to a number of columns of a terminal.
 *
 * @param text - one line.
 * @param columns - least width.
 */
export function padEnd(text: string, columns: number): string {
  const width = text.length + (text.match(WIDE)?.length ?? 0)
  return text + ' '.repeat(Math.max(0, columns - width))
}
