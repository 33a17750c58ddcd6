import type { Agent } from '@deepseek-ai/dsh-agent'

/**
 * Whether no turn of an agent runs. A maintenance task, which has no state of its own to be seen by, may all the same
 * hold it: only `claimIdle` knows.
 *
 * @param agent - any live agent.
 */
export function isIdle(agent: Pick<Agent, 'status'>): boolean {
  return agent.status === 'idle'
}

/**
 * Run a job while nothing else runs in an agent.
 *
 * @param agent - whose turn it must not be.
 * @param job - what to do in between.
 * @returns what the job returned, or `busy` when a turn runs.
 */
export function claimIdle<T>(agent: Agent, job: () => T): Promise<T> | 'busy' {
  try {
    return agent.runMaintenance(async () => job())
  } catch {
    return 'busy' // the host refuses synchronously, and for this reason only
  }
}

/**
 * Start a turn with a message that waits in the inbox already. What is no longer there is left alone.
 *
 * @param agent - whose inbox.
 * @param messageId - of the message that waits.
 */
export function wakeWith(agent: Agent, messageId: string): void {
  const waiting = [...agent.inbox.nextTurn, ...agent.inbox.nextStep].filter(({ id }) => id === messageId && agent.inbox.remove(id))
  for (const message of waiting) agent.followup(message)
}
