import type { ProblemCode } from '../log/problem.ts'
import type { RefusalCode } from '../refusal.ts'
import type { Texts } from '../texts/en.ts'

/** Findings of the doctor's own; each has its two texts in the dictionaries. */
export type OwnCode = keyof Texts['doctor']['findings']

/** Where a finding was made, as far as it applies. */
export interface Place {
  readonly session?: string
  readonly path?: string
  readonly line?: number
  readonly seq?: number
  /** How often the same was found; absent for once. */
  readonly times?: number
}

/** One thing that the doctor has to say. Free of any language. */
export interface Finding extends Place {
  /** problem: somebody has to act · note: good to know. */
  readonly level: 'problem' | 'note'
  readonly code: OwnCode | ProblemCode | RefusalCode
  /** What the texts are made of, in order. Not translated. */
  readonly detail: readonly string[]
}

/**
 * Something to act on.
 *
 * @param code - what.
 * @param detail - arguments of its texts.
 * @param place - where.
 */
export function problem(code: OwnCode, detail: readonly string[], place: Place = {}): Finding {
  return { level: 'problem', code, detail, ...place }
}

/**
 * Something that is good to know.
 *
 * @param code - what.
 * @param detail - arguments of its texts.
 * @param place - where.
 */
export function note(code: OwnCode, detail: readonly string[], place: Place = {}): Finding {
  return { level: 'note', code, detail, ...place }
}
