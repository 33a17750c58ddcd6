import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { RpcError } from '../scripts/lib/dsh-client.ts'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { logFile, readLog } from './lib/log-file.ts'
import { resultsOf, talk, textOfMessage, turnsEnded } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'

const lastAnswer = async (host: Host, sessionId: string): Promise<string> => {
  const answers = (await host.history(sessionId)).filter(event => event.type === 'assistant/message')
  return textOfMessage(answers.at(-1)!)
}

describe('a test home and its host', () => {
  let home: Home
  beforeAll(async () => {
    home = await makeHome()
  })
  afterEach(endHosts)
  afterAll(() => home.remove())

  it('a scripted prompt becomes one tool call per step, and the zone of the person is on it', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    expect(await host.open(sessionId)).toMatchObject({ provider: 'offline', model: 'timekeeper-demo' })
    const events = await talk(host, sessionId, 'call schedule_list {} ;; all done', { zone: 'Asia/Shanghai' })
    expect(events.filter(event => event.type === 'tool/call').map(event => event.data.name)).toEqual(['schedule_list'])
    expect(resultsOf(events, 'schedule_list')).toHaveLength(1)
    expect(await lastAnswer(host, sessionId)).toContain('all done')
    const prompt = events.find(event => event.type === 'user/message' && textOfMessage(event).startsWith('call'))
    expect(prompt?.data.source).toMatchObject({ kind: 'user', clientTimeZone: 'Asia/Shanghai' })
  })

  it('a killed host leaves a log that can be read from outside and resumed by the next host', async () => {
    const first = await bootHost(home)
    const sessionId = await first.createSession(home.workspace)
    await talk(first, sessionId, 'call schedule_list {} ;; before the crash')
    const onDisk = await waitFor('the turn is on disk', () => {
      const log = logFile(home, sessionId) === undefined ? undefined : readLog(home, sessionId)
      return log !== undefined && turnsEnded(log.events) === 1 && log
    })
    expect(onDisk.header).toMatchObject({ id: sessionId, cwd: home.workspace })
    first.kill('SIGKILL')
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' })

    const second = await bootHost(home)
    expect((await second.sessions()).map(row => row.sessionId)).toContain(sessionId)
    expect(await second.open(sessionId)).toMatchObject({ provider: 'offline' })
    await talk(second, sessionId, 'after the crash')
    expect(turnsEnded(await second.history(sessionId))).toBe(2)

    const child = await second.fork(sessionId)
    expect((await second.sessions()).find(row => row.sessionId === child)).toMatchObject({ parentSessionId: sessionId })
    const exit = await second.stop()
    expect(exit).toEqual({ code: 0, signal: null })
  })

  it('a refusal of the host arrives as its code', async () => {
    const host = await bootHost(home)
    const refusal = await host.prompt('no-such-session', 'hello').catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(RpcError)
    expect(refusal).toMatchObject({ code: 'session-not-found' })
  })

  it('a slash command runs without asking the model', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    await host.command(sessionId, '/goal')
    const types = (await host.history(sessionId)).map(event => event.type)
    expect(types).toContain('command/run')
    expect(types).not.toContain('turn/start')
  })

  it('a host that cannot boot says why in its own words', async () => {
    const patch = "- insert:\n    - id: nobody\n      name: 'dsh-nobody'\n"
    await expect(bootHost(home, { patches: [patch] })).rejects.toThrow(/dsh-nobody/)
  })

  it('removing a home removes all of it', async () => {
    const other = await makeHome({ bundles: [] })
    other.remove()
    expect(existsSync(other.path)).toBe(false)
  })
})
