import { measure } from '../../../src/cli/doctor/browser/measure.ts'
import type { Question } from '../../../src/cli/doctor/browser/questions.ts'

/** What a page sends. */
export interface Body {
  readonly zone: string
  readonly agent: string
  readonly language: string
  readonly offsets: readonly unknown[]
}

/** A browser whose time zone data are those of this Node, unless a test says otherwise. */
export interface Browser {
  readonly zone?: string
  readonly agent?: string
  readonly language?: string
  /** Seconds that are added to what is true. */
  readonly shift?: (zone: string, instant: number) => number
  /** Zones that it does not know. */
  readonly without?: readonly string[]
}

/** As Chromium calls itself. */
export const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

/** What a browser answers to questions. */
export const answerTo = (questions: readonly Question[], { zone = 'Asia/Shanghai', agent = AGENT, language = 'en', shift = () => 0, without = [] }: Browser = {}): Body => ({
  zone,
  agent,
  language,
  offsets: questions.map(({ zone: name, instants }) => (without.includes(name) ? null : (measure({ zone: name, instants }) ?? []).map((seconds, at) => seconds + shift(name, Number(instants[at]))))),
})
