import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, temporary, write } from '../harness.ts'
import { codes, diagnose, installed, OUR_ROWS } from './homes.ts'

describe('an installation', () => {
  it('T14 when all is well nothing is found, and what was looked at is said', async () => {
    const home = installed()
    expect(await diagnose(home)).toMatchObject({
      home,
      profile: 'web',
      exit: 0,
      host: '0.1.0-rc.8',
      machine: { timekeeper: '0.1.0', node: '24.0.0', tz: '2026a', icu: '78', zone: 'UTC' },
      rows: [{ id: 'timekeeper-schedule', state: 'on' }, { id: 'timekeeper-clock', state: 'on' }, { id: 'timekeeper-page', state: 'on' }],
      sessions: 0,
      findings: [],
      counts: { problems: 0, notes: 0 },
    })
    const { code, out } = await run(['doctor', '--home', home])
    expect(code).toBe(0)
    expect(out).toBe(`Home ${home}, profile web
  timekeeper 0.1.0, Node 24.0.0, time zone data 2026a (ICU 78), zone of this process UTC
  DSH 0.1.0-rc.8, 0 logs read, index: none
  Rows: timekeeper-schedule (on), timekeeper-clock (on), timekeeper-page (on)

No problem was found.`)
  })

  it('T14 a home that does not exist is said, and the machine is still looked at', async () => {
    expect(await diagnose('/no/such/home')).toMatchObject({ exit: 1, findings: [{ code: 'home_missing', advice: expect.stringContaining('--home') as unknown }], sessions: 0 })
    expect((await run(['doctor', '--home', '/no/such/home', '--lang', 'zh'])).out).toContain('! 问题 [home_missing]\n  /no/such/home 不存在。\n  该怎么做：')
  })

  it('T14 a home that no DSH has prepared, and a profile that is not there', async () => {
    expect(await codes(temporary())).toEqual(['host_missing', 'profile_missing'])
    expect((await run(['doctor', '--home', installed(), '--profile', 'desk'])).out).toMatch(/profile_missing\]\n {2}There is no profile \S+profiles\/desk\./)
  })

  it('T14 without a host its own bundles are not complained of one by one', async () => {
    const home = installed()
    rmSync(join(home, 'profiles/node_modules'), { recursive: true })
    expect(await codes(home)).toEqual(['host_missing'])
  })

  it.each([
    ['0.1.0-rc.8', []],
    ['0.1.0-rc.9', ['(host_unproven)']],
    ['0.1.0', ['(host_unproven)']],
    ['0.1.1-rc.2', ['(host_unproven)']],
    ['0.2.1-alpha.1', ['(host_unproven)']],
    ['0.1.0-rc.7', ['host_unsupported']],
    ['0.1.0-alpha.1', ['host_unsupported']],
    ['0.0.9', ['host_unsupported']],
    ['0.3.0', ['host_unsupported']],
    ['1.0.0', ['host_unsupported']],
    ['next', ['host_unsupported']],
  ])('T14 DSH %s is judged by what it was tested on: %j', async (host, expected) => {
    expect(await codes(installed({ host }))).toEqual(expected)
  })

  it('T14 an installed bundle of another version is named with both', async () => {
    expect((await diagnose(installed({ manifest: { version: '0.0.9' } }))).findings).toMatchObject([{ code: 'version_differs', detail: ['0.0.9', '0.1.0'] }])
    expect(await codes(installed({ manifest: { version: 7 } }))).toEqual([])
  })

  it('T14 a profile without anything of ours', async () => {
    const home = installed({ rows: '[]\n' })
    expect((await diagnose(home)).findings).toMatchObject([{ code: 'not_mounted', advice: expect.stringContaining('--profile web add') as unknown }])
  })
})

