import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { mountHost, turn } from './host.ts'

/** An event that is put between the turns of a made log. */
export interface Extra {
  readonly type: string
  readonly data: unknown
}

interface Template {
  readonly first: readonly SessionEvent[]
  readonly next: readonly SessionEvent[]
}

type Loose = { type: string; seq: number; time: number; sourceEventSeqs?: number[]; data: { turn?: number; id?: string; message?: { id?: string } } }

const DAY_MS = 86_400_000
let template: Promise<Template> | undefined

/** Two turns of two steps, recorded from the real loop: most of their events are pieces of streamed text, as in life. */
async function record(): Promise<Template> {
  const host = await mountHost({ stored: false })
  host.model.pieces = 180
  const { agent, dispose } = await host.create('template')
  await turn(agent, 'steps 2')
  const length = agent.session.seq
  await turn(agent, 'steps 2')
  const { events } = agent.session
  await dispose()
  await host.dispose()
  return { first: events.slice(0, length), next: events.slice(length) }
}

/**
 * A log of about `length` events that the host accepts as its own: recorded turns, again and again.
 *
 * @param length - events, without the extra ones.
 * @param extras - put between the turns, evenly.
 */
export async function makeLog(length: number, extras: readonly Extra[] = []): Promise<SessionEvent[]> {
  template ??= record()
  const { first, next } = await template
  const start = Date.now() - DAY_MS
  const log: Loose[] = []
  let used = 0
  for (let number = 1; log.length - used < length; number += 1) {
    const shift = log.length - (number === 1 ? 0 : (next[0]?.seq ?? 0))
    for (const event of number === 1 ? first : next) log.push(again(event, shift, number, log.length, start))
    const due = Math.min(extras.length, Math.ceil((extras.length * (log.length - used)) / length))
    for (; used < due; used += 1) log.push({ seq: log.length, time: start + log.length, ...(extras[used] as Extra) } as Loose)
  }
  for (; used < extras.length; used += 1) log.push({ seq: log.length, time: start + log.length, ...(extras[used] as Extra) } as Loose)
  return log as unknown as SessionEvent[]
}

/**
 * Each event is an object of its own down to its last member, as in a log that was read from a file: pieces that many
 * events share would lie nearer together, and a reader of the whole log would meet fewer of them that the processor has
 * to wait for. Ids and numbers of turns must not come twice in a log.
 */
function again(event: SessionEvent, shift: number, number: number, seq: number, start: number): Loose {
  const copy = JSON.parse(JSON.stringify(event)) as Loose
  const { data, sourceEventSeqs } = copy
  Object.assign(copy, { seq, time: start + seq })
  if (sourceEventSeqs !== undefined) copy.sourceEventSeqs = sourceEventSeqs.map((source) => source + shift)
  if (data.turn !== undefined) data.turn = number
  if (data.id !== undefined) data.id = `${data.id}-${number}`
  if (data.message?.id !== undefined) data.message.id = `${data.message.id}-${number}`
  return copy
}

/**
 * Reminders as a log holds them: version 1 of the host's own vocabulary, which both plugins read.
 *
 * @param count - how many.
 * @param at - the instant of the reminder with this index.
 */
export function reminders(count: number, at: (index: number) => number): Extra[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'schedule/change',
    data: {
      version: 1,
      operation: 'create',
      schedule: { id: `schedule-${index + 1}`, kind: 'at', prompt: `reminder number ${index}: check the build and report`, scheduledAt: new Date(at(index)).toISOString() },
    },
  }))
}
