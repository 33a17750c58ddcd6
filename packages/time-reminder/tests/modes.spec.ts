import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUserMessage, HOUR, MINUTE, mountClock, ours, places, readings, reasons, steps, THURSDAY, value, type Agent, type ClockHost } from './harness.ts'
import type { Config } from '../src/config.ts'

let host: ClockHost
let agent: Agent

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(THURSDAY - 12 * HOUR) // 11:50 in Shanghai
})
afterEach(async () => {
  await host.dispose()
  vi.useRealTimers()
})

async function mount(config: Partial<Config> = {}): Promise<void> {
  host = await mountClock({ config })
  agent = await host.create('one')
}

const later = (ms: number): unknown => vi.setSystemTime(Date.now() + ms)

/** One turn that a person starts, with so many steps. */
async function turn(count = 1, zone: string | null = 'Asia/Shanghai'): Promise<void> {
  steps(host, count)
  await host.type(agent, 'go on', zone)
}

describe('off', () => {
  it('R1 R2 injects nothing, and the tool still tells the time', async () => {
    await mount({ defaultMode: 'off' })
    await turn(3)
    later(26 * HOUR)
    await turn()
    expect(ours(agent.session)).toEqual([])
    expect(await value(host, agent, 'time_mode', { mode: 'off' })).toMatchObject({ set: true, now: '2026-10-09T13:50:00+08:00[Asia/Shanghai]' })
  })
})

describe('cron', () => {
  it('R1 B75 is the default, and its first reading is in the first request of a session', async () => {
    await mount()
    await turn()
    expect(readings(agent)[0]?.lines[1]).toBe('Time sampled while preparing turn 1, step 1: 2026-10-08T11:50:00+08:00[Asia/Shanghai] (Thursday)')
    expect(JSON.stringify(host.model.requests[0]?.messages)).toContain('2026-10-08T11:50:00')
  })

  it('R1 P2 ten turns of eight steps leave one reading', async () => {
    await mount()
    for (let n = 0; n < 10; n += 1) {
      await turn(8)
      later(MINUTE)
    }
    expect(reasons(agent)).toEqual(['first'])
  })

  it('R1 reads once when an instant of the plan was crossed, and in the step where that happens', async () => {
    await mount({ cron: '0 * * * *' })
    await turn()
    const stop = agent.ctx.on('agent/request', async (_payload, next) => {
      later(4 * MINUTE) // 11:54, 11:58, 12:02
      return next()
    })
    await turn(4)
    stop()
    await turn()
    expect(reasons(agent)).toEqual(['first', 'plan'])
    expect(readings(agent)[1]?.lines.slice(1, 4)).toEqual([
      'Time sampled while preparing turn 2, step 4: 2026-10-08T12:02:00+08:00[Asia/Shanghai] (Thursday)',
      'Time mode: cron ("0 * * * *" Asia/Shanghai; previous reading 2026-10-08T11:50:00+08:00)',
      'Elapsed since the previous reading: 12m',
    ])
  })

  it('B69 a turn at ten past midnight knows the new date and weekday', async () => {
    await mount({ cron: '0 9 * * 1' })
    vi.setSystemTime(THURSDAY)
    await turn()
    later(20 * MINUTE)
    await turn()
    expect(reasons(agent)).toEqual(['first', 'date'])
    expect(readings(agent)[1]?.lines[1]).toContain('2026-10-09T00:10:00+08:00[Asia/Shanghai] (Friday)')
  })

  it('B72 ten turns, a pause of 45 minutes and one more turn leave two readings', async () => {
    await mount()
    for (let n = 0; n < 10; n += 1) {
      await turn()
      later(20_000)
    }
    later(45 * MINUTE)
    await turn()
    expect(reasons(agent)).toEqual(['first', 'pause'])
  })

  it('R27 gapMinutes says how long a pause is', async () => {
    await mount({ gapMinutes: 60 })
    await turn()
    later(45 * MINUTE)
    await turn()
    expect(reasons(agent)).toEqual(['first'])
  })

  it('B73 R7 a reminder is no reading, and the person who answers it later is told the time', async () => {
    await mount()
    await turn()
    later(29 * MINUTE)
    agent.followup(createUserMessage({ content: [{ type: 'text', text: 'reminder' }], source: { kind: 'dsh-tool-schedule', form: 'notice', summary: 'Reminder' } as never }))
    await agent.whenIdle()
    later(5 * MINUTE)
    await turn()
    expect(reasons(agent)).toEqual(['first', 'pause'])
    expect(readings(agent)[1]?.lines[1]).toContain('2026-10-08T12:24:00+08:00')
  })
})

describe('turn', () => {
  it('R1 reads exactly once per turn, on its first step, with the time since the last message', async () => {
    await mount({ defaultMode: 'turn' })
    await turn(4)
    later(3 * MINUTE + 7000)
    await turn(4)
    expect(places(agent)).toEqual(['1.1', '2.1'])
    expect(readings(agent)[1]?.lines.slice(2, 4)).toEqual(['Time mode: turn (once per turn; previous reading 2026-10-08T11:50:00+08:00)', 'Elapsed since the preceding model-visible message: 3m7s'])
  })

  it('B74 a message that waited behind a long turn comes with the time at which it is read', async () => {
    await mount({ defaultMode: 'turn' })
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    const person = (text: string) => createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user', rpcId: text, clientTimeZone: 'Asia/Shanghai' } as never })
    agent.followup(person('long'))
    agent.followup(person('waits'))
    later(39 * MINUTE)
    gate.resolve()
    await agent.whenIdle()
    expect(readings(agent)[1]?.lines[1]).toContain('2026-10-08T12:29:00+08:00')
  })
})

