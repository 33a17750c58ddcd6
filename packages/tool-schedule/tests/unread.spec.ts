import { describe, expect, it } from 'vitest'
import { decide } from '../src/decide.ts'
import { foldNextWake, nextWake } from '../src/owed.ts'
import { act, atRecord, Log, NOW, planFact, POLICY, SECOND } from './events.ts'

const states = (log: Log): string[] => [...log.ledger.unread.values()].map(({ state }) => state)

/** A reminder that was delivered: its message waits, its dispatch is in the log. */
function deliveredLog(wake = false): Log {
  const log = new Log().create(atRecord('r-1', NOW))
  if (wake) log.result([{ ...planFact('r-1'), wake: true }])
  act(log, NOW)
  return log
}
const messageOf = (log: Log) => [...log.ledger.unread.values()][0]!.message
const take = (log: Log): Log => log.add('turn/start', { turn: 1 }).add('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] })
const end = (log: Log, kind: string): Log => log.add('turn/end', { turn: 1, reason: { kind } })

describe('a dispatch whose message is not in the conversation yet', () => {
  it('S30 is followed from the inbox through the turn into the conversation', () => {
    const log = deliveredLog()
    const message = messageOf(log)
    expect(states(log)).toEqual(['waiting'])
    expect(states(take(log))).toEqual(['taken'])
    log.add('user/message', message)
    expect(states(log)).toEqual([])
    expect(decide(log.ledger, NOW + SECOND, POLICY)).toEqual({ kind: 'rest' })
  })

  it.each(['interrupted', 'aborted'])('S30 is queued once more, as it was, when its turn was %s before anybody could read it', (kind) => {
    const log = deliveredLog()
    const message = messageOf(log)
    end(take(log), kind)
    expect(decide(log.ledger, NOW + SECOND, POLICY)).toMatchObject({ kind: 'act', again: [{ message: { id: message.id } }], deliver: [] })
    expect(act(log, NOW + SECOND)).not.toBe(false)
    expect(states(log)).toEqual(['waiting'])
    expect(log.ledger.outcomes).toHaveLength(1)
  })

  it.each(['completed', 'blocked', 'error'])('S28 is not sent again after a turn that was %s: it would come to the same, without end', (kind) => {
    const log = end(take(deliveredLog()), kind)
    expect(states(log)).toEqual([])
  })

  it('S30 is queued once more when the host dropped it with its agent', () => {
    const log = deliveredLog()
    log.cancel()
    expect(states(log)).toEqual(['lost'])
    expect(decide(log.ledger, NOW + SECOND, POLICY)).toMatchObject({ kind: 'act', again: [{}] })
  })

  it('S30 is woken when it waits in an agent that nobody has woken since it was opened, and only then', () => {
    const log = deliveredLog()
    expect(decide(log.ledger, NOW + SECOND, POLICY, () => false)).toMatchObject({ kind: 'act', stranded: [{ state: 'waiting' }] })
    expect(decide(log.ledger, NOW + SECOND, POLICY, () => true)).toEqual({ kind: 'rest' })
  })

  it('T9 S30 still asks for its session where it may open it, until it was read', () => {
    const log = deliveredLog(true)
    expect(nextWake(log.ledger, POLICY)).toBe(NOW)
    const message = messageOf(log)
    log.cancel().queue(message)
    expect(foldNextWake(log.events, {} as never, POLICY)).toBe(NOW)
    take(log).add('user/message', message)
    expect(nextWake(log.ledger, POLICY)).toBeUndefined()
    expect(nextWake(deliveredLog().ledger, POLICY)).toBeUndefined()
  })

  it('S30 a turn that ends while another message waits leaves that one alone', () => {
    const log = end(deliveredLog().add('turn/start', { turn: 1 }), 'interrupted')
    expect(states(log)).toEqual(['waiting'])
  })
})
