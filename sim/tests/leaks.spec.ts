import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { TestHost } from '../../packages/session-host/tests/harness.ts'
import { mountSchedule, SessionId, value, type Agent } from '../../packages/tool-schedule/tests/harness.ts'

const SESSIONS = 1000
/** Sessions after which everything that is made once has been made. */
const WARM = 200
/** What a closed session may leave behind (bytes): what the host keeps of it, and the noise of the collector. */
const LEFT_PER_SESSION = 4096

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Left {
  readonly perSession: number
  readonly timers: number
  readonly handles: number
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], now: Date.parse('2026-10-09T01:00:00.000Z') }))
afterEach(() => vi.useRealTimers())

/** Makes sessions one after the other, uses each and closes it. */
async function leftBy(host: TestHost, sessions: number, use: (agent: Agent) => Promise<void>): Promise<Left> {
  const before = { timers: vi.getTimerCount(), handles: process.getActiveResourcesInfo().length }
  let heap = 0
  for (let n = 0; n < sessions; n += 1) {
    if (n === WARM) {
      collect()
      heap = process.memoryUsage().heapUsed
    }
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId(`s${n}`), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    agent.session.append('turn/start', { turn: 1 })
    await use(agent)
    await dispose()
  }
  collect()
  expect(host.ctx.agents.list()).toEqual([])
  const perSession = (process.memoryUsage().heapUsed - heap) / (sessions - WARM)
  const left = { perSession, timers: vi.getTimerCount() - before.timers, handles: process.getActiveResourcesInfo().length - before.handles }
  await host.dispose()
  return left
}

it(`S29 P5 ${SESSIONS} sessions that are made, used and closed leave no timer, no handle and no growing heap`, async () => {
  const host = await mountSchedule({ checkpoints: false })
  const left = await leftBy(host, SESSIONS, async (agent) => {
    expect(await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 600 })).toMatchObject({ set: true })
    await value(host, agent, 'schedule_list', {})
  })
  expect([left.timers, left.handles]).toEqual([0, 0])
  expect(left.perSession).toBeLessThan(LEFT_PER_SESSION)
})
