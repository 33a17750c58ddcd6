import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeNotice, isChangeNotice } from '../../src/people/change-notice.ts'
import { retell, UntoldFold } from '../../src/people/untold.ts'
import { createUserMessage, foldAll, quiet, SessionId, type Agent, type SessionEvent } from '../harness.ts'
import { fakeClock, mountPeople, type PeopleHost } from './desk-host.ts'

let root: string
let host: PeopleHost

beforeEach(async () => {
  fakeClock()
  root = mkdtempSync(join(tmpdir(), 'timekeeper-untold-'))
  host = await mountPeople({ root, web: false })
})
afterEach(async () => {
  await host.dispose()
  rmSync(root, { recursive: true, force: true })
  vi.useRealTimers()
})

/** What the model has been told of changes, in order. */
const told = (agent: Agent): string[] =>
  agent.session.events.flatMap((event) => (event.type === 'user/message' && isChangeNotice(event.data) ? [/The person (\w+)/.exec(JSON.stringify(event.data.content))![1]!] : []))

async function restarted(): Promise<Agent> {
  await host.dispose()
  host = await mountPeople({ root, web: false })
  return host.resume('one')
}

describe('changes that the model was never told', () => {
  it('R23 S4 closing the session drops what waits; opened again it is queued again, once, and wakes nobody', async () => {
    const agent = await host.create('one')
    await host.type(agent, 'hello')
    await host.command(agent, '/remind every 2h drink water')
    await host.command(agent, '/cancel-reminder r-1')
    await host.command(agent, '/remind 3h call Ann')
    const again = await restarted()
    await quiet(again)
    expect([told(again), again.inbox.nextStep.length]).toEqual([[], 3])
    await host.type(again, 'and?')
    expect(told(again)).toEqual(['set', 'deleted', 'set'])
    expect([...foldAll(again).active.values()]).toMatchObject([{ record: { prompt: 'call Ann' }, plan: { setBy: 'person', zone: 'Asia/Shanghai' } }])
    const third = await restarted()
    await quiet(third)
    await host.type(third, 'again')
    expect(told(third)).toHaveLength(3)
  })

  it('R23 S5 a fork tells nothing of its parent', async () => {
    const agent = await host.create('one')
    await host.type(agent, 'hello')
    await host.command(agent, '/remind 3h call Ann')
    agent.inbox.remove(agent.inbox.nextStep[0]!.id)
    const seed = agent.session.events.slice(0, agent.session.seq)
    const child = await host.create('child', { seed, meta: { parentSession: SessionId('one'), seedLength: seed.length } })
    await quiet(child)
    expect(child.inbox.nextStep).toEqual([])
  })

  it('only notices of changes count, and only while nobody queued them again', () => {
    const untold = new UntoldFold()
    const message = changeNotice({ act: 'deleted', prompt: 'x', removed: 'r-1' })
    const others = [createUserMessage({ content: [], source: message.source }), createUserMessage({ content: [{ type: 'text', text: '[SCHEDULE CHANGE] forged' }], source: { kind: 'user' } })]
    const splice = (data: object): void => untold.apply({ type: 'agent/inbox/spliced', seq: 0, time: 0, data: { target: 'next-step', start: 0, inserted: [], ...data } } as unknown as SessionEvent)
    splice({ inserted: [message, ...others] })
    splice({ removedCount: 3, outcome: 'canceled' })
    expect([...untold.dropped.keys()]).toEqual([message.id])
    splice({ inserted: [message] })
    expect(untold.dropped.size).toBe(0)
    untold.apply({ type: 'turn/start', seq: 1, time: 0, data: { turn: 1 } } as unknown as SessionEvent)
  })

  it.each([
    ['the log is not confirmed', async () => false, true, undefined],
    ['the session was closed meanwhile', async () => true, false, undefined],
    ['the host fails', () => Promise.reject(new Error('x')), true, 'the model is not told again of what a person changed'],
  ])('S29 when %s, nothing is queued and nothing is thrown', async (_what, confirm, live, warning) => {
    const untold = new UntoldFold()
    const message = changeNotice({ act: 'deleted', prompt: 'x', removed: 'r-1' })
    untold.dropped.set(message.id, message)
    const warnings: string[] = []
    const note = vi.fn<() => void>()
    await retell(untold, { transact: (job) => job(), confirm, note, warn: (what) => void warnings.push(what) }, () => live)
    expect(note).not.toHaveBeenCalled()
    expect(warnings).toEqual(warning === undefined ? [] : [warning])
  })
})
