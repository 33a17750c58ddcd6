import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import type { Answer, ReminderState } from '../packages/tool-schedule/src/people/wire.ts'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { readLog } from './lib/log-file.ts'
import { resultsOf, talk, textOfMessage } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'
import { faked, shifted } from './lib/wrong-clock.ts'
import { remindersIn, type Reminder } from './story/deliveries.ts'

const ZONE = { zone: 'Asia/Shanghai' }
const TEN_YEARS = 3652 * 86_400_000
const HOUR = 3600

let home: Home | undefined
afterEach(async () => {
  await endHosts()
  home?.remove()
  home = undefined
})

const AHEAD = shifted(TEN_YEARS)
/** Also for what is not JavaScript, where there is a library for it. */
const BEHIND = faked(-TEN_YEARS) ?? shifted(-TEN_YEARS)

it('X6 S25 R16 R18 a host ten years behind, one ten years ahead and right ones between them: nothing early, nothing lost, nothing twice, what is late says so, and the index is not believed', async () => {
  const of = (home = await makeHome())
  const stored = (id: string): ReadonlyMap<string, Reminder> => new Map(remindersIn(readLog(of, id).events).map(one => [one.prompt, one]))
  const came = (id: string, prompt: string): Promise<Reminder> =>
    waitFor(`${prompt} is delivered`, () => {
      const one = stored(id).get(prompt)
      return one !== undefined && one.deliveries > 0 && one
    }, { timeout: 30_000 })
  const set = async (host: Host, id: string, ...wanted: readonly (readonly [prompt: string, seconds: number])[]): Promise<void> => {
    const calls = wanted.map(([prompt, seconds]) => `call schedule_create ${JSON.stringify({ prompt, after_seconds: seconds, wake: true })}`)
    const events = await talk(host, id, [...calls, 'set'].join(' ;; '), ZONE)
    expect(resultsOf(events, 'schedule_create').slice(-wanted.length)).toEqual(wanted.map(([prompt]): unknown => expect.objectContaining({ set: true, prompt })))
  }
  const waits = async (host: Host, id: string): Promise<readonly unknown[]> => {
    const listed = resultsOf(await talk(host, id, 'call schedule_list {} ;; listed', ZONE), 'schedule_list').at(-1) as { reminders: readonly { prompt: string; state: string }[] }
    return listed.reminders.map(({ prompt, state }) => [prompt, state])
  }

  const right = await bootHost(of)
  const id = await right.createSession(of.workspace)
  await set(right, id, ['soon', 5], ['in an hour', HOUR])
  right.kill('SIGKILL')
  await right.exited
  expect(stored(id).get('soon')?.deliveries).toBe(0)

  const behind = await bootHost(of, { env: BEHIND })
  await set(behind, id, ['set behind', 1], ['set behind for an hour', HOUR])
  expect(await came(id, 'set behind')).toMatchObject({ deliveries: 1, reasons: [] })
  expect(new Date(stored(id).get('set behind')?.scheduledAt ?? '').getTime()).toBeLessThan(Date.now() - TEN_YEARS + 60_000)
  expect(await waits(behind, id)).toEqual([['set behind for an hour', 'scheduled'], ['soon', 'scheduled'], ['in an hour', 'scheduled']])
  await behind.stop()

  const again = await bootHost(of)
  expect(await came(id, 'soon')).toMatchObject({ deliveries: 1 })
  expect(await came(id, 'set behind for an hour')).toMatchObject({ deliveries: 1, reasons: ['host-down'] })
  const told = readLog(of, id).events.filter(({ type }) => type === 'user/message').map(textOfMessage).find(text => text.includes('set behind for an hour') && text.includes('[SCHEDULE'))
  expect(told).toMatch(/36\d\dd/)
  expect(await waits(again, id)).toEqual([['in an hour', 'scheduled']])
  await again.stop()

  const ahead = await bootHost(of, { env: AHEAD })
  const { scheduledAt, deliveredAt = '', reasons } = await came(id, 'in an hour')
  expect([reasons, Date.parse(deliveredAt) - Date.parse(scheduledAt)]).toEqual([['host-down'], expect.closeTo(TEN_YEARS, -7)])
  await set(ahead, id, ['set ahead for an hour', HOUR])
  await ahead.stop()

  // Whatever was written to the index under a wrong clock, it opens a session at the most.
  const index = new DatabaseSync(join(of.path, 'timekeeper/wake.sqlite'))
  expect(index.prepare('UPDATE owed SET due_at = ?').run(Date.now() - TEN_YEARS).changes).toBe(1)
  index.close()
  const last = await bootHost(of)
  await waitFor('the session is opened', async () => (await last.call<Answer<ReminderState>>('state', { sessionId: id }, '/dsh-reminders') as ReminderState).live)
  expect(stored(id).get('set ahead for an hour')).toMatchObject({ deliveries: 0 })
  await set(last, id, ['at last', 1])
  expect(await came(id, 'at last')).toMatchObject({ deliveries: 1, reasons: [] })
  expect(await waits(last, id)).toEqual([['set ahead for an hour', 'scheduled']])
  expect([...stored(id)].map(([prompt, { deliveries }]) => [prompt, deliveries])).toEqual([
    ['soon', 1],
    ['in an hour', 1],
    ['set behind', 1],
    ['set behind for an hour', 1],
    ['set ahead for an hour', 0],
    ['at last', 1],
  ])
}, 240_000)
