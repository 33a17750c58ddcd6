import { describe, expect, it, vi } from 'vitest'
import { PersonFold } from '../../src/people/person-fold.ts'
import type { SessionEvent } from '../harness.ts'

const event = (type: string, seq: number, data: unknown): SessionEvent => ({ type, seq, time: 0, data }) as unknown as SessionEvent
const said = (seq: number, content: readonly object[], source: object): SessionEvent => event('user/message', seq, { id: 'm', role: 'user', content, source })

describe('what the log says about the person', () => {
  it('S17 T10 zone and language are those of the newest message of a person; pictures and other senders say nothing', () => {
    const person = new PersonFold()
    person.apply(said(0, [{ type: 'image' }, { type: 'text', text: '你好' }], { kind: 'user', clientTimeZone: 'Asia/Shanghai' }))
    expect([person.zone, person.language, person.revision]).toEqual(['Asia/Shanghai', 'zh', 1])
    person.apply(said(1, [{ type: 'text', text: 'hello' }], { kind: 'dsh-tool-schedule', clientTimeZone: 'UTC' }))
    expect([person.zone, person.language, person.revision]).toEqual(['Asia/Shanghai', 'zh', 1])
    person.apply(said(2, [{ type: 'text', text: 'hello' }], { kind: 'user' }))
    expect([person.zone, person.language, person.revision]).toEqual([undefined, 'en', 3])
  })

  it('T11 the revision moves with what concerns reminders, and with nothing else', () => {
    const changed = vi.fn<() => void>()
    const person = new PersonFold(changed)
    const ours = { kind: 'dsh-tool-schedule' }
    const value = JSON.stringify({ set: true, id: 'r-1', kind: 'after' })
    const events: readonly (readonly [string, unknown, boolean])[] = [
      ['turn/start', { turn: 1 }, false],
      ['schedule/change', { version: 1 }, true],
      ['agent/inbox/spliced', { target: 'next-step', start: 0, inserted: [{ source: ours }] }, true],
      ['agent/inbox/spliced', { target: 'next-step', start: 0, inserted: [{ source: { kind: 'user' } }] }, false],
      ['tool/result', { meta: {} }, false],
      ['tool/result', { meta: { timekeeper: { v: 1, facts: [{ fact: 'plan', id: 'r-1', setBy: 'model' }] } } }, true],
      ['tool/code-dispatch', { name: 'schedule_create', content: [{ type: 'text', text: value }] }, true],
      ['tool/code-dispatch', { name: 'bash', content: [{ type: 'text', text: value }] }, false],
    ]
    for (const [seq, [type, data, counts]] of events.entries()) {
      const before = person.revision
      person.apply(event(type, seq, data))
      expect([type, person.revision]).toEqual([type, counts ? seq + 1 : before])
    }
    expect(changed).toHaveBeenCalledTimes(4)
  })
})
