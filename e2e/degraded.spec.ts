import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Answer, Change, ReminderState } from '../packages/tool-schedule/src/people/wire.ts'
import type { LogEvent } from '../scripts/lib/dsh-client.ts'
import { ROOT } from '../scripts/lib/workspace.ts'
import { runCommand } from './lib/commands.ts'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { readLog } from './lib/log-file.ts'
import { BALLAST, mountSmallDisk, OWN_NAMESPACE, whyNoDisk, whyNoNamespace, type SmallDisk } from './lib/small-disk.ts'
import { resultsOf, talk } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'
import { fixtureRow, hearWarnings, type Warnings } from './lib/warnings.ts'
import { remindersIn, type Reminder } from './story/deliveries.ts'

const ZONE = { zone: 'Asia/Shanghai' }
/** Room for a home with everything in it, and for some logs (megabytes). */
const HOME_MB = 24

/** What the tools say when nothing is certain, and what to do then. */
const UNCERTAIN = { code: 'persistence_uncertain', message: expect.stringMatching(/list the reminders first; if this persists, check the disk and reopen the session/) as string }

const NO_DISK = whyNoDisk()
const NO_NAMESPACE = NO_DISK === undefined ? 'it may mount' : whyNoNamespace()

let home: Home | undefined
afterEach(async () => {
  await endHosts()
  home?.remove()
  home = undefined
})

interface Degraded {
  readonly home: Home
  readonly disk: SmallDisk
  readonly warnings: Warnings
}

/** A home that has a small disk at a folder of its own. */
const homeWithDisk = async (folder: string, megabytes: number): Promise<Degraded> => {
  const disks: SmallDisk[] = []
  home = await makeHome({
    mount: path => {
      mkdirSync(join(path, folder), { recursive: true })
      const disk = mountSmallDisk(join(path, folder), megabytes)
      disks.push(disk)
      return disk.remove
    },
  })
  const [disk] = disks
  if (disk === undefined) throw new Error('nothing was mounted')
  const warnings = hearWarnings(home)
  home.writeRows(warnings.row)
  return { home, disk, warnings }
}

const create = (prompt: string, seconds: number, wake = false): string => `call schedule_create ${JSON.stringify({ prompt, after_seconds: seconds, ...(wake && { wake }) })}`

/** By their prompts, because a prompt here is set once. */
const stored = (of: Home, id: string): ReadonlyMap<string, Reminder> => new Map(remindersIn(readLog(of, id).events).map(one => [one.prompt, one]))

const came = (of: Home, id: string, prompt: string, patience: { timeout?: number } = {}): Promise<Reminder> =>
  waitFor(`${prompt} is delivered, on the disk`, () => {
    const one = stored(of, id).get(prompt)
    return one?.deliveredAt !== undefined && one.deliveries > 0 && one
  }, patience)

const state = async (host: Host, sessionId: string): Promise<ReminderState> => {
  const answer = await host.call<Answer<ReminderState>>('state', { sessionId }, '/dsh-reminders')
  if (answer.outcome !== 'done') throw new Error(answer.refusal.message)
  return answer
}

const wish = (host: Host, sessionId: string, text: string): Promise<Answer<Change>> => host.call('create', { sessionId, text, timeZone: ZONE.zone }, '/dsh-reminders')

/** Messages of reminders whose dispatch does not stand before them. */
const undocumented = (events: readonly LogEvent[]): readonly string[] => {
  const dispatched = new Set<unknown>()
  return events.flatMap(({ type, data }) => {
    if (type === 'schedule/change' && data['operation'] === 'dispatch') dispatched.add(data['id'])
    const { facts = [] } = type === 'user/message' ? (data.source?.['timekeeper'] as { facts?: readonly { fact: string; id: string }[] } | undefined ?? {}) : {}
    return facts.filter(({ fact, id }) => fact === 'delivery' && !dispatched.has(id)).map(({ id }) => id)
  })
}

const due = async (host: Host, sessionId: string, prompt: string): Promise<void> => {
  const { scheduledAt } = remindersIn(await host.history(sessionId)).find(one => one.prompt === prompt) ?? { scheduledAt: '' }
  await waitFor(`${prompt} is due`, () => Date.now() > Date.parse(scheduledAt) + 500)
}

