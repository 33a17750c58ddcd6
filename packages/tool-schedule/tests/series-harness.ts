import { afterEach, vi } from 'vitest'
import { changes, delivered, mountSchedule, quiet, type Agent } from './harness.ts'

type Host = Awaited<ReturnType<typeof mountSchedule>>

/** Hosts for the tests of a file: after each test they are disposed, and the clock is the real one again. */
export function mounting(): typeof mountSchedule {
  let hosts: Host[] = []
  afterEach(async () => {
    for (const host of hosts) await host.dispose()
    hosts = []
    vi.useRealTimers()
  })
  return async (options) => {
    const host = await mountSchedule(options)
    hosts.push(host)
    return host
  }
}

/** Let it be a time, which passes only when it is told to. */
export function at(time: string): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.parse(time) })
}

/** Let time pass, and the agent do what comes of it. */
export async function pass(agent: Agent, ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  await quiet(agent)
}

/** Set a reminder through a whole model turn, as a person would ask for it. */
export async function set(host: Host, agent: Agent, args: Record<string, unknown>, tool = 'schedule_create'): Promise<Record<string, unknown>> {
  host.model.replies.push({ tool, args })
  await host.type(agent, 'please')
  const result = agent.session.events.findLast((event) => event.type === 'tool/result')!.data.message.content[0]
  return JSON.parse((result.content[0] as { text: string }).text) as Record<string, unknown>
}

/** The delivered reminders, as the model reads them. */
export function rows(agent: Agent): Record<string, unknown>[] {
  return delivered(agent).flatMap((text) => {
    const json = JSON.parse(text.split('_json: ')[1]!) as Record<string, unknown> | Record<string, unknown>[]
    return Array.isArray(json) ? json : [json]
  })
}

/** The changes in the log, one word for each: operation, id, target. */
export function stored(agent: Agent): string[] {
  return changes(agent).map((change) => {
    const { id, scheduledAt } = (change['schedule'] ?? change) as { id: string; scheduledAt?: string }
    return [change['operation'], id, scheduledAt].filter(Boolean).join(' ')
  })
}
