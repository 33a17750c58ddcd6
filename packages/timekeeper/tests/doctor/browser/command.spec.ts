import { describe, expect, it } from 'vitest'
import { atRecord, HOUR, Log } from '../../../../tool-schedule/tests/events.ts'
import type { Comparison } from '../../../src/cli/doctor/browser/compare.ts'
import type { BrowserRequest } from '../../../src/cli/doctor/browser/server.ts'
import { LAWS } from '../../../src/cli/doctor/machine.ts'
import { refuse } from '../../../src/cli/refusal.ts'
import type { World } from '../../../src/cli/world.ts'
import { header, json, LATER, run } from '../../harness.ts'
import { installed, store, typed, type Diagnosis } from '../homes.ts'
import { answerTo, type Browser } from './answers.ts'

/** A world with a browser that answers, and what its page was given. */
function withBrowser(browser: Browser = {}): Partial<World> & { shown: string[]; asked: string[] } {
  const shown: string[] = []
  const asked: string[] = []
  const askBrowser = ({ questions, judge }: BrowserRequest): Promise<Comparison> => {
    const own = questions(browser.zone ?? 'Asia/Shanghai')
    asked.push(...own.map(({ zone }) => zone))
    expect(judge({})).toBeUndefined()
    const judged = judge(answerTo(own, browser))
    if (judged === undefined) throw new Error('not read')
    shown.push(...judged.lines)
    return Promise.resolve(judged.comparison)
  }
  return { askBrowser, shown, asked }
}

const shift = (zone: string, at: number): number => (zone === 'America/Asuncion' && at > Date.parse('2024-10-15T00:00:00Z') ? -3600 : 0)

