import { describe, expect, it } from 'vitest'
import { compare, type Comparison } from '../../../src/cli/doctor/browser/compare.ts'
import { questionsOf, type Question } from '../../../src/cli/doctor/browser/questions.ts'
import { readReport } from '../../../src/cli/doctor/browser/report.ts'
import { LAWS, ownOffset, type OffsetOf } from '../../../src/cli/doctor/machine.ts'
import { LATER } from '../../harness.ts'
import { answerTo, type Browser } from './answers.ts'

const ask = (own: string): readonly Question[] => questionsOf(['Europe/Berlin', own], LATER)

/** What comes of the answers of a browser. */
function compared(browser: Browser = {}, offsetOf: OffsetOf = ownOffset): Comparison {
  const { zone = 'Asia/Shanghai' } = browser
  const report = readReport(answerTo(ask(zone), { ...browser, zone }), ask)
  if (report === undefined) throw new Error('not read')
  return compare(ask(zone), report, '2026a', offsetOf)
}

const ALL = LAWS.length + 2
/** An hour less in one zone from an instant on. */
const less = (name: string, from: string) => (zone: string, at: number): number => (zone === name && at >= Date.parse(from) ? -3600 : 0)

describe('a browser against this Node', () => {
  it('T14 the same data: nothing is found in any zone', () => {
    expect(compared()).toEqual({ name: 'Chrome 156', zone: 'Asia/Shanghai', compared: ALL, alike: ALL, findings: [] })
  })

  it('T14 one zone that differs from an instant on is named with the first such instant and both offsets', () => {
    expect(compared({ shift: less('Europe/Berlin', '2027-03-28T01:00:00Z') })).toMatchObject({
      compared: ALL,
      alike: ALL - 1,
      findings: [{ level: 'problem', code: 'tz_browser_differs', detail: ['Europe/Berlin', 'unknown', '2027-03-28T01:00:00Z', '2026a', '+02:00', 'Chrome 156', '+01:00'] }],
    })
  })

  it('T14 a change that the browser makes earlier is found at the first instant of a month, or on either side of ours', () => {
    const early = (zone: string, at: number): number => (zone === 'Europe/Berlin' && at > Date.parse('2027-03-01T00:00:00Z') && at < Date.parse('2027-03-28T01:00:00Z') ? 3600 : 0)
    expect(compared({ shift: early }).findings).toMatchObject([{ detail: ['Europe/Berlin', 'unknown', '2027-03-28T00:59:59.999Z', '2026a', '+01:00', 'Chrome 156', '+02:00'] }])
  })

  it('T14 who does not know a law that the other one knows is the older one', () => {
    const old: OffsetOf = (zone, at) => (zone === 'America/Coyhaique' ? -240 : ownOffset(zone, at))
    expect(compared({ shift: less('America/Asuncion', '2024-10-15T00:00:00Z') }).findings).toMatchObject([{ detail: ['America/Asuncion', 'browser', '2025-07-01T00:00:00Z', '2026a', '-03:00', 'Chrome 156', '-04:00'] }])
    expect(compared({}, old).findings).toMatchObject([{ detail: ['America/Coyhaique', 'node', '2025-07-01T00:00:00Z', '2026a', '-04:00', 'Chrome 156', '-03:00'] }])
    expect(compared({ shift: less('America/Asuncion', '2024-10-15T00:00:00Z') }, old).findings.map(({ detail }) => detail.slice(0, 2))).toEqual([['America/Asuncion', 'unknown'], ['America/Coyhaique', 'unknown']])
  })

  it('T14 a zone that the browser does not know, and one of its own that this Node does not know', () => {
    expect(compared({ without: ['America/Coyhaique'], zone: 'Mars/Olympus' })).toMatchObject({
      zone: 'Mars/Olympus',
      compared: ALL - 1,
      alike: ALL - 2,
      findings: [{ level: 'problem', code: 'zone_unknown', detail: ['Mars/Olympus', '2026a'] }, { level: 'problem', code: 'tz_browser_zone_unknown', detail: ['America/Coyhaique', 'Chrome 156'] }],
    })
  })
})
