import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../scripts/lib/json.ts'
import { ROOT } from '../scripts/lib/workspace.ts'
import { unmountBundle } from './lib/bundles.ts'
import { runCommand } from './lib/commands.ts'
import { bootHost, endHosts } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { logFile, readLog } from './lib/log-file.ts'
import { resultsOf, talk } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'
import { remindersIn, type Reminder } from './story/deliveries.ts'

interface Story {
  readonly ok: boolean
  readonly steps: readonly { readonly name: string; readonly ok: boolean }[]
  readonly reminders: readonly Reminder[]
}

describe('the main job on the real host', () => {
  it('S4 S5 S26 S30 S36 T6 npm run demo -- --json: a reminder survives a kill and arrives once', async () => {
    const { code, output } = await runCommand(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts/demo.ts'), '--json'])
    const story = parseJson<Story>(output)
    expect(story.steps.filter(({ ok }) => !ok)).toEqual([])
    expect([code, story.ok]).toEqual([0, true])
    const arrived = story.reminders.filter(({ deliveredAt }) => deliveredAt !== undefined)
    expect(arrived.map(({ deliveries }) => deliveries)).toEqual([1, 1, 1])
    for (const { scheduledAt, deliveredAt, driftMs } of arrived) expect(Date.parse(deliveredAt ?? '') - Date.parse(scheduledAt)).toBe(driftMs)
  })
})

describe('a reminder that may open its session', () => {
  let home: Home
  beforeAll(async () => {
    home = await makeHome()
  })
  afterEach(endHosts)
  afterAll(() => home.remove())

  it('T9 R18 is delivered within five seconds of the start of the host, into the closed session, once', async () => {
    const first = await bootHost(home)
    const sessionId = await first.createSession(home.workspace)
    await talk(first, sessionId, 'call schedule_create {"prompt":"deploy","after_seconds":2,"wake":true} ;; set', { zone: 'Asia/Shanghai' })
    const due = Date.parse(remindersIn(readLog(home, sessionId).events)[0]?.scheduledAt ?? '')
    first.kill('SIGKILL')
    await first.exited
    await waitFor('its instant has passed', () => Date.now() > due + 2500)
    const second = await bootHost(home)
    const ready = Date.now()
    const reminder = await waitFor('the delivery is on disk', () => {
      const [one] = remindersIn(readLog(home, sessionId).events)
      return one?.deliveries === 1 && one
    })
    expect(Date.now() - ready).toBeLessThan(5000)
    expect(reminder).toMatchObject({ deliveries: 1, reasons: ['host-down'] })
    await talk(second, sessionId, 'call schedule_list {} ;; listed')
    expect(remindersIn(readLog(home, sessionId).events)).toMatchObject([{ deliveries: 1 }])
  })
})

describe('the overlay of examples/web-schedule', () => {
  let home: Home
  beforeAll(async () => {
    home = await makeHome()
    unmountBundle(home, 'dsh-timekeeper')
  })
  afterEach(endHosts)
  afterAll(() => home.remove())

  it('S1 the web tree without the overlay has no reminders, and the same home with it has them', async () => {
    const plain = await bootHost(home)
    const without = await plain.createSession(home.workspace)
    const refused = resultsOf(await talk(plain, without, 'call schedule_list {} ;; listed'), 'schedule_list')
    expect(JSON.stringify(refused)).not.toContain('deliveryMode')
    await plain.stop()

    const host = await bootHost(home, { overlays: [join(ROOT, 'examples/web-schedule/cordis.yml')] })
    const sessionId = await host.createSession(home.workspace)
    const events = await talk(host, sessionId, 'call schedule_create {"prompt":"stretch","after_seconds":1} ;; set', { zone: 'Asia/Shanghai' })
    expect(resultsOf(events, 'schedule_create')).toMatchObject([{ deliveryMode: 'session-local', id: 'r-1' }])
    await waitFor('the reminder is delivered', () => logFile(home, sessionId) !== undefined && remindersIn(readLog(home, sessionId).events)[0]?.deliveries === 1)
  })

  it('S2 reading the history of a cold session activates nothing', async () => {
    const host = await bootHost(home, { overlays: [join(ROOT, 'examples/web-schedule/cordis.yml')] })
    const sessionId = await host.createSession(home.workspace)
    await talk(host, sessionId, 'call schedule_create {"prompt":"stretch","after_seconds":2} ;; set')
    host.kill('SIGKILL')
    await host.exited
    const next = await bootHost(home, { overlays: [join(ROOT, 'examples/web-schedule/cordis.yml')] })
    const due = Date.parse(remindersIn(readLog(home, sessionId).events)[0]?.scheduledAt ?? '')
    await waitFor('its instant has passed', () => Date.now() > due + 1000)
    const history = await next.history(sessionId)
    expect(remindersIn(history)[0]?.deliveredAt).toBeUndefined()
    expect(remindersIn(readLog(home, sessionId).events)[0]?.deliveredAt).toBeUndefined()
  })
})
