import { describe, expect, it, vi } from 'vitest'
import { checkUpgrade } from '../../../../e2e/lib/upgrade-check.ts'
import { createUserMessage, HOUR, MINUTE, readings, value, type Agent } from '../harness.ts'
import { listed, pass, queued, rings, rung, sleep, START, useHome, type CountdownHost } from './stage.ts'

const home = useHome()

async function begin(config = {}): Promise<{ host: CountdownHost; agent: Agent }> {
  const host = await home.mount(config)
  const agent = await host.create('one')
  await host.type(agent, 'hello')
  return { host, agent }
}

describe('time_countdown', () => {
  it('R12 R26 answers with the instant, and the log has that instant and no other', async () => {
    const { host, agent } = await begin()
    vi.setSystemTime(START + 250)
    expect(await host.countdown(agent, { action: 'start', name: 'build', in: '10m', note: '看 GH Actions' })).toMatchObject({
      set: true,
      action: 'start',
      name: 'build',
      due: '2026-10-08T12:00:00+08:00[Asia/Shanghai]',
      left: '10m',
      dueAt: '2026-10-08T04:00:00.250Z',
      onFire: 'wake',
      note: '看 GH Actions',
    })
    const result = agent.session.events.findLast((event) => event.type === 'tool/result')
    expect(result?.data).toMatchObject({ meta: { timekeeper: { v: 1, facts: [{ fact: 'countdown', action: 'start', name: 'build', dueAt: '2026-10-08T04:00:00.250Z', onFire: 'wake', note: '看 GH Actions' }] } } })
  })

  it('R12 at is a time of day in the zone of the session, tomorrow when it has passed', async () => {
    const { host, agent } = await begin()
    expect(await host.countdown(agent, { action: 'start', name: 'a', at: '15:30' })).toMatchObject({ due: '2026-10-08T15:30:00+08:00[Asia/Shanghai]', left: '3h40m' })
    expect(await host.countdown(agent, { action: 'start', name: 'b', at: '11:30' })).toMatchObject({ due: '2026-10-09T11:30:00+08:00[Asia/Shanghai]' })
  })

  it('R13 R14 fires on time, wakes an idle session, and is put away', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'build', in: '10m' })
    await host.countdown(agent, { action: 'start', name: 'tea', in: '20m' })
    await pass(10 * MINUTE, agent)
    expect((await rings(agent)).map(({ names, at }) => [names, at])).toEqual([[['build'], START + 10 * MINUTE]])
    expect(rung(agent)[0]?.lines).toHaveLength(4)
    expect(agent.session.events.findLast(({ type }) => type === 'turn/end')?.data).toMatchObject({ reason: { kind: 'completed' } })
    expect(await value(host, agent, 'time_countdown', { action: 'list', includeFired: true })).toEqual({
      now: '2026-10-08T12:00:00+08:00',
      total: 1,
      pending: [{ name: 'tea', left: '10m', due: '2026-10-08T12:10:00+08:00' }],
      fired: [{ name: 'build', due: '2026-10-08T12:00:00+08:00', fired: '2026-10-08T12:00:00+08:00' }],
    })
    expect(await listed(host, agent)).toEqual({ pending: ['tea'], fired: [] })
  })

  it('R13 lists the last ten that have fired, the newest first', async () => {
    const { host, agent } = await begin()
    for (let n = 1; n <= 12; n += 1) await host.countdown(agent, { action: 'start', name: `c${n}`, in: `${n}m`, onFire: 'inject', note: 'x' })
    await pass(12 * MINUTE, agent)
    await rings(agent, 12, queued)
    expect((await listed(host, agent, true)).fired).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `c${n}`))
  })

  it('R12 R13 a fired one can be snoozed: the mark goes and it comes again', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m', note: 'green' })
    await pass(MINUTE, agent)
    await rings(agent)
    expect(await host.countdown(agent, { action: 'snooze', name: 'tea', in: '5m' })).toMatchObject({ set: true, action: 'snooze', left: '5m', onFire: 'wake', note: 'green' })
    expect(await listed(host, agent, true)).toEqual({ pending: ['tea'], fired: [] })
    await pass(5 * MINUTE, agent)
    expect((await rings(agent, 2)).map(({ at }) => at)).toEqual([START + MINUTE, START + 6 * MINUTE])
  })

  it('R12 B41 snoozing one that is pending moves it, and nothing comes at the old time', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '2m' })
    await host.countdown(agent, { action: 'snooze', name: 'tea', in: '10m', onFire: 'inject', note: '' })
    await pass(9 * MINUTE, agent)
    expect(queued(agent)).toEqual([])
    await pass(MINUTE, agent)
    expect(await rings(agent, 1, queued)).toHaveLength(1)
  })

  it('R12 B44 a cancelled one does not come, also not after a restart', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '2m' })
    await host.countdown(agent, { action: 'cancel', name: 'tea' })
    expect(await value(host, agent, 'time_countdown', { action: 'cancel', name: 'tea' })).toMatchObject({ code: 'no-such-countdown', field: 'name' })
    expect(await value(host, agent, 'time_countdown', { action: 'snooze', name: 'tea', in: '1m' })).toMatchObject({ code: 'no-such-countdown' })
    expect(await value(host, agent, 'time_countdown', { action: 'stop', name: 'tea' })).toMatchObject({ code: 'bad-request', field: 'action' })
    await host.dispose()
    const next = await home.mount()
    await pass(5 * MINUTE)
    expect(next.resolved).toEqual([])
    expect(rung(await next.resume('one'))).toEqual([])
  })

  it('B40 the same call five times is one countdown, and says which one it replaced', async () => {
    const { host, agent } = await begin()
    for (let n = 0; n < 5; n += 1) await host.countdown(agent, { action: 'start', name: 'tea', in: '10m' })
    expect(await host.countdown(agent, { action: 'start', name: 'tea', in: '20m' })).toMatchObject({ replaced: '2026-10-08T12:00:00+08:00' })
    expect(await host.countdown(agent, { action: 'start', name: 'tea', at: '02:99' })).toMatchObject({ code: 'bad-time' })
    await pass(20 * MINUTE, agent)
    expect(await rings(agent)).toHaveLength(1)
  })

  it('R12 a hundred are enough for one session', async () => {
    const { host, agent } = await begin()
    host.model.replies.push(...Array.from({ length: 100 }, (_, n) => ({ tool: 'time_countdown', args: { action: 'start', name: `c${n}`, in: '1h' } })), { text: 'ok' })
    await host.type(agent, 'go on')
    expect(await value(host, agent, 'time_countdown', { action: 'start', name: 'more', in: '1h' })).toMatchObject({ code: 'too-many' })
    const list = await value(host, agent, 'time_countdown', { action: 'list' })
    expect([list['total'], (list['pending'] as unknown[]).length]).toEqual([100, 50])
  })
})

