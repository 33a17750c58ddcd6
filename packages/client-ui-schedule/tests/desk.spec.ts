import type { Session } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { makeDesk, type DeskPort, type ToldLog } from '../src/desk.ts'
import type { CursorPush, DurableEvent } from '../src/protocol.ts'
import { create, dispatch, event, other } from './events.ts'

/** A host with one session that a test moves by hand. */
function scene(log: readonly DurableEvent[], header: object = {}) {
  const meta = { version: 0, id: 's', createdAt: 1, ...header } as never
  const session = { id: 's', seq: log.length, header: meta } as unknown as Session
  const world = {
    live: session as Session | undefined,
    events: log,
    stored: { meta, events: log } as ToldLog | Error,
    reads: 0,
    acknowledged: 0,
    pauses: 0,
    confirmed: 0,
    pushes: [] as CursorPush[],
    jobs: [] as (() => Promise<unknown>)[],
  }
  const told = async (): Promise<ToldLog> => {
    world.reads += 1
    if (world.stored instanceof Error) throw world.stored
    return world.stored
  }
  const port: DeskPort = {
    host: 'h',
    live: () => world.live,
    events: () => world.events,
    ownStart: ({ seedLength }) => seedLength ?? 0,
    readStored: told,
    inspectCold: told,
    storedThrough: () => world.acknowledged,
    confirm: async () => (world.confirmed += 1),
    defer: (job) => world.jobs.push(job),
    pause: async () => void (world.pauses += 1),
    push: (push) => world.pushes.push(push),
  }
  const runJobs = async (): Promise<void> => {
    for (const job of world.jobs.splice(0)) await job()
  }
  return { world, session, meta, desk: makeDesk(port), runJobs }
}

const LOG = [other(0), create(1, 'r-1'), dispatch(2, 'r-1')]

describe('attached history', () => {
  it('S33 is proven as far as storage holds it, and further by acknowledged checkpoints only', async () => {
    const { world, session, meta, desk } = scene(LOG)
    world.stored = { meta, events: LOG.slice(0, 2) }
    expect(await desk.cursor('s')).toEqual({ host: 'h', lifetime: 1, throughSeq: 2, seedLength: 0 })
    world.acknowledged = 3
    desk.advanced(session)
    expect(world.pushes).toEqual([{ sessionId: 's', host: 'h', lifetime: 1, throughSeq: 3, seedLength: 0 }])
    expect(world.reads).toBe(1)
  })

  it.each([
    ['an event differs', { events: [other(0), create(1, 'r-2'), dispatch(2, 'r-1')] }],
    ['the header differs', { meta: { version: 0, id: 's', createdAt: 2 } as never }],
    ['storage holds more', { events: [...LOG, other(3)] }],
  ])('S33 has no receipts in this lifetime when %s, whatever checkpoints say', async (_why, difference) => {
    const { world, session, meta, desk } = scene(LOG)
    world.stored = { meta, events: LOG, ...difference }
    expect((await desk.cursor('s')).throughSeq).toBe(0)
    world.stored = { meta, events: LOG }
    world.acknowledged = 3
    desk.advanced(session)
    expect((await desk.cursor('s')).throughSeq).toBe(0)
    expect(world.pushes).toEqual([])
  })

  it('S33 has no receipts when storage holds less than was acknowledged', async () => {
    const { world, meta, desk } = scene(LOG)
    world.acknowledged = 3
    world.stored = { meta, events: LOG.slice(0, 2) }
    expect((await desk.cursor('s')).throughSeq).toBe(0)
  })

  it('S33 is looked at again when storage was missing or could not be read', async () => {
    const { world, session, meta, desk, runJobs } = scene(LOG)
    world.stored = new Error('nothing there')
    expect((await desk.cursor('s')).throughSeq).toBe(0)
    world.stored = { meta, events: LOG }
    world.acknowledged = 3
    desk.advanced(session)
    await runJobs()
    expect(world.pushes.map(({ throughSeq }) => throughSeq)).toEqual([3])
  })

  it('S32 another session under the same id is another lifetime and starts at nothing', async () => {
    const { world, meta, desk } = scene(LOG)
    expect(await desk.cursor('s')).toMatchObject({ lifetime: 1, throughSeq: 3 })
    world.live = { id: 's', seq: 3, header: meta } as unknown as Session
    world.stored = new Error('not readable')
    expect(await desk.cursor('s')).toMatchObject({ lifetime: 2, throughSeq: 0 })
  })

  it('S33 gives way to other work while it compares a long log', async () => {
    const { world, desk } = scene(Array.from({ length: 4500 }, (_, seq) => other(seq)))
    expect((await desk.cursor('s')).throughSeq).toBe(4500)
    expect(world.pauses).toBe(2)
  })

  it('S5 says where the work of a fork begins', async () => {
    const { desk } = scene(LOG, { seedLength: 2 })
    expect((await desk.cursor('s')).seedLength).toBe(2)
  })
})

