import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LogEvent } from '../scripts/lib/dsh-client.ts'
import { ROOT } from '../scripts/lib/workspace.ts'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { resultsOf, talk, turnsEnded } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'

/** The plugin by itself, so that nothing else tells the time. */
const row = (config: Readonly<Record<string, unknown>> = {}): string =>
  ['- insert:', '    - id: clock', `      name: ${JSON.stringify(join(ROOT, 'packages/time-reminder/lib/index.js'))}`, `      config: ${JSON.stringify(config)}`, ''].join('\n')

type Source = Readonly<Record<string, unknown>> & { readonly kind?: string }
const sourceOf = (event: LogEvent): Source => (event.type === 'user/message' ? ((event.data as { source?: Source }).source ?? {}) : {})
const ours = (events: readonly LogEvent[]): readonly Source[] => events.map(sourceOf).filter(({ kind }) => kind === 'dsh-time-reminder')
const whys = (events: readonly LogEvent[]): readonly unknown[] => ours(events).map(source => source['why'] ?? source['mode'])

/** Three steps: two calls and a word. */
const WORK = 'call todo_write {"todos":[]} ;; call todo_write {"todos":[]} ;; done'
const ZONE = { zone: 'Asia/Shanghai' }

describe('the clock on a real host', () => {
  let home: Home
  beforeAll(async () => {
    home = await makeHome({ bundles: ['dsh-llm-offline'], rows: row() })
  })
  afterEach(async () => {
    await endHosts()
    home.writeRows(row())
  })
  afterAll(() => home.remove())

  const post = (host: Host, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${host.url}/time-reminder/api/mode`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  const state = async (host: Host, sessionId: string): Promise<unknown> => (await fetch(`${host.url}/time-reminder/api/state?sessionId=${sessionId}`)).json()

  it('R25 B70 a session lives on with the clock, without it, and with it again', async () => {
    const first = await bootHost(home)
    const sessionId = await first.createSession(home.workspace)
    await talk(first, sessionId, `call time_mode {"mode":"turn"} ;; ${WORK}`, ZONE)
    await post(first, { sessionId, mode: 'cron', cron: '0 9 * * *' })
    const before = await talk(first, sessionId, 'say hello', ZONE)
    expect(whys(before)).toEqual(['first', 'cron'])
    await first.stop()

    home.writeRows('')
    const bare = await bootHost(home)
    expect((await bare.history(sessionId)).slice(0, before.length)).toEqual(before)
    const without = await talk(bare, sessionId, 'say still here', ZONE)
    expect(whys(without)).toEqual(['first', 'cron'])
    expect(without.findLast(event => event.type === 'turn/end')?.data).toMatchObject({ reason: { kind: 'completed' } })
    await bare.stop()

    home.writeRows(row())
    const again = await bootHost(home)
    expect(await state(again, sessionId)).toMatchObject({ mode: 'cron', cron: '0 9 * * *', live: false })
    expect(whys(await talk(again, sessionId, 'say back', ZONE))).toEqual(['first', 'cron', 'resume'])
  })

  it('R22 R23 a page and a script switch modes, and nobody else does', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    await talk(host, sessionId, 'say hello', ZONE)
    expect(await state(host, sessionId)).toEqual({ mode: 'cron', cron: '0 0 * * *', pending: false, live: true, timeZone: 'Asia/Shanghai', effect: expect.stringContaining('daily 00:00') as unknown })
    expect(await host.call('mode', { sessionId, mode: 'fine' }, '/time-reminder')).toMatchObject({ mode: 'fine', pending: true })
    expect((await post(host, { sessionId, mode: 'off' }, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await post(host, { sessionId: 'nobody', mode: 'off' })).status).toBe(409)
    expect((await post(host, { sessionId, mode: 'cron', cron: '61 * * * *' })).status).toBe(400)
    expect(whys(await talk(host, sessionId, WORK, ZONE))).toEqual(['first', 'fine', 'step', 'step', 'step'])
    expect(await host.call('state', { sessionId }, '/time-reminder')).toMatchObject({ mode: 'fine', pending: false })
    await post(host, { sessionId, mode: 'off' })
    expect(whys(await talk(host, sessionId, WORK, ZONE)).slice(5)).toEqual(['off'])
  })

  it('R1 R2 a subagent has a clock of its own', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    const task = { description: 'look', prompt: 'call time_mode {"mode":"fine"} ;; say done', run_in_background: false }
    const events = await talk(host, sessionId, `call subagent ${JSON.stringify(task)} ;; done`, ZONE)
    expect(whys(events)).toEqual(['first'])
    const child = await waitFor('the log of the subagent', async () => (await host.sessions()).find(session => session.parentSessionId === sessionId)?.sessionId)
    const log = await waitFor('two readings of the subagent', async () => {
      const history = await host.history(child)
      return turnsEnded(history) > 0 && history
    })
    expect(whys(log)).toEqual(['first', 'step'])
    expect(resultsOf(log, 'time_mode')).toMatchObject([{ set: true, mode: 'fine', now: expect.stringContaining('[Asia/Shanghai]') as unknown }])
  })

  it('R27 an edit of the row counts at once in the sessions that are open', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    await talk(host, sessionId, 'say hello', ZONE)
    home.writeRows(row({ defaultMode: 'turn', reading: 'compact' }))
    await waitFor('the host has taken the row over', async () => ((await state(host, sessionId)) as { mode?: string }).mode === 'turn')
    expect(whys(await talk(host, sessionId, WORK, ZONE))).toEqual(['first', 'turn'])
  })

  it.each([
    ['the config value cron is not valid', { cron: '61 * * * *' }],
    ['the config value timeZone is not valid', { timeZone: 'Mars/Olympus' }],
    ['defaultMode expected', { defaultMode: 'hourly' }],
  ])('R27 a host with a bad value does not start and names the key: %s', async (words, config) => {
    home.writeRows(row(config))
    await expect(bootHost(home)).rejects.toThrow(words)
  })
})

describe('the clock in the bundle', () => {
  let home: Home
  beforeAll(async () => {
    home = await makeHome()
  })
  afterEach(endHosts)
  afterAll(() => home.remove())

  it('R1 R3 B75 is the only one: one reading on the first step, none of the host itself', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    await talk(host, sessionId, WORK, ZONE)
    const events = await talk(host, sessionId, WORK, ZONE)
    expect(whys(events)).toEqual(['first'])
    expect(events.map(sourceOf).filter(source => JSON.stringify(source).includes('time-context'))).toEqual([])
  })

  it('S19 S20 a reading of ours lets a local time be set without a zone, in its own turn only', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    const ask = 'call schedule_create {"prompt":"x","at":{"date":"2099-01-01","time":"09:00"}} ;; done'
    await talk(host, sessionId, ask, ZONE)
    const events = await talk(host, sessionId, ask, ZONE)
    expect(resultsOf(events, 'schedule_create')).toMatchObject([{ scheduledAt: '2099-01-01T01:00:00.000Z' }, { code: 'timezone_confirmation_required' }])
  })
})
