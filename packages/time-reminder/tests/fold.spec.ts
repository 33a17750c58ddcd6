import { describe, expect, it } from 'vitest'
import { ClockFold } from '../src/fold.ts'
import { modeMeta } from '../src/protocol.ts'
import { HandLog } from './events.ts'
import type { SessionEvent } from './harness.ts'

function fold(events: readonly SessionEvent[], ownStart = 0): ClockFold {
  const state = new ClockFold(ownStart)
  for (const event of events) state.apply(event)
  return state
}

const said = ({ mode, cron }: ClockFold): unknown => [mode, cron?.text]
const meta = (mode: string, cron?: string): unknown => modeMeta({ set: true, mode, ...(cron !== undefined && { cron }) })
const wish = (id: string, mode: string, cron?: string): Record<string, unknown> => ({
  id,
  role: 'user',
  content: [],
  source: { kind: 'dsh-time-reminder', form: 'notice', summary: 's', mode, ...(cron !== undefined && { cron }) },
})

describe('the mode of a session', () => {
  it('R1 R25 is open while nobody has switched it', () => {
    expect(said(fold([]))).toEqual([undefined, undefined])
  })

  it('R1 R2 is that of the last call that succeeded, and a plan stays until another one is given', () => {
    const log = new HandLog()
    log.result(1, meta('cron', '0 9 * * *'))
    log.result(2, meta('turn'))
    expect(said(fold(log.events))).toEqual(['turn', '0 9 * * *'])
  })

  it.each([
    ['its result is an error', { isError: true }],
    ['the host records a failure', { error: { name: 'ToolBlocked', code: 'BLOCKED' } }],
  ])('R11 a call does not count when %s, also when it carries a change', (_why, failure) => {
    const log = new HandLog()
    log.result(1, meta('fine'), failure)
    expect(said(fold(log.events))).toEqual([undefined, undefined])
  })

  it('R11 results of other tools change nothing', () => {
    const log = new HandLog()
    log.result(1)
    log.result(2, { lines: 3 })
    expect(said(fold(log.events))).toEqual([undefined, undefined])
  })

  it('R11 a result that is shortened later is not a second call', () => {
    const log = new HandLog()
    const first = log.result(1, meta('fine'))
    log.result(2, meta('off'))
    log.result(3, meta('fine'), {}, { surfaceOp: { op: 'replace', start: first.seq, end: first.seq }, sourceEventSeqs: [first.seq] })
    expect(said(fold(log.events))).toEqual(['off', undefined])
  })

  it.each([
    ['counts by the JSON of its result', { content: [{ type: 'text', text: '{"set":true,' }, { type: 'image' }, { type: 'text', text: '"mode":"fine"}' }] }, 'fine'],
    ['does not count when it failed', { isError: true }, undefined],
    ['does not count when it is of another tool', { name: 'other' }, undefined],
    ['does not count when its result is no JSON', { content: [{ type: 'text', text: 'fine' }] }, undefined],
    ['does not count when it was refused', { content: [{ type: 'text', text: '{"code":"bad-mode","mode":"fine"}' }] }, undefined],
  ])('R11 R25 a call inside code mode %s', (_what, more, mode) => {
    const log = new HandLog()
    log.add(1, 'tool/code-dispatch', { name: 'time_mode', isError: false, content: [{ type: 'text', text: '{"set":true,"mode":"fine"}' }], ...more })
    expect(said(fold(log.events))).toEqual([mode, undefined])
  })

  it('R23 what a person switches counts like a call from the moment it is queued', () => {
    const log = new HandLog()
    log.result(1, meta('fine'))
    log.queued(2, [wish('w', 'cron', '0 9 * * *'), { id: 'p', role: 'user', content: [], source: { kind: 'user' } }])
    expect(said(fold(log.events))).toEqual(['cron', '0 9 * * *'])
  })

  it('R23 a switch that enters after a newer call does not count a second time', () => {
    const log = new HandLog()
    log.queued(1, [wish('w', 'off')])
    log.result(2, meta('turn'))
    log.add(3, 'user/message', wish('w', 'off'), { surfaceOp: 'append' })
    expect(said(fold(log.events))).toEqual(['turn', undefined])
  })

  it('R23 a switch whose queueing is not in the log counts when it enters', () => {
    const log = new HandLog()
    log.add(1, 'user/message', wish('w', 'off'), { surfaceOp: 'append' })
    expect(said(fold(log.events))).toEqual(['off', undefined])
  })

  it('R26 depends on nothing but the log: folding twice gives the same', () => {
    const log = new HandLog()
    log.reading(1)
    log.result(2, meta('cron', '5 4 * * *'))
    expect(JSON.stringify(fold(log.events))).toBe(JSON.stringify(fold(log.events)))
  })
})

