const EN_ONES = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const EN_TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const EN_LOOSE: ReadonlyMap<string, number> = new Map([
  ['a', 1], ['an', 1], ['half', 0.5], ['half a', 0.5], ['half an', 0.5], ['a quarter of an', 0.25], ['a couple of', 2], ['other', 2],
])

const ZH_DIGITS = '零一二三四五六七八九'
const ZH_UNITS: ReadonlyMap<string, number> = new Map([['十', 10], ['百', 100], ['千', 1000]])

const tens = EN_TENS.slice(2).join('|')
/** Longest first, so that sixteen is not read as six. */
const ones = EN_ONES.slice(1).toReversed().join('|')

/** Pattern source of an English number word, longest first: `a couple of`, `half an`, `twenty-five`, `nine`, `an`. */
export const EN_WORD = `(?:a couple of|a quarter of an|half(?: an?)?|(?:${tens})(?:[ -](?:${ones}))?|${ones}|other|an?)`

/** Pattern source of an hour in words: one to twelve. */
export const EN_HOUR = `(?:${EN_ONES.slice(1, 13).toReversed().join('|')})`

/** Pattern source of a Chinese numeral up to the thousands: 二十, 一百零五, 二〇二六. */
export const ZH_NUMERAL = '[零〇一二两三四五六七八九十百千]+'

function englishNumber(word: string): number | undefined {
  const loose = EN_LOOSE.get(word)
  if (loose !== undefined) return loose
  const small = EN_ONES.indexOf(word)
  if (small > 0) return small
  const [ten = '', one = 'zero', ...rest] = word.split(/[ -]/)
  const whole = EN_TENS.indexOf(ten) * 10
  const more = EN_ONES.indexOf(one)
  return whole < 20 || more < 0 || more > 9 || rest.length > 0 ? undefined : whole + more
}

const digitOf = (char: string): number => ZH_DIGITS.indexOf(char.replace('〇', '零').replace('两', '二'))

function chineseNumber(numeral: string): number {
  const chars = numeral.split('')
  if (!chars.some(char => ZH_UNITS.has(char))) return Number(chars.map(digitOf).join(''))
  let total = 0
  let digit = 0
  for (const char of chars) {
    const unit = ZH_UNITS.get(char)
    if (unit === undefined) digit = digitOf(char)
    else {
      total += (digit === 0 ? 1 : digit) * unit
      digit = 0
    }
  }
  return total + digit
}

/**
 * Value of a number as people write it: decimal digits, an English number word, a Chinese numeral, 半.
 *
 * @param token the bare number, without unit; any case
 * @returns `undefined` when it is not a number we know
 */
export function numberOf(token: string): number | undefined {
  const word = token.trim().toLowerCase()
  if (/^\d+(?:\.\d+)?$/.test(word)) return Number(word)
  if (word === '半') return 0.5
  if (new RegExp(`^${ZH_NUMERAL}$`).test(word)) return chineseNumber(word)
  return englishNumber(word.replaceAll(/\s+/g, ' '))
}