describe('what happens when a countdown is over', () => {
  it('R14 inject is queued for the next step and wakes nobody', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'quiet', in: '1m', onFire: 'inject' })
    expect((await value(host, agent, 'time_countdown', { action: 'list' }))['pending']).toMatchObject([{ onFire: 'inject' }])
    await pass(5 * MINUTE, agent)
    expect(await rings(agent, 1, queued)).toHaveLength(1)
    expect(rung(agent)).toEqual([])
    expect((await listed(host, agent, true)).fired).toEqual(['quiet'])
    await host.type(agent, 'anything?')
    expect(rung(agent)).toMatchObject([{ names: ['quiet'] }])
  })

  it('R14 R16 inject in the middle of a turn comes with its next step, and says that it waited', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'quiet', in: '1m', onFire: 'inject' })
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    host.model.replies.push({ tool: 'noop', args: {} }, { text: 'done' })
    const turn = host.type(agent, 'work')
    await pass(MINUTE)
    expect(await rings(agent, 1, queued)).toHaveLength(1)
    gate.resolve()
    await turn
    expect(rung(agent)[0]?.lines.at(-2)).toBe('This session was in the middle of a step, so the notice waited for that step to end.')
  })

  it('R16 B54 wake in the middle of a turn waits for its end, and says how long', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    const turn = host.type(agent, 'work')
    await pass(11 * MINUTE)
    expect(queued(agent)).toEqual([])
    gate.resolve()
    await turn
    host.model.gate = undefined
    await pass(0, agent)
    expect((await rings(agent)).map(({ lines }) => lines.slice(3, -1))).toEqual([['This session was in the middle of a step, so the notice waited for that turn to end (10m late).']])
  })

  it('R16 B30 B31 after a sleep of the machine it comes within half a minute, and says why it is late', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '2h' })
    await pass(HOUR, agent)
    sleep(8 * HOUR)
    await pass(30_000, agent)
    const late = /^The timer went off (7h(?:59m)?|7h) late, so the process was suspended or blocked at that instant, or its clock was set forward\.$/
    expect(await rings(agent)).toHaveLength(1)
    expect(rung(agent)[0]?.lines[3]).toMatch(late)
  })

  it('S25 a clock that is set back fires nothing early, and nothing twice', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '10m' })
    sleep(-HOUR)
    await pass(69 * MINUTE, agent)
    expect(rung(agent)).toEqual([])
    await pass(MINUTE, agent)
    expect(await rings(agent)).toHaveLength(1)
    sleep(-HOUR)
    await pass(2 * HOUR, agent)
    expect(await rings(agent)).toHaveLength(1)
  })

  it('B42 B53 fifty that are over at once are three messages, and one turn each', async () => {
    const { host, agent } = await begin()
    host.model.replies.push(...Array.from({ length: 50 }, (_, n) => ({ tool: 'time_countdown', args: { action: 'start', name: `c${n}`, in: '1h' } })), { text: 'ok' })
    await host.type(agent, 'go on')
    await pass(HOUR, agent)
    expect((await rings(agent, 3)).map(({ names }) => names.length)).toEqual([20, 20, 10])
    expect(new Set(rung(agent).flatMap(({ names }) => names)).size).toBe(50)
  })

  it('B42 those that do not wake are batched too', async () => {
    const { host, agent } = await begin()
    host.model.replies.push(...Array.from({ length: 30 }, (_, n) => ({ tool: 'time_countdown', args: { action: 'start', name: `c${n}`, in: '1h', onFire: 'inject' } })), { text: 'ok' })
    await host.type(agent, 'go on')
    await pass(HOUR, agent)
    expect((await rings(agent, 2, queued)).map(({ names }) => names.length)).toEqual([20, 10])
  })

  it('R7 R15 a notice is no reading, and its rhythm goes on', async () => {
    const { host, agent } = await begin({ defaultMode: 'cron' })
    await host.countdown(agent, { action: 'start', name: 'tea', in: '20m' })
    await pass(25 * MINUTE, agent)
    await rings(agent)
    expect(readings(agent)).toHaveLength(1)
    await pass(10 * MINUTE, agent)
    await host.type(agent, 'and now?')
    expect(readings(agent).map(({ source }) => source['why'])).toEqual(['first', 'pause'])
  })

  it('R3 a reading tells what is pending, the soonest first', async () => {
    const { host, agent } = await begin({ defaultMode: 'turn' })
    await host.countdown(agent, { action: 'start', name: 'tea', in: '20m' })
    await host.countdown(agent, { action: 'start', name: 'build', in: '4m12s', note: '看 GH Actions' })
    await host.type(agent, 'now?')
    expect(readings(agent).at(-1)?.lines.slice(-2)).toEqual(['[countdowns] build in 4m12s (看 GH Actions), tea in 20m', '</system-reminder>'])
  })

  it('B50 an idle session is woken after hours of silence', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '3h' })
    await pass(3 * HOUR, agent)
    expect(await rings(agent)).toMatchObject([{ at: START + 3 * HOUR }])
  })

  it('R15 R19 a notice that a stop has dropped comes again, until it was read', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    const stop = host.ctx.on('agent/inbox/inserted', ({ message }) => {
      if (JSON.stringify(message.source).includes('countdown')) agent.cancel({ kind: 'user' })
    })
    await pass(MINUTE, agent)
    stop()
    await pass(MINUTE, agent)
    expect(await rings(agent)).toHaveLength(1)
    expect(queued(agent).length).toBeGreaterThan(1)
  })

  it('X7 its log can be taken over by later hosts', async () => {
    const { host, agent } = await begin({ defaultMode: 'fine' })
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    await pass(MINUTE, agent)
    await rings(agent)
    const known = new Set(agent.session.events.map(({ type }) => type as string))
    expect(checkUpgrade(agent.session.events, known)).toEqual([])
  })

  it('R14 a turn that a countdown starts is on nobody\'s behalf', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    const initiators: unknown[] = []
    agent.ctx.on('agent/pre-step', async (_payload, next) => {
      initiators.push(host.ctx.agents.currentInitiator()?.id)
      return next()
    })
    await pass(MINUTE, agent)
    await rings(agent)
    expect(initiators.filter((id) => id !== undefined && id !== 'one')).toEqual([])
    agent.followup(createUserMessage({ content: [{ type: 'text', text: 'x' }], source: { kind: 'user' } }))
    await agent.whenIdle()
  })
})

