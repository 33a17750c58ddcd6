import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REFUSALS } from '../src/errors.ts'
import * as plugin from '../src/index.ts'
import { changes, createUserMessage, delivered, foldAll, mountSchedule, quiet, QUIET_CONFIG, SessionId, until, value, type Agent } from './harness.ts'
import { pass } from './series-harness.ts'

const START = Date.parse('2026-10-09T01:00:00.000Z')

let hosts: Awaited<ReturnType<typeof mountSchedule>>[] = []
const mounted: typeof mountSchedule = async (options) => {
  const host = await mountSchedule(options)
  hosts.push(host)
  return host
}
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START }))
afterEach(async () => {
  for (const host of hosts) await host.dispose()
  hosts = []
  vi.useRealTimers()
})

function toolNames(host: { ctx: Agent['ctx'] }, agent: Agent): string[] {
  return host.ctx.get('tools')!.schemas(agent).map((schema) => schema.name)
}

function storedText(root: string): string {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl')).map((name) => readFileSync(join(root, name), 'utf8')).join('')
}

describe('activation', () => {
  it('S2 a root agent published after the plugin gets the tools in its own scope', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    expect(toolNames(host, agent)).toEqual(['schedule_create', 'schedule_list', 'schedule_delete', 'schedule_snooze'])
    expect(host.ctx.get('tools')!.schemas().map((schema) => schema.name)).toEqual([])
  })

  it('S2 a root that was published before the plugin gets nothing', async () => {
    const host = await mounted()
    await host.unload()
    const early = await host.create('early')
    await host.ctx.plugin(plugin, { ...QUIET_CONFIG, maxUnanswered: 10 })
    expect(toolNames(host, early)).toEqual([])
    expect(toolNames(host, await host.create('late'))).toContain('schedule_create')
  })

  it('S2 a child agent gets nothing', async () => {
    const host = await mounted()
    const child = await host.create('child', { meta: { parentSession: SessionId('p'), origin: 'subagent', delegationDepth: 1 } })
    expect(toolNames(host, child)).toEqual([])
  })

  it('S2 reading cold history activates nothing', async () => {
    const host = await mounted()
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId('cold'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    await dispose()
    await host.ctx.get('sessionPersistence')!.inspect(SessionId('cold'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(host.ctx.agents.list()).toEqual([])
    expect(storedText(host.root)).not.toContain('"dispatch"')
  })

  it('S2 another host in the same process is not touched', async () => {
    const host = await mounted()
    const other = await mounted()
    await other.unload()
    expect(toolNames(other, await other.create('elsewhere'))).toEqual([])
    expect(toolNames(host, await host.create('here'))).toContain('schedule_list')
  })

  it('B59 a host that ends with its first idle moment offers no reminders, unless told to', async () => {
    const host = await mounted({ config: { activate: 'auto' } })
    expect(toolNames(host, await host.create('headless'))).toEqual([])
    host.ctx.root.provide('webServer' as never, {} as never)
    expect(toolNames(host, await host.create('web'))).toContain('schedule_create')
  })

  it('takes other names where schedule_* is taken, and says so', async () => {
    const host = await mounted()
    const infos: string[] = []
    host.ctx.logger.exporter({ levels: { default: 3 }, export: (message) => void (message.type === 'info' && infos.push(message.args.join(' '))) })
    host.ctx.get('tools')!.register({ name: 'schedule_list', description: '', parameters: { type: 'object', properties: {} }, output: { schema: { type: 'object', additionalProperties: true, properties: {} }, render: () => [] }, execute: async () => ({}) } as never)
    const agent = await host.create('one')
    expect(toolNames(host, agent)).toEqual(expect.arrayContaining(['reminder_create', 'reminder_list', 'reminder_delete', 'reminder_snooze']))
    expect(infos.join()).toContain('reminder_create')
  })

  it('a failure of ours never vetoes a session', async () => {
    const host = await mounted({ config: { toolNames: 'schedule' } })
    host.ctx.on('agent/created', ({ agent }) => {
      agent.ctx.get('tools')!.register({ name: 'schedule_list', description: '', parameters: { type: 'object', properties: {} }, output: { schema: { type: 'object', additionalProperties: true, properties: {} }, render: () => [] }, execute: async () => ({}) } as never)
    }, { prepend: true })
    const agent = await host.create('one')
    expect(host.ctx.agents.get(agent.id)).toBe(agent)
    expect(host.log.join()).toContain('reminders are not available')
    await host.type(agent, 'hello')
  })
})

describe('tools', () => {
  it('S15 a call that no agent makes is about no session', async () => {
    const host = await mounted()
    const list = host.ctx.get('tools')!.get('schedule_list', await host.create('one'))
    expect(await list?.execute({}, {} as never)).toMatchObject({ code: 'internal_error' })
  })

  it('S3 S9 every value says where it is delivered, and derives scheduled or overdue', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    const made = await value(host, agent, 'schedule_create', { prompt: ' stretch ', after_seconds: 20 })
    expect(made).toMatchObject({ deliveryMode: 'session-local', id: 'r-1', prompt: 'stretch', kind: 'after', afterSeconds: 20, scheduledAt: '2026-10-09T01:00:20.000Z', state: 'scheduled' })
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ deliveryMode: 'session-local', total: 1, reminders: [{ id: 'r-1', state: 'scheduled' }] })
    expect(await value(host, agent, 'schedule_delete', { id: 'r-1' })).toEqual({ deliveryMode: 'session-local', id: 'r-1', deleted: true })
    expect(await value(host, agent, 'schedule_delete', { id: 'r-1' })).toMatchObject({ deliveryMode: 'session-local', id: 'r-1', deleted: false, code: 'schedule_not_found' })
    expect(await value(host, agent, 'schedule_create', {})).toMatchObject({ deliveryMode: 'session-local', code: 'invalid_prompt' })
  })

  it('S9 T3 a list with an id tells everything about that reminder, and of an id that is not active that there is none', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    host.model.replies.push({ tool: 'schedule_create', args: { prompt: 'stretch', cron: '0 9 * * 1-5', time_zone: 'Asia/Shanghai', late_limit_seconds: 60 } })
    await host.type(agent, 'each workday')
    expect(await value(host, agent, 'schedule_list', { id: 'r-1' })).toEqual({
      deliveryMode: 'session-local', id: 'r-1', prompt: 'stretch', kind: 'cron', cron: '0 9 * * 1-5', scheduledAt: '2026-10-12T01:00:00.000Z', local: '2026-10-12T09:00:00+08:00', zone: 'Asia/Shanghai', state: 'scheduled',
      next: ['2026-10-13T09:00:00+08:00', '2026-10-14T09:00:00+08:00', '2026-10-15T09:00:00+08:00'], lateLimitSeconds: 60,
    })
    expect(await value(host, agent, 'schedule_list', { id: 'r-1.1' })).toMatchObject({ id: 'r-1', kind: 'cron' })
    expect(await value(host, agent, 'schedule_list', { id: 'r-2' })).toEqual({ deliveryMode: 'session-local', id: 'r-2', code: 'schedule_not_found', message: 'No active reminder has this id.' })
    expect(await value(host, agent, 'schedule_list', { ids: ['r-1'] })).toMatchObject({ code: 'invalid_selector', field: 'ids' })
  })

  it('S9 an overdue reminder that could not be delivered yet is listed as overdue', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    const turn = host.type(agent, 'hold on')
    await vi.advanceTimersByTimeAsync(6000)
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ reminders: [{ id: 'r-1', state: 'overdue' }] })
    gate.resolve()
    await turn
  })

  it.each([
    ['an empty prompt', { prompt: ' ', after_seconds: 5 }, 'invalid_prompt', 'prompt'],
    ['no prompt', { after_seconds: 5 }, 'invalid_prompt', 'prompt'],
    ['no selector', { prompt: 'x' }, 'invalid_selector', undefined],
    ['two selectors', { prompt: 'x', after_seconds: 5, at: '2027-01-01T00:00:00Z' }, 'invalid_selector', undefined],
    ['zero seconds', { prompt: 'x', after_seconds: 0 }, 'invalid_rule', 'after_seconds'],
    ['negative seconds', { prompt: 'x', after_seconds: -1 }, 'invalid_rule', 'after_seconds'],
    ['half seconds', { prompt: 'x', after_seconds: 1.5 }, 'invalid_rule', 'after_seconds'],
    ['unsafe seconds', { prompt: 'x', after_seconds: 2 ** 53 }, 'invalid_rule', 'after_seconds'],
    ['seconds beyond the year 9999', { prompt: 'x', after_seconds: 2 ** 53 - 1 }, 'time_out_of_range', 'after_seconds'],
    ['a past instant', { prompt: 'x', at: '2026-10-09T00:59:59Z' }, 'not_future', 'at'],
    ['this very instant', { prompt: 'x', at: '2026-10-09T01:00:00Z' }, 'not_future', 'at'],
    ['a date that does not exist', { prompt: 'x', at: '2027-02-29T00:00:00Z' }, 'invalid_rule', 'at'],
    ['an instant without offset', { prompt: 'x', at: '2027-02-28T00:00:00' }, 'invalid_rule', 'at'],
    ['an unknown field', { prompt: 'x', after_seconds: 5, colour: 'red' }, 'invalid_selector', 'colour'],
    ['an unknown selector', { prompt: 'x', when: 'soon' }, 'invalid_selector', 'when'],
    ['an unknown field of at', { prompt: 'x', at: { date: '2027-01-01', time: '09:00', zone: 'UTC' } }, 'invalid_rule', 'at.zone'],
    ['no object at all', 'remind me', 'invalid_selector', undefined],
  ])('S10 S15 B27 refuses %s with a stable code and appends nothing', async (_name, args, code, field) => {
    const host = await mounted()
    const agent = await host.create('one')
    const answer = await value(host, agent, 'schedule_create', args)
    expect(answer).toMatchObject({ code, message: REFUSALS[code as keyof typeof REFUSALS], ...(field !== undefined && { field }) })
    expect(changes(agent)).toEqual([])
  })

  it('S22 the log holds one UTC instant and no trace of how it was given', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await value(host, agent, 'schedule_create', { prompt: 'x', at: '2026-12-24T18:00:00.5+05:30' })
    await value(host, agent, 'schedule_create', { prompt: 'y', at: { date: '2026-12-24', time: '18:00', time_zone: 'Europe/Berlin' } })
    expect(changes(agent).map((change) => change['schedule'])).toEqual([
      { id: 'r-1', kind: 'at', prompt: 'x', scheduledAt: '2026-12-24T12:30:00.500Z' },
      { id: 'r-2', kind: 'at', prompt: 'y', scheduledAt: '2026-12-24T17:00:00.000Z' },
    ])
  })

  it('S7 never gives an id twice, also after deletions and beside ids of the host\'s own plugin', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    ;(agent.session as unknown as { append(type: string, data: unknown): void }).append('schedule/change', { version: 1, operation: 'create', schedule: { id: 'r-2', kind: 'at', prompt: 'theirs', scheduledAt: '2027-01-01T00:00:00.000Z' } })
    const ids = []
    for (let n = 0; n < 3; n += 1) {
      const made = await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 60 })
      ids.push(made['id'])
      await value(host, agent, 'schedule_delete', { id: made['id'] })
    }
    expect(new Set([...ids, 'r-2']).size).toBe(4)
  })

  it('S8 a corrupt log refuses everything with where and what, delivers nothing, and leaves the session usable', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    ;(agent.session as unknown as { append(type: string, data: unknown): void }).append('schedule/change', { version: 1, operation: 'delete', id: 'nobody' })
    for (const [name, args] of [['schedule_list', {}], ['schedule_create', { prompt: 'x', after_seconds: 5 }], ['schedule_delete', { id: 'r-1' }]] as const) {
      expect(await value(host, agent, name, args)).toMatchObject({ code: 'corrupt_schedule_log', detail: expect.stringContaining('is not active') })
    }
    await pass(agent, 10_000)
    expect(delivered(agent)).toEqual([])
    await host.type(agent, 'still there?')
    expect(host.model.requests).toHaveLength(1)
  })
})

