import type { When } from '../when.ts'

/** What a person wants, before it is known which tools are mounted and what time it is. */
export type Wish =
  | { readonly kind: 'remind'; readonly prompt: string; readonly when: When | undefined }
  | { readonly kind: 'list' }
  | { readonly kind: 'cancel'; readonly id: string | undefined }
  | { readonly kind: 'snooze'; readonly id: string | undefined; readonly seconds: number }
  | { readonly kind: 'mode'; readonly mode: string | undefined; readonly cron: string | undefined }
  | { readonly kind: 'counter'; readonly action: 'start' | 'lapse' | 'reset' | 'remove' | 'list'; readonly name: string }
  | { readonly kind: 'countdown'; readonly action: 'start' | 'cancel' | 'list'; readonly name: string; readonly seconds: number }
  | { readonly kind: 'time' }
  | { readonly kind: 'unknown' }

/** One message in its two forms, of equal length: half-width for matching, original for quoting. */
export interface Said {
  readonly text: string
  readonly original: string
}

/** One way to understand a message; `undefined` when it is about something else. */
export type Rule = (said: Said) => Wish | undefined
