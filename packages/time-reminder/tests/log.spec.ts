import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KNOWN_SESSION_EVENT_TYPES } from '@deepseek-ai/dsh-session'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkUpgrade } from '../../../e2e/lib/upgrade-check.ts'
import type { Config } from '../src/config.ts'
import { mountHost } from '../../session-host/tests/harness.ts'
import { createUserMessage, HOUR, MINUTE, mountClock, ours, places, readings, reasons, steps, THURSDAY, type Agent, type ClockHost, type SessionEvent } from './harness.ts'

let host: ClockHost
let agent: Agent
let root: string

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(THURSDAY - 12 * HOUR) // 11:50 in Shanghai
  root = mkdtempSync(join(tmpdir(), 'timekeeper-clock-'))
})
afterEach(async () => {
  await host.dispose()
  rmSync(root, { recursive: true, force: true })
  vi.useRealTimers()
})

async function mount(config: Partial<Config> = {}): Promise<void> {
  host = await mountClock({ config, root })
  agent = await host.create('one')
}

const later = (ms: number): unknown => vi.setSystemTime(Date.now() + ms)
const turn = async (count = 1): Promise<void> => {
  steps(host, count)
  await host.type(agent, 'go on')
}
const notice = (source: unknown) => createUserMessage({ content: [{ type: 'text', text: 'x' }], source: source as never })

describe('a reading in the log', () => {
  it('R4 is the last message of its step, also after those that other plugins add, earlier ones too', async () => {
    await mount()
    await host.unload()
    host.ctx.on('agent/pre-step', async (_payload, next) => {
      const decision = await next()
      return decision.kind === 'reject' ? decision : { ...decision, messages: [...decision.messages, notice({ kind: 'other' })] }
    })
    await host.mount({ defaultMode: 'fine' })
    await turn(2)
    const kinds = agent.session.events.flatMap((event) => (event.type === 'user/message' ? [event.data.source.kind as string] : event.type === 'step/start' ? ['|'] : []))
    expect(kinds.join(' ')).toMatch(/^\| user .*other dsh-time-reminder \| other dsh-time-reminder$/)
  })

  it('R4 is a user/message that the model sees exactly as it was logged', async () => {
    await mount()
    await turn()
    const event = agent.session.events[readings(agent)[0]!.seq]!
    expect(event).toMatchObject({ type: 'user/message', surfaceOp: 'append', data: { role: 'user' } })
    expect(host.model.requests[0]?.messages).toContainEqual(event.data)
  })

  it.each([
    ['is rejected', async () => ({ kind: 'reject' as const })],
    ['has nothing in it', async () => ({ kind: 'enter' as const, messages: [] })],
    [
      'is cancelled',
      async (_payload: unknown, next: () => Promise<never>) => {
        agent.cancel({ kind: 'user' })
        return next()
      },
    ],
    [
      'fails in another plugin',
      async () => {
        throw new Error('broken')
      },
    ],
  ])('R6 is not made when the step %s, and the next step has it', async (_what, listener) => {
    await mount()
    const stop = host.ctx.on('agent/pre-step', listener)
    await turn().catch(() => undefined)
    expect(ours(agent.session)).toEqual([])
    expect(host.model.requests).toHaveLength(0)
    stop()
    await turn()
    expect(reasons(agent)).toEqual(['first'])
  })

  it('R6 is not logged when the step fails after it was made and before it begins', async () => {
    await mount()
    const failing = async (_payload: unknown, next: () => Promise<unknown>): Promise<never> => {
      await next()
      throw new Error('broken')
    }
    const stop = host.ctx.on('agent/pre-step', failing, { prepend: true })
    await turn().catch(() => undefined)
    expect(ours(agent.session)).toEqual([])
    stop()
    await turn()
    expect(readings(agent)[0]?.lines[2]).toContain('no previous reading')
  })

  it('R6 is not offered to anybody once the step is cancelled', async () => {
    await mount()
    host.ctx.on('agent/pre-step', (async (_payload: unknown, next: () => Promise<unknown>) => {
      agent.cancel({ kind: 'user' })
      return next()
    }) as never)
    let offered: readonly object[] = []
    host.ctx.on('agent/pre-step', (async (_payload: unknown, next: () => Promise<{ messages: object[] }>) => {
      const decision = await next()
      offered = decision.messages
      return decision
    }) as never, { prepend: true })
    await turn()
    expect(JSON.stringify(offered)).toContain('go on')
    expect(JSON.stringify(offered)).not.toContain('Time sampled')
  })

  it('R6 never makes a step of its own: a turn that was claimed empty stays without one, whatever came before', async () => {
    await mount({ defaultMode: 'fine' })
    host.ctx.get('tools')!.register({
      name: 'conclude',
      description: '',
      parameters: { type: 'object', properties: {} },
      output: { schema: { type: 'object', additionalProperties: true, properties: {} }, render: () => [] },
      execute: async (_args: unknown, exec: { concludeTurn(): void }) => {
        exec.concludeTurn()
        return {}
      },
    } as never)
    host.model.replies.push({ tool: 'conclude', args: {} })
    await host.type(agent, 'only the tool')
    const before = readings(agent).length
    // As when the person takes a message back at the last moment.
    const stop = host.ctx.on('agent/pre-step', (async () => ({ kind: 'enter', messages: [] })) as never)
    host.model.replies.push({ text: 'not asked' })
    await host.type(agent, 'taken back')
    stop()
    expect(readings(agent)).toHaveLength(before)
    expect(agent.session.events.findLast((event) => event.type === 'turn/end')?.data).toMatchObject({ reason: { kind: 'completed' } })
  })

  it('R6 nor does it keep a turn going that has said its last word', async () => {
    await mount({ defaultMode: 'fine' })
    const stops = [
      host.ctx.on('agent/turn-stopping', async () => agent.steer(notice({ kind: 'other' }))),
      host.ctx.on('agent/pre-step', (async ({ step }: { step: number }, next: () => Promise<object>) => (step === 1 ? next() : { kind: 'enter', messages: [] })) as never),
    ]
    await turn()
    for (const stop of stops) stop()
    expect(places(agent)).toEqual(['1.1'])
    expect(host.model.requests).toHaveLength(1)
  })

  it('a failure of the clock is reported and does not end the turn', async () => {
    await mount()
    const broken = async (_payload: unknown, next: () => Promise<{ messages: object[] }>): Promise<unknown> => {
      const decision = await next()
      const map = (): never => {
        throw new Error('broken')
      }
      return { ...decision, messages: Object.assign([...decision.messages], { map }) }
    }
    const stop = host.ctx.on('agent/pre-step', broken as never)
    await turn()
    stop()
    expect(agent.session.events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'completed' } } })
    expect(ours(agent.session)).toEqual([])
    expect(host.log.join()).toContain('session one: no reading')
  })
})

