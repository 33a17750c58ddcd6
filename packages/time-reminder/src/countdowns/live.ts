import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { claimIdle, isLive, NotDurable, ownStart, wakeWith, type AlarmClock, type Checkpoints, type SessionLogs, type WakeIndex } from 'dsh-session-host'
import type { ZoneName } from 'dsh-time-core'
import { isRefusal } from '../errors.ts'
import type { Answer } from '../tools/definition.ts'
import { answerWish, countdownTool } from '../tools/time-countdown.ts'
import { CountdownFold, type Countdowns } from './fold.ts'
import { countdownSetMessage } from './frame.ts'
import type { CountdownWish } from './input.ts'
import { countdownLimit } from './limits.ts'
import { makeCountdownOwner, type CountdownOwner, type CountdownPort } from './owner.ts'

/** Name of our kind of delivery in the wake index. */
export const COUNTDOWN_KIND = 'countdown'

/** What the countdowns of one host share. */
export interface CountdownParts {
  readonly ctx: Context
  readonly logs: SessionLogs
  readonly alarm: AlarmClock
  readonly barrier: Checkpoints
  readonly index: WakeIndex
  /** Whether the index brings closed sessions back. */
  readonly isIndexed: boolean
  readonly warn: (what: string, error: unknown) => void
}

/** What a person can ask for; people read the list elsewhere. */
export type PersonsWish = Exclude<CountdownWish, { readonly action: 'list' }>

/** The countdowns of a session that has an agent. */
export interface LiveCountdowns {
  readonly countdowns: Countdowns
  /** Look again. */
  readonly poke: () => void
  /** Put a person's change into the log without waking anybody; a refusal changes nothing (requirement T10). */
  readonly change: (wish: PersonsWish) => Answer
  /** Take everything back; settles when nothing of it runs any more. */
  readonly close: () => Promise<void>
}

/**
 * Give one agent its countdowns: the fold, the tool and the owner.
 *
 * @param parts - what the countdowns share.
 * @param agent - an agent, of whatever depth.
 * @param zone - the session's zone.
 */
export function openCountdowns(parts: CountdownParts, agent: Agent, zone: () => ZoneName): LiveCountdowns {
  const { ctx, logs } = parts
  const { session } = agent
  const fold = new CountdownFold()
  const limit = (): string | undefined => countdownLimit(ctx, session.header, parts.isIndexed)
  const port = { countdowns: fold, now: () => Date.now(), zone, limit, warn: parts.warn }
  const ungive = agent.ctx.tools.register(countdownTool(port))
  let owner: CountdownOwner | undefined
  const follower = {
    apply(event: SessionEvent): void {
      const { changes } = fold
      fold.apply(event)
      // R18: a step is a good moment to look again, whatever it is about.
      if (fold.changes !== changes || event.type === 'step/start') owner?.poke()
    },
  }
  const unfollow = logs.follow(session, follower, ownStart(session))
  const started = makeCountdownOwner({ ...hostPort(parts, agent), countdowns: fold, zone }, parts.alarm)
  owner = started
  started.poke()
  return {
    countdowns: fold,
    poke: () => started.poke(),
    change(wish) {
      const answer = answerWish(port, wish)
      if (!isRefusal(answer)) agent.inject(countdownSetMessage(answer, zone()))
      return answer
    },
    close: async () => {
      ungive()
      unfollow()
      await started.dispose()
    },
  }
}

function hostPort({ ctx, barrier, index, warn }: CountdownParts, agent: Agent): Omit<CountdownPort, 'countdowns' | 'zone'> {
  const { session } = agent
  const say = (what: string, error: unknown): void => warn(`session ${agent.id}: ${what}`, error)
  return {
    now: () => Date.now(),
    isLive: () => isLive(ctx.agents, agent),
    isOurs: () => index.isOurs(session),
    isBusy: () => agent.status === 'running',
    confirm: () => confirm(barrier, session, say),
    claimIdle: (job) => claimIdle(agent, job),
    whenIdle: () => agent.whenIdle(),
    wake: (message) => agent.followup(message),
    inject: (message) => agent.inject(message),
    wakeWith: (messageId) => wakeWith(agent, messageId),
    owes: (dueAt) => index.owes(COUNTDOWN_KIND, session, dueAt),
    onOwnBehalf: (job) => ctx.agents.withoutInitiator(job),
    warn: say,
  }
}

async function confirm(barrier: Checkpoints, session: Session, warn: (what: string, error: unknown) => void): Promise<boolean> {
  try {
    await barrier.confirm(session)
    return true
  } catch (error) {
    if (!(error instanceof NotDurable)) throw error
    // Without a cause there is no persistence at all, which is how this host was put together.
    if (error.cause !== undefined) warn('its countdowns are not confirmed as stored', error.cause)
    return false
  }
}