describe('what counts as a reading', () => {
  it.each([
    ['a change of the mode', { kind: 'dsh-time-reminder', form: 'notice', mode: 'off' }],
    ['a countdown that fired', { kind: 'dsh-time-reminder', form: 'notice', countdown: { name: 'tea' } }],
    ['a relay of a counter', { kind: 'dsh-time-reminder', form: 'relay', senderSessionId: 's' }],
    ['the clock of the host', { kind: 'plugin', plugin: 'time-context', form: 'snapshot' }],
    ['a reminder', { kind: 'dsh-tool-schedule', form: 'notice' }],
  ])('R7 not %s', (_what, source) => {
    const log = new HandLog()
    log.reading(1)
    log.message(2, source)
    const state = fold(log.events)
    expect([state.readings.before(9), state.messages.before(9)]).toEqual([1, 2])
  })

  it('R3 every message that the model sees is a baseline; what people and the model said are told apart', () => {
    const log = new HandLog()
    log.person(1)
    log.model(2)
    log.result(3)
    log.add(4, 'turn/end', { turn: 1 })
    const { messages, model, person, readings } = fold(log.events)
    expect([person.before(9), model.before(9), messages.before(9), readings.before(9)]).toEqual([1, 2, 3, undefined])
  })

  it('R3 a summary and a shortened result are no new messages', () => {
    const log = new HandLog()
    log.person(1)
    const result = log.result(2)
    log.result(50, undefined, {}, { surfaceOp: { op: 'replace', start: 1, end: 1 }, sourceEventSeqs: [result.seq] })
    log.message(60, { kind: 'plugin', plugin: 'compact' }, { surfaceOp: { op: 'replace', start: 0, end: 1 }, sourceEventSeqs: [0, 1] })
    expect(fold(log.events).messages.before(99)).toBe(2)
  })
})

describe('what makes the model forget', () => {
  it('B70 a resume, until something is read again', () => {
    const log = new HandLog()
    log.reading(1)
    log.add(2, 'session/end-seed', {})
    expect(fold(log.events).isResumed).toBe(true)
    log.reading(3)
    expect(fold(log.events).isResumed).toBe(false)
  })

  it('R3 not a fork: the mark that ends its inherited history is no resume, a later one is', () => {
    const log = new HandLog()
    log.reading(1)
    log.add(2, 'session/end-seed', {})
    expect(fold(log.events, 1).isResumed).toBe(false)
    log.person(3)
    log.add(4, 'session/end-seed', {})
    expect(fold(log.events, 1).isResumed).toBe(true)
  })

  it('R3 a compaction that took the newest reading along, and no other one', () => {
    const log = new HandLog()
    const old = log.reading(1)
    const replace = (seqs: readonly number[]): unknown => log.message(9, { kind: 'plugin', plugin: 'compact' }, { surfaceOp: { op: 'replace', start: 0, end: 1 }, sourceEventSeqs: seqs })
    const newest = log.reading(2)
    replace([old.seq])
    expect(fold(log.events).isCompacted).toBe(false)
    replace([old.seq, newest.seq])
    expect(fold(log.events).isCompacted).toBe(true)
    log.reading(3)
    expect(fold(log.events).isCompacted).toBe(false)
  })

  it('a compaction before the first reading is nothing', () => {
    const log = new HandLog()
    log.message(1, { kind: 'plugin', plugin: 'compact' }, { surfaceOp: { op: 'replace', start: 0, end: 1 } })
    expect(fold(log.events).isCompacted).toBe(false)
    log.reading(2)
    log.message(3, { kind: 'plugin', plugin: 'compact' }, { surfaceOp: { op: 'replace', start: 0, end: 1 } })
    expect(fold(log.events).isCompacted).toBe(false)
  })
})

describe('whether the model waits to go on', () => {
  it('R6 it does after the result of a tool, and not after its own words or a message', () => {
    const log = new HandLog()
    const seen = ['result', 'model', 'result', 'person'].map((kind) => {
      log[kind as 'result'](1)
      return fold(log.events).isMidTurn
    })
    expect(seen).toEqual([true, false, true, false])
  })
})
