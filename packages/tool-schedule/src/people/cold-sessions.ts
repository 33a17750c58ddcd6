import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import { ownStart, ZoneFold } from 'dsh-session-host'
import { LedgerFold } from '../fold.ts'
import { PersonFold } from './person-fold.ts'

/** A session that nobody has open, as its stored log tells it. */
export interface ColdSession {
  readonly ledger: LedgerFold
  readonly zones: ZoneFold
  readonly person: PersonFold
}

/** Reads sessions that nobody has open, without opening them. */
export interface ColdSessions {
  /** @returns `undefined` for a session that is not stored or cannot be read. */
  read(sessionId: string): Promise<ColdSession | undefined>
}

/** How many folded logs are kept; a page shows one session at a time. */
const KEPT = 8

interface Entry {
  readonly revision: unknown
  readonly session: ColdSession
}

/**
 * The stored sessions of a host, each folded anew only when its log has changed.
 *
 * @param ctx - the plugin's context; what it has of persistence is looked up at each call.
 */
export function coldSessions(ctx: Context): ColdSessions {
  const cache = new Map<string, Entry>()
  return {
    async read(sessionId) {
      const store = ctx.get('sessionPersistence')
      const snapshot = (await store?.listSnapshots())?.find(({ header }) => header.id === sessionId)
      if (store === undefined || snapshot === undefined) return undefined
      const known = cache.get(sessionId)
      if (known?.revision === snapshot.revision) return known.session
      try {
        const { meta, events } = await store.readFrom(sessionId as Session['id'], 0)
        const session = fold(meta, events)
        cache.delete(sessionId)
        cache.set(sessionId, { revision: snapshot.revision, session })
        for (const oldest of [...cache.keys()].slice(0, -KEPT)) cache.delete(oldest)
        return session
      } catch (error) {
        ctx.logger('tool-schedule').error(`session ${sessionId} cannot be read`, error)
        return undefined
      }
    },
  }
}

function fold(header: Session['header'], events: readonly Session['events'][number][]): ColdSession {
  const session: ColdSession = { ledger: new LedgerFold(), zones: new ZoneFold(), person: new PersonFold() }
  const start = ownStart({ header })
  for (const event of events) {
    session.zones.apply(event)
    session.person.apply(event)
    if (event.seq >= start) session.ledger.apply(event)
  }
  return session
}