describe('the rhythm', () => {
  it.each([
    ['a switch in the page', { kind: 'dsh-time-reminder', form: 'notice', summary: 's', mode: 'cron' }],
    ['a countdown that fired', { kind: 'dsh-time-reminder', form: 'notice', summary: 's', countdown: { name: 'tea' } }],
    ['a relay of a counter', { kind: 'dsh-time-reminder', form: 'relay', senderSessionId: 'other' }],
  ])('R7 is not reset by %s', async (_what, source) => {
    await mount({ cron: '0 * * * *' })
    await turn()
    later(20 * MINUTE) // 12:10
    agent.inject(notice(source))
    await turn()
    expect(reasons(agent)).toEqual(['first', 'plan'])
    expect(readings(agent)[1]?.lines[2]).toContain('previous reading 2026-10-08T11:50:00+08:00')
  })
})

describe('what is sent to the model', () => {
  const bytes = (n: number): string => JSON.stringify(host.model.requests[n]!.messages)

  it.each(['off', 'cron', 'turn', 'fine'] as const)('T15 B71 in mode %s request n is a byte prefix of request n+1, and the system text never changes', async (defaultMode) => {
    await mount({ defaultMode })
    for (const pause of [3000, 45 * MINUTE, 13 * HOUR]) {
      await turn(3)
      later(pause)
    }
    expect(host.model.requests).toHaveLength(9)
    for (let n = 1; n < 9; n += 1) expect(bytes(n).startsWith(bytes(n - 1).slice(0, -1))).toBe(true)
    for (const part of ['system', 'tools'] as const) expect(new Set(host.model.requests.map((request) => JSON.stringify(request[part]))).size).toBe(1)
    expect(JSON.stringify([host.model.requests[0]?.system, host.model.requests[0]?.tools])).not.toMatch(/20\d\d-/)
  })

  it('T15 also across switches of the mode and a resume', async () => {
    await mount()
    await turn()
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'fine' } }, { text: 'ok' })
    await host.type(agent, 'finer')
    agent.inject(notice({ kind: 'dsh-time-reminder', form: 'notice', summary: 's', mode: 'turn' }))
    await turn()
    const sent = host.model.requests.map((request) => JSON.stringify(request.messages))
    const { tools, system } = host.model.requests.at(-1)!
    await host.dispose()
    host = await mountClock({ root })
    agent = await host.resume('one')
    await turn()
    const all = [...sent, bytes(0)]
    for (let n = 1; n < all.length; n += 1) expect(all[n]!.startsWith(all[n - 1]!.slice(0, -1))).toBe(true)
    expect(host.model.requests[0]).toMatchObject({ tools, ...(system !== undefined && { system }) })
  })
})

