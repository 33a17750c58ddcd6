import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { quiet, type Agent } from '../harness.ts'
import { fakeClock, mountPeople, type PeopleHost } from './desk-host.ts'

let host: PeopleHost
let agent: Agent
let root: string

beforeEach(async () => {
  fakeClock()
  root = mkdtempSync(join(tmpdir(), 'timekeeper-calendar-'))
  host = await mountPeople({ root })
  agent = await host.create('one')
  await host.type(agent, 'hello')
})
afterEach(async () => {
  await host.dispose()
  rmSync(root, { recursive: true, force: true })
  vi.useRealTimers()
})

const FEED = '/dsh-reminders/calendar.ics'

/** The events of a feed, each as its unfolded properties. */
function events(text: string): Record<string, string>[] {
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  const found: Record<string, string>[] = []
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') found.push({})
    else if (found.length > 0) found.at(-1)![line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 1)
  }
  return found
}

describe('GET /dsh-reminders/calendar.ics', () => {
  it('T13 lists the pending reminders of a session as events in UTC', async () => {
    await host.change('create', { sessionId: 'one', text: '15:30 call Ann' })
    const { status, headers, text } = await host.get(`${FEED}?sessionId=one`)
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, 'text/calendar; charset=utf-8', 'nosniff'])
    expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//dsh-timekeeper//tool-schedule//EN\r\n')).toBe(true)
    expect(events(text)).toMatchObject([{ UID: 'r-1@one', DTSTAMP: '20261009T010000Z', DTSTART: '20261009T073000Z', DTEND: '20261009T073500Z', SUMMARY: 'call Ann', STATUS: 'CONFIRMED' }])
  })

  it('T13 a series is its next 50 occurrences, at their real instants over a clock change, each with its own identity', async () => {
    await host.change('create', { sessionId: 'one', text: 'every day 9:00 stand-up', timeZone: 'Europe/Berlin' })
    await host.change('create', { sessionId: 'one', reminder: { prompt: 'drink', every_seconds: 7200, count: 3 } })
    const found = events((await host.get(`${FEED}?sessionId=one`)).text)
    const daily = found.filter(({ SUMMARY }) => SUMMARY === 'stand-up')
    expect(daily).toHaveLength(50)
    expect(daily.map(({ DTSTART }) => DTSTART!.slice(4))).toEqual(expect.arrayContaining(['1024T070000Z', '1025T080000Z']))
    expect(new Set(found.map(({ UID }) => UID)).size).toBe(53)
    expect(daily[0]).toMatchObject({ UID: 'r-1-20261009T070000000Z@one' })
    expect(found.filter(({ SUMMARY }) => SUMMARY === 'drink').map(({ DTSTART }) => DTSTART)).toEqual(['20261009T030000Z', '20261009T050000Z', '20261009T070000Z'])
    const before = found.map(({ UID }) => UID)
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    await quiet(agent)
    const after = new Set(events((await host.get(`${FEED}?sessionId=one`)).text).map(({ UID }) => UID))
    expect(before.filter((uid) => !after.has(uid))).toEqual([expect.stringContaining('20261009T030000000Z')])
  })

  it("T13 an interval of the host's own plugin is listed too, and reminders of one instant in the order of their making", async () => {
    const append = (schedule: object): void => (agent.session as unknown as { append(type: string, data: unknown): void }).append('schedule/change', { version: 1, operation: 'create', schedule })
    append({ id: 'theirs', kind: 'every', prompt: 'theirs', everySeconds: 600, scheduledAt: '2026-10-09T02:00:00.000Z' })
    append({ id: 'b', kind: 'at', prompt: 'b', scheduledAt: '2026-10-09T01:30:00.000Z' })
    append({ id: 'a', kind: 'at', prompt: 'a', scheduledAt: '2026-10-09T01:30:00.000Z' })
    const found = events((await host.get(`${FEED}?sessionId=one`)).text)
    expect(found.map(({ UID }) => UID).slice(0, 4)).toEqual(['b@one', 'a@one', 'theirs-20261009T020000000Z@one', 'theirs-20261009T021000000Z@one'])
    expect(found).toHaveLength(52)
  })

  it('T13 X4 folds at 75 octets and escapes, so that no text can forge a line or an event', async () => {
    const evil = `${'很长的提醒'.repeat(30)}; a, b\\\nEND:VEVENT\r\nBEGIN:VALARM\u2028x`
    await host.change('create', { sessionId: 'one', reminder: { prompt: evil, after_seconds: 600 } })
    const { text } = await host.get(`${FEED}?sessionId=one`)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(text.match(/^(?:BEGIN|END):.*$/gm)?.map((line) => line.trim())).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'END:VEVENT', 'END:VCALENDAR'])
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(events(text)[0]!['DESCRIPTION']).toContain('\\; a\\, b\\\\\\nEND:VEVENT\\nBEGIN:VALARM')
  })

  it('T13 is the same as long as the log says the same, and says so', async () => {
    await host.change('create', { sessionId: 'one', text: '15:30 call Ann' })
    const first = await host.get(`${FEED}?sessionId=one`)
    const etag = first.headers['etag'] as string
    vi.setSystemTime(Date.now() + 60_000)
    expect(await host.get(`${FEED}?sessionId=one`)).toMatchObject({ text: first.text, headers: { etag } })
    expect(await host.get(`${FEED}?sessionId=one`, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
    await host.change('delete', { sessionId: 'one', id: 'r-1' })
    expect(await host.get(`${FEED}?sessionId=one`, { 'if-none-match': etag })).toMatchObject({ status: 200, headers: { etag: expect.not.stringMatching(etag) as string } })
  })

  it('T13 without a session it holds all that are live, with one a cold one too, and none that is unknown', async () => {
    await host.change('create', { sessionId: 'one', text: '15:30 call Ann' })
    const two = await host.create('two')
    await host.type(two, 'hello')
    await host.change('create', { sessionId: 'two', text: '16:30 call Bo' })
    expect(events((await host.get(FEED)).text).map(({ UID }) => UID)).toEqual(['r-1@one', 'r-1@two'])
    const live = await host.get(`${FEED}?sessionId=one`)
    await host.dispose()
    host = await mountPeople({ root })
    expect(events((await host.get(FEED)).text)).toEqual([])
    expect(await host.get(`${FEED}?sessionId=one`)).toMatchObject({ text: live.text, headers: { etag: live.headers['etag'] } })
    expect((await host.get(`${FEED}?sessionId=nobody`)).status).toBe(404)
    vi.spyOn(host.ctx.get('sessionPersistence')!, 'listSnapshots').mockRejectedValue(new Error('disk'))
    expect((await host.get(`${FEED}?sessionId=two`)).status).toBe(500)
    expect(host.log.join()).toContain('the calendar failed')
  })

  it('T13 T8 what is paused is tentative, and a broken log lists nothing', async () => {
    await host.dispose()
    host = await mountPeople({ config: { maxUnanswered: 1 } })
    agent = await host.create('one')
    await host.change('create', { sessionId: 'one', text: 'every 1h drink' })
    await vi.advanceTimersByTimeAsync(3_600_000)
    await quiet(agent)
    expect(events((await host.get(FEED)).text)[0]).toMatchObject({ STATUS: 'TENTATIVE' })
    ;(agent.session as unknown as { append(type: string, data: unknown): void }).append('schedule/change', { version: 1, operation: 'delete', id: 'nobody' })
    expect(events((await host.get(FEED)).text)).toEqual([])
  })
})
