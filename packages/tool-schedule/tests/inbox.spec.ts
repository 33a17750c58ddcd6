import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInbox, type InboxChange } from '../src/inbox.ts'
import { ourMessage, typedMessage } from './events.ts'
import { mountSchedule, SessionId, type Agent, type TestHost, type UserMessage } from './harness.ts'

type Splice = Parameters<ReturnType<typeof createInbox>>[0]

const splice = (target: Splice['target'], start: number, removedCount: number, inserted: readonly UserMessage[] = [], outcome?: 'canceled'): Splice =>
  ({ target, start, ...(removedCount > 0 && { removedCount }), inserted: [...inserted], ...(outcome && { outcome }) })

/** Watches the messages that a person did not type, by their id. */
const watchOurs = () => createInbox((message) => (message.source.kind === 'user' ? undefined : message.id))

describe('splices', () => {
  it('S30 an insertion is queued, a plain removal was claimed by a turn', () => {
    const [inbox, message] = [watchOurs(), ourMessage([])]
    expect(inbox(splice('next-turn', 0, 0, [message]))).toEqual({ queued: [message.id], claimed: [], canceled: [] })
    expect(inbox(splice('next-turn', 0, 1))).toEqual({ queued: [], claimed: [message.id], canceled: [] })
  })

  it('S30 a removal with the outcome canceled was not delivered', () => {
    const [inbox, message] = [watchOurs(), ourMessage([])]
    inbox(splice('next-step', 0, 0, [message]))
    expect(inbox(splice('next-step', 0, 1, [], 'canceled'))).toEqual({ queued: [], claimed: [], canceled: [message.id] })
  })

  it('S30 a replacement takes the old message out and puts the new one in', () => {
    const [inbox, old, fresh] = [watchOurs(), ourMessage([]), ourMessage([])]
    inbox(splice('next-turn', 0, 0, [old]))
    expect(inbox(splice('next-turn', 0, 1, [fresh], 'canceled'))).toEqual({ queued: [fresh.id], claimed: [], canceled: [old.id] })
    expect(inbox(splice('next-turn', 0, 1)).claimed).toEqual([fresh.id])
  })

  it('S30 messages of no interest keep their positions but are not reported', () => {
    const [inbox, message] = [watchOurs(), ourMessage([])]
    expect(inbox(splice('next-turn', 0, 0, [typedMessage()]))).toEqual({ queued: [], claimed: [], canceled: [] })
    inbox(splice('next-turn', 1, 0, [message]))
    inbox(splice('next-turn', 0, 0, [typedMessage()]))
    expect(inbox(splice('next-turn', 0, 1))).toEqual({ queued: [], claimed: [], canceled: [] })
    expect(inbox(splice('next-turn', 1, 1)).claimed).toEqual([message.id])
  })

  it('S30 the two lists do not touch each other', () => {
    const [inbox, turn, step] = [watchOurs(), ourMessage([]), ourMessage([])]
    inbox(splice('next-turn', 0, 0, [turn]))
    inbox(splice('next-step', 0, 0, [step]))
    expect(inbox(splice('next-turn', 0, 1)).claimed).toEqual([turn.id])
    expect(inbox(splice('next-step', 0, 1)).claimed).toEqual([step.id])
  })
})