describe('looking again', () => {
  it.each([
    ['with the next step of the session', async (host: CountdownHost, agent: Agent) => host.type(agent, 'go on')],
    ['after a minute', async (_host: CountdownHost, agent: Agent) => pass(MINUTE, agent)],
  ])('R18 a countdown that could not be delivered is looked at %s', async (_when, wait) => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    vi.spyOn(agent, 'followup').mockImplementationOnce(() => {
      throw new Error('not now')
    })
    await pass(MINUTE, agent)
    await pass(0, agent)
    expect(queued(agent)).toEqual([])
    await wait(host, agent)
    await pass(0, agent)
    expect(await rings(agent)).toHaveLength(1)
  })
})

describe('where nothing can be stored', () => {
  it('R19 without persistence a countdown comes as long as its session lives', async () => {
    const host = await home.mount({}, { persistence: false })
    const agent = await host.create('one')
    await host.countdown(agent, { action: 'start', name: 'tea', in: '1m' })
    await pass(MINUTE, agent)
    expect(await rings(agent)).toHaveLength(1)
    expect(host.log).toEqual([])
  })

  it('R17 R19 a log that cannot be written is a warning, and the countdown comes', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'quiet', in: '1m', onFire: 'inject' })
    await pass(0, agent)
    vi.spyOn(host.ctx.sessions, 'flush').mockRejectedValue(new Error('disk full'))
    await pass(MINUTE)
    expect(await rings(agent, 1, queued)).toHaveLength(1)
    expect(host.log.join('\n')).toContain('session one: its countdowns are not confirmed as stored')
  })

  it('R19 a fault of another kind is said too', async () => {
    const { host, agent } = await begin()
    await host.countdown(agent, { action: 'start', name: 'quiet', in: '1m', onFire: 'inject' })
    await pass(0, agent)
    vi.spyOn(host.ctx.root, 'get').mockImplementation(() => {
      throw new Error('odd')
    })
    await pass(MINUTE)
    vi.restoreAllMocks()
    expect(queued(agent)).toHaveLength(1)
    expect(host.log.join('\n')).toContain('session one: could not look after the countdowns of this session')
  })
})
