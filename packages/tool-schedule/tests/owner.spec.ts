import { afterEach, describe, expect, it } from 'vitest'
import type { ReminderId } from '../src/protocol.ts'
import { START, World } from './owner-world.ts'

const worlds: World[] = []
function world(): World {
  const made = new World()
  worlds.push(made)
  return made
}
afterEach(async () => {
  for (const one of worlds.splice(0)) {
    await one.owner.dispose()
    expect(one.hasTimer, 'no timer is left').toBe(false)
    expect(one.alarm.size).toBe(0)
  }
})

describe('owner', () => {
  it('S25 arms the earliest target, and again after each delivery', async () => {
    const one = world()
    one.set('late', 10_000)
    one.set('early', 5000)
    await one.pass(5000)
    expect(one.said).toHaveLength(1)
    await one.pass(5000)
    expect(one.dispatches()).toBe(2)
    expect(one.hasTimer).toBe(false)
  })

  it.each(Array.from({ length: 16 }, (_, ticks) => [ticks]))('X1 S26 a reminder that is set %i ticks after a look began is waited for', async (ticks) => {
    const one = world()
    one.owner.poke()
    for (let n = 0; n < ticks; n += 1) await Promise.resolve()
    one.set('r', 5000)
    await one.settle()
    expect(one.hasTimer).toBe(true)
    await one.pass(5000)
    expect(one.said).toHaveLength(1)
  })

  it('P6 a delivery takes two flushes, and arming takes none', async () => {
    const one = world()
    one.set('r', 5000)
    await one.settle()
    expect(one.confirms).toBe(0)
    await one.pass(5000)
    expect(one.confirms).toBe(2)
  })

  it('P3 what an idle agent left behind is stored before a reminder that comes within a second, not when it is due', async () => {
    const one = world()
    one.set('r', 1000)
    await one.settle()
    expect([one.confirms, one.said.length]).toEqual([1, 0])
    const two = world()
    two.set('r', 1001)
    await two.settle()
    expect(two.confirms).toBe(0)
  })

  it('P3 a barrier that fails before a reminder is due is asked for again when it is', async () => {
    const one = world()
    one.isStored = false
    one.set('r', 1000)
    await one.settle()
    one.isStored = true
    await one.pass(1000)
    expect([one.confirms, one.dispatches(), one.warnings]).toEqual([3, 1, []])
  })

  it('P3 P6 while a turn runs nothing is flushed for a reminder, coming or due', async () => {
    const one = world()
    one.isBusy = true
    one.set('r', 1000)
    await one.pass(60_000)
    one.owner.poke()
    await one.settle()
    expect([one.confirms, one.idleWaits]).toEqual([0, 1])
    one.becomeIdle()
    await one.settle()
    expect([one.confirms, one.dispatches()]).toEqual([2, 1])
  })

  it('S26 a maintenance task that holds the agent is waited for too', async () => {
    const one = world()
    one.isHeld = true
    one.set('r', 5000)
    await one.pass(5000)
    expect([one.idleWaits, one.said.length]).toEqual([1, 0])
    await one.pass(5000)
    one.becomeIdle()
    await one.settle()
    expect([one.dispatches(), JSON.stringify(one.said).includes('busy')]).toEqual([1, true])
  })

  it('P1 whoever asks while the owner waits behind a tool in the queue is answered by one look', async () => {
    const one = world()
    const gate = Promise.withResolvers<void>()
    const tool = one.queue(() => gate.promise)
    for (let n = 0; n < 3; n += 1) {
      one.owner.poke()
      await one.settle()
    }
    gate.resolve()
    await tool
    await one.settle()
    expect(one.looks).toBe(1)
    one.owner.poke()
    await one.settle()
    expect(one.looks).toBe(2)
  })

  it('S29 an owner that is disposed of while it stores ahead sets no alarm', async () => {
    const one = world()
    const gate = Promise.withResolvers<void>()
    one.gate = gate.promise
    one.set('r', 500)
    await one.settle()
    const disposed = one.owner.dispose()
    gate.resolve()
    await disposed
    expect([one.confirms, one.hasTimer]).toEqual([1, false])
  })

  it('S25 a clock set back between alarm and claim delivers nothing early', async () => {
    const one = world()
    one.set('r', 5000)
    await one.settle()
    const gate = Promise.withResolvers<void>()
    one.gate = gate.promise
    await one.pass(5000)
    one.wall -= 60_000
    gate.resolve()
    await one.settle()
    expect(one.said).toEqual([])
    await one.pass(60_000)
    expect(one.dispatches()).toBe(1)
  })

  it('S25 a reminder taken back while the owner claims is not delivered', async () => {
    const one = world()
    one.set('r', 5000)
    await one.settle()
    const gate = Promise.withResolvers<void>()
    one.gate = gate.promise
    await one.pass(5000)
    one.append({ version: 1, operation: 'delete', id: 'r' as ReminderId })
    gate.resolve()
    await one.settle()
    expect(one.said).toEqual([])
    expect(one.hasTimer).toBe(false)
  })

  it('S26 however often it is asked while the agent is busy, it waits for idle once', async () => {
    const one = world()
    one.isBusy = true
    one.set('r', 1000)
    await one.pass(1000)
    for (let n = 0; n < 5; n += 1) {
      one.owner.poke()
      await one.settle()
    }
    expect(one.idleWaits).toBe(1)
    expect(one.hasTimer).toBe(false)
    one.becomeIdle()
    await one.settle()
    expect(one.dispatches()).toBe(1)
  })

  it('S26 an idle wait that fails is reported and asked again', async () => {
    const one = world()
    one.isBusy = true
    one.set('r', 1000)
    await one.pass(1000)
    one.becomeIdle(new Error('gone'))
    await one.settle()
    expect(one.warnings).toEqual(['could not wait for the agent to become idle'])
    expect(one.dispatches()).toBe(1)
  })

  it('S26 a refused preflight leaves the record active, with no timer of its own', async () => {
    const one = world()
    one.isStored = false
    one.set('r', 5000)
    await one.pass(600_000)
    expect([one.said.length, one.confirms, one.hasTimer]).toEqual([0, 1, false])
    one.isStored = true
    one.owner.poke()
    await one.settle()
    expect(one.dispatches()).toBe(1)
    expect(JSON.stringify(one.said)).toContain('persistence')
  })

  it('S28 a queueing failure appends nothing, and the next look delivers', async () => {
    const one = world()
    one.failure.say = new Error('inbox closed')
    one.set('r', 1000)
    await one.pass(1000)
    expect([one.dispatches(), one.ledger.active.size, one.warnings.length]).toEqual([0, 1, 1])
    delete one.failure.say
    one.owner.poke()
    await one.settle()
    expect(one.dispatches()).toBe(1)
  })

  it('S28 an append failure stops this owner: the message may be queued already', async () => {
    const one = world()
    one.set('r', 1000)
    await one.settle()
    one.failure.append = new Error('log closed')
    await one.pass(1000)
    expect(one.said).toHaveLength(1)
    delete one.failure.append
    one.owner.poke()
    await one.pass(60_000)
    expect(one.said).toHaveLength(1)
    expect(one.warnings).toEqual(['stopped delivering reminders of this session'])
  })

  it('S28 a dispatch that is not confirmed is said, not taken back', async () => {
    const one = world()
    one.set('r', 5000)
    await one.settle()
    const confirm = one.confirm.bind(one)
    one.confirm = async () => (await confirm()) && one.confirms === 1
    await one.pass(5000)
    expect(one.dispatches()).toBe(1)
    expect(one.warnings).toEqual(['a delivered reminder is not confirmed as stored yet'])
  })

  it('R16 says suspended when the alarm rang two seconds late or more, and nothing below that', async () => {
    for (const [slept, expected] of [[1999, false], [2000, true]] as const) {
      const one = world()
      one.set('r', 60_000)
      await one.settle()
      one.wall += 60_000 + slept
      await one.pass(0)
      one.wall -= slept + 60_000
      await one.pass(30_000 + 60_000 + slept)
      expect(JSON.stringify(one.said).includes('suspended')).toBe(expected)
    }
  })

  it.each([
    ['host-down', -120_000],
    ['not-open', -30_000],
  ])('R16 says %s for what was due before the session was opened', async (reason, dueIn) => {
    const one = world()
    one.set('r', dueIn)
    await one.settle()
    expect(JSON.stringify(one.said)).toContain(reason)
  })

  it('S30 a message that waits without its dispatch is woken, not sent again', async () => {
    const one = world()
    one.set('r', 60_000)
    await one.settle()
    const fact = { fact: 'delivery', id: 'r', occurrenceAt: new Date(one.wall + 60_000).toISOString(), deliveredAt: new Date(one.wall + 60_000).toISOString(), reasons: [] }
    const woken: string[] = []
    one.wakeWith = ((id: string) => woken.push(id) > 0) as never
    one.event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [{ id: 'm1', source: { kind: 'dsh-tool-schedule', timekeeper: { v: 1, facts: [fact] } } }] })
    one.owner.poke()
    await one.settle()
    expect([woken, one.said.length, one.dispatches()]).toEqual([['m1'], 0, 1])
  })

  it('S30 a message that a turn has taken already only gets its dispatch', async () => {
    const one = world()
    one.set('r', 0)
    one.isBusy = true
    const fact = { fact: 'delivery', id: 'r', occurrenceAt: new Date(one.wall).toISOString(), deliveredAt: new Date(one.wall).toISOString(), reasons: [] }
    one.event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [{ id: 'm1', source: { kind: 'dsh-tool-schedule', timekeeper: { v: 1, facts: [fact] } } }] })
    one.event('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [] })
    one.wakeWith = () => expect.unreachable()
    one.isBusy = false
    one.owner.poke()
    await one.settle()
    expect([one.said.length, one.dispatches()]).toEqual([0, 1])
  })

  it('S30 a dispatched message that waits since before the session was opened is woken once, one that was lost is queued again', async () => {
    const one = world()
    const message = (id: string, about: string) => ({ id, source: { kind: 'dsh-tool-schedule', timekeeper: { v: 1, facts: [{ fact: 'delivery', id: about, occurrenceAt: new Date(START).toISOString(), deliveredAt: new Date(START).toISOString(), reasons: [] }] } } })
    const put = (...inserted: unknown[]): void => one.event('agent/inbox/spliced', { target: 'next-turn', start: 0, inserted })
    const woken: string[] = []
    one.wakeWith = ((id: string) => woken.push(id)) as never
    put(message('m1', 'r'))
    one.owner.poke()
    await one.settle()
    one.owner.poke()
    await one.settle()
    expect([woken, one.said.length]).toEqual([['m1'], 0])
    one.event('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [], outcome: 'canceled' })
    one.owner.poke()
    await one.settle()
    expect(one.said.map(({ id }) => id)).toEqual(['m1'])
    one.event('user/message', { id: 'm1', source: {} })
    put(message('m2', 'other'))
    one.event('agent/inbox/spliced', { target: 'next-turn', start: 0, removedCount: 1, inserted: [], outcome: 'canceled' })
    one.owner.poke()
    await one.settle()
    expect(one.said.map(({ id }) => id)).toEqual(['m1', 'm2'])
    expect(one.dispatches()).toBe(0)
  })

  it.each(['the queue', 'the first barrier', 'the claim', 'the second barrier', 'the idle wait'])('S29 disposing at %s ends everything and loses no record', async (where) => {
    const one = world()
    const gate = Promise.withResolvers<void>()
    if (where === 'the queue') void one.transact(() => gate.promise)
    if (where === 'the first barrier') one.gate = gate.promise
    if (where === 'the claim') {
      const claim = one.claimIdle.bind(one)
      one.claimIdle = (job) => {
        one.gate = gate.promise
        return claim(job)
      }
    }
    if (where === 'the second barrier') {
      const append = one.append.bind(one)
      one.append = (change) => {
        if (change.operation === 'dispatch') one.gate = gate.promise
        append(change)
      }
    }
    if (where === 'the idle wait') one.isBusy = true
    one.set('r', 1000)
    await one.pass(1000)
    let done = false
    const disposed = one.owner.dispose().then(() => (done = true))
    await one.settle()
    if (where !== 'the idle wait') expect(done).toBe(false)
    gate.resolve()
    await disposed
    await one.pass(600_000)
    const isDelivered = where === 'the second barrier'
    expect([one.said.length, one.dispatches(), one.ledger.active.size]).toEqual(isDelivered ? [1, 1, 0] : [0, 0, 1])
    expect(one.hasTimer).toBe(false)
  })

  it('does nothing for an agent that is no longer the live one of its session', async () => {
    const one = world()
    one.set('r', 1000)
    await one.settle()
    one.isAlive = false
    one.confirms = 0
    one.owner.poke()
    await one.pass(10_000)
    expect(one.confirms).toBe(0)
    const two = world()
    two.set('r', 5000)
    two.confirm = async () => {
      two.isAlive = false
      return true
    }
    await two.pass(5000)
    expect(two.said).toEqual([])
  })

  it('R20 B38 B39 does nothing while another host has the session, and delivers when it is asked again', async () => {
    const one = world()
    one.isMine = false
    one.set('r', 1000)
    await one.pass(60_000)
    expect([one.said.length, one.dispatches(), one.hasTimer]).toEqual([0, 0, false])
    one.isMine = true
    one.owner.poke()
    await one.settle()
    expect([one.said.length, one.dispatches()]).toEqual([1, 1])
  })

  it('stops, and says so, when the host fails inside the claim', async () => {
    const one = world()
    one.failure.claim = new Error('host bug')
    one.set('r', 1000)
    await one.pass(1000)
    expect(one.warnings).toEqual(['stopped delivering reminders of this session'])
  })
})
