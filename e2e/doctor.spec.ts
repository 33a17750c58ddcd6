import { appendFileSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { diagnose, findings } from './lib/doctor.ts'
import { bootHost, endHosts, type Host } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { logFile } from './lib/log-file.ts'
import { resultsOf, talk } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'

const ask = async (host: Host, sessionId: string, wish: object): Promise<unknown> =>
  resultsOf(await talk(host, sessionId, `call schedule_create ${JSON.stringify(wish)} ;; set`, { zone: 'Asia/Shanghai' }), 'schedule_create').at(-1)

/** Everything in a folder with its size and time: a reader leaves it as it is. */
const traces = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .toSorted()
    .map(name => `${name} ${statSync(join(folder, name)).size} ${statSync(join(folder, name)).mtimeMs}`)

/** A fault is put there, found, and gone once the advice was followed. */
const provoke = async (home: Home, expected: readonly string[], plant: () => void, follow: () => void | Promise<void>): Promise<void> => {
  plant()
  expect(await findings(home)).toEqual(expected)
  expect((await diagnose(home)).exit).toBe(expected.every(code => code.startsWith('(')) ? 0 : 1)
  await follow()
  await waitFor('the doctor is content', async () => (await findings(home)).length === 0)
}

const insert = (id: string, name: string): string => `- insert:\n    - id: ${id}\n      name: '${name}'\n`

describe('timekeeper doctor, on the homes of a real host', () => {
  let home: Home
  let wakes: string

  beforeAll(async () => {
    home = await makeHome()
  })
  afterEach(endHosts)
  afterAll(() => home.remove())

  const indexFile = (): string => join(home.path, 'timekeeper/wake.sqlite')
  const restart = async (): Promise<void> => {
    const host = await bootHost(home)
    await waitFor('the host has compared the index with the logs', async () => (await findings(home)).length === 0, { timeout: 60_000, every: 500 })
    await host.stop()
  }

  it('T14 a profile is content after its first start, with a host beside it and without one, and nothing is written', async () => {
    expect(await findings(home)).toEqual(['host_missing'])
    const host = await bootHost(home)
    wakes = await host.createSession(home.workspace)
    expect(await ask(host, wakes, { prompt: 'stretch', after_seconds: 3600, wake: true })).toMatchObject({ state: 'scheduled' })
    await waitFor('log and index are stored', async () => (await diagnose(home)).sessions === 1 && (await findings(home)).length === 0)
    expect(await diagnose(home)).toMatchObject({ exit: 0, host: '0.1.0-rc.8', counts: { problems: 0, notes: 0 } })
    await host.stop()
    const before = traces(home.path)
    expect(await findings(home)).toEqual([])
    expect(traces(home.path)).toEqual(before)
  })

  it('T14 what is wrong with the rows of a profile', async () => {
    const clear = (): void => home.writeRows('')
    const rows = (expected: readonly string[], text: string): Promise<void> => provoke(home, expected, () => home.writeRows(text), clear)
    const faults = [
      insert('schedule', '@deepseek-ai/dsh-schedule'),
      insert('time-context', '@deepseek-ai/dsh-time-context'),
      insert('again', 'dsh-timekeeper/tool-schedule'),
      '- id: timekeeper-page\n  disabled: true\n',
      '- id: timekeeper-clok\n  config: {}\n',
    ]
    await rows(['row_twice', 'row_order', 'double_clock', 'double_schedule', '(row_disabled)'], faults.join(''))
    await rows(['profile_unreadable'], '- id: [\n')
    const client = join(home.profile, 'node_modules/dsh-timekeeper/lib/client.js')
    await provoke(home, ['client_missing'], () => renameSync(client, `${client}.gone`), () => renameSync(`${client}.gone`, client))
    const manifest = join(home.profile, 'package.json')
    const whole = readFileSync(manifest, 'utf8')
    await provoke(home, ['not_mounted'], () => writeFileSync(manifest, whole.replace(/,\s*"dsh-timekeeper"/, '')), () => writeFileSync(manifest, whole))
    expect(await findings(home, { TZ: 'Nowhere' })).toEqual(['(process_zone)'])
    expect((await diagnose(home, { HOME: home.path })).exit).toBe(0)
  }, 300_000)

  it('T14 R17 X6 what is wrong with the wake index, until a host has run', async () => {
    const change = (sql: string) => (): void => {
      const file = new DatabaseSync(indexFile())
      file.exec(sql)
      file.close()
    }
    const host = await bootHost(home)
    const other = await host.createSession(home.workspace)
    await ask(host, other, { prompt: 'look up', after_seconds: 3600, wake: true })
    await waitFor('log and index are stored', async () => (await diagnose(home)).sessions === 2 && (await findings(home)).length === 0)
    await host.stop()
    const differences = `DELETE FROM owed WHERE session_id = '${wakes}'; UPDATE owed SET due_at = due_at + 60000; DELETE FROM log;
      INSERT INTO owed VALUES ('nobody', 'reminder', 4000000000000), ('${other}', 'countdown', 4000000000000)`
    const codes = ['indexed_not_owed', 'indexed_without_log', 'owed_not_indexed', 'owed_other_instant']
    change(differences)()
    expect((await findings(home)).toSorted()).toEqual(codes)
    await restart()
    const folder = join(home.path, 'timekeeper')
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    expect(await findings(home)).toEqual(['(index_missing)'])
    await provoke(home, ['index_unusable'], () => writeFileSync(indexFile(), 'x'.repeat(5000)), restart)
  }, 300_000)

  it('T14 X6 what is wrong with a log, by line, until it is restored', async () => {
    const file = logFile(home, wakes) ?? ''
    const bytes = readFileSync(file)
    const last = bytes.toString().trimEnd().split('\n').at(-1) ?? ''
    const { seq, time } = JSON.parse(last) as { seq: number; time: number }
    const restore = (): void => writeFileSync(file, bytes)
    const append = (event: object) => (): void => appendFileSync(file, `${JSON.stringify({ seq: seq + 1, time, ...event })}\n`)
    await provoke(home, ['(torn_tail)'], () => writeFileSync(file, bytes.subarray(0, -9)), restore)
    await provoke(home, ['bad_line'], () => writeFileSync(file, Buffer.concat([bytes, Buffer.from('{"cut":\n')])), restore)
    await provoke(home, ['seq_gap'], append({ type: 'turn/start', seq: seq + 7, data: {} }), restore)
    const message = { id: 'm', role: 'user', content: [], source: { kind: 'user', rpcId: 'r', clientTimeZone: 'Mars/Olympus' } }
    await provoke(home, ['zone_unknown'], append({ type: 'user/message', surfaceOp: 'append', data: message }), restore)
    await provoke(home, ['unknown_type'], append({ type: 'acme/note', data: {} }), restore)
    await provoke(home, ['clock_behind_log'], append({ type: 'turn/start', time: Date.now() + 3_600_000, data: { turn: 9 } }), restore)
    await provoke(home, ['(time_went_back)'], append({ type: 'turn/start', time: time - 60_000, data: { turn: 9 } }), restore)
    await provoke(home, ['not_a_session_log'], () => writeFileSync(file, 'x\n'), restore)
    append({ type: 'schedule/change', data: { version: 2 } })()
    const corrupt = await diagnose(home)
    expect(corrupt.findings.find(({ code }) => code === 'corrupt_schedule_log')).toMatchObject({ session: wakes, line: bytes.toString().trimEnd().split('\n').length + 1 })
    restore()
    expect(await findings(home)).toEqual([])
  }, 300_000)

  it('T14 S25 R18 why a reminder did not fire: its session was closed, or no host ran; followed, it is delivered', async () => {
    const first = await bootHost(home)
    const closed = await first.createSession(home.workspace)
    const waking = await first.createSession(home.workspace)
    await Promise.all([ask(first, closed, { prompt: 'drink water', after_seconds: 25 }), ask(first, waking, { prompt: 'look up', after_seconds: 25, wake: true })])
    await waitFor('both are stored', async () => (await diagnose(home)).sessions === 4)
    first.kill('SIGKILL')
    await first.exited
    const found = await waitFor('both are overdue', async () => {
      const { findings: all, exit } = await diagnose(home)
      return all.length === 2 && { all, exit }
    }, { timeout: 150_000, every: 1000 })
    expect(found.exit).toBe(1)
    expect(found.all).toEqual(expect.arrayContaining([
      expect.objectContaining({ code: 'overdue_closed', session: closed, found: expect.stringContaining('drink water') as unknown }),
      expect.objectContaining({ code: 'overdue_no_host', session: waking, found: expect.stringContaining('look up') as unknown }),
    ]))
    const second = await bootHost(home)
    await second.open(closed)
    await waitFor('both are delivered', async () => (await findings(home)).length === 0, { timeout: 60_000, every: 500 })
    for (const id of [closed, waking]) expect((await second.history(id)).filter(({ type, data }) => type === 'schedule/change' && (data as { operation?: string }).operation === 'dispatch')).toHaveLength(1)
  }, 300_000)
})
