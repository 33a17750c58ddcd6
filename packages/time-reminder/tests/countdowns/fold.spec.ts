import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BATCH_LIMIT, decideCountdowns } from '../../src/countdowns/decide.ts'
import { CountdownFold, FIRED_KEPT, foldOwed, owedAt } from '../../src/countdowns/fold.ts'
import { COUNTDOWN_CALLS, countdownChangeOf, countdownMeta, countdownSetMarks, countdownSetOf, firedMarks } from '../../src/countdowns/protocol.ts'
import { HandLog } from '../events.ts'

const T = Date.parse('2026-10-08T04:00:00.000Z')
const iso = (at: number): string => new Date(at).toISOString()

/** A log with calls and notices of countdowns. */
class CountdownLog extends HandLog {
  #calls = 0

  call(time: number, value: Record<string, unknown>, failure = {}): void {
    const callId = `call-${++this.#calls}`
    this.add(time, 'tool/call', { turn: 1, step: 1, callId, name: 'time_countdown', arguments: '{}' })
    const block = { type: 'tool-result', toolCallId: callId, content: [], ...failure }
    this.add(time + 5, 'tool/result', { turn: 1, step: 1, message: { content: [block] }, meta: countdownMeta(value) }, { surfaceOp: 'append' })
  }

  start(time: number, name: string, dueAt: number, more: Record<string, unknown> = {}): void {
    this.call(time, { set: true, action: 'start', name, dueAt: iso(dueAt), onFire: 'wake', ...more })
  }

