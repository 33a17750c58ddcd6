import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LogEvent } from '../scripts/lib/dsh-client.ts'
import { parseJson } from '../scripts/lib/json.ts'
import { ROOT } from '../scripts/lib/workspace.ts'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { logFile, readLog } from './lib/log-file.ts'
import { resultsOf, talk } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'

/** The plugin by itself. */
const ROW = ['- insert:', '    - id: clock', `      name: ${JSON.stringify(join(ROOT, 'packages/time-reminder/lib/index.js'))}`, ''].join('\n')

/** Counts what the stored logs are asked for. */
const COUNTED = fileURLToPath(import.meta.resolve('./fixtures/counted-logs.ts'))

/** Kills of the two-host test; the issue's number by `COUNTDOWN_KILLS=50`. */
const KILLS = Number(process.env['COUNTDOWN_KILLS'] ?? 10)
/** Countdowns that are set between two kills. */
const PER_KILL = 5

interface Mark {
  readonly name: string
  readonly dueAt: string
}
type Source = { readonly kind?: string; readonly countdown?: readonly Mark[] }

/** The marks of the notices that entered a conversation, with when they did. */
const rung = (events: readonly LogEvent[]): readonly (Mark & { readonly time: number; readonly text: string })[] =>
  events.flatMap(event => {
    const { countdown = [] } = event.type === 'user/message' ? (event.data.source as Source) : {}
    return countdown.map(mark => ({ ...mark, time: event.time, text: JSON.stringify(event.data.content) }))
  })
const stored = (home: Home, id: string): ReturnType<typeof rung> => (logFile(home, id) === undefined ? [] : rung(readLog(home, id).events))

const start = (name: string, seconds: number): string => `call time_countdown ${JSON.stringify({ action: 'start', name, in: `${seconds}s`, note: '看 GH Actions' })} ;; set`
const dueOf = (events: readonly LogEvent[]): number => Date.parse((resultsOf(events, 'time_countdown').at(-1) as { dueAt: string }).dueAt)
const passes = async (ms: number): Promise<void> => {
  const until = Date.now() + ms
  await waitFor(`${ms} ms have passed`, () => Date.now() >= until)
}
const end = async (host: Host): Promise<void> => {
  host.kill('SIGKILL')
  await host.exited
}

describe('countdowns on real hosts', () => {
  let home: Home
  beforeAll(async () => {
    home = await makeHome({ bundles: ['dsh-llm-offline'], rows: ROW })
  })
  afterEach(endHosts)
  afterAll(() => home.remove())

  it('R14 R18 X2 a host that was killed before a countdown was due delivers it within 5 s of its restart, into the cold session, late and once', async () => {
    const first = await bootHost(home)
    const sessionId = await first.createSession(home.workspace)
    const due = dueOf(await talk(first, sessionId, start('build', 3), { zone: 'Asia/Shanghai' }))
    await waitFor('the countdown is on disk', () => JSON.stringify(readLog(home, sessionId).events).includes('"fact":"countdown"'))
    await end(first)
    expect(Date.now()).toBeLessThan(due)
    await waitFor('it is due', () => Date.now() > due + 2500)

    const second = await bootHost(home)
    const ready = Date.now()
    const [notice] = await waitFor('the notice', () => stored(home, sessionId).length > 0 && stored(home, sessionId))
    expect((notice?.time ?? Infinity) - ready).toBeLessThan(5000)
    expect(notice?.text).toContain('so this is the first chance to deliver it (')
    expect(notice?.text).toMatch(/\((?:\d+m)?\d+s late\)/)
    await waitFor('the model has told the person', async () => JSON.stringify(await second.history(sessionId)).includes('build'))
    await second.stop()
    const third = await bootHost(home)
    await talk(third, sessionId, 'say still here')
    expect(stored(home, sessionId)).toHaveLength(1)
  })

  it('R10 R14 the model of a subagent times its work, and its parent is told', async () => {
    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    const task = { description: 'look', prompt: 'call time_counter {"action":"start","name":"tests","toParents":true,"note":"单元"} ;; say done', run_in_background: false }
    await talk(host, sessionId, `call time_counter {"action":"start","name":"build"} ;; call subagent ${JSON.stringify(task)} ;; done`, { zone: 'Asia/Shanghai' })
    const events = await talk(host, sessionId, 'say and now?', { zone: 'Asia/Shanghai' })
    expect(JSON.stringify(events)).toContain('Counter tests of the child session was started: tests=0s (单元).')
  })

  it('P4 R18 a start at which nothing has changed lists the logs once and reads none', async () => {
    const first = await bootHost(home)
    const sessionId = await first.createSession(home.workspace)
    await talk(first, sessionId, start('far', 3600))
    await first.stop()
    const second = await bootHost(home)
    await passes(3000)
    await second.stop()
    const counts = join(home.workspace, '../counts.json')
    const counter = ['- insert:', '    - id: counted-logs', `      name: ${JSON.stringify(COUNTED)}`, `      config: ${JSON.stringify({ file: counts })}`, ''].join('\n')
    await bootHost(home, { patches: [counter] })
    await waitFor('the logs are listed', () => existsSync(counts))
    await passes(3000)
    expect(parseJson(readFileSync(counts, 'utf8'))).toEqual({ listed: 1, read: 0 })
  })

  it(`R20 B38 B39 X2 two hosts on one home, one of them killed ${KILLS} times at random moments: each countdown exactly once in its log`, async () => {
    const hosts = [await bootHost(home), await bootHost(home)]
    const set = new Map<string, string>()
    for (let round = 0; round < KILLS; round += 1) {
      const at = round % 2
      const host = hosts[at] as Host
      for (let n = 0; n < PER_KILL; n += 1) {
        const sessionId = await host.createSession(home.workspace)
        const name = `c${round}-${n}`
        await talk(host, sessionId, start(name, 1 + Math.floor(Math.random() * 4)))
        set.set(sessionId, name)
      }
      await passes(Math.random() * 3000)
      await end(host)
      hosts[at] = await bootHost(home)
    }
    expect(set.size).toBe(KILLS * PER_KILL)
    const missing = (): readonly string[] => [...set].filter(([id]) => stored(home, id).length === 0).map(([, name]) => name)
    await waitFor('every countdown has come', () => missing().length === 0, { timeout: 120_000, every: 500 }).catch((error: unknown) => {
      throw new Error(`still owed: ${missing().join(', ')}`, { cause: error })
    })
    await passes(6000) // in which one could come twice
    for (const [id, name] of set) expect([name, stored(home, id).map(mark => mark.name)]).toEqual([name, [name]])
  }, 60_000 + KILLS * 30_000)
})
