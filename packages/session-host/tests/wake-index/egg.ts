import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import { alarmClock } from '../../src/alarm.ts'
import { checkpoints } from '../../src/checkpoint.ts'
import { ownStart, readEvents, sessionLogs, type Follower } from '../../src/log.ts'
import { notice } from '../../src/notice.ts'
import { wakeIndex, type WakeIndex, type WakeIndexOptions } from '../../src/wake-index/wake-index.ts'
import type { Agent, Context, Session } from '../harness.ts'

/** Source of an egg timer's messages: one sets it, another says that it rang. */
interface EggSource {
  readonly kind?: unknown
  readonly egg?: number
  readonly rang?: number
}

/** The smallest plugin of its kind: egg timers that are a fold of the session's log. */
class EggFold implements Follower {
  readonly set = new Set<number>()

  apply(event: SessionEvent): void {
    if (event.type !== 'agent/inbox/spliced') return
    for (const { source } of event.data.inserted) {
      const { kind, egg, rang } = source as EggSource
      if (kind !== 'egg') continue
      if (egg === Infinity) throw new Error('an egg that cannot be read')
      if (egg !== undefined) this.set.add(egg)
      if (rang !== undefined) this.set.delete(rang)
    }
  }

  get next(): number | undefined {
    return this.set.size === 0 ? undefined : Math.min(...this.set)
  }
}

function foldEggs(events: readonly SessionEvent[], header: SessionHeader): number | undefined {
  const fold = new EggFold()
  for (const event of events.slice(ownStart({ header }))) fold.apply(event)
  return fold.next
}

/** Instants at which the egg timers of a session rang, from its log. */
export function ringsOf(session: Session): number[] {
  const inserted = readEvents(session, 0).flatMap((event) => (event.type === 'agent/inbox/spliced' ? event.data.inserted : []))
  return inserted.map(({ source }) => (source as EggSource).rang).filter((rang) => rang !== undefined)
}

export interface EggPlugin {
  readonly index: WakeIndex
  /** Sessions for which the right to deliver came back. */
  readonly regained: string[]
  /** Every ring of this host, as `session@instant`. */
  readonly rang: string[]
  /** Set an egg timer; it is stored, and the index knows of it, when this resolves. */
  set(agent: Agent, egg: number): Promise<void>
  /** Resolves when no ring is being stored. */
  settled(): Promise<void>
  unload(): Promise<void>
}

/** Mount the egg timer plugin: what a plugin with deliveries of its own does with the index, in short. */
export async function mountEggs(host: Context, options: WakeIndexOptions, kind = 'egg'): Promise<EggPlugin> {
  const parts: Omit<EggPlugin, 'unload'>[] = []
  const fiber = await host.plugin({ name: kind, inject: ['agents', 'sessions'], apply: (ctx: Context) => void parts.push(applyEggs(ctx, options, kind)) })
  return { ...(parts[0] as Omit<EggPlugin, 'unload'>), unload: () => fiber.dispose() }
}

function applyEggs(ctx: Context, options: WakeIndexOptions, kind: string): Omit<EggPlugin, 'unload'> {
  const [alarm, logs, barrier] = [alarmClock(ctx), sessionLogs(ctx), checkpoints(ctx)]
  const index = wakeIndex(ctx, options)
  const regained: string[] = []
  const rang: string[] = []
  const looks = new Map<Session, () => void>()
  let ringing: Promise<unknown> = Promise.resolve()
  const regain = (session: Session): void => {
    regained.push(session.id)
    looks.get(session)?.()
  }
  ctx.effect(() => index.register(kind, { foldOwed: foldEggs, regained: regain }))
  ctx.on('agent/created', ({ agent }) => {
    const { session } = agent
    const fold = new EggFold()
    logs.follow(session, fold, ownStart(session))
    const ring = async (): Promise<void> => {
      const due = fold.next
      if (due === undefined || due > Date.now() || !index.isOurs(session)) return
      rang.push(`${session.id}@${due}`)
      agent.inject(notice('egg', 'rang', 'The egg is done.', { rang: due }))
      await barrier.confirm(session)
    }
    const look = (): void => {
      if (fold.next === undefined) alarm.clear(agent)
      else alarm.set(agent, fold.next, () => void (ringing = Promise.allSettled([ringing, ring()])))
    }
    looks.set(session, look)
    // Only what is stored is told: less that is owed must not be known before the log knows it.
    const tell = (): void => {
      index.owes(kind, session, fold.next)
      look()
    }
    const unwatch = barrier.watch((stored) => void (stored === session && tell()))
    agent.ctx.effect(() => () => {
      unwatch()
      alarm.clear(agent)
    })
    tell()
  })
  return {
    index,
    regained,
    rang,
    async set(agent, egg) {
      agent.inject(notice('egg', 'set', 'An egg timer.', { egg }))
      await barrier.confirm(agent.session)
    },
    settled: async () => void (await ringing),
  }
}
