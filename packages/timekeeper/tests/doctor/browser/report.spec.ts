import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { questionsOf, type Question } from '../../../src/cli/doctor/browser/questions.ts'
import { readReport, type BrowserReport } from '../../../src/cli/doctor/browser/report.ts'
import { LATER } from '../../harness.ts'
import { AGENT, answerTo } from './answers.ts'

const ask = (own: string): readonly Question[] => questionsOf([own], LATER)
const QUESTIONS = ask('Asia/Shanghai')
const GOOD = answerTo(QUESTIONS)
const read = (more: object): BrowserReport | undefined => readReport({ ...GOOD, ...more }, ask)

/** The answers with another first one. */
const first = (answer: unknown): object => ({ offsets: [answer, ...GOOD.offsets.slice(1)] })
const [shanghai] = GOOD.offsets as readonly number[][]

describe('what a page sends', () => {
  it('T14 an answer to what was asked: offsets in minutes by zone and instant', () => {
    const report = readReport(GOOD, ask)
    expect(report).toMatchObject({ name: 'Chrome 156', zone: 'Asia/Shanghai', language: 'en' })
    expect([...(report?.offsets.keys() ?? [])]).toEqual(QUESTIONS.map(({ zone }) => zone))
    expect(report?.offsets.get(QUESTIONS[0]!.zone)?.get(QUESTIONS[0]!.instants[0]!)).toBe(480)
    expect(read(first(null))?.offsets.has(QUESTIONS[0]!.zone)).toBe(false)
  })

  it.each([
    ['no object', 'x'],
    ['null', null],
    ['a list', []],
    ['nothing in it', {}],
    ['a member more', { ...GOOD, more: 1 }],
    ['a member less', { zone: GOOD.zone, agent: GOOD.agent, offsets: GOOD.offsets }],
    ['a zone that is no text', { ...GOOD, zone: 7 }],
    ['a zone of any length', { ...GOOD, zone: 'x'.repeat(65) }],
    ['another zone than the questions are for', { ...GOOD, zone: 'Europe/Berlin', offsets: GOOD.offsets.slice(1) }],
    ['an agent that is no text', { ...GOOD, agent: null }],
    ['an agent of any length', { ...GOOD, agent: 'x'.repeat(401) }],
    ['another language', { ...GOOD, language: 'de' }],
    ['offsets that are no list', { ...GOOD, offsets: { length: GOOD.offsets.length } }],
    ['a zone less', { ...GOOD, offsets: GOOD.offsets.slice(1) }],
    ['a zone more', { ...GOOD, offsets: [...GOOD.offsets, null] }],
    ['a zone that is a text', { ...GOOD, ...first('x'.repeat(49)) }],
    ['an instant less', { ...GOOD, ...first(shanghai!.slice(1)) }],
    ['a fraction', { ...GOOD, ...first(shanghai!.with(3, 0.5)) }],
    ['a text for a number', { ...GOOD, ...first([...shanghai!.slice(1), '28800']) }],
    ['a day', { ...GOOD, ...first(shanghai!.with(3, 86_400)) }],
  ])('T14 X5 %s is no answer', (_, body) => {
    expect(readReport(body, ask)).toBeUndefined()
  })

  it('X3 T14 whatever is sent, it is read or not, and nothing is thrown', () => {
    fc.assert(fc.property(fc.anything(), (value) => readReport(value, ask) === undefined))
    fc.assert(
      fc.property(fc.constantFrom('zone', 'agent', 'language', 'offsets'), fc.oneof(fc.string(), fc.jsonValue()), (member, value) => {
        const { zone = '' } = read({ [member]: value }) ?? {}
        expect(zone.length).toBeLessThanOrEqual(64)
      }),
    )
  })

  it('X4 T14 the name of its zone is one plain line', () => {
    const zone = '\u001b[2J\u202ePerth\n'
    expect(readReport({ ...GOOD, zone, offsets: answerTo(ask(zone)).offsets }, ask)?.zone).toBe('[2JPerth')
  })

  it.each([
    [AGENT, 'Chrome 156'],
    [AGENT.replace('Chrome', 'HeadlessChrome'), 'Chrome 156'],
    [`${AGENT} Edg/156.0.0.0`, 'Edge 156'],
    [`${AGENT} OPR/140.0.0.0`, 'Opera 140'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0', 'Firefox 151'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.3 Safari/605.1.15', 'Safari 20'],
    ['Lynx/2.9', 'Lynx/2.9'],
    [`evil\u001b[31m\n${'x'.repeat(300)}`, `evil [31m ${'x'.repeat(49)}…`],
    ['\u202e\n', '?'],
    ['', '?'],
  ])('T14 X4 a browser that says %j is called %s', (agent, name) => {
    expect(read({ agent })?.name).toBe(name)
  })
})