describe('after a resume', () => {
  it('B70 a session that is opened 26 hours later has a fresh reading in its first request', async () => {
    await mount()
    await turn()
    await host.dispose()
    later(26 * HOUR)
    host = await mountClock({ root })
    agent = await host.resume('one')
    await turn(2)
    expect(reasons(agent)).toEqual(['first', 'resume'])
    expect(JSON.stringify(host.model.requests[0]?.messages)).toContain('2026-10-09T13:50:00+08:00')
    expect(readings(agent)[1]?.lines.slice(2, 4)).toEqual(['Time mode: cron (daily 00:00 Asia/Shanghai; previous reading 2026-10-08T11:50:00+08:00)', 'Elapsed since the preceding model-visible message: 1d2h'])
  })

  it('R1 R25 the mode and the plan are those of the log', async () => {
    await mount()
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'cron', cron: '0 12 * * *' } }, { tool: 'time_mode', args: { mode: 'turn' } }, { text: 'ok' })
    await host.type(agent, 'switch')
    await host.dispose()
    host = await mountClock({ root })
    agent = await host.resume('one')
    await turn()
    expect(readings(agent).at(-1)?.lines[2]).toContain('Time mode: turn')
    expect(host.ctx.get('sessions')).toBeDefined()
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'cron' } }, { text: 'ok' })
    await host.type(agent, 'back')
    later(20 * MINUTE) // past noon
    await turn()
    expect(readings(agent).at(-1)?.lines[2]).toContain('cron (daily 12:00 Asia/Shanghai')
  })
})

describe('after a fork', () => {
  const fork = async (): Promise<Agent> => {
    const seed = agent.session.events as SessionEvent[]
    return host.create('child', { seed, meta: { parentSession: 'one', seedLength: seed.length } })
  }

  it('R3 the baselines are those of the inherited history, and no reading is made twice', async () => {
    await mount()
    await turn()
    later(5 * MINUTE)
    agent = await fork()
    await turn()
    expect(reasons(agent)).toEqual(['first'])
    later(31 * MINUTE)
    await turn()
    expect(readings(agent)[1]?.lines.slice(2, 4)).toEqual(['Time mode: cron (daily 00:00 Asia/Shanghai; previous reading 2026-10-08T11:50:00+08:00)', 'Elapsed since the preceding model-visible message: 31m'])
  })

  it('R1 the mode is inherited, and a switch in the child is none in the parent', async () => {
    await mount({ defaultMode: 'off' })
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'turn' } }, { text: 'ok' })
    await host.type(agent, 'switch')
    const parent = agent
    agent = await fork()
    await turn()
    expect(places(agent)).toEqual(['2.1'])
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'off' } }, { text: 'ok' })
    await host.type(agent, 'off')
    agent = parent
    await turn()
    expect(places(agent)).toEqual(['2.1'])
  })
})

describe('after a compaction', () => {
  it('R3 the time is told again, measured from what was really said last', async () => {
    await mount()
    await turn()
    later(5 * MINUTE)
    const surface = agent.session.events.filter((event) => 'surfaceOp' in event).map(({ seq }) => seq)
    const summary = notice({ kind: 'plugin', plugin: 'compact' })
    agent.session.append('user/message', summary, { surfaceOp: { op: 'replace', start: surface[0]!, end: surface.at(-1)! }, sourceEventSeqs: surface })
    later(2 * MINUTE)
    await turn()
    expect(reasons(agent)).toEqual(['first', 'compaction'])
    expect(readings(agent)[1]?.lines.slice(2, 4)).toEqual(['Time mode: cron (daily 00:00 Asia/Shanghai; previous reading 2026-10-08T11:50:00+08:00)', 'Elapsed since the preceding model-visible message: 7m'])
    const [request] = host.model.requests.slice(-1)
    expect(JSON.stringify(request?.messages).match(/Time sampled/g)).toHaveLength(1)
  })
})