const lastReason = (events: readonly LogEvent[]): unknown => events.findLast(({ type }) => type === 'turn/end')?.data['reason']

if (NO_DISK !== undefined) console.warn(`No small disk can be mounted here: ${NO_DISK}\nIn a namespace of its own: ${NO_NAMESPACE ?? 'it can'}`)

// Where only the root of a namespace may mount, the same tests run once more inside one.
describe.runIf(NO_DISK !== undefined)('disks of a namespace of its own', () => {
  it.skipIf(NO_NAMESPACE !== undefined)('X6 the tests of full and read-only disks pass there', async () => {
    const [unshare, ...options] = OWN_NAMESPACE
    const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'e2e', 'e2e/degraded.spec.ts', '-t', 'a disk that is']
    const { code, output } = await runCommand(unshare, [...options, process.execPath, ...vitest])
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests\s+[1-9]\d* passed/)])
  }, 600_000)
})

describe.skipIf(NO_DISK !== undefined)('a disk that is full', { timeout: 240_000 }, () => {
  it('X6 S12 S13 S14 create, list and delete are called uncertain; with room again everything goes on, nothing lost, nothing doubled', async () => {
    const { home: of, disk, warnings } = await homeWithDisk('.', HOME_MB)
    const flag = join(of.workspace, '../full')
    of.writeRows(warnings.row + fixtureRow('disk-full-at-call', { while: flag, ballast: join(of.path, BALLAST), tools: 'schedule_' }))
    const host = await bootHost(of)
    const id = await host.createSession(of.workspace)
    await talk(host, id, `${create('kept', 3600)} ;; set`, ZONE)

    const asked = async (tool: string, args: unknown, says = ''): Promise<unknown> => {
      writeFileSync(flag, says)
      const events = await talk(host, id, `call ${tool} ${JSON.stringify(args)} ;; said`, ZONE)
      expect(lastReason(events)).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('ENOSPC') as string } })
      rmSync(flag)
      disk.free()
      return resultsOf(events, tool).at(-1)
    }
    expect(await asked('schedule_create', { prompt: 'refused', after_seconds: 3600 }, 'somebody')).toMatchObject({ ...UNCERTAIN, operation: 'create' })
    expect(await asked('schedule_list', {}, 'somebody')).toMatchObject({ ...UNCERTAIN, operation: 'list' })
    expect(await asked('schedule_delete', { id: 'r-1' }, 'somebody')).toMatchObject({ ...UNCERTAIN, operation: 'delete' })
    // Refused at its second barrier: it is in the log, and not known to be on the disk. Longer than the rest of a block.
    const long = '不'.repeat(1900)
    expect(await asked('schedule_create', { prompt: long, after_seconds: 3600 })).toMatchObject({ ...UNCERTAIN, operation: 'create', set: true, id: 'r-2' })
    expect((await state(host, id)).pending.map(({ prompt }) => prompt)).toEqual(['kept', long])
    expect([...stored(of, id).keys()]).toEqual(['kept', long])

    await talk(host, id, `${create('first due', 2)} ;; ${create('second due', 3)} ;; set`, ZONE)
    await state(host, id)
    disk.fill()
    await due(host, id, 'second due')
    expect(undocumented(readLog(of, id).events)).toEqual([])
    expect(stored(of, id).get('second due')).toMatchObject({ deliveries: 0 })
    expect(await state(host, id)).toMatchObject({ stored: false, pending: expect.arrayContaining([expect.objectContaining({ prompt: 'second due', state: 'overdue' })]) as unknown })
    expect(await wish(host, id, '1h nothing')).toMatchObject({ outcome: 'refused', refusal: UNCERTAIN })
    expect(await host.command(id, '/remind 1h nothing')).toMatchObject({ kind: 'error', text: UNCERTAIN.message })
    expect(warnings.text()).toMatch(new RegExp(`error tool-schedule session ${id}: the session log is not confirmed as stored .*ENOSPC`))
    disk.free()
    expect(await state(host, id)).toMatchObject({ stored: true })
    expect(await came(of, id, 'second due')).toMatchObject({ deliveries: 1 })
    expect(await came(of, id, 'first due')).toMatchObject({ deliveries: 1 })

    await talk(host, id, `${create('died with it', 2, true)} ;; set`, ZONE)
    await state(host, id)
    disk.fill()
    await due(host, id, 'died with it')
    host.kill('SIGKILL')
    await host.exited
    expect(undocumented(readLog(of, id).events)).toEqual([])
    disk.free()
    const next = await bootHost(of)
    expect(await came(of, id, 'died with it')).toMatchObject({ deliveries: 1 })
    await talk(next, id, 'call schedule_list {} ;; listed')
    const all = stored(of, id)
    expect([...all].map(([prompt, { deliveries }]) => [prompt, deliveries])).toEqual([['kept', 0], [long, 0], ['first due', 1], ['second due', 1], ['died with it', 1]])
  })

  it('X6 R17 the wake index on it: file and cause are named, live sessions are served, and with room again so are closed ones', async () => {
    const { home: of, disk, warnings } = await homeWithDisk('timekeeper', 1)
    disk.fill()
    const index = join(of.path, 'timekeeper/wake.sqlite')
    const host = await bootHost(of)
    const told = `warn wake-index StoreUnusable: The wake index ${index} cannot be used: inaccessible (database or disk is full). Deliveries go on without it.`
    expect(warnings.text()).toContain(told)
    const id = await host.createSession(of.workspace)
    await talk(host, id, `${create('live', 1, true)} ;; ${create('closed', 4, true)} ;; set`, ZONE)
    expect(await came(of, id, 'live')).toMatchObject({ deliveries: 1, reasons: [] })
    await host.stop()
    disk.free()
    const roomy = await bootHost(of)
    // From a new index nobody is woken before other hosts can have found it.
    expect(await came(of, id, 'closed', { timeout: 150_000 })).toMatchObject({ deliveries: 1 })

    // The same when it fills up while the file is in use.
    const before = warnings.text().length
    disk.fill()
    await waitFor('a write fails', async () => {
      disk.fill()
      await talk(roomy, id, `${create(`soon ${Math.random()}`, 1, true)} ;; set`, ZONE)
      return warnings.text().slice(before).includes(told)
    })
    await waitFor('all are delivered', () => [...stored(of, id).values()].every(({ deliveries }) => deliveries === 1))
  })
})

