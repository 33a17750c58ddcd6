import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatScript, LONGEST_WAIT_MS, MOST_DELTAS, parseScript } from '../src/script.ts'
import type { Act, ScriptStep } from '../src/script.ts'
import { fastest } from './harness.ts'

const call = (tool: string, args = '{}'): ScriptStep => ({ waitMs: 0, act: { kind: 'call', tool, args } })
const say = (text: string): ScriptStep => ({ waitMs: 0, act: { kind: 'say', text } })

const anyText = fc.string({ minLength: 1 }).map(text => text.trim()).filter(text => text !== '' && !text.includes(';;'))
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('call' as const), tool: fc.stringMatching(/^[a-z][a-z_.-]{0,12}$/), args: fc.dictionary(fc.string(), fc.jsonValue()).map(value => JSON.stringify(value)) }),
  fc.record({ kind: fc.constant('say' as const), text: anyText }),
  fc.record({ kind: fc.constant('fail' as const), code: fc.stringMatching(/^[A-Z][A-Z0-9_]{0,12}$/) }),
  fc.record({ kind: fc.constant('flood' as const), count: fc.integer({ min: 0, max: MOST_DELTAS }) }),
)
const anyStep = fc.record({ waitMs: fc.integer({ min: 0, max: LONGEST_WAIT_MS }), act: anyAct })

describe('scripts', () => {
  it('each part is one answer: calls, then the text', () => {
    expect(parseScript('call schedule_create {"prompt":"a"} ;; call schedule_list ;; all done')).toEqual([
      call('schedule_create', '{"prompt":"a"}'), call('schedule_list'), say('all done'),
    ])
  })

  it('a wait belongs to the next answer, and waits add up', () => {
    expect(parseScript('wait 100 ;; wait 50;;say hi ;; wait 7')).toEqual([{ waitMs: 150, act: { kind: 'say', text: 'hi' } }, { waitMs: 7, act: undefined }])
    expect(parseScript('wait 999999999')).toEqual([{ waitMs: LONGEST_WAIT_MS, act: undefined }])
  })

  it('the other verbs', () => {
    expect(parseScript('fail RATE_LIMIT')).toEqual([{ waitMs: 0, act: { kind: 'fail', code: 'RATE_LIMIT' } }])
    expect(parseScript('flood 3')).toEqual([{ waitMs: 0, act: { kind: 'flood', count: 3 } }])
    expect(parseScript('flood 999999999')).toEqual([{ waitMs: 0, act: { kind: 'flood', count: MOST_DELTAS } }])
    expect(parseScript('say two\nlines')).toEqual([say('two\nlines')])
  })

  it('a separator inside JSON arguments does not split them', () => {
    const args = String.raw`{"prompt":"a ;; b \" } ;; c","list":[";;"]}`
    expect(parseScript(`call x ${args} ;; done`)).toEqual([call('x', args), say('done')])
  })

  it('broken arguments are passed on as they are', () => {
    expect(parseScript('call x {"a": ;; done')).toEqual([call('x', '{"a":'), say('done')])
    expect(parseScript('call x {"a": ;; call y {";;"}')).toEqual([call('x', '{"a":'), call('y', '{"'), say('"}')])
    expect(parseScript('call a_b not json ;; done')).toEqual([call('a_b', 'not json'), say('done')])
  })

  it.each(['', 'hello', 'call Ann', 'call mum in 5 minutes', 'fail me', 'wait a minute', 'flood', 'say', 'a ;; b', 'Say hi', `say ${'x'.repeat(10_000)}`])('"%s" is ordinary language', text => {
    expect(parseScript(text)).toBeUndefined()
  })

  it('what is written is read back as the same steps', () => {
    fc.assert(fc.property(fc.array(anyStep, { minLength: 1, maxLength: 6 }), steps => {
      const script = formatScript(steps)
      if (script.length <= 10_000) expect(parseScript(script)).toEqual(steps)
    }))
    const trailing: ScriptStep[] = [call('x_y'), { waitMs: 5, act: undefined }]
    expect(parseScript(formatScript(trailing))).toEqual(trailing)
  })

  it('X3 no text makes it throw, or take longer than 50 ms', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => { parseScript(text) }))
    expect(fastest(() => parseScript('call x {;;'.repeat(1000)))).toBeLessThan(50)
    expect(fastest(() => parseScript('call x {};;'.repeat(900)))).toBeLessThan(50)
  })
})