describe('live delivery', () => {
  it('S25 S27 B50 delivers on time to an idle session, the dispatch before the message can be read', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await value(host, agent, 'schedule_create', { prompt: 'stretch', after_seconds: 20 })
    await pass(agent, 19_999)
    expect(delivered(agent)).toEqual([])
    await pass(agent, 1)
    expect(delivered(agent)).toHaveLength(1)
    const types = agent.session.events.map((event) => event.type as string)
    expect(types.indexOf('schedule/change', types.indexOf('schedule/change') + 1)).toBeLessThan(types.indexOf('turn/start'))
    expect(changes(agent).at(-1)).toEqual({ version: 1, operation: 'dispatch', id: 'r-1' })
    expect(storedText(host.root)).toContain('"operation":"dispatch"')
    expect(await value(host, agent, 'schedule_list', {})).toMatchObject({ total: 0 })
  })

  it('S26 B54 B74 waits for a turn to end, then delivers once with the reason and both times', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    const gate = Promise.withResolvers<void>()
    host.model.gate = gate.promise
    const turn = host.type(agent, 'long work')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(delivered(agent)).toEqual([])
    host.model.gate = undefined
    gate.resolve()
    await turn
    await until(() => delivered(agent).length === 1)
    await quiet(agent)
    const row = JSON.parse(delivered(agent)[0]!.split('reminder_json: ')[1]!) as Record<string, string>
    expect(row).toMatchObject({ due: '2026-10-09T01:00:05Z', delivered: '2026-10-09T01:10:00Z', why: 'busy' })
    expect(foldAll(agent).outcomes).toHaveLength(1)
  })

  it('S4 S30 B44 B57 a restart keeps what is pending, delivers what is overdue once, and a second restart nothing', async () => {
    const first = await mounted()
    const agent = await first.create('one')
    await value(first, agent, 'schedule_create', { prompt: 'overdue', after_seconds: 60 })
    await value(first, agent, 'schedule_create', { prompt: 'future', after_seconds: 7200 })
    await value(first, agent, 'schedule_create', { prompt: 'taken back', after_seconds: 30 })
    await value(first, agent, 'schedule_delete', { id: 'r-3' })
    const root = first.root
    await first.ctx.agents.get(agent.id)!.whenIdle()
    hosts = []
    const survivor = readdirSync(root, { recursive: true, encoding: 'utf8' })
    expect(survivor.length).toBeGreaterThan(0)
    vi.setSystemTime(START + 3_600_000)
    const second = await mounted({ root })
    const resumed = await second.resume('one')
    await until(() => delivered(resumed).length === 1)
    await quiet(resumed)
    expect(delivered(resumed)[0]).toContain('"overdue"')
    expect(delivered(resumed)[0]).toMatch(/"late":"59m/)
    expect(await value(second, resumed, 'schedule_list', {})).toMatchObject({ total: 1, reminders: [{ prompt: 'future', state: 'scheduled' }] })
    await second.dispose()
    hosts = []
    const third = await mounted({ root })
    const again = await third.resume('one')
    await quiet(again)
    expect(delivered(again)).toHaveLength(1)
    await third.dispose()
    await first.dispose()
    hosts = []
  })

  it('S5 B57 a fork owns nothing of its parent, delivers nothing of it, and may use its ids again', async () => {
    const host = await mounted()
    const parent = await host.create('parent')
    await host.type(parent, 'hello')
    await value(host, parent, 'schedule_create', { prompt: 'of the parent', after_seconds: 20 })
    const seed = parent.session.events.slice(0, parent.session.seq)
    const child = await host.create('child', { seed, meta: { parentSession: parent.id, seedLength: seed.length } })
    expect(await value(host, child, 'schedule_list', {})).toMatchObject({ total: 0 })
    expect(await value(host, child, 'schedule_create', { prompt: 'of the child', after_seconds: 40 })).toMatchObject({ id: 'r-1' })
    await pass(child, 60_000)
    await quiet(parent)
    expect(delivered(parent).filter((text) => text.includes('of the parent'))).toHaveLength(1)
    expect(delivered(child).map((text) => text.includes('of the child'))).toEqual([true])
  })

  it('S28 a model that fails does not take a dispatch back', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    host.model.stream = () => {
      throw new Error('no model')
    }
    await pass(agent, 6000)
    expect(agent.session.events.findLast((event) => event.type === 'turn/end')?.data).toMatchObject({ reason: { kind: 'error' } })
    expect(changes(agent).at(-1)).toMatchObject({ operation: 'dispatch' })
    await pass(agent, 3_600_000)
    expect(delivered(agent)).toHaveLength(1)
  })

  it('B53 two reminders of the same instant are both presented, in one message', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    for (const prompt of ['first', 'second']) await value(host, agent, 'schedule_create', { prompt, at: '2026-10-09T02:00:00Z' })
    await pass(agent, 3_600_000)
    expect(delivered(agent)).toHaveLength(1)
    const rows = JSON.parse(delivered(agent)[0]!.split('reminders_json: ')[1]!) as { prompt: string }[]
    expect(rows.map((row) => row.prompt)).toEqual(['first', 'second'])
  })

  it('B42 200 overdue reminders make ten turns of twenty at the most, not two hundred', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    for (let n = 0; n < 200; n += 1) await value(host, agent, 'schedule_create', { prompt: `n${n}`, at: '2026-10-09T02:00:00Z' })
    await vi.advanceTimersByTimeAsync(3_600_000)
    await until(() => foldAll(agent).active.size === 0)
    await quiet(agent)
    expect(delivered(agent)).toHaveLength(10)
  })
})