  splice(time: number, data: Record<string, unknown>): void {
    this.add(time, 'agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [], ...data })
  }

  notice(time: number, id: string, ...marks: readonly (readonly [string, number])[]): void {
    this.splice(time, { inserted: [message(id, marks)] })
  }

  read(time: number, id: string, ...marks: readonly (readonly [string, number])[]): void {
    this.add(time, 'user/message', message(id, marks), { surfaceOp: 'append' })
  }

  end(time: number, kind: string): void {
    this.add(time, 'turn/end', { turn: 1, reason: { kind } })
  }

  get fold(): CountdownFold {
    const fold = new CountdownFold()
    for (const event of this.events) fold.apply(event)
    return fold
  }
}

function message(id: string, marks: readonly (readonly [string, number])[]): Record<string, unknown> {
  return { id, source: { kind: 'dsh-time-reminder', form: 'notice', countdown: marks.map(([name, dueAt]) => ({ name, dueAt: iso(dueAt) })) } }
}

const pending = (fold: CountdownFold): string[] => [...fold.pending.keys()]
const fired = (fold: CountdownFold): string[] => fold.fired.map(({ name, notice }) => `${name}:${notice}`)

describe('the change that a value states', () => {
  it('R26 has the instant of the value and no other', () => {
    const value = { set: true, action: 'start', name: 'tea', due: 'soon', dueAt: iso(T), onFire: 'inject', note: 'x' }
    const [fact] = COUNTDOWN_CALLS.facts(value)
    expect(fact).toEqual({ fact: 'countdown', action: 'start', name: 'tea', dueAt: iso(T), onFire: 'inject', note: 'x' })
    expect(countdownChangeOf(fact)).toEqual({ action: 'start', name: 'tea', dueAt: T, onFire: 'inject', note: 'x' })
    expect(COUNTDOWN_CALLS.facts({ set: true, action: 'cancel', name: 'tea' })).toEqual([{ fact: 'countdown', action: 'cancel', name: 'tea' }])
  })

  it.each([
    [{ action: 'start', name: 'a', dueAt: iso(T), onFire: 'wake' }],
    [{ set: true, action: 'list', name: 'a', dueAt: iso(T), onFire: 'wake' }],
    [{ set: true, action: 'start', name: '', dueAt: iso(T), onFire: 'wake' }],
    [{ set: true, action: 'start', name: 7, dueAt: iso(T), onFire: 'wake' }],
    [{ set: true, action: 'start', name: 'a', dueAt: '2026-10-08T04:00:00Z', onFire: 'wake' }],
    [{ set: true, action: 'start', name: 'a', dueAt: T, onFire: 'wake' }],
    [{ set: true, action: 'start', name: 'a', dueAt: iso(T), onFire: 'shout' }],
    [{ set: true, action: 'snooze', name: 'a', dueAt: iso(T), onFire: 'wake', note: 7 }],
    [undefined],
  ])('R11 %j states none', (value) => {
    expect(COUNTDOWN_CALLS.facts(value)).toEqual([])
  })

  it('R15 marks are read from notices of ours only, and unreadable ones count for nothing', () => {
    const marks = [{ name: 'a', dueAt: iso(T) }, { name: 7, dueAt: iso(T) }, { name: 'b', dueAt: 'soon' }, null]
    const source = { kind: 'dsh-time-reminder', form: 'notice', countdown: marks }
    expect(firedMarks(source)).toEqual([{ name: 'a', dueAt: T }])
    expect(firedMarks({ ...source, kind: 'plugin:dsh-time-reminder' })).toHaveLength(1)
    for (const other of [{ ...source, kind: 'other' }, { ...source, form: 'relay' }, { ...source, countdown: 'a' }]) expect(firedMarks(other)).toEqual([])
    expect(countdownChangeOf({ fact: 'mode', action: 'cancel', name: 'a' })).toBeUndefined()
  })
})

describe('the fold', () => {
  it('R11 R12 only what succeeded sets, moves and takes back', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    log.call(T, { set: true, action: 'cancel', name: 'tea' }, { isError: true })
    log.call(T, { code: 'bad-time', message: 'x' })
    expect([...log.fold.pending.values()]).toEqual([{ name: 'tea', dueAt: T + 100, onFire: 'wake', note: undefined, setAt: T }])
    log.call(T + 20, { set: true, action: 'snooze', name: 'tea', dueAt: iso(T + 500), onFire: 'inject', note: 'x' })
    expect([...log.fold.pending.values()]).toEqual([{ name: 'tea', dueAt: T + 500, onFire: 'inject', note: 'x', setAt: T + 20 }])
    log.call(T + 30, { set: true, action: 'cancel', name: 'tea' })
    expect(pending(log.fold)).toEqual([])
    log.add(T, 'tool/call', { callId: 'odd', name: 'time_countdown' })
    log.add(T, 'tool/result', { message: { content: [{ toolCallId: 'odd' }] }, meta: { timekeeper: { v: 1, facts: [{ fact: 'mode' }] } } })
    log.add(T, 'tool/result', { message: { content: [{ toolCallId: 'unknown' }] }, meta: countdownMeta({ set: true, action: 'start', name: 'b', dueAt: iso(T), onFire: 'wake' }) })
    expect(pending(log.fold)).toEqual([])
  })

  it('R11 a call inside code is read from its text', () => {
    const log = new CountdownLog()
    const settle = (subCallId: string, text: string, isError = false): void => {
      log.add(T, 'tool/code-dispatch-start', { subCallId, name: 'time_countdown' })
      log.add(T + 5, 'tool/code-dispatch', { subCallId, name: 'time_countdown', isError, content: [{ type: 'image' }, { type: 'text', text }] })
    }
    const value = JSON.stringify({ set: true, action: 'start', name: 'tea', dueAt: iso(T + 100), onFire: 'wake' })
    settle('a', value.replace('tea', 'no'), true)
    settle('b', value.slice(0, 20))
    settle('c', value)
    expect(pending(log.fold)).toEqual(['tea'])
  })

  it('R13 R15 a notice marks its countdown fired from the moment it is queued, and the record stays', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    log.notice(T + 101, 'm', ['tea', T + 100])
    expect(pending(log.fold)).toEqual([])
    expect(log.fold.fired).toMatchObject([{ name: 'tea', dueAt: T + 100, firedAt: T + 101, messageId: 'm', notice: 'waiting' }])
    expect(owedAt(log.fold)).toBe(T + 100)
    log.splice(T + 102, { removedCount: 1 })
    expect(fired(log.fold)).toEqual(['tea:taken'])
    log.read(T + 103, 'm', ['tea', T + 100])
    expect(fired(log.fold)).toEqual(['tea:read'])
    expect(owedAt(log.fold)).toBeUndefined()
  })

