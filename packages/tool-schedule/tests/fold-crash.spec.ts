import { createAlarmClock } from 'dsh-session-host'
import { formatInstant } from 'dsh-time-core'
import { describe, expect, it } from 'vitest'
import type { UserMessage } from '@deepseek-ai/dsh-llm'
import type { DeliveryFact, MissedFact } from '../src/facts.ts'
import { makeOwner, type OwnerPort } from '../src/owner.ts'
import { act, atRecord, everyRecord, fail, HOUR, id, Log, MINUTE, NOW, ourMessage, POLICY, SECOND, typedMessage } from './events.ts'

const delivery = (name: string, more: Partial<DeliveryFact> = {}): DeliveryFact =>
  ({ fact: 'delivery', id: id(name), occurrenceAt: formatInstant(NOW), deliveredAt: formatInstant(NOW + MINUTE), reasons: ['busy'], ...more })

const missed = (name: string, more: Partial<MissedFact> = {}): MissedFact =>
  ({ fact: 'missed', id: id(name), occurrenceAt: formatInstant(NOW), decidedAt: formatInstant(NOW + HOUR), reasons: ['host-down'], ...more })

const undispatched = (log: Log): unknown[] => [...log.ledger.undispatched.values()]

describe('S30 between a message and its dispatch', () => {
  it('a message that waits without its dispatch is found', () => {
    const message = ourMessage([delivery('r-1')])
    const log = new Log().create(atRecord('r-1')).queue(message)
    expect(undispatched(log)).toMatchObject([{ id: 'r-1', messageId: message.id, waiting: true }])
    expect(log.reminder('r-1').dueAt).toBe(NOW)
  })

  it('a message that a turn has taken without its dispatch is found, and does not wait', () => {
    const message = ourMessage([delivery('r-1')])
    const log = new Log().create(atRecord('r-1')).queue(message).turn()
    expect(undispatched(log)).toMatchObject([{ id: 'r-1', messageId: message.id, waiting: false }])
  })

  it('a message that was canceled is owed again', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')])).cancel()
    expect(undispatched(log)).toEqual([])
    expect(log.reminder('r-1').dueAt).toBe(NOW)
  })

  it('after a cancel nothing of the lost delivery is believed', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')])).cancel()
    log.now = NOW + HOUR
    expect(log.dispatch('r-1').ledger.outcomes).toMatchObject([{ decidedAt: NOW + HOUR, reasons: [] }])
  })

  it('the dispatch settles it, with what was observed at the delivery', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')])).dispatch('r-1').turn()
    expect(undispatched(log)).toEqual([])
    expect(log.ledger.outcomes).toMatchObject([{ kind: 'delivered', occurrenceAt: NOW, decidedAt: NOW + MINUTE, reasons: ['busy'] }])
  })

  it('a dispatch after a restart settles it in the same way', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')]))
    log.now = NOW + HOUR
    expect(log.dispatch('r-1').ledger.outcomes).toMatchObject([{ decidedAt: NOW + MINUTE, reasons: ['busy'] }])
  })

  it('every reminder of one message is found, and each is settled by its own dispatch', () => {
    const message = ourMessage([delivery('r-1'), delivery('r-2')])
    const log = new Log().create(atRecord('r-1')).create(atRecord('r-2')).queue(message).dispatch('r-1')
    expect(undispatched(log)).toMatchObject([{ id: 'r-2', messageId: message.id, waiting: true }])
    expect(undispatched(log.turn())).toMatchObject([{ id: 'r-2', messageId: message.id, waiting: false }])
    expect(undispatched(log.dispatch('r-2'))).toEqual([])
  })

  it('a message that is taken out and queued again, to wake the agent, is found under its id', () => {
    const message = ourMessage([delivery('r-1')])
    const log = new Log().create(atRecord('r-1')).queue(message).cancel().queue(message)
    expect(undispatched(log)).toMatchObject([{ id: 'r-1', messageId: message.id, waiting: true }])
    expect(log.dispatch('r-1').ledger.outcomes).toMatchObject([{ reasons: ['busy'] }])
  })

  it('a message whose text a person edits in the queue, which is one splice with the same message, still waits', () => {
    const message = ourMessage([delivery('r-1')])
    const log = new Log().create(atRecord('r-1')).queue(message).splice('next-turn', 0, 1, [message], 'canceled')
    expect(undispatched(log)).toMatchObject([{ id: 'r-1', messageId: message.id, waiting: true }])
  })

  it('positions count all messages, also those of others', () => {
    const message = ourMessage([delivery('r-1')])
    const log = new Log().create(atRecord('r-1')).queue(typedMessage()).queue(message).queue(typedMessage())
    log.splice('next-turn', 0, 1, []).splice('next-turn', 1, 1, [])
    expect(undispatched(log)).toMatchObject([{ id: 'r-1', messageId: message.id, waiting: true }])
  })

  it.each<[string, UserMessage]>([
    ['a message of another plugin with our facts', { ...ourMessage([delivery('r-1')]), source: { kind: 'acme', timekeeper: { v: 1, facts: [delivery('r-1')] } } } as never],
    ['a message of ours that delivers nothing', ourMessage([missed('r-1')])],
    ['a message without facts', ourMessage([])],
    ['a delivery of a reminder that does not exist', ourMessage([delivery('r-9')])],
  ])('%s is no delivery', (_name, message) => {
    expect(undispatched(new Log().create(atRecord('r-1')).queue(message))).toEqual([])
  })

  it('a message whose reminder is settled already is not found again', () => {
    const message = ourMessage([delivery('r-1')])
    const log = new Log().create(atRecord('r-1')).queue(message).dispatch('r-1').cancel().queue(message)
    expect(undispatched(log)).toEqual([])
    expect(log.turn().ledger.undispatched.size).toBe(0)
  })

  it('a reminder that is taken back meanwhile owes no dispatch', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')])).delete('r-1')
    expect(undispatched(log)).toEqual([])
  })

  it('a series that is taken back meanwhile owes no dispatch', () => {
    const log = new Log().series('r-1', { kind: 'every', everySeconds: 300, anchor: formatInstant(NOW) }, NOW).queue(ourMessage([delivery('r-1.1')])).delete('r-1.1')
    expect(undispatched(log)).toEqual([])
  })

  it('B43 an interval of the host is settled by one dispatch, and its next occurrence is not', () => {
    const log = new Log().create(everyRecord('schedule-1', 300)).queue(ourMessage([delivery('schedule-1')])).accept('schedule-1', NOW + SECOND)
    expect(undispatched(log)).toEqual([])
    expect(log.ledger.outcomes).toMatchObject([{ occurrenceAt: NOW, decidedAt: NOW + MINUTE }])
    log.now = NOW + 300 * SECOND
    expect(log.accept('schedule-1', log.now).ledger.outcomes.at(-1)).toMatchObject({ occurrenceAt: NOW + 300 * SECOND, decidedAt: NOW + 300 * SECOND, reasons: [] })
  })
})

