import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isNotStored, ownStart, readEvents, sessionLogs, type SessionLogs } from '../src/log.ts'
import { mountHost, SessionId, type Session, type SessionEvent, type TestHost } from './harness.ts'

let host: TestHost
let logs: SessionLogs

beforeEach(async () => {
  host = await mountHost({ persistence: false })
  await host.ctx.plugin({ apply: (ctx) => void (logs = sessionLogs(ctx)) })
})
afterEach(() => host.dispose())

/** How often the whole log was copied, and how many events were read from copies. */
function meter(session: Session): { copies: number } {
  const count = { copies: 0 }
  const real = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(session), 'events')!.get!
  Object.defineProperty(session, 'events', {
    get() {
      count.copies += 1
      return real.call(session) as readonly SessionEvent[]
    },
  })
  return count
}

describe('followed log', () => {
  it('P1 reads the log once when a fold is attached, then one event at a time without a copy', async () => {
    const agent = await host.create('one')
    await host.type(agent, 'before')
    const count = meter(agent.session)
    const seen: number[] = []
    logs.follow(agent.session, { apply: (event) => void seen.push(event.seq) }, 0)
    expect(count.copies).toBe(1)
    await host.type(agent, 'after')
    expect(count.copies).toBe(1)
    expect(seen).toEqual(Array.from({ length: agent.session.seq }, (_, seq) => seq))
  })

  it('gives each follower every event once, from where it asked', async () => {
    const agent = await host.create('two')
    await host.type(agent, 'before')
    const start = agent.session.seq
    const all: number[] = []
    const late: number[] = []
    const stop = logs.follow(agent.session, { apply: (event) => void all.push(event.seq) }, 0)
    const stopLate = logs.follow(agent.session, { apply: (event) => void late.push(event.seq) }, start)
    await host.type(agent, 'more')
    expect(all).toHaveLength(agent.session.seq)
    expect(late).toEqual(all.filter((seq) => seq >= start))
    stop()
    const seenByAll = all.length
    await host.type(agent, 'even more')
    expect(all).toHaveLength(seenByAll)
    expect(late).toHaveLength(agent.session.seq - start)
    stopLate()
    await host.type(agent, 'unheard')
    expect(late.at(-1)).toBeLessThan(agent.session.seq - 1)
  })

  it('gives an event once to a fold that is attached while the event is being told around', async () => {
    const agent = await host.create('three')
    const [early, late]: number[][] = [[], []]
    logs.follow(agent.session, { apply: (event) => void early!.push(event.seq) }, 0)
    const stop = host.ctx.on('session/event', (session) => {
      stop()
      logs.follow(session, { apply: (event) => void late!.push(event.seq) }, 0)
    }, { prepend: true })
    await host.type(agent, 'hello')
    expect(late).toEqual(early)
  })

  it('hears no other session', async () => {
    const [one, other] = [await host.create('a'), await host.create('b')]
    const seen: SessionEvent[] = []
    logs.follow(one.session, { apply: (event) => void seen.push(event) }, one.session.seq)
    await host.type(other, 'hello')
    expect(seen).toEqual([])
  })

  it('S5 an own log begins where the inherited prefix of a fork ends', async () => {
    const parent = await host.create('parent')
    await host.type(parent, 'hello')
    const child = host.ctx.sessions.fork(parent.id)
    expect(ownStart(parent.session)).toBe(0)
    expect(ownStart(child)).toBe(parent.session.seq)
    expect(readEvents(child, ownStart(child)).every((event) => event.type === 'session/end-seed')).toBe(true)
  })
})

it('X5 a question about a session that nobody has is told from one about a log that cannot be read', async () => {
  const mounted = await mountHost()
  const inspect = (id: string): Promise<unknown> => Promise.resolve(mounted.ctx.get('sessionPersistence')?.inspect(SessionId(id))).catch((error: unknown) => error)
  for (const id of ['nobody', '../no\nbody']) expect([id, isNotStored(await inspect(id), id)]).toEqual([id, true])
  expect([new Error('corrupt session log'), 'session "s" not found', undefined].map(error => isNotStored(error, 's'))).toEqual([false, false, false])
  await mounted.dispose()
})

describe('the shape of later hosts (0.2)', () => {
  const events = [0, 1, 2].map((seq) => ({ type: 'turn/start', seq, time: 0, data: { turn: seq } }))
  const session = {
    header: { isSeeded: true },
    inheritedEventCount: 2,
    snapshotEvents: (from = 0) => events.slice(from),
    get events(): never {
      throw new Error('the getter is gone')
    },
  } as unknown as Session

  it('reads with snapshotEvents where the events getter is gone', () => {
    expect(readEvents(session, 1).map((event) => event.seq)).toEqual([1, 2])
  })

  it('S5 takes the own start from the inherited count', () => {
    expect(ownStart(session)).toBe(2)
  })
})
