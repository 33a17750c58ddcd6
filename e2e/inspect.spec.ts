import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../scripts/lib/json.ts'
import { pack } from '../scripts/lib/tarballs.ts'
import { ROOT, packages } from '../scripts/lib/workspace.ts'
import { runCommand } from './lib/commands.ts'
import { bootHost, endHosts } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { marked } from './lib/leftovers.ts'
import { resultsOf, talk } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'

interface Row {
  readonly [member: string]: unknown
}

interface Report {
  readonly log: Row
  readonly counts: Row
  readonly active: readonly Row[]
  readonly series: readonly Row[]
  readonly timeline: readonly Row[]
  readonly problems: readonly Row[]
}

/** Both streams apart: the one is for programs. */
const run = (file: string, args: readonly string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(file, args, { cwd: ROOT, env: marked() }, (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out, err }))
  })

describe('the command line, on the log of a real host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-inspect-'))
  let home: Home
  let program: string

  beforeAll(async () => {
    home = await makeHome()
    // As the host stores it by default: compressed.
    writeFileSync(join(home.profile, 'cordis.patch.yml'), '[]\n')
    const member = packages().find(({ name }) => name === 'dsh-timekeeper')!
    const { code, output } = await runCommand('tar', ['-xzf', await pack(member, folder), '-C', folder])
    if (code !== 0) throw new Error(`the tarball cannot be unpacked\n${output}`)
    program = join(folder, 'package/lib/cli.js')
  })
  afterEach(endHosts)
  afterAll(() => {
    home.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const inspect = async (sessionId: string): Promise<Report> => {
    const { out, err } = await run(process.execPath, [program, 'inspect', sessionId, '--home', home.path, '--json'])
    expect(err).toBe('')
    return parseJson<Report>(out)
  }

  it('T14 X7 tells from the tarball alone what was planned, delivered, late and why, with no host running', async () => {
    const first = await bootHost(home)
    const sessionId = await first.createSession(home.workspace)
    const ask = (text: string): Promise<unknown> => talk(first, sessionId, text, { zone: 'Asia/Shanghai' })
    await ask('call schedule_create {"prompt":"stretch","after_seconds":1} ;; set')
    await waitFor('it is delivered', async () => (await inspect(sessionId)).counts['delivered'] === 1)
    await ask('call schedule_create {"prompt":"stand-up","cron":"0 9 * * 1-5","time_zone":"Europe/Berlin","count":3} ;; set')
    await ask('call schedule_create {"prompt":"drink water","after_seconds":3} ;; set')
    await waitFor('it is stored', async () => (await inspect(sessionId)).counts['active'] === 2)
    first.kill('SIGKILL')
    await first.exited

    const overdue = await waitFor('its instant has passed', async () => {
      const report = await inspect(sessionId)
      return report.counts['overdue'] === 1 && report
    })
    expect(overdue.active).toMatchObject([{ prompt: 'drink water', state: 'overdue', zone: 'Asia/Shanghai' }, { prompt: 'stand-up', state: 'scheduled', kind: 'cron' }])
    expect(overdue.series).toMatchObject([{ state: 'active', zone: 'Europe/Berlin', rule: { cron: '0 9 * * 1-5', count: 3 }, next: [{}, {}, {}] }])

    const second = await bootHost(home)
    await waitFor('two seconds past its instant', async () => Date.now() > Date.parse(String(overdue.active[0]?.['scheduledAt'])) + 2500)
    await second.open(sessionId)
    await waitFor('it is delivered late', async () => (await inspect(sessionId)).counts['late'] === 1)
    const child = await second.fork(sessionId)
    expect(resultsOf(await talk(second, child, 'call schedule_create {"prompt":"mine","after_seconds":3600} ;; set'), 'schedule_create').at(-1)).toMatchObject({ prompt: 'mine' })
    await second.stop()

    const last = await inspect(sessionId)
    expect(last).toMatchObject({ log: { session: sessionId, cwd: home.workspace, zone: 'Asia/Shanghai' }, counts: { active: 1, delivered: 2, late: 1, missed: 0 }, problems: [] })
    expect(last.timeline.map(({ kind, prompt }) => `${String(kind)} ${String(prompt)}`)).toEqual(['set stretch', 'delivered stretch', 'set stand-up', 'set drink water', 'delivered drink water'])
    expect(last.timeline.at(-1)).toMatchObject({ reasons: ['host-down'] })
    const forked = await inspect(child)
    expect(forked).toMatchObject({ log: { parentSession: sessionId }, counts: { active: 1, delivered: 0 }, timeline: [{ kind: 'set', prompt: 'mine' }], problems: [] })
    expect(Number(forked.log['ownFrom'])).toBeGreaterThan(0)

    const people = await run(process.execPath, [program, 'inspect', '--home', home.path, '--lang', 'zh'])
    expect(people).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${sessionId}\n  1 个进行中`) as unknown })
  })

  it('T14 T3 npm run -s timekeeper prints nothing but the answer', async () => {
    const words = ['run', '-s', 'timekeeper', '--', 'next', '30 2 * * *', '--zone', 'America/New_York', '--after', '2026-03-08T06:30:00Z', '--count', '3', '--json']
    const { code, out } = await run('npm', words)
    expect(code).toBe(0)
    expect(parseJson<{ fires: readonly Row[] }>(out).fires.map(({ utc, note }) => [utc, typeof note])).toEqual([
      ['2026-03-08T07:00:00Z', 'string'],
      ['2026-03-09T06:30:00Z', 'undefined'],
      ['2026-03-10T06:30:00Z', 'undefined'],
    ])
    const refused = await run('npm', ['run', '-s', 'timekeeper', '--', 'next', '0 0 30 2 *', '--zone', 'UTC', '--json'])
    expect([refused.code, parseJson<Row>(refused.out)['code']]).toEqual([1, 'no_future_occurrence'])
  })
})