describe('S30 a message that a person moves after its dispatch', () => {
  const settled = (): [Log, UserMessage] => {
    const message = ourMessage([delivery('schedule-1')])
    return [new Log().create(everyRecord('schedule-1', 300)).queue(message).accept('schedule-1', NOW + SECOND), message]
  }

  it('edited in the queue it owes no second dispatch, also of an interval of the host', () => {
    const [log, message] = settled()
    expect(undispatched(log.splice('next-turn', 0, 1, [message], 'canceled'))).toEqual([])
  })

  it('steered into the running turn it owes no second dispatch, also of an interval of the host', () => {
    const [log, message] = settled()
    expect(undispatched(log.cancel().queue(message, 'next-step'))).toEqual([])
  })
})

describe('S30 the owner after a crash', () => {
  /** The real owner on a log without a host, until it has nothing more to do or has been at it twenty times. */
  async function drive(log: Log, now: number): Promise<{ confirms: number; said: number }> {
    const seen = { confirms: 0, said: 0 }
    const alarm = createAlarmClock({ now: () => now, startTimer: () => () => undefined, report: (error) => fail(String(error)) })
    const port: OwnerPort = {
      ledger: log.ledger,
      now: () => now,
      isOurs: () => true,
      hostStartedAt: NOW,
      isLive: () => seen.confirms < 20,
      isIdle: () => true,
      confirm: () => Promise.resolve((seen.confirms += 1) > 0),
      claimIdle: (job) => Promise.resolve(job()),
      whenIdle: () => Promise.resolve(),
      say: (message) => void (log.queue(message), (seen.said += 1)),
      note: (message) => void log.queue(message, 'next-step'),
      wakeWith: () => true,
      append: (change) => void log.change(change),
      transact: (job) => job(),
      warn: (what, error) => fail(`${what}: ${String(error)}`),
    }
    const owner = makeOwner(port, alarm, POLICY)
    owner.poke()
    for (let round = 0; round < 500; round += 1) await Promise.resolve()
    await owner.dispose()
    return seen
  }

  it('what is queued is recorded and not said again', async () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')]))
    expect(await drive(log, NOW)).toEqual({ confirms: 2, said: 0 })
    expect(log.ledger.active.size).toBe(0)
  })

  it('a reminder that was taken back while its message waited keeps nobody busy', async () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([delivery('r-1')])).delete('r-1')
    expect((await drive(log, NOW)).confirms).toBeLessThanOrEqual(2)
  })

  it('an interval of the host is recorded even if the clock was set back since, and the log stays whole', async () => {
    const log = new Log().create(everyRecord('schedule-1', 300)).queue(ourMessage([delivery('schedule-1')]))
    await drive(log, NOW - MINUTE)
    expect(log.ledger.corruption).toBeUndefined()
    expect(log.reminder('schedule-1').dueAt).toBe(NOW + 300 * SECOND)
  })

  it('T1 an interval of the host that is recorded an hour later still owes what came due meanwhile', async () => {
    const log = new Log().create(everyRecord('schedule-1', 300)).queue(ourMessage([delivery('schedule-1')]))
    expect(await drive(log, NOW + HOUR)).toMatchObject({ said: 1 })
  })
})

