import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../scripts/lib/workspace.ts'
import { runCommand } from './lib/commands.ts'
import { findings } from './lib/doctor.ts'
import { bootHost, endHosts } from './lib/host.ts'
import { makeHome, type Home } from './lib/home.ts'
import { resultsOf, talk } from './lib/transcript.ts'

interface Hours {
  readonly day: string
  readonly zone: string
  readonly tools: readonly { readonly tool: string; readonly calls: number; readonly took: string }[]
}

describe('the examples, as their READMEs say', () => {
  const folder = mkdtempSync(join(tmpdir(), 'timekeeper-examples-'))
  let home: Home

  beforeAll(async () => {
    home = await makeHome()
  })
  afterEach(endHosts)
  afterAll(() => {
    home.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('T14 R25 a third-party plugin folds its own state out of the log: the same after a restart, and gone without a trace', async () => {
    const { code, output } = await runCommand(process.execPath, ['examples/third-party-plugin/overlay.js', 'Asia/Shanghai'])
    expect(code).toBe(0)
    const overlay = join(folder, 'hours.yml')
    writeFileSync(overlay, output)

    const first = await bootHost(home, { overlays: [overlay] })
    const sessionId = await first.createSession(home.workspace)
    const said = resultsOf(await talk(first, sessionId, 'call schedule_list {} ;; call schedule_list {} ;; call tool_hours {} ;; done'), 'tool_hours') as readonly Hours[]
    expect(said).toMatchObject([{ zone: 'Asia/Shanghai', tools: [{ tool: 'schedule_list', calls: 2, took: expect.stringMatching(/^\d/) as unknown }] }])
    expect(said[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/)
    const child = await first.fork(sessionId)
    await first.stop()

    const second = await bootHost(home, { overlays: [overlay] })
    const again = resultsOf(await talk(second, sessionId, 'call tool_hours {} ;; done'), 'tool_hours').at(-1) as Hours
    expect(again.tools).toEqual([...(said[0]?.tools ?? []), { tool: 'tool_hours', calls: 1, took: expect.any(String) as unknown }])
    // What a fork has inherited is not its own work.
    expect(resultsOf(await talk(second, child, 'call tool_hours {} ;; done'), 'tool_hours').at(-1)).toMatchObject({ tools: [] })
    await second.stop()

    const bare = await bootHost(home)
    expect((await bare.history(sessionId)).length).toBeGreaterThan(0)
    expect(await findings(home)).toEqual([])
  })

  it('T14 a run without a page sets a reminder, delivers it, ends with 0 and leaves nothing', async () => {
    const { code, output } = await runCommand(process.execPath, [join(ROOT, 'examples/headless/run.js'), '1'], { cwd: folder, env: { TMPDIR: folder } })
    expect(output.trim().split('\n').slice(-3)).toEqual(['create stretch', 'dispatch r-1', 'delivered and answered'])
    expect(code).toBe(0)
    expect(readdirSync(folder).filter(name => name.startsWith('timekeeper-headless-'))).toEqual([])
  })
})