describe('timekeeper doctor --browser', () => {
  it('T14 asks about the zones that the logs, the process, the browser and the laws name', async () => {
    const home = installed()
    store(home, 's-1', [header(), ...new Log().add('user/message', typed('Europe/Berlin')).add('user/message', typed('Mars/Olympus')).create(atRecord('r-1', LATER + HOUR)).plan('r-1', { zone: 'America/New_York' }).events])
    store(home, 's-2', [header({ id: 's-2' }), ...new Log().add('user/message', typed('Europe/Berlin')).add('user/message', 7).events])
    const world = withBrowser({ zone: 'Asia/Tokyo' })
    await run(['doctor', '--browser', '--home', home], { ...world, machine: { node: '24.0.0', tz: '2026a', icu: '78', zone: 'Asia/Kathmandu' } })
    expect(world.asked).toEqual(['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Asia/Tokyo', ...LAWS.map(([zone]) => zone)])
  })

  it('T14 when all are alike a line says so, in the answer and in the page, and the exit code is 0', async () => {
    const home = installed()
    const world = withBrowser()
    const { code, out, err } = await run(['doctor', '--browser', '--home', home], world)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('\n  Browser: time zone data alike in 12 zones (Chrome 156)\n')
    expect(out).toContain('No problem was found.')
    expect(world.shown).toEqual(['Browser: time zone data alike in 12 zones (Chrome 156)', 'The whole diagnosis is in the terminal. You can close this page.'])
    expect(await json<Diagnosis>(['doctor', '--browser', '--home', home], world)).toMatchObject({ browser: { name: 'Chrome 156', zone: 'Asia/Shanghai', compared: 12, alike: 12 }, findings: [], exit: 0 })
    expect(await json(['doctor', '--home', home])).not.toHaveProperty('browser')
  })

  it('T14 a zone that differs is a problem, with who is older and what to do, in the languages of terminal and page', async () => {
    const home = installed()
    const world = withBrowser({ shift, language: 'zh' })
    const { code, out } = await run(['doctor', '--browser', '--home', home], world)
    expect(code).toBe(1)
    expect(out).toContain('Browser: time zone data alike in 11 of 12 zones (Chrome 156)')
    expect(out).toContain(`! problem [tz_browser_differs]
  Local times in America/Asuncion differ, first at 2025-07-01T00:00:00Z: -03:00 by this Node (time zone data 2026a), -04:00 by the browser (Chrome 156). The data of the browser are older.
  What to do: Update the browser, and start it anew.`)
    expect(world.shown).toEqual([
      '浏览器：12 个时区中有 11 个时区的数据一致（Chrome 156）',
      'America/Asuncion 的当地时间不一致，最早在 2025-07-01T00:00:00Z：本 Node（时区数据 2026a）为 -03:00，浏览器（Chrome 156）为 -04:00。浏览器的数据较旧。',
      '该怎么做：请更新浏览器，并重新启动它。',
      '全部诊断结果在终端里。可以关闭此页面。',
    ])
  })

  it.each([
    ['en', 'node', 'The data of this Node are older.', 'Update Node; unset NODE_ICU_DATA if it is set.'],
    ['en', 'unknown', 'Which of the two is older cannot be told.', 'Update both Node and the browser'],
    ['zh', 'node', '本 Node 的数据较旧。', '请更新 Node；如果设置了 NODE_ICU_DATA，请取消。'],
    ['zh', 'unknown', '无法判断哪一方的数据较旧。', '请更新 Node 和浏览器'],
  ])('T14 in %s, when the older one is %s', async (lang, older, found, advice) => {
    const finding = { level: 'problem', code: 'tz_browser_differs', detail: ['Europe/Berlin', older, '2027-03-28T01:00:00Z', '2026a', '+02:00', 'Chrome 156', '+01:00'] } as const
    const askBrowser = (): Promise<Comparison> => Promise.resolve({ name: 'Chrome 156', zone: 'UTC', compared: 1, alike: 0, findings: [finding] })
    const { out } = await run(['doctor', '--browser', '--home', installed(), '--lang', lang], { askBrowser })
    expect(out).toContain(found)
    expect(out).toContain(advice)
  })

  it('T14 problems come before notes, and a home that does not exist is no hindrance', async () => {
    const home = installed({ patch: '- id: timekeeper-page\n  disabled: true\n' })
    const codesOf = async (path: string, browser: Browser): Promise<unknown> => (await json<Diagnosis>(['doctor', '--browser', '--home', path], withBrowser(browser))).findings.map(({ code }) => code)
    expect(await codesOf(home, { zone: 'Mars/Olympus', without: ['Africa/Cairo'] })).toEqual(['zone_unknown', 'tz_browser_zone_unknown', 'row_disabled'])
    expect(await codesOf('/no/such/home', { shift })).toEqual(['home_missing', 'tz_browser_differs'])
  })

  it('T14 the address is printed where it is not taken for the answer, once the logs have been read', async () => {
    const world = withBrowser()
    const opening: World['askBrowser'] = (request) => {
      request.opened('http://127.0.0.1:1/x/', 300_000)
      return world.askBrowser!(request)
    }
    const { out, err } = await run(['doctor', '--browser', '--json', '--home', installed()], { askBrowser: opening })
    expect(err).toBe('Open this address in the browser that is to be compared, within 5m; Ctrl-C stops: http://127.0.0.1:1/x/')
    expect(JSON.parse(out)).toMatchObject({ findings: [] })
    expect((await run(['doctor', '--browser', '--lang', 'zh', '--home', installed()], { askBrowser: opening })).err).toContain('请在 5分钟内')
  })

  it.each([
    ['browser_silent', 'No browser has answered.'],
    ['interrupted', 'Stopped before a browser has answered.'],
    ['not_served', 'No page can be served on 127.0.0.1.'],
  ] as const)('T14 without an answer (%s) it is refused, and nothing is called well', async (code, message) => {
    const askBrowser = (): ReturnType<World['askBrowser']> => Promise.resolve(refuse(code, () => 'what to do'))
    const { out, err, code: exit } = await run(['doctor', '--browser', '--home', installed()], { askBrowser })
    expect([exit, out, err]).toEqual([1, '', `timekeeper: ${message} (${code})\n  what to do`])
    expect(await json(['doctor', '--browser', '--home', installed()], { askBrowser })).toEqual({ code, message, detail: 'what to do', exit: 1 })
  })
})
