import type { Context } from '@deepseek-ai/cordis'
import type { SharedParts } from './session.ts'

/**
 * Add a reading to the steps that are due one, as the last message of the batch, so that all that was sent before stays
 * the beginning of what is sent (requirements R4, R6, T15). The host writes what is returned here into the log, and only
 * once the step really begins.
 *
 * @param ctx - the plugin's context.
 * @param shared - the open clocks.
 */
export function listenToSteps(ctx: Context, shared: SharedParts): void {
  const listener: Parameters<typeof ctx.on<'agent/pre-step'>>[1] = async ({ agent, turn, step, signal }, next) => {
    const decision = await next()
    if (decision.kind === 'reject' || signal.aborted) return decision
    try {
      const ahead = { turn, step, sources: decision.messages.map(({ source }) => source) }
      const reading = shared.open.get(agent.id)?.reading(ahead, Date.now())
      return reading === undefined ? decision : { ...decision, messages: [...decision.messages, reading] }
    } catch (error) {
      // A clock that fails must not end the person's turn.
      shared.warn(`session ${agent.id}: no reading`, error)
      return decision
    }
  }
  // Prepended: the outermost listener adds last.
  ctx.on('agent/pre-step', listener, { prepend: true })
}
