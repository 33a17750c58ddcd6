import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'

/** Why a session cannot be brought back now. `not-found` and `busy` are final for that session, the others may pass. */
export type WakeRefusal = 'not-found' | 'busy' | 'writer-held' | 'no-resolver' | 'failed'

/** A live agent, or the reason why there is none. */
export type WakeResult =
  | { readonly kind: 'live'; readonly agent: Agent }
  | { readonly kind: 'refused'; readonly reason: WakeRefusal; readonly cause?: unknown }

/** `sessionController` of 0.2 hosts (`host/versions.md` §1). */
interface Controller {
  resolveAgent(id: string): Promise<{ agent?: Agent; error?: unknown }>
}

/** The lookup registry that 0.1.0-rc.8 and 0.2 both have; in web profiles it resumes cold sessions. */
interface Lookups {
  readonly lookups: { get(key: string): { resolve(id: string): Promise<Agent | undefined> } | undefined }
}

/**
 * Get the live agent of a session, resuming a cold session with the host's own preset and model selection where the
 * host can do that. What the host offers is looked up at each call, never injected: a service that one version lacks
 * would stop that version's boot.
 *
 * @param ctx - context with the `agents` service.
 * @param sessionId - the session to bring back.
 */
export async function wakeSession(ctx: Context, sessionId: Agent['id']): Promise<WakeResult> {
  const live = ctx.agents.get(sessionId)
  if (live !== undefined) return { kind: 'live', agent: live }
  const controller = service(ctx, 'sessionController') as Controller | undefined
  const lookup = (service(ctx, 'typert') as Lookups | undefined)?.lookups.get('agent')
  try {
    if (controller !== undefined) {
      const { agent, error } = await controller.resolveAgent(sessionId)
      return agent === undefined ? refusal(error) : { kind: 'live', agent }
    }
    const agent = await lookup?.resolve(sessionId)
    return agent === undefined ? { kind: 'refused', reason: 'no-resolver' } : { kind: 'live', agent }
  } catch (cause) {
    return refusal(cause)
  }
}

/**
 * Whether this host can bring a session back after it went cold: a page or a controller is there to do it. A
 * headless run ends with its first idle moment, so a reminder made there could never fire.
 *
 * @param ctx - any context of the host.
 */
export function keepsSessions(ctx: Context): boolean {
  return ['sessionController', 'apiProxy', 'webServer'].some((name) => service(ctx, name) !== undefined)
}

/** By name only, because the types of one host version do not know the services of another. */
function service(ctx: Context, name: string): unknown {
  return (ctx.get as (name: string) => unknown)(name)
}

const REASONS: Readonly<Record<string, WakeRefusal>> = {
  'session-not-found': 'not-found',
  'not-found': 'not-found',
  'agent-busy': 'busy',
  'writer-held': 'writer-held',
}

/**
 * rc.8 throws `{ failure: { code, message } }`, 0.2 answers `{ code: 'session/…' }`; both are reduced to one word. The
 * error that rc.8 throws says nothing itself: which log is damaged, and at which line, stands in its failure.
 */
function refusal(thrown: unknown): WakeResult {
  const shape = (thrown ?? {}) as { code?: unknown; failure?: { code?: unknown; message?: unknown } }
  const code = shape.failure?.code ?? shape.code
  const word = typeof code === 'string' ? code.replace(/^.*\//, '') : ''
  const told = shape.failure?.message
  const cause = typeof told === 'string' ? new Error(told, { cause: thrown }) : thrown
  return { kind: 'refused', reason: REASONS[word] ?? 'failed', cause }
}
