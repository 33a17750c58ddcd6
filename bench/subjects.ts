import type { Context } from '@deepseek-ai/cordis'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import * as theirSchedule from '@deepseek-ai/dsh-schedule'
import * as theirClock from '@deepseek-ai/dsh-time-context'
import * as ourClock from 'dsh-time-reminder'
import * as ourSchedule from 'dsh-tool-schedule'

/** Who is measured. The floor is the host without any of the plugins. */
export type SubjectName = 'ours' | 'theirs' | 'floor'

/** A plugin under measurement; all are asked the same. */
export interface Subject {
  readonly name: SubjectName
  /** Recognises its own frames in a stack. */
  readonly frames: RegExp
  /** Mount it; `folder` is where its own files may lie. */
  mount(ctx: Context, folder: string): PromiseLike<unknown>
}

const OURS = /packages\/(?:tool-schedule|time-reminder|session-host|time-core)\/lib\//
const NOBODY = /^\b$/

const floor: Subject = { name: 'floor', frames: NOBODY, mount: async () => undefined }

/** Configs are checked by the host, so what is left out gets its default. */
const config = (values: object): never => values as never

/** Reminders: ours, theirs and none. All settings are the defaults, but that a host without a page counts as one with. */
export const SCHEDULES: readonly Subject[] = [
  { name: 'ours', frames: OURS, mount: (ctx, folder) => ctx.plugin(ourSchedule, config({ activate: 'always', wakeIndexPath: `${folder}/wake.sqlite` })) },
  { name: 'theirs', frames: /dsh-schedule\//, mount: (ctx) => ctx.plugin(theirSchedule) },
  floor,
]

/**
 * Clocks: ours in a mode, theirs at every step.
 *
 * @param mode - of ours.
 * @param form - how much ours says.
 */
export function clocks(mode: 'cron' | 'fine', form: 'full' | 'compact' = 'full'): readonly Subject[] {
  return [
    { name: 'ours', frames: OURS, mount: (ctx, folder) => ctx.plugin(ourClock, config({ defaultMode: mode, reading: form, timeZone: 'Europe/Berlin', pendingPath: `${folder}/wake.sqlite` })) },
    { name: 'theirs', frames: /dsh-time-context\//, mount: (ctx) => ctx.plugin(theirClock, { timeZone: 'Europe/Berlin' }) },
    floor,
  ]
}

interface Message {
  readonly source?: { readonly kind?: string; readonly plugin?: string; readonly facts?: unknown }
  readonly content: readonly { readonly text?: string }[]
}

const isOf = ({ source }: Message, kind: string, plugin: string): boolean => source?.kind === kind || (source?.kind === 'plugin' && source.plugin === plugin)

/**
 * The reminders that an event delivers: texts of messages that were put into the agent's inbox.
 *
 * @param event - any event.
 */
export function wakes(event: SessionEvent): readonly string[] {
  if (event.type !== 'agent/inbox/spliced') return []
  const { inserted = [] } = event.data as unknown as { inserted?: readonly Message[] }
  return inserted.filter((message) => isOf(message, 'dsh-tool-schedule', 'schedule')).map(textOf)
}

/**
 * The text of a reading, if the event is one.
 *
 * @param event - any event.
 */
export function reading(event: SessionEvent): string | undefined {
  if (event.type !== 'user/message') return undefined
  const message = event.data as unknown as Message
  return isOf(message, 'dsh-time-reminder', 'time-context') ? textOf(message) : undefined
}

function textOf({ content }: Message): string {
  return content.map(({ text = '' }) => text).join('')
}