describe('T5 misses', () => {
  it('a delete after the notice of a miss is a miss, with its reasons', () => {
    const log = new Log().create(atRecord('r-1')).queue(ourMessage([missed('r-1')]), 'next-step').delete('r-1')
    expect(log.ledger.outcomes).toEqual([{ kind: 'missed', id: 'r-1', prompt: 'stretch', occurrenceAt: NOW, decidedAt: NOW + HOUR, reasons: ['host-down'], seq: 2 }])
    expect(log.ledger.active.size).toBe(0)
  })

  it('a notice about a reminder that is gone is no miss of anything', () => {
    const log = new Log().create(atRecord('r-1')).delete('r-1').queue(ourMessage([missed('r-1')]), 'next-step')
    expect(log.ledger.outcomes).toEqual([])
  })

  it('B43 a crash between the notice and the delete leaves the reminder owed, and the next attempt settles it once', () => {
    const log = new Log().create(atRecord('r-1')).plan('r-1', { lateLimitSeconds: 60 }).queue(ourMessage([missed('r-1')]), 'next-step')
    expect(act(log, NOW + 2 * HOUR)).toMatchObject({ miss: [{ tooLate: true }], deliver: [] })
    expect(log.ledger.outcomes).toMatchObject([{ kind: 'missed', decidedAt: NOW + 2 * HOUR }])
    expect(act(log, NOW + 3 * HOUR)).toBe(false)
  })

  it('T5 a notice whose own delete never came counts for nothing once a person has written', () => {
    const log = new Log().series('r-1', { kind: 'every', everySeconds: 300, anchor: formatInstant(NOW) }, NOW, { lateLimitSeconds: 60 })
    log.queue(ourMessage([missed('r-1.1')]), 'next-step').human().delete('r-1.1')
    expect([...log.ledger.series.keys()]).toEqual([])
  })

  it('T5 a delete by the person after a notice whose own delete never came ends the series', () => {
    const log = new Log().series('r-1', { kind: 'every', everySeconds: 300, anchor: formatInstant(NOW) }, NOW, { lateLimitSeconds: 60 })
    // The notice was queued, then the host died. The person looks at the list and takes the series back.
    log.queue(ourMessage([missed('r-1.1')]), 'next-step').cancel('next-step').human().delete('r-1.1')
    expect([...log.ledger.series.keys()]).toEqual([])
  })
})