  it('R15 a notice proves nothing about a countdown that was set anew, and one without an insertion is enough', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    log.start(T, 'tea', T + 200)
    log.notice(T + 101, 'm', ['tea', T + 100])
    expect(pending(log.fold)).toEqual(['tea'])
    log.read(T + 201, 'n', ['tea', T + 200])
    expect(fired(log.fold)).toEqual(['tea:read'])
  })

  it('R15 a notice that is dropped unread is owed again', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    log.start(T, 'egg', T + 100)
    log.notice(T + 101, 'm', ['tea', T + 100], ['egg', T + 100])
    log.start(T + 150, 'egg', T + 900)
    log.splice(T + 160, { removedCount: 1, outcome: 'canceled' })
    expect([...log.fold.pending.values()].map(({ name, dueAt }) => [name, dueAt])).toEqual([['egg', T + 900], ['tea', T + 100]])
    expect(fired(log.fold)).toEqual([])
    log.notice(T + 170, 'n', ['tea', T + 100])
    expect(fired(log.fold)).toEqual(['tea:waiting'])
  })

  it.each([
    ['aborted', ['tea'], []],
    ['interrupted', ['tea'], []],
    ['error', [], ['tea:read']],
    ['blocked', [], ['tea:read']],
    ['completed', [], ['tea:read']],
  ])('R19 a turn that ended %s before it showed a notice leaves %j pending', (reason, left, shown) => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    log.notice(T + 101, 'm', ['tea', T + 100])
    log.splice(T + 102, { removedCount: 1 })
    log.end(T + 103, reason)
    expect(pending(log.fold)).toEqual(left)
    expect(fired(log.fold)).toEqual(shown)
  })

  it('R19 a turn that is broken off after it showed a notice gives nothing back', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    log.notice(T + 101, 'm', ['tea', T + 100])
    log.splice(T + 102, { removedCount: 1 })
    log.read(T + 103, 'm')
    log.end(T + 104, 'aborted')
    expect(fired(log.fold)).toEqual(['tea:read'])
  })

  it('R12 R13 snoozing takes the mark of the last firing away, and cancelling the record', () => {
    const log = new CountdownLog()
    for (const at of [T + 100, T + 200]) {
      log.start(at - 100, 'tea', at)
      log.read(at, `m${at}`, ['tea', at])
    }
    expect(log.fold.fired.map(({ dueAt }) => dueAt)).toEqual([T + 100, T + 200])
    log.call(T + 300, { set: true, action: 'snooze', name: 'tea', dueAt: iso(T + 400), onFire: 'wake' })
    expect(log.fold.fired.map(({ dueAt }) => dueAt)).toEqual([T + 100])
    expect(pending(log.fold)).toEqual(['tea'])
    log.call(T + 310, { set: true, action: 'cancel', name: 'tea' })
    log.call(T + 320, { set: true, action: 'cancel', name: 'tea' })
    log.call(T + 330, { set: true, action: 'cancel', name: 'tea' })
    expect(log.fold.fired).toEqual([])
  })

  it('R13 remembers the last fired ones, and every one that was not read', () => {
    const log = new CountdownLog()
    log.start(T, 'unread', T + 1)
    log.notice(T + 1, 'u', ['unread', T + 1])
    for (let n = 2; n < FIRED_KEPT + 10; n += 1) {
      log.start(T, `c${n}`, T + n)
      log.read(T + n, `m${n}`, [`c${n}`, T + n])
    }
    const { fold } = log
    expect(fold.fired).toHaveLength(FIRED_KEPT)
    expect(fold.fired[0]?.name).toBe('unread')
    expect(fold.fired.at(-1)?.name).toBe(`c${FIRED_KEPT + 9}`)
  })

  it('R14 R17 one that does not wake is never a reason to bring a session back', () => {
    const log = new CountdownLog()
    log.start(T, 'quiet', T + 50, { onFire: 'inject' })
    expect(owedAt(log.fold)).toBeUndefined()
    log.start(T, 'loud', T + 100)
    log.notice(T + 51, 'm', ['quiet', T + 50])
    expect(owedAt(log.fold)).toBe(T + 100)
    expect(fired(log.fold)).toEqual(['quiet:waiting'])
  })

  it('R17 S5 what a fork has inherited is not owed', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    const header = (seedLength?: number): never => ({ id: 's', ...(seedLength !== undefined && { seedLength }) }) as never
    expect(foldOwed(log.events, header())).toBe(T + 100)
    expect(foldOwed(log.events, header(log.events.length))).toBeUndefined()
  })

  it('R26 the same log gives the same countdowns in every zone and at every time', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    const zone = process.env['TZ']
    const before = log.fold
    process.env['TZ'] = 'Pacific/Apia'
    expect(log.fold.pending).toEqual(before.pending)
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
})