describe("the host's own inbox", () => {
  let host: TestHost
  let sessions = 0

  beforeAll(async () => {
    host = await mountSchedule({ persistence: false })
  })
  afterAll(() => host.dispose())

  /** What the host tells its listeners while something happens, and what the log alone says of the same time. */
  async function both(happen: (agent: Agent) => Promise<void> | void): Promise<{ told: InboxChange<string>; replayed: InboxChange<string> }> {
    const agent = await host.create(`inbox-${++sessions}`)
    const told = { queued: [] as string[], claimed: [] as string[], canceled: [] as string[] }
    agent.ctx.on('agent/inbox/inserted', ({ message }) => void told.queued.push(message.id))
    agent.ctx.on('agent/inbox/claimed', ({ message }) => void told.claimed.push(message.id))
    agent.ctx.on('agent/inbox/discarded', ({ message }) => void told.canceled.push(message.id))
    await happen(agent)
    const replay = createInbox((message) => message.id)
    const changes = agent.session.events.flatMap((event) => (event.type === 'agent/inbox/spliced' ? [replay(event.data)] : []))
    const all = (kind: keyof InboxChange<string>): string[] => changes.flatMap((change) => change[kind])
    return { told, replayed: { queued: all('queued'), claimed: all('claimed'), canceled: all('canceled') } }
  }

  type Step = readonly [kind: string, position: number]

  /** One step on the raw inbox: nothing here wakes the agent. */
  function move({ inbox }: Agent, [kind, position]: Step): void {
    const waiting = [...inbox.nextTurn, ...inbox.nextStep]
    const chosen = waiting[position % Math.max(waiting.length, 1)]
    const target = position % 2 === 0 ? 'next-turn' : 'next-step'
    if (kind === 'append') inbox.append(target, typedMessage())
    if (kind === 'prepend') inbox.prepend(target, ourMessage([]))
    if (kind === 'remove' && chosen !== undefined) inbox.remove(chosen.id)
    if (kind === 'replace' && chosen !== undefined) inbox.replace(chosen.id, typedMessage())
    if (kind === 'splice') inbox.splice(target, position - 4, position % 3, [ourMessage([]), typedMessage()].slice(position % 3))
    if (kind === 'claim') inbox.claim(target, 1)
    if (kind === 'clear' && position === 0) inbox.clear()
  }

  const kinds = ['append', 'prepend', 'append', 'remove', 'replace', 'splice', 'claim', 'clear']

  it('S30 replaying its splices says which message went where, for any sequence of moves', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(9)), { maxLength: 25 }), async (steps) => {
        const { told, replayed } = await both((agent) => {
          for (const step of steps) move(agent, step)
        })
        expect(replayed).toEqual(told)
      }),
      { numRuns: 60 },
    )
  })

  /** The agent's public face, while turns run. */
  function act(agent: Agent, [kind, position]: Step): void {
    const message = position % 2 === 0 ? ourMessage([]) : typedMessage()
    const [waiting] = agent.inbox.nextTurn
    if (kind === 'followup') agent.followup(message)
    if (kind === 'inject') agent.inject(message)
    if (kind === 'steer') agent.steer(message)
    if (kind === 'remove' && waiting !== undefined) agent.inbox.remove(waiting.id)
    if (kind === 'cancel') agent.cancel({ kind: 'user' }, { keepInbox: position % 2 === 0 })
  }

  it('S30 also while turns run, are steered and are canceled', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('followup', 'inject', 'steer', 'followup', 'remove', 'cancel', 'turn'), fc.nat(5)), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { told, replayed } = await both(async (agent) => {
          for (const step of all) {
            act(agent, step)
            if (step[0] === 'turn') await agent.whenIdle()
          }
          await agent.whenIdle()
        })
        expect(replayed).toEqual(told)
      }),
      { numRuns: 40 },
    )
  })

  it('S30 disposing an agent cancels what waits', async () => {
    const { agent, dispose } = await host.ctx.agents.create({ sessionId: SessionId('disposed'), agentOptions: { provider: 'scripted', model: 'scripted' }, meta: { cwd: '/' } })
    const messages = [ourMessage([]), ourMessage([])]
    for (const message of messages) agent.inject(message)
    await dispose()
    const replay = watchOurs()
    const changes = agent.session.events.flatMap((event) => (event.type === 'agent/inbox/spliced' ? [replay(event.data)] : []))
    expect(changes.flatMap(({ canceled }) => canceled)).toEqual(messages.map((message) => message.id))
    expect(changes.flatMap(({ claimed }) => claimed)).toEqual([])
  })
})
