import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildPackages } from '../scripts/lib/build.ts'
import { pack } from '../scripts/lib/tarballs.ts'
import { packages } from '../scripts/lib/workspace.ts'
import { runDsh } from './lib/commands.ts'
import { bootHost, endHosts } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { resultsOf, talk } from './lib/transcript.ts'

describe('the tarballs, on a profile that has nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-tarballs-'))
  const tarballs: string[] = []
  let home: Home

  beforeAll(async () => {
    await buildPackages(() => {})
    for (const member of packages().filter(({ manifest }) => manifest.dsh?.bundle !== undefined)) tarballs.push(await pack(member, folder))
    home = await makeHome({ bundles: [] })
  })
  afterEach(endHosts)
  afterAll(() => {
    home.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  // One way through: each step stands on the one before.
  it('install without a registry, work in a session, and leave a host that boots', async () => {
    await runDsh(home.path, ['plugin', '--profile', 'web', 'add', '--offline', ...tarballs])

    const host = await bootHost(home)
    const sessionId = await host.createSession(home.workspace)
    const events = await talk(host, sessionId, 'call schedule_create {"prompt":"stretch","after_seconds":3600} ;; done', { zone: 'Asia/Shanghai' })
    expect(resultsOf(events, 'schedule_create')).toMatchObject([{ state: 'scheduled', deliveryMode: 'session-local' }])
    await host.stop()

    const names = packages().flatMap(({ name, manifest }) => (manifest.dsh?.bundle === undefined ? [] : [name]))
    await runDsh(home.path, ['plugin', '--profile', 'web', 'remove', ...names])
    const bare = await bootHost(home)
    const history = await bare.history(sessionId)
    expect(history.some(event => event.type === 'schedule/change')).toBe(true)
  })
})
