import type { Language } from '../text.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** Everything the demo model can say, in one language. Arguments are already flattened to one line. */
export interface Phrases {
  readonly intro: string
  readonly noted: string
  readonly askWhen: string
  readonly askDate: string
  readonly askZone: string
  readonly askReminderId: string
  readonly askMode: string
  readonly askName: string
  readonly noReading: string
  readonly defaultPrompt: string
  readonly defaultCountdown: string
  readonly title: string
  readonly summaryHead: string
  readonly listEmpty: string
  readonly dueUnreadable: string
  readonly notMounted: (tool: string) => string
  readonly timeIs: (date: string, time: string, zone: string, offset: string) => string
  readonly created: (id: string, when: string, prompt: string) => string
  readonly repeats: (next: string) => string
  readonly listHead: (count: number) => string
  readonly listMore: (count: number) => string
  readonly cancelled: (id: string) => string
  readonly notFound: (id: string) => string
  readonly snoozed: (id: string, when: string) => string
  readonly mode: (mode: string) => string
  readonly refused: (message: string, code: string) => string
  readonly failed: (text: string) => string
  readonly answered: (tool: string, text: string) => string
  readonly reminder: (prompt: string, late: string | undefined) => string
  readonly missed: (prompt: string) => string
  readonly countdown: (name: string, late: string | undefined) => string
  readonly counterStarted: (name: string, before: string | undefined) => string
  readonly counterLapse: (name: string, lapse: string) => string
  readonly counterChanged: (name: string, lapse: string) => string
  readonly counterRemoved: (name: string, lapse: string) => string
  readonly counterListEmpty: string
  readonly counterListHead: (count: number) => string
  readonly countdownSet: (name: string, left: string, due: string) => string
  readonly countdownCancelled: (name: string) => string
  readonly countdownListEmpty: string
  readonly countdownListHead: (count: number) => string
  readonly countdownRow: (name: string, left: string, due: string) => string
}

/** The phrase book of each language. */
export const PHRASES: Readonly<Record<Language, Phrases>> = { zh, en }
