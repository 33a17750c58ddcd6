/**
 * The host half of receipts: what of a session is proven stored, asked for by the page and pushed to it.
 *
 * @module dsh-client-ui-schedule
 */
import { randomUUID } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { Session, SessionHeader, SessionId } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { checkpoints, ownStart, readEvents } from 'dsh-session-host'
import { makeDesk, type DeskPort } from './desk.ts'
import { makePushes } from './push.ts'
import { mountRoutes } from './routes.ts'

/** Plugin name: of the fiber and the logger. */
export const name = 'client-ui-schedule'

/** Services that every supported host has; all others are looked up at use. */
export const inject = ['sessions']

/**
 * Watch what is proven stored of the sessions that a page shows (requirements S32, S33).
 *
 * @param ctx - the plugin's context.
 */
export function apply(ctx: Context): void {
  const barrier = checkpoints(ctx)
  const pushes = makePushes()
  const { defer, settle } = deferred()
  const port: DeskPort = {
    host: randomUUID(),
    live: (sessionId) => ctx.sessions.get(sessionId as SessionId),
    events: (session) => readEvents(session, 0),
    ownStart: (header: SessionHeader) => ownStart({ header }),
    readStored: async (sessionId) => storage(ctx).readFrom(sessionId as SessionId, 0),
    inspectCold: async (sessionId) => storage(ctx).inspect(sessionId as SessionId),
    storedThrough: (session) => barrier.storedThrough(session),
    confirm: async (session) => (ctx.sessions.get(session.id) === session ? barrier.confirm(session) : undefined),
    defer,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    push: (push) => pushes.send(push),
  }
  const desk = makeDesk(port)
  ctx.effect(() => barrier.watch((session) => desk.advanced(session)), 'receipts checkpoints')
  ctx.on('session/created', (session: Session) => desk.created(session))
  ctx.on('session/event', (session, event) => desk.appended(session, event))
  mountRoutes(ctx, desk, pushes)
  ctx.effect(
    () => async () => {
      pushes.close()
      await settle()
    },
    'receipts',
  )
}

function storage(ctx: Context): SessionPersistence {
  const mounted = ctx.get('sessionPersistence')
  if (mounted === undefined) throw new Error('no persistence is mounted')
  return mounted
}

/** Jobs after the current callback; a job that fails leaves things unproven, which is what its receipts then show. */
function deferred(): { readonly defer: DeskPort['defer']; readonly settle: () => Promise<unknown> } {
  const running = new Set<Promise<unknown>>()
  let isStopping = false
  const run = async (job: () => Promise<unknown>): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    if (!isStopping) await job().catch(() => undefined)
  }
  return {
    defer(job) {
      const done = run(job).finally(() => running.delete(done))
      running.add(done)
    },
    settle() {
      isStopping = true
      return Promise.allSettled(running)
    },
  }
}
