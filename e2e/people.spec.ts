import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Change, ReminderState } from '../packages/tool-schedule/src/people/wire.ts'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { textOfMessage, talk, turnsEnded } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'

const CHANNEL = '/dsh-reminders'
const ZONE = 'Asia/Shanghai'

/** The `Host` header is out of reach of fetch. */
const statusOf = (host: Host, method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(host.url)
    const outgoing = request({ hostname, port, path, method, headers, agent: false }, incoming => {
      incoming.resume()
      incoming.on('end', () => resolve(incoming.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })

describe('reminders without a token, on the real host', () => {
  let home: Home
  beforeAll(async () => {
    home = await makeHome()
  })
  afterEach(endHosts)
  afterAll(() => home.remove())

  const state = async (host: Host, sessionId: string): Promise<Answer<ReminderState>> => host.call('state', { sessionId }, CHANNEL)

  it('T10 T11 T13 X5 S4 R23 commands, channel, stream and calendar serve one person, and a foreign page gets nothing', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    await talk(host, sessionId, 'hello', { zone: ZONE })
    const turns = turnsEnded(await host.history(sessionId))

    const stream = await fetch(`${host.url}${CHANNEL}/events?sessionId=${sessionId}`)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let lines = ''
    const listening = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) lines += part.value
    })()

    const { kind, text } = await host.command(sessionId, '/remind tomorrow 9:00 call Ann')
    expect([kind, text]).toEqual(['success', expect.stringMatching(/Set r-1 “call Ann” · \d{4}-\d\d-\d\d 09:00:00\+08:00 Asia\/Shanghai \(\d{4}-\d\d-\d\d 01:00:00Z\)/)])
    expect(await host.command(sessionId, '/remind 明天3点 开会')).toMatchObject({ kind: 'error', text: expect.stringContaining('可能是上午') as string })
    const change = await host.call<Answer<Change>>('create', { sessionId, text: 'every 2h drink water', timeZone: ZONE }, CHANNEL)
    expect(change).toMatchObject({ outcome: 'done', stored: true, reminder: { id: 'r-2', setBy: 'person', rule: { kind: 'every', everySeconds: 7200 } } })
    const shown = await state(host, sessionId)
    expect(shown).toMatchObject({ outcome: 'done', live: true, stored: true, total: 2, pending: [{ id: 'r-2' }, { id: 'r-1' }] })
    const { revision } = shown as ReminderState
    await waitFor('the stream tells the newest change', () => lines.includes(`data: {"sessionId":"${sessionId}","revision":${revision}}`))
    await reader.cancel()
    await listening

    const calendar = await fetch(`${host.url}${CHANNEL}/calendar.ics?sessionId=${sessionId}`)
    expect(calendar.headers.get('content-type')).toContain('text/calendar')
    expect((await calendar.text()).match(/BEGIN:VEVENT/g)).toHaveLength(51)

    const envelope = { type: 'client-request', rpcId: 'x', method: 'create', payload: { sessionId, text: '10m forged' } }
    const own = { 'content-type': 'application/json' }
    for (const headers of [{ ...own, origin: 'http://evil.example' }, { ...own, host: 'evil.example' }, { ...own, 'sec-fetch-site': 'cross-site' }]) {
      expect(await statusOf(host, 'POST', `${CHANNEL}/create`, headers, envelope)).toBe(403)
      for (const path of ['events', 'calendar.ics']) expect(await statusOf(host, 'GET', `${CHANNEL}/${path}?sessionId=${sessionId}`, headers)).toBe(403)
    }
    expect(await statusOf(host, 'POST', `${CHANNEL}/create`, { 'content-type': 'text/plain' }, envelope)).toBe(415)
    expect(await state(host, sessionId)).toMatchObject({ total: 2, revision })
    expect(turnsEnded(await host.history(sessionId))).toBe(turns)

    await host.stop()
    const second = await bootHost(home)
    expect(await state(second, sessionId)).toMatchObject({ outcome: 'done', live: false, total: 2, revision })
    expect(await second.call('delete', { sessionId, id: 'r-2' }, CHANNEL)).toMatchObject({ outcome: 'done', stored: true, removed: 'r-2' })
    expect(await state(second, sessionId)).toMatchObject({ live: true, total: 1, undo: { id: 'r-2' } })
    const events = await talk(second, sessionId, 'what did I change?', { zone: ZONE })
    const told = events.filter(event => event.type === 'user/message' && textOfMessage(event).startsWith('[SCHEDULE CHANGE]'))
    expect(told.map(event => /The person (\w+)/.exec(textOfMessage(event))?.[1])).toEqual(['set', 'set', 'deleted'])
  })

  it('T10 R3 R17 /clock and /timer answer by themselves, and what they set holds: a reading, and a session that wakes', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    await talk(host, sessionId, 'hello', { zone: ZONE })
    const turns = turnsEnded(await host.history(sessionId))

    expect(await host.command(sessionId, '/clock turn')).toMatchObject({ kind: 'success', text: expect.stringContaining('Mode set to turn.') as string })
    expect(await host.command(sessionId, '/clock 整点')).toMatchObject({ kind: 'error', text: expect.stringContaining('模式只能是') as string })
    expect(await host.command(sessionId, '/timer 1h read')).toMatchObject({ kind: 'success', text: expect.stringMatching(/Started “read” · .+ Asia\/Shanghai \(.+Z\) · in 1h/) as string })
    expect(await host.command(sessionId, '/timer cancel read')).toMatchObject({ kind: 'success', text: expect.stringContaining('Cancelled “read”') as string })
    expect(await host.command(sessionId, '/timer soon')).toMatchObject({ kind: 'error' })
    expect(turnsEnded(await host.history(sessionId))).toBe(turns)

    expect(await host.command(sessionId, '/timer 2s tea')).toMatchObject({ kind: 'success', text: expect.stringContaining('Started “tea”') as string })
    await waitFor('the countdown has woken the session', async () => turnsEnded(await host.history(sessionId)) === turns + 1)
    const woken = (await host.history(sessionId)).filter(event => event.type === 'user/message').map(textOfMessage)
    expect(woken.filter(text => text.includes('"tea"')).map(text => /The person started|Countdown over/.exec(text)?.[0])).toEqual(['The person started', 'Countdown over'])
    expect(await host.command(sessionId, '/timer')).toMatchObject({ text: expect.stringMatching(/No countdowns are pending\.\nFired, newest first:\n• “tea”/) as string })
    expect(await host.command(sessionId, '/clock')).toMatchObject({ text: expect.stringContaining('Mode: turn.') as string })
  })
})