describe('detached history', () => {
  it('S33 is itself the stored prefix', async () => {
    const { world, desk } = scene(LOG, { seedLength: 1 })
    world.live = undefined
    expect(await desk.cursor('s')).toEqual({ host: 'h', lifetime: 1, throughSeq: 3, seedLength: 1 })
    world.stored = new Error('no such session')
    expect(await desk.cursor('s')).toMatchObject({ throughSeq: 0 })
  })

  it('S32 a session that comes to life while it is read is asked again as a live one', async () => {
    const { world, session, meta, desk } = scene(LOG)
    world.live = undefined
    const asked = desk.cursor('s')
    world.live = session
    world.stored = { meta, events: LOG.slice(0, 1) }
    expect(await asked).toMatchObject({ throughSeq: 1 })
  })

  it('S32 a page that read it cold is told when it has come to life and stored more', async () => {
    const { world, session, desk, runJobs } = scene(LOG)
    world.live = undefined
    expect(await desk.cursor('s')).toMatchObject({ lifetime: 1, throughSeq: 3 })
    world.live = session
    desk.created(session)
    world.acknowledged = 3
    desk.advanced(session)
    await runJobs()
    expect(world.pushes).toMatchObject([{ lifetime: 2, throughSeq: 3 }])
  })

  it('gives up on a session that never holds still', async () => {
    const { world, session, desk } = scene(LOG)
    let looks = 0
    Object.defineProperty(world, 'live', { get: () => ((looks += 1) % 2 === 1 ? session : undefined) })
    expect(await desk.cursor('s')).toMatchObject({ throughSeq: 3 })
    expect(looks).toBe(6)
  })
})

describe('checkpoints', () => {
  it('S32 a session with a past is confirmed once, after the callback that announces it', async () => {
    const { world, session, desk, runJobs } = scene(LOG)
    desk.created(session)
    expect(world.confirmed).toBe(0)
    await runJobs()
    expect(world.confirmed).toBe(1)
    desk.created({ ...session, seq: 0 } as never)
    expect(world.jobs).toEqual([])
  })

  it('S32 a dispatch whose barrier failed is confirmed when a turn ends, and only then', async () => {
    const { world, session, meta, desk, runJobs } = scene(LOG)
    world.stored = { meta, events: LOG.slice(0, 2) }
    await desk.cursor('s')
    desk.appended(session, other(3))
    expect(world.jobs).toEqual([])
    desk.appended(session, event(4, 'turn/end', {}))
    await runJobs()
    expect(world.confirmed).toBe(1)
    world.acknowledged = 5
    desk.appended(session, event(5, 'turn/end', {}))
    expect(world.jobs).toEqual([])
    desk.appended(session, dispatch(6, 'r-2'))
    desk.appended(session, event(7, 'turn/end', {}))
    expect(world.jobs).toHaveLength(1)
  })

  it('P1 does nothing for a session that no page shows', () => {
    const { world, session, desk } = scene(LOG)
    desk.advanced(session)
    desk.created({ ...session, seq: 0 } as never)
    desk.appended(session, dispatch(2, 'r-1'))
    desk.appended(session, event(4, 'turn/end', {}))
    expect([world.reads, world.jobs, world.pushes]).toEqual([0, [], []])
  })
})

describe('creates for a page that has not loaded them', () => {
  it('S34 come from the live log, or from storage', async () => {
    const { world, desk } = scene([...LOG, create(3, 'r-1', 'later')])
    expect(await desk.creates('s', 2)).toEqual([create(1, 'r-1')])
    world.live = undefined
    expect(await desk.creates('s', 2)).toEqual([create(1, 'r-1')])
  })

  it.each([0, 1, 3, 99, -1])('S34 are none for %i, which is no dispatch', async (seq) => {
    expect(await scene(LOG).desk.creates('s', seq)).toEqual([])
  })

  it('S34 are none where nothing matches or nothing can be read', async () => {
    expect(await scene([create(0, 'r-2'), { broken: true } as never, dispatch(2, 'r-1')]).desk.creates('s', 2)).toEqual([])
    const { world, desk } = scene(LOG)
    world.live = undefined
    world.stored = new Error('gone')
    expect(await desk.creates('s', 2)).toEqual([])
  })
})