describe('a clock that is set back', () => {
  it('B32 R3 makes what passed unknown, and is told at once', async () => {
    await mount({ defaultMode: 'turn' })
    await turn()
    later(-2 * HOUR)
    await turn()
    expect(readings(agent)[1]?.lines.slice(1, 4)).toEqual([
      'Time sampled while preparing turn 2, step 1: 2026-10-08T09:50:00+08:00[Asia/Shanghai] (Thursday)',
      'Time mode: turn (once per turn; previous reading unknown, the clock was set back)',
      'Elapsed since the preceding model-visible message: unknown, the clock was set back',
    ])
  })
})

describe('fine', () => {
  it('R1 R3 reads at every step, after each tool call too, and measures from step to step', async () => {
    await mount({ defaultMode: 'fine' })
    const stop = agent.ctx.on('agent/request', async (_payload, next) => {
      later(20_000)
      return next()
    })
    await turn(3)
    stop()
    expect(readings(agent).map(({ lines }) => lines[3])).toEqual(['Elapsed since the preceding model-visible message: none before', 'Elapsed since the previous reading: 20s', 'Elapsed since the previous reading: 20s'])
  })

  it('R1 R27 fineIntervalMs sets a floor', async () => {
    await mount({ defaultMode: 'fine', fineIntervalMs: 30_000 })
    agent.ctx.on('agent/request', async (_payload, next) => {
      later(20_000)
      return next()
    })
    await turn(5)
    expect(places(agent)).toEqual(['1.1', '1.3', '1.5'])
    expect(reasons(agent)).toEqual(['first', 'step', 'step'])
  })
})

describe('time_mode', () => {
  it('R2 the model switches its session from the next step on, by a call in the conversation', async () => {
    await mount({ defaultMode: 'off' })
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'fine' } }, { tool: 'noop', args: {} }, { text: 'ok' })
    await host.type(agent, 'be exact')
    expect(places(agent)).toEqual(['1.2', '1.3'])
  })

  it('R2 R11 a plan that is not valid is refused with the reason and changes nothing', async () => {
    await mount({ defaultMode: 'turn' })
    host.model.replies.push({ tool: 'time_mode', args: { mode: 'off', cron: '61 * * * *' } }, { text: 'ok' })
    await host.type(agent, 'be quiet')
    await turn()
    expect(readings(agent)).toHaveLength(2)
    const result = agent.session.events.find((event) => event.type === 'tool/result')
    expect(JSON.stringify(result?.data)).toContain('The minute field cannot read')
  })

  it('R2 B24 the answer says what it means: the next time, the time now, and what cron people get wrong', async () => {
    await mount()
    await turn()
    expect(await value(host, agent, 'time_mode', { mode: 'cron', cron: '*/45 * * * *' })).toEqual({
      set: true,
      mode: 'cron',
      cron: '*/45 * * * *',
      effect: expect.stringContaining('"*/45 * * * *" Asia/Shanghai') as unknown,
      now: '2026-10-08T11:50:00+08:00[Asia/Shanghai]',
      next: ['2026-10-08T12:00:00+08:00[Asia/Shanghai]'],
      notes: [expect.stringContaining('not every 45 minutes') as unknown],
    })
    expect(await value(host, agent, 'time_mode', { mode: 'cron' })).not.toHaveProperty('notes')
  })
})

describe('the zone of a session', () => {
  it('R27 is that of the config, else that of its first request, else that of the process', async () => {
    await mount({ timeZone: 'America/New_York' })
    await turn()
    expect(readings(agent)[0]?.lines[1]).toContain('[America/New_York]')
    expect(readings(agent)[0]?.lines[4]).toBe('Request zone: Asia/Shanghai (there it is Thursday 11:50)')
    await host.dispose()
    await mount()
    await turn(1, null)
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(readings(agent)[0]?.lines[1]).toContain(`[${own}]`)
    expect(readings(agent)[0]?.lines[4]).toBe('Request zone: unavailable. Ask before reading unqualified times.')
  })

  it('R27 a process in no zone that has a name is in UTC', async () => {
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone: 'Etc/GMT+8' } as Intl.ResolvedDateTimeFormatOptions)
    await mount()
    vi.restoreAllMocks()
    await turn(1, null)
    expect(readings(agent)[0]?.lines[1]).toContain('2026-10-08T03:50:00+00:00[UTC]')
  })

  it('R3 stays that of the first request when the person travels, and says what time it is there', async () => {
    await mount({ defaultMode: 'turn' })
    await turn()
    await turn(1, 'Europe/Berlin')
    expect(readings(agent)[1]?.lines[1]).toContain('2026-10-08T11:50:00+08:00[Asia/Shanghai]')
    expect(readings(agent)[1]?.lines[4]).toBe('Request zone: Europe/Berlin (there it is Thursday 05:50)')
  })

  it('R3 two tabs in two zones are mixed', async () => {
    await mount({ defaultMode: 'turn' })
    const from = (clientTimeZone: string) => createUserMessage({ content: [{ type: 'text', text: 'hi' }], source: { kind: 'user', rpcId: clientTimeZone, clientTimeZone } as never })
    agent.inject(from('Europe/Berlin'))
    agent.followup(from('Asia/Shanghai'))
    await agent.whenIdle()
    expect(readings(agent)[0]?.lines[4]).toBe('Request zone: mixed. Ask which before reading unqualified times.')
  })

  it('R27 reading: compact says it in one line', async () => {
    await mount({ reading: 'compact' })
    await turn()
    expect(readings(agent)[0]?.lines).toEqual(['<system-reminder>', '2026-10-08T11:50+08:00[Asia/Shanghai] Thu', '</system-reminder>'])
  })
})