describe.skipIf(NO_DISK !== undefined)('a disk that is read-only', { timeout: 240_000 }, () => {
  it('X6 S12 R17 what cannot be stored is called uncertain with the file named, and an index that cannot be opened stops no delivery', async () => {
    const { home: of, disk, warnings } = await homeWithDisk('.', HOME_MB)
    const host = await bootHost(of)
    const id = await host.createSession(of.workspace)
    await talk(host, id, `${create('kept', 3600)} ;; ${create('due', 3)} ;; set`, ZONE)
    await state(host, id)
    const thaw = disk.freeze(of.path)
    expect(await wish(host, id, '1h once')).toMatchObject({ outcome: 'done', stored: false })
    expect(await wish(host, id, '1h not')).toMatchObject({ outcome: 'refused', refusal: UNCERTAIN })
    expect(lastReason(await talk(host, id, 'call schedule_list {} ;; listed'))).toMatchObject({ kind: 'error', error: { message: expect.stringMatching(/^EROFS.*session\.jsonl/) as string } })
    await due(host, id, 'due')
    expect(stored(of, id).get('due')).toMatchObject({ deliveries: 0 })
    expect(warnings.text()).toMatch(new RegExp(`error tool-schedule session ${id}: the session log is not confirmed as stored .*EROFS: .*session\\.jsonl`))
    thaw()
    expect(await state(host, id)).toMatchObject({ stored: true })
    await came(of, id, 'due')
    await host.stop()

    const frozen = join(of.path, 'timekeeper')
    disk.freeze(frozen)
    const next = await bootHost(of)
    expect(warnings.text()).toMatch(new RegExp(`warn wake-index StoreUnusable: The wake index ${frozen}/wake\\.sqlite cannot be used: inaccessible \\([^)]+\\)\\. Deliveries go on`))
    await talk(next, id, `${create('later', 1)} ;; set`, ZONE)
    await came(of, id, 'later')
    expect([...stored(of, id)].map(([prompt, { deliveries }]) => [prompt, deliveries])).toEqual([['kept', 0], ['due', 1], ['once', 0], ['later', 1]])
  })
})
