import { plainLine, type Instant, type ZoneName } from 'dsh-time-core'
import type { Language } from '../../texts/texts.ts'
import type { Question } from './questions.ts'

/** What a browser has answered. */
export interface BrowserReport {
  /** For people: `Chrome 156`. */
  readonly name: string
  /** The zone that the browser takes for that of its machine. */
  readonly zone: string
  /** Language of its page. */
  readonly language: Language
  /** Minutes east of UTC by zone and instant; zones that the browser does not know are absent. */
  readonly offsets: ReadonlyMap<ZoneName, ReadonlyMap<Instant, number>>
}

/** Longest texts of a report. The page cuts what a browser says of itself to the second. */
const MAX_ZONE = 64
export const MAX_AGENT = 400

/** No clock is a day away from UTC. */
const MAX_OFFSET_SECONDS = 86_400

/**
 * Read what a page has sent. Everything in it may have been made up.
 *
 * @param value - the body: `{ zone, agent, language, offsets }`.
 * @param ask - the questions that go to a browser in that zone.
 * @returns `undefined` for anything but an answer to exactly these questions.
 */
export function readReport(value: unknown, ask: (own: string) => readonly Question[]): BrowserReport | undefined {
  if (!isBody(value)) return undefined
  const { zone, agent, language, offsets } = value
  if (!isText(zone, MAX_ZONE) || !isText(agent, MAX_AGENT) || !isLanguage(language)) return undefined
  const questions = ask(zone)
  if (!isAnswered(offsets, questions)) return undefined
  const known = questions.flatMap(({ zone: name, instants }, at) => {
    const seconds = offsets[at]
    return seconds ? [[name, new Map(instants.map((instant, index) => [instant, Number(seconds[index]) / 60]))] as const] : []
  })
  return { name: browserName(agent), zone: plainLine(zone, MAX_ZONE), language, offsets: new Map(known) }
}

/** What a page sends; of its members nothing is known yet. */
interface Body {
  readonly zone: unknown
  readonly agent: unknown
  readonly language: unknown
  readonly offsets: unknown
}

const MEMBERS = 'agent language offsets zone'

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && Object.keys(value).toSorted().join(' ') === MEMBERS
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max
}

function isLanguage(value: unknown): value is Language {
  return value === 'zh' || value === 'en'
}

function isAnswered(value: unknown, questions: readonly Question[]): value is readonly (readonly number[] | null)[] {
  return Array.isArray(value) && value.length === questions.length && questions.every(({ instants }, at) => value[at] === null || isOffsets(value[at], instants.length))
}

function isOffsets(value: unknown, length: number): boolean {
  return Array.isArray(value) && value.length === length && value.every((one) => Number.isInteger(one) && Math.abs(one as number) < MAX_OFFSET_SECONDS)
}

/** In this order: nearly every browser also calls itself by the names that stand after its own. */
const BROWSERS = [
  [/\bEdg(?:A|iOS)?\/(\d{1,4})/, 'Edge'],
  [/\bOPR\/(\d{1,4})/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS)\/(\d{1,4})/, 'Chrome'],
  [/\bVersion\/(\d{1,4}).*\bSafari\//, 'Safari'],
] as const

const MAX_NAME = 60

/** Browser and major version, as far as the user agent tells; else the beginning of what it says. */
function browserName(agent: string): string {
  for (const [pattern, name] of BROWSERS) {
    const version = pattern.exec(agent)?.[1]
    if (version !== undefined) return `${name} ${version}`
  }
  return plainLine(agent, MAX_NAME) || '?'
}
