import type { Context } from '@deepseek-ai/cordis'
import type { SessionId } from '@deepseek-ai/dsh-session'
import type { SessionInspection } from '@deepseek-ai/dsh-session-persistence'
import { isNotStored, ownStart } from 'dsh-session-host'
import { formatInstant, type Instant, type ZoneName } from 'dsh-time-core'
import { Clock } from './clock.ts'
import { bySoonest } from './countdowns/decide.ts'
import { CountdownFold, type Countdowns } from './countdowns/fold.ts'
import type { OnFire } from './countdowns/protocol.ts'
import type { Rhythm } from './decide.ts'
import { refuse, type Refusal } from './errors.ts'
import { effectText } from './frame.ts'
import type { Switch } from './input.ts'
import type { Mode } from './protocol.ts'
import type { SharedParts } from './session.ts'

/** A session's clock as the page shows it (requirement R22). */
export interface ClockView {
  readonly mode: Mode
  readonly cron: string
  /** A switch has not reached a step yet. */
  readonly pending: boolean
  /** The session is open, so that its mode can be switched. */
  readonly live: boolean
  readonly timeZone: string
  readonly effect: string
  /** What is pending, the soonest first; absent when nothing is. */
  readonly countdowns?: readonly CountdownView[]
}

/** A pending countdown as the page shows it; the instant is canonical UTC. */
export interface CountdownView {
  readonly name: string
  readonly dueAt: string
  readonly onFire: OnFire
  readonly note?: string
}

/** What people can do from outside a conversation, over HTTP and over the page's channel alike. */
export interface Desk {
  state(sessionId: string): Promise<ClockView | Refusal>
  switchMode(wish: Switch): ClockView | Refusal
}

/**
 * The desk of one host.
 *
 * @param ctx - the plugin's context.
 * @param shared - the open clocks.
 */
export function makeDesk(ctx: Context, shared: SharedParts): Desk {
  const live = (sessionId: string, now: Instant): ClockView | undefined => {
    const session = shared.open.get(sessionId)
    if (session === undefined) return undefined
    const { rhythm, zone, isPending } = session.shown(now)
    return view(rhythm, zone, { pending: isPending, live: true }, session.countdowns)
  }
  return {
    async state(sessionId) {
      return live(sessionId, Date.now()) ?? (await stored(ctx, shared, sessionId)) ?? refuse('not-found')
    },
    switchMode({ sessionId, change }) {
      const now = Date.now()
      shared.open.get(sessionId)?.switchTo(change, now)
      return live(sessionId, now) ?? refuse('not-live')
    },
  }
}

/** A session that nobody has open is read from its log, and stays closed. */
async function stored(ctx: Context, shared: SharedParts, sessionId: string): Promise<ClockView | undefined> {
  const found: SessionInspection | undefined = await ctx.get('sessionPersistence')?.inspect(sessionId as SessionId).catch((error: unknown) => {
    // Anybody may ask for anything: what is nobody's id stays out of the host's log, line breaks and all.
    if (!isNotStored(error, sessionId)) shared.warn(`session ${sessionId} cannot be read`, error)
    return undefined
  })
  if (found === undefined) return undefined
  const start = ownStart({ header: found.meta })
  const clock = new Clock({ settings: shared.settings, elseZone: () => shared.processZone }, start)
  const countdowns = new CountdownFold()
  for (const event of found.events) clock.apply(event)
  for (const event of found.events.slice(start)) countdowns.apply(event)
  return view(clock.rhythm(), clock.zone(), { pending: false, live: false }, countdowns)
}

function view(rhythm: Rhythm, zone: ZoneName, flags: Pick<ClockView, 'pending' | 'live'>, { pending }: Countdowns): ClockView {
  const countdowns = bySoonest(pending.values()).map(({ name, dueAt, onFire, note }) => ({ name, dueAt: formatInstant(dueAt), onFire, ...(note !== undefined && { note }) }))
  return { mode: rhythm.mode, cron: rhythm.cron.text, ...flags, timeZone: zone, effect: effectText(rhythm, zone), ...(countdowns.length > 0 && { countdowns }) }
}