describe('leaving', () => {
  it('S29 unloading the plugin takes the tools, the timer and the deliveries away, and deletes nothing', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    await host.unload()
    expect(toolNames(host, agent)).toEqual([])
    await pass(agent, 60_000)
    expect(delivered(agent)).toEqual([])
    expect(foldAll(agent).active.size).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('S29 disposing an agent stops its deliveries and leaves the records', async () => {
    const host = await mounted()
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId('gone'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    await dispose()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(foldAll(agent).active.size).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
    await host.unload()
  })

  it('R25 a log of ours is opened, and its next turn runs, where the plugin is not there', async () => {
    const host = await mounted()
    const agent = await host.create('one')
    await host.type(agent, 'hello')
    await value(host, agent, 'schedule_create', { prompt: 'x', after_seconds: 5 })
    await pass(agent, 6000)
    await host.ctx.sessions.flush(agent.session)
    hosts = []
    const plain = await mounted({ root: host.root })
    await plain.unload()
    const reopened = await plain.resume('one')
    reopened.followup(createUserMessage({ content: [{ type: 'text', text: 'anyone?' }], source: { kind: 'user' } }))
    await reopened.whenIdle()
    expect(reopened.session.events.findLast((event) => event.type === 'turn/end')?.data).toMatchObject({ reason: { kind: 'completed' } })
    await plain.dispose()
    await host.dispose()
    hosts = []
  })
})
