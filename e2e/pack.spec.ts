import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildPackages } from '../scripts/lib/build.ts'
import { parseJson } from '../scripts/lib/json.ts'
import { pack } from '../scripts/lib/tarballs.ts'
import { packages } from '../scripts/lib/workspace.ts'
import { runCommand, runDsh } from './lib/commands.ts'
import { diagnose } from './lib/doctor.ts'
import { bootHost, endHosts } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { consumerOf } from './lib/consumer.ts'
import { resultsOf, talk, turnsEnded } from './lib/transcript.ts'
import { waitFor } from './lib/waiting.ts'

const isBundle = ({ manifest }: ReturnType<typeof packages>[number]): boolean => manifest.dsh?.bundle !== undefined

/** Every file of a folder, links not followed. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))

describe('the tarballs, on a profile that has nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-tarballs-'))
  const tarballs: string[] = []
  let home: Home

  beforeAll(async () => {
    await buildPackages(() => {})
    for (const member of packages().filter(isBundle)) tarballs.push(await pack(member, folder))
    home = await makeHome({ bundles: [] })
  })
  afterEach(endHosts)
  afterAll(() => {
    home.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  // One way through: each step stands on the one before.
  it('T14 R25 install without a registry, deliver a reminder, content the doctor, and leave nothing behind but what sessions hold', async () => {
    const manifest = join(home.profile, 'package.json')
    const bundlesOf = (): readonly string[] => parseJson<{ dsh: { profile: { bundles: readonly string[] } } }>(readFileSync(manifest, 'utf8')).dsh.profile.bundles
    const stock = bundlesOf()
    const names = packages().filter(isBundle).map(({ name }) => name)
    await runDsh(home.path, ['plugin', '--profile', 'web', 'add', '--offline', ...tarballs])
    expect(bundlesOf()).toEqual([...stock, ...names])

    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    const events = await talk(host, sessionId, 'call schedule_create {"prompt":"stretch","after_seconds":1} ;; done', { zone: 'Asia/Shanghai' })
    expect(resultsOf(events, 'schedule_create')).toMatchObject([{ state: 'scheduled', deliveryMode: 'session-local' }])
    await waitFor('it is delivered and answered', async () => turnsEnded(await host.history(sessionId)) === 2)
    const program = join(home.profile, 'node_modules/.bin/timekeeper')
    expect(await diagnose(home)).toMatchObject({ exit: 0, findings: [], host: '0.1.0-rc.8', sessions: 1 })
    await host.stop()
    const people = await runCommand(program, ['doctor', '--home', home.path], { env: { LC_ALL: 'C' } })
    expect(people).toMatchObject({ code: 0, output: expect.stringMatching(/1 log read[^]*timekeeper-schedule \(on\)[^]*No problem was found\.\n$/) as unknown })

    await runDsh(home.path, ['plugin', '--profile', 'web', 'remove', ...names])
    expect(bundlesOf()).toEqual(stock)
    expect(existsSync(program)).toBe(false)
    const left = filesIn(home.path).map(file => file.slice(home.path.length + 1)).filter(file => /timekeeper|llm-offline/.test(file) && !file.startsWith('sessions'))
    // The index is a cache of ours outside the profile. pnpm leaves the link of a program, which now leads nowhere.
    expect(left.filter(file => !file.startsWith('timekeeper/wake.sqlite') && file !== 'profiles/web/node_modules/.bin/timekeeper')).toEqual([])
    expect(readFileSync(manifest, 'utf8')).not.toMatch(/timekeeper|llm-offline/)

    const bare = await bootHost(home)
    const history = await bare.history(sessionId)
    expect(history.filter(event => event.type === 'schedule/change')).toHaveLength(2)
    await bare.open(sessionId)
  })
})

describe('the libraries, in a project of somebody else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-consumer-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('P7 dsh-time-core and dsh-session-host typecheck under strict nodenext, declarations included, and run', async () => {
    await buildPackages(() => {})
    const consumer = await consumerOf(folder, ['dsh-time-core', 'dsh-session-host'])
    expect(await consumer.typecheck()).toEqual({ code: 0, output: '' })
    expect(await consumer.run()).toEqual({ code: 0, output: '2026-10-09T01:00:00.000Z true 1\n' })
  })
})
