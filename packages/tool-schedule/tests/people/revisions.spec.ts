import { createAlarmClock, type EventListener } from 'dsh-session-host'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeRevisions, MAX_CLIENTS } from '../../src/people/revisions.ts'
import { quiet, until, value, type Agent } from '../harness.ts'
import { fakeClock, mountPeople, type PeopleHost } from './desk-host.ts'

/** A listener that remembers what it was told. */
class FakeListener implements EventListener {
  readonly told: string[] = []
  readonly gone: (() => void)[] = []
  beats = 0
  ended = false
  tell(text: string): void {
    this.told.push(text)
  }
  beat(): void {
    this.beats += 1
  }
  end(): void {
    this.ended = true
    this.leave()
  }
  onGone(job: () => void): void {
    this.gone.push(job)
  }
  leave(): void {
    for (const job of this.gone) job()
  }
}

function fakeStreams() {
  let now = 0
  let ring: (() => void) | undefined
  const alarm = createAlarmClock({ now: () => now, startTimer: (delay, callback) => ((ring = () => ((now += delay), callback())), () => (ring = undefined)), report: expect.fail })
  const revisions = makeRevisions(alarm, () => now)
  const open = (sessionId?: string): FakeListener => {
    const listener = new FakeListener()
    expect(revisions.open(() => listener, sessionId, [])).toBe(true)
    return listener
  }
  return { alarm, revisions, open, beat: () => ring?.() }
}

describe('streams', () => {
  it('T11 a burst is one line with the newest revision, to those who asked for that session or for all', async () => {
    const { revisions, open } = fakeStreams()
    const [all, one, two] = [open(), open('one'), open('two')]
    for (const revision of [1, 2, 3]) revisions.changed({ sessionId: 'one', revision })
    await Promise.resolve()
    expect([all, one, two].map(({ told }) => told)).toEqual([['{"sessionId":"one","revision":3}'], ['{"sessionId":"one","revision":3}'], []])
    revisions.changed({ sessionId: 'one', revision: 4 })
    await Promise.resolve()
    expect(all.told).toHaveLength(2)
  })

  it('P3 T11 all heartbeats are one entry of the alarm clock, and none is left when nobody listens', () => {
    const { alarm, open, beat } = fakeStreams()
    const streams = [open(), open(), open()]
    expect(alarm.size).toBe(1)
    beat()
    expect(streams.map(({ beats }) => beats)).toEqual([1, 1, 1])
    expect(alarm.running).toBe(true)
    for (const stream of streams) stream.leave()
    expect([alarm.size, alarm.running]).toEqual([0, false])
  })

  it('X5 T11 there is a bound on streams, and closing ends them all', () => {
    const { alarm, revisions, open } = fakeStreams()
    const streams = Array.from({ length: MAX_CLIENTS }, () => open())
    expect(revisions.open(() => expect.fail('it is not connected'), undefined, [])).toBe(false)
    revisions.close()
    expect(streams.every(({ ended }) => ended)).toBe(true)
    expect(alarm.size).toBe(0)
    open()
  })

  it('T11 a change that nobody listens to costs nothing', async () => {
    const { revisions, open } = fakeStreams()
    revisions.changed({ sessionId: 'one', revision: 1 })
    const late = open()
    await Promise.resolve()
    expect(late.told).toEqual([])
  })
})

describe('GET /dsh-reminders/events', () => {
  let host: PeopleHost
  let agent: Agent
  beforeEach(async () => {
    fakeClock()
    host = await mountPeople()
    agent = await host.create('one')
    await host.type(agent, 'hello')
  })
  afterEach(async () => {
    await host.dispose()
    vi.useRealTimers()
  })

  it('T11 tells where the session stands, then each change, by whomever: people, the model, a delivery, a message', async () => {
    const { revision } = await host.state()
    const stream = host.stream('/dsh-reminders/events?sessionId=one')
    await until(() => stream.lines.length === 2)
    expect(stream.lines).toEqual(['retry: 2000', `data: {"sessionId":"one","revision":${revision}}`])
    const change = await host.change('create', { sessionId: 'one', text: '10m x' })
    const told = (at: number): boolean => stream.lines.includes(`data: {"sessionId":"one","revision":${at}}`)
    await until(() => told(change.revision), 'the change of a person')
    await value(host, agent, 'schedule_create', { prompt: 'y', after_seconds: 60 })
    const second = (await host.state()).revision
    expect(second).toBeGreaterThan(change.revision)
    await until(() => told(second), 'the change of the model')
    host.model.replies.push({ tool: 'schedule_create', args: { prompt: 'z', after_seconds: 6000 } })
    await host.type(agent, 'more')
    await vi.advanceTimersByTimeAsync(60_000)
    await quiet(agent)
    const third = (await host.state()).revision
    await until(() => told(third), 'the delivery')
    await host.create('two')
    expect(stream.lines.filter((line) => line.includes('two'))).toEqual([])
    stream.close()
  })

  it('T11 without a session it tells those of all live ones, and unloading the plugin ends it', async () => {
    await host.create('two')
    const stream = host.stream('/dsh-reminders/events')
    await until(() => stream.lines.length === 3)
    expect(stream.lines.slice(1).map((line) => (JSON.parse(line.slice(6)) as { sessionId: string }).sessionId)).toEqual(['one', 'two'])
    await host.unload()
    await until(() => stream.ended())
  })

  it.each([[{ host: 'evil.example' }], [{ origin: 'http://evil.example' }], [{ 'sec-fetch-site': 'cross-site' }]])('X5 %j is refused', async (headers) => {
    for (const path of ['events', 'calendar.ics']) expect((await host.get(`/dsh-reminders/${path}`, headers as Record<string, string>)).status).toBe(403)
  })

  it("X5 a check that the host brings along is asked too", async () => {
    await host.dispose()
    host = await mountPeople({ web: false })
    const { default: WebServer } = await import('@deepseek-ai/dsh-host-webserver')
    await host.ctx.plugin(WebServer, { host: '127.0.0.1', port: 0 })
    expect((await host.get('/dsh-reminders/calendar.ics')).status).toBe(200)
    const provided = host.ctx.plugin({ apply: (ctx) => void ctx.provide('connection', { rpc: { handle: () => async () => undefined }, requestRejection: () => 401 } as never) })
    await provided
    expect((await host.get('/dsh-reminders/calendar.ics')).status).toBe(401)
  })

  it('X5 more streams than the bound are refused with a status', async () => {
    const streams = Array.from({ length: MAX_CLIENTS }, () => host.stream('/dsh-reminders/events'))
    await until(() => streams.every(({ lines }) => lines.length > 0))
    expect(await host.get('/dsh-reminders/events')).toMatchObject({ status: 503, text: expect.stringContaining(String(MAX_CLIENTS)) as string })
    for (const stream of streams) stream.close()
  })
})