describe('the rows', () => {
  it.each([
    ['one is missing', OUR_ROWS.replace(/ {4}- id: timekeeper-clock\n.*\n/, ''), '', ['row_missing']],
    ['one is switched off', OUR_ROWS, '- id: timekeeper-page\n  disabled: true\n', ['(row_disabled)']],
    ['one depends on an expression', OUR_ROWS, '- id: timekeeper-page\n  disabled: !!js process.env.X\n', ['(row_disabled)']],
    ['one is switched on again', OUR_ROWS, '- id: timekeeper-page\n  disabled: true\n- id: timekeeper-page\n  disabled: false\n', []],
    ['a patch of another name is left out', OUR_ROWS, '- id: timekeeper-page\n  name: other\n  disabled: true\n', []],
    ['a plugin is mounted twice', OUR_ROWS, '- insert:\n    - id: again\n      name: dsh-timekeeper/tool-schedule\n', ['row_twice']],
    ['the second one is switched off', OUR_ROWS, '- insert:\n    - id: again\n      name: dsh-timekeeper/tool-schedule\n      disabled: true\n', ['(row_disabled)']],
    ['a patch names no row', OUR_ROWS, '- id: timekeeper-clok\n  config: {}\n', ['row_order']],
    ['a patch for something else names no row', OUR_ROWS, '- id: other\n  config: {}\n- text\n', []],
    ['a patch comes before its row', `- id: mine\n  config: {}\n${OUR_ROWS.replace('timekeeper-clock', 'mine')}`, '', ['row_order']],
    ['a row without an id, and one without a name', OUR_ROWS, '- insert:\n    - name: other\n    - id: nameless\n', []],
    ['a time context of DSH', OUR_ROWS, '- insert:\n    - id: time-context\n      name: "@deepseek-ai/dsh-time-context"\n', ['double_clock']],
    ['a schedule of DSH', OUR_ROWS, '- insert:\n    - id: schedule\n      name: "@deepseek-ai/dsh-schedule"\n', ['double_schedule']],
    ['both, switched off', OUR_ROWS, '- insert:\n    - id: schedule\n      name: "@deepseek-ai/dsh-schedule"\n      disabled: true\n', []],
    ['a schedule of DSH instead of ours', OUR_ROWS, '- insert:\n    - id: schedule\n      name: "@deepseek-ai/dsh-schedule"\n- id: timekeeper-schedule\n  disabled: true\n', ['(row_disabled)']],
    ['a group that is switched off', OUR_ROWS, '- insert:\n    - id: group\n      group: true\n      disabled: true\n      config:\n        - id: schedule\n          name: "@deepseek-ai/dsh-schedule"\n- id: group\n  insert:\n    - id: time-context\n      name: "@deepseek-ai/dsh-time-context"\n', []],
    ['a group that is on', OUR_ROWS, '- insert:\n    - id: group\n      group: true\n      config: []\n- id: group\n  insert:\n    - id: time-context\n      name: "@deepseek-ai/dsh-time-context"\n- id: nothing\n  insert: []\n', ['double_clock']],
  ])('T14 %s', async (_, rows, patch, expected) => {
    expect(await codes(installed({ rows, patch: patch === '' ? '[]\n' : patch }))).toEqual(expected)
  })

  it('T14 the patches of the home come after those of the profile', async () => {
    const home = installed({ patch: '- id: timekeeper-page\n  disabled: true\n' })
    write(join(home, 'cordis.patch.yml'), '- id: timekeeper-page\n  disabled: false\n')
    expect(await codes(home)).toEqual([])
  })

  it.each([
    ['a row of ours', 'tool-schedule.js', 'row_unresolved', 'dsh-timekeeper/tool-schedule'],
    ['the browser half', 'client.js', 'client_missing', 'dsh-timekeeper'],
  ])('T14 the file of %s is missing', async (_, file, code, name) => {
    expect((await diagnose(installed({ without: [file] }))).findings).toMatchObject([{ code, detail: [name] }])
  })

  it('T14 packages that are mounted alone are ours as well', async () => {
    const home = installed({ rows: OUR_ROWS.replace('dsh-timekeeper/tool-schedule', 'dsh-tool-schedule') })
    expect((await diagnose(home)).findings).toMatchObject([{ code: 'row_unresolved', detail: ['dsh-tool-schedule'] }])
    write(join(home, 'profiles/web/node_modules/dsh-tool-schedule/package.json'), JSON.stringify({ exports: { '.': './index.js' } }))
    write(join(home, 'profiles/web/node_modules/dsh-tool-schedule/index.js'), '')
    expect(await codes(home)).toEqual([])
  })
})

describe('a profile that the host cannot start with', () => {
  it.each([
    ['a patch that is no YAML', '- id: [\n', /cordis\.patch\.yml/],
    ['an empty patch file', '# nothing\n', /empty one is written \[\]/],
  ])('X6 T14 %s', async (_, patch, text) => {
    expect((await diagnose(installed({ patch }))).findings).toMatchObject([{ code: 'profile_unreadable', found: expect.stringMatching(text) as unknown }])
  })

  it('X6 T14 a manifest that is no JSON, holds no bundles, lists one that is not installed or is no bundle', async () => {
    const home = installed()
    const bundles = (list: unknown): string => write(join(home, 'profiles/web/package.json'), JSON.stringify({ dsh: { profile: { bundles: list } } }))
    write(join(home, 'profiles/web/package.json'), '{')
    expect(await codes(home)).toEqual(['profile_unreadable', 'not_mounted'])
    bundles('none')
    expect((await diagnose(home)).findings).toMatchObject([{ detail: [expect.any(String), 'dsh.profile.bundles is no list'] }, {}])
    bundles(['acme', 'dsh-timekeeper'])
    expect((await diagnose(home)).findings).toMatchObject([{ code: 'profile_unreadable', detail: ['acme', expect.stringContaining('not installed')] }])
    write(join(home, 'profiles/web/node_modules/acme/package.json'), '{}')
    expect((await diagnose(home)).findings).toMatchObject([{ code: 'profile_unreadable', detail: ['acme', expect.stringContaining('names no dsh.bundle.patch')] }])
  })
})
