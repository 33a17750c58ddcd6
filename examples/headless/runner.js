// Takes the place of the host's own one-shot driver, which ends as soon as the agent is idle: this one stays until the
// reminder has been delivered and answered. A plugin like any other; it imports nothing of DSH.
import { randomUUID } from 'node:crypto'

export const name = 'headless-reminder'
export const inject = ['agents', 'sessions', 'agentDefaultModel', 'appExit']

/**
 * @param ctx - the plugin's context.
 * @param config - of the row: `{ prompt: string, patienceMs: number }`.
 */
export function apply(ctx, { prompt, patienceMs }) {
  run(ctx, prompt, patienceMs).then(ctx.appExit, (error) => {
    console.error(error)
    ctx.appExit(1)
  })
}

async function run(ctx, prompt, patienceMs) {
  await ctx.get('loader')?.await() // all rows are mounted
  const { provider, model } = ctx.agentDefaultModel.currentSelection()
  const { agent } = await ctx.agents.create({ sessionId: `session-${randomUUID()}`, meta: { cwd: process.cwd() }, agentOptions: { provider, model } })
  const answered = deliveryAnswered(ctx, agent.session, patienceMs)
  agent.followup({ id: randomUUID(), role: 'user', content: [{ type: 'text', text: prompt }], source: { kind: 'user' } })
  const isAnswered = await answered
  await ctx.sessions.flush(agent.session)
  console.log(isAnswered ? 'delivered and answered' : `not delivered within ${patienceMs} ms`)
  return isAnswered ? 0 : 1
}

/** Resolves when a dispatch is in the log and a turn has ended after the message of it; false when that takes too long. */
function deliveryAnswered(ctx, session, patienceMs) {
  return new Promise((resolve) => {
    let isRead = false
    const timer = setTimeout(() => resolve(false), patienceMs)
    ctx.on('session/event', (of, event) => {
      if (of !== session) return
      if (event.type === 'schedule/change') console.log(`${event.data.operation} ${event.data.schedule?.prompt ?? event.data.id}`)
      if (event.type === 'user/message' && event.data.source.kind === 'dsh-tool-schedule') isRead = true
      if (event.type !== 'turn/end' || !isRead) return
      clearTimeout(timer)
      resolve(true)
    })
  })
}
