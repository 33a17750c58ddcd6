import type { Context } from '@deepseek-ai/cordis'
import { isTopLevel, keepsSessions, type LineageHeader } from 'dsh-session-host'

/**
 * Why a countdown may not be delivered on time in a session, said with every one that is set, so that nobody relies on
 * what cannot happen (requirement R19, bug B59).
 *
 * @param ctx - any context of the host.
 * @param header - of the session.
 * @param isIndexed - whether closed sessions are brought back here.
 */
export function countdownLimit(ctx: Context, header: LineageHeader, isIndexed: boolean): string | undefined {
  if (!isTopLevel(header)) return 'This is the session of a subagent: the countdown comes only as long as its work goes on.'
  if (!keepsSessions(ctx)) return 'This host cannot bring a session back: if the session ends before, the countdown waits until it is opened again.'
  return isIndexed ? undefined : 'Closed sessions are not brought back here (pendingTable is off): if the session is closed then, the countdown waits until it is opened.'
}