describe('what is to be done', () => {
  const fold = (): CountdownFold => {
    const log = new CountdownLog()
    log.start(T, 'late', T + 300)
    log.start(T, 'soon', T + 100)
    log.start(T, 'quiet', T + 200, { onFire: 'inject' })
    return log.fold
  }
  const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name)

  it('R14 nothing before its instant, everything from it on, the earliest first', () => {
    expect(decideCountdowns(fold(), T + 99, () => true)).toEqual({ wake: [], inject: [], stranded: [], nextAt: T + 100 })
    const due = decideCountdowns(fold(), T + 300, () => true)
    expect([names(due.wake), names(due.inject), due.nextAt]).toEqual([['soon', 'late'], ['quiet'], undefined])
    expect(decideCountdowns(fold(), T + 100, () => true).nextAt).toBe(T + 200)
  })

  it('B42 B53 many that are over together are one message of bounded length', () => {
    const log = new CountdownLog()
    for (let n = 0; n < 30; n += 1) log.start(T, `c${n}`, T + n)
    expect(decideCountdowns(log.fold, T + 100, () => true).wake).toHaveLength(BATCH_LIMIT)
  })

  it('R15 a notice that another process left in the inbox is stranded, one of this process is not', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 100)
    log.start(T, 'quiet', T + 100, { onFire: 'inject' })
    log.notice(T + 101, 'm', ['tea', T + 100])
    log.notice(T + 101, 'q', ['quiet', T + 100])
    expect(names(decideCountdowns(log.fold, T + 200, () => false).stranded)).toEqual(['tea'])
    expect(decideCountdowns(log.fold, T + 200, () => true).stranded).toEqual([])
  })

  it('S25 nothing is ever due before its instant', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 30 }), fc.integer({ min: 0, max: 1000 }), (dues, now) => {
        const log = new CountdownLog()
        dues.forEach((due, n) => log.start(T, `c${n}`, T + due))
        const { wake, nextAt } = decideCountdowns(log.fold, T + now, () => true)
        return wake.every(({ dueAt }) => dueAt <= T + now) && (nextAt ?? Infinity) > T + now
      }),
    )
  })
})

describe('what a person set', () => {
  const tea = { set: true, action: 'start', name: 'tea', dueAt: iso(T + 60_000), onFire: 'wake' }
  const source = (value: Record<string, unknown>): Record<string, unknown> => ({ kind: 'dsh-time-reminder', form: 'notice', ...countdownSetMarks(value) })

  it('T10 R15 rides on a notice of ours as the fact of the tool, and proves no firing', () => {
    expect(countdownSetOf(source(tea))).toEqual({ action: 'start', name: 'tea', dueAt: T + 60_000, onFire: 'wake' })
    expect(countdownMeta(tea)).toEqual({ timekeeper: { v: 1, facts: [source(tea)['countdownSet']] } })
    expect(firedMarks(source(tea))).toEqual([])
  })

  it.each([
    ['another kind', { ...source(tea), kind: 'user' }],
    ['no notice', { ...source(tea), form: 'relay' }],
    ['an unreadable fact', { ...source(tea), countdownSet: { fact: 'countdown', action: 'start', name: 'tea', dueAt: 'soon', onFire: 'wake' } }],
    ['another fact', { ...source(tea), countdownSet: { fact: 'mode', mode: 'off' } }],
    ['no mark', { kind: 'dsh-time-reminder', form: 'notice' }],
    ['nothing', undefined],
  ])('T10 %s sets none', (_what, given) => {
    expect(countdownSetOf(given)).toBeUndefined()
  })

  it('T10 R13 counts from when it is queued, once: read later, it brings back nothing that has changed since', () => {
    const log = new CountdownLog()
    log.splice(T, { target: 'next-step', inserted: [{ id: 'm', source: source(tea) }] })
    expect([pending(log.fold), log.fold.pending.get('tea')?.setAt, owedAt(log.fold), log.fold.changes]).toEqual([['tea'], T, T + 60_000, 1])
    log.call(T + 1, { set: true, action: 'cancel', name: 'tea' })
    log.splice(T + 10, { target: 'next-step', removedCount: 1 })
    log.add(T + 10, 'user/message', { id: 'm', source: source(tea) }, { surfaceOp: 'append' })
    expect(pending(log.fold)).toEqual([])
  })

  it('T10 R13 counts also when it was dropped, and when it entered the conversation without waiting', () => {
    const dropped = new CountdownLog()
    dropped.splice(T, { target: 'next-step', inserted: [{ id: 'm', source: source(tea) }] })
    dropped.splice(T + 1, { target: 'next-step', removedCount: 1, outcome: 'canceled' })
    expect(pending(dropped.fold)).toEqual(['tea'])
    const entered = new CountdownLog()
    entered.add(T, 'user/message', { id: 'm', source: source(tea) }, { surfaceOp: 'append' })
    expect(pending(entered.fold)).toEqual(['tea'])
  })

  it('T10 R13 snoozes and cancels what has fired, as the tool does', () => {
    const log = new CountdownLog()
    log.start(T, 'tea', T + 10)
    log.notice(T + 10, 'n', ['tea', T + 10])
    log.splice(T + 20, { target: 'next-step', inserted: [{ id: 'm', source: source({ ...tea, action: 'snooze' }) }] })
    expect([pending(log.fold), fired(log.fold)]).toEqual([['tea'], []])
    log.splice(T + 30, { target: 'next-step', start: 1, inserted: [{ id: 'k', source: source({ set: true, action: 'cancel', name: 'tea' }) }] })
    expect([pending(log.fold), fired(log.fold)]).toEqual([[], []])
  })
})