describe('a subagent', () => {
  it('R1 R2 has its own clock and its own mode, in the zone of its parent', async () => {
    await mount()
    await turn()
    const parent = agent
    agent = await host.create('child', { meta: { origin: 'subagent', parentSession: 'one', delegationDepth: 1 } })
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'fine' } }, { text: 'ok' })
    await host.type(agent, 'task', null)
    expect(places(agent)).toEqual(['1.1', '1.2'])
    expect(readings(agent)[0]?.lines.slice(1)).toEqual([
      'Time sampled while preparing turn 1, step 1: 2026-10-08T11:50:00+08:00[Asia/Shanghai] (Thursday)',
      'Time mode: cron (daily 00:00 Asia/Shanghai; no previous reading)',
      'Elapsed since the preceding model-visible message: none before',
      'Request zone: unavailable. Ask before reading unqualified times.',
      '</system-reminder>',
    ])
    agent = parent
    await turn()
    expect(places(agent)).toEqual(['1.1'])
  })

  it('R27 falls back to the zone of the process when its parent is not open', async () => {
    await mount()
    for (const [id, meta] of [['orphan', { origin: 'subagent', parentSession: 'gone' }], ['nobody', { origin: 'subagent' }]] as const) {
      agent = await host.create(id, { meta })
      await host.type(agent, 'task', null)
      expect(readings(agent)[0]?.lines[1]).toContain(`[${new Intl.DateTimeFormat().resolvedOptions().timeZone}]`)
    }
  })
})

describe('the plugin', () => {
  it('X7 R25 taken away leaves logs that a host without it reads, resumes and goes on with, and that a later one can take over', async () => {
    await mount({ defaultMode: 'fine' })
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'turn' } }, { text: 'ok' })
    await host.type(agent, 'hello')
    agent.inject(notice({ kind: 'dsh-time-reminder', form: 'notice', summary: 's', mode: 'off' }))
    await turn()
    const before = agent.session.events
    expect(checkUpgrade(before, KNOWN_SESSION_EVENT_TYPES)).toEqual([])
    await host.dispose()
    const bare = await mountHost({ root })
    const stored = await bare.ctx.get('sessionPersistence')!.inspect('one' as never)
    expect(stored.events.slice(0, before.length)).toEqual(before)
    const again = await bare.resume('one')
    await bare.type(again, 'still there?')
    expect(again.session.events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'completed' } } })
    expect(JSON.stringify(bare.model.requests[0]?.messages)).toContain('Time sampled')
    await bare.dispose()
  })

  it('R24 R27 mounted late or again, with another config, takes over the sessions that are open', async () => {
    await mount({ defaultMode: 'off' })
    await turn()
    await host.unload()
    expect(host.ctx.get('tools')!.schemas(agent).map(({ name }) => name)).toEqual(['noop'])
    await turn()
    expect(readings(agent)).toEqual([])
    await host.mount({ defaultMode: 'turn' })
    await turn()
    expect(places(agent)).toEqual(['3.1'])
    expect(host.ctx.get('tools')!.schemas(agent).map(({ name }) => name)).toContain('time_mode')
  })

  it('a session that cannot have its tool is created all the same, without a clock', async () => {
    await mount({ defaultMode: 'fine' })
    host.ctx.on('agent/created', ({ agent: created }) => void created.ctx.get('tools')!.register({ name: 'time_mode', description: '', parameters: { type: 'object', properties: {} }, output: { schema: { type: 'object', additionalProperties: true, properties: {} }, render: () => [] }, execute: async () => ({}) } as never), { prepend: true })
    agent = await host.create('two')
    await turn()
    expect(ours(agent.session)).toEqual([])
    expect(host.log.join()).toContain('session two: the clock is not available')
  })

  it('leaves nothing behind when a session is disposed', async () => {
    await mount()
    const { agent: short, dispose } = await host.ctx.agents.create({ sessionId: 'short' as never, agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    await dispose()
    expect(host.ctx.agents.get(short.id)).toBeUndefined()
    agent = await host.resume('one').catch(() => agent)
    await turn()
    expect(reasons(agent)).toEqual(['first'])
    await host.unload()
    expect(host.log).toEqual([])
  })
})
