import type { SessionHeader } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { attemptAfter, dueWakes, earlier, isFree, LEASE_MS, LOOK_MS, planCheck, RETRY_MS, SETTLE_MS, settledAfter, steadyAfter, type Attempt, type CheckScene, type DueScene, type Judge, type Place, type Steady } from '../../src/wake-index/decide.ts'
import type { Verdict } from '../../src/wake-index/holder.ts'
import { createMemoryStore } from '../../src/wake-index/memory-store.ts'
import { firstFence, type Lease, type OwedRow } from '../../src/wake-index/store.ts'
import { holder } from './holders.ts'

const NOW = 10_000_000
const lease = (hostId: string, until = NOW + LEASE_MS, fence = 1): Lease => ({ holder: holder(hostId), until, fence })
const judge = (verdict: Verdict, more: Partial<Judge> = {}): Judge => ({ now: NOW, steady: { since: 0, last: NOW }, hostId: 'me', verdict: () => verdict, ...more })

describe('whether a session may be taken', () => {
  it.each([
    ['nobody holds it', undefined, judge('running'), true],
    ['this host holds it', lease('me'), judge('running'), true],
    ['its holder runs', lease('other'), judge('running'), false],
    ['its holder runs and has not prolonged for an hour', lease('other', NOW - 3_600_000), judge('running'), false],
    ['its holder is gone, with a fresh lease', lease('other'), judge('gone'), true],
    ['its holder is not seen and its lease stands', lease('other', NOW + 1), judge('unseen'), false],
    ['its holder is not seen and its lease has run out', lease('other', NOW), judge('unseen'), true],
    ['X6 its holder is not seen and its lease was written years ahead', lease('other', NOW + 1e12), judge('unseen'), true],
    ['this host has just come out of a sleep that all leases seem to have run out in', lease('other', NOW), judge('unseen', { steady: { since: NOW - 60_000, last: NOW } }), false],
  ])('R20 when %s', (_when, held, by, free) => {
    expect(isFree(held, by)).toBe(free)
  })

  it.each([
    ['goes on', NOW + LOOK_MS, 0],
    ['is looked at late by one timer segment', NOW + LOOK_MS + 30_000, 0],
    ['was asleep', NOW + 8 * 3_600_000, NOW + 8 * 3_600_000],
    ['was set back', NOW - 1, NOW - 1],
  ])('R20 X6 a clock that %s', (_what, now, since) => {
    expect(steadyAfter({ since: 0, last: NOW }, now)).toEqual({ since, last: now })
  })

  it('R20 no host ever takes a session from a host that lives, through sleeps, clock steps and deaths', () => {
    const step = fc.oneof(
      { weight: 10, arbitrary: fc.record({ do: fc.constant('pass' as const), by: fc.integer({ min: 1000, max: LOOK_MS }) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('sleep' as const, 'step' as const), by: fc.integer({ min: -3_600_000, max: 36_000_000 }) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), by: fc.nat(2) }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.boolean(), (steps, canSee) => {
        const store = createMemoryStore()
        let wall = NOW
        const hosts = ['a', 'b', 'c'].map((id) => ({ id, lives: true, fence: undefined as number | undefined, nextBeat: LOOK_MS, steady: { since: wall, last: wall } as Steady }))
        let awake = 0
        const beat = (host: (typeof hosts)[number]): void => {
          host.steady = steadyAfter(host.steady, wall)
          store.renew(host.id, wall + LEASE_MS)
          const held = store.lease('s')
          const verdict = ({ holder: { hostId } }: Lease): Verdict => (!canSee ? 'unseen' : hosts.find(({ id }) => id === hostId)!.lives ? 'running' : 'gone')
          if (held?.holder.hostId === host.id || !isFree(held, { now: wall, steady: host.steady, hostId: host.id, verdict })) return
          expect(held === undefined || !hosts.find(({ id }) => id === held.holder.hostId)!.lives, 'taken from the living').toBe(true)
          store.take('s', holder(host.id), wall + LEASE_MS, held?.fence)
        }
        for (const { do: what, by } of steps) {
          if (what === 'die') hosts[by]!.lives = false
          else if (what === 'pass') {
            awake += by
            wall += by
          } else wall += what === 'sleep' ? Math.abs(by) : by
          for (const host of hosts) {
            if (!host.lives || awake < host.nextBeat) continue
            beat(host)
            host.nextBeat = awake + LOOK_MS
          }
        }
        // Whoever is left gets the session in the end.
        for (let turn = 0; turn < 30; turn += 1) {
          wall += LOOK_MS
          for (const host of hosts) if (host.lives) beat(host)
        }
        const last = store.lease('s')?.holder.hostId
        if (hosts.some(({ lives }) => lives)) expect(hosts.find(({ id }) => id === last)?.lives).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('what is due', () => {
  const row = (sessionId: string, dueAt = NOW, held?: Lease, kind = 'countdown'): OwedRow => ({ sessionId, kind, dueAt, lease: held })
  const scene = (due: readonly OwedRow[], more: Partial<DueScene> = {}): DueScene => ({
    ...judge('running'),
    bornAt: 0,
    settledAt: 0,
    due,
    knows: (kind) => kind !== 'alien',
    isHere: (id) => id === 'live',
    attempt: () => undefined,
    wasHere: () => false,
    ...more,
  })

  it('T9 R18 brings back each session once, for all its due kinds', () => {
    const mine = lease('me')
    expect(dueWakes(scene([row('s', NOW - 5), row('s', NOW - 1, undefined, 'reminder'), row('t', NOW, mine)]))).toEqual({
      wakes: [
        { sessionId: 's', dueAt: NOW - 5, kinds: ['countdown', 'reminder'], lease: undefined },
        { sessionId: 't', dueAt: NOW, kinds: ['countdown'], lease: mine },
      ],
      lookAt: undefined,
    })
  })

  it('R17 leaves alone what is live here and what no plugin here knows', () => {
    expect(dueWakes(scene([row('live'), row('s', NOW, undefined, 'alien')]))).toEqual({ wakes: [], lookAt: undefined })
  })

  it('R20 leaves what a running host holds, and looks again soon', () => {
    expect(dueWakes(scene([row('s', NOW, lease('other'))]))).toEqual({ wakes: [], lookAt: NOW + RETRY_MS })
  })

  it('R20 where the store is new, only a lease that was given in it proves that no other host has the session live', () => {
    const settledAt = NOW + SETTLE_MS
    const rows = [row('nobody', NOW), row('copied', NOW, lease('me', NOW, firstFence(NOW) - 1)), row('given', NOW, lease('me', NOW, firstFence(NOW)))]
    const young = dueWakes(scene(rows, { bornAt: NOW, settledAt }))
    expect(young.wakes.map(({ sessionId }) => sessionId)).toEqual(['given'])
    expect(young.lookAt).toBe(settledAt)
    expect(dueWakes(scene(rows, { bornAt: NOW, settledAt: NOW })).wakes).toHaveLength(3)
    // In a host that starts, what brings sessions back comes after the plugins: the first try gives the lease back.
    expect(dueWakes(scene(rows, { bornAt: NOW, settledAt, wasHere: (id) => id === 'nobody' })).wakes.map(({ sessionId }) => sessionId)).toEqual(['nobody', 'given'])
  })

  it('R20 a store settles some time after it was made, and after a clock that was set back beyond that', () => {
    expect([settledAfter(NOW - 1000, NOW), settledAfter(NOW + 9000, NOW)]).toEqual([NOW - 1000 + SETTLE_MS, NOW + SETTLE_MS])
  })

  it('B58 waits after an attempt that failed, as long as the session owes the same', () => {
    const attempt: Attempt = { dueAt: NOW, count: 1, retryAt: NOW + 700 }
    expect(dueWakes(scene([row('s')], { attempt: () => attempt }))).toEqual({ wakes: [], lookAt: NOW + 700 })
    expect(dueWakes(scene([row('s', NOW - 1)], { attempt: () => attempt })).wakes).toHaveLength(1)
    expect(dueWakes(scene([row('s')], { attempt: () => ({ ...attempt, retryAt: NOW }) })).wakes).toHaveLength(1)
    expect(dueWakes(scene([row('s'), row('t', NOW, lease('other'))], { attempt: (id) => (id === 's' ? attempt : undefined) })).lookAt).toBe(NOW + 700)
  })

  it('B58 attempts become rarer, down to once a minute, and start anew with something else that is owed', () => {
    const delays: number[] = []
    let attempt: Attempt | undefined
    for (let turn = 0; turn < 6; turn += 1) delays.push((attempt = attemptAfter(attempt, 7, NOW)).retryAt - NOW)
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
    expect(attemptAfter(attempt, 8, NOW).retryAt).toBe(NOW + 5_000)
  })

  it('the earlier of two instants, either of which may be missing', () => {
    expect([earlier(1, 2), earlier(2, 1), earlier(undefined, 1), earlier(1, undefined), earlier(undefined, undefined)]).toEqual([1, 1, 1, 1, undefined])
  })
})

describe('comparing the index with the logs', () => {
  const snapshot = (id: string, revision = 'r1', header: Partial<SessionHeader> = {}) => ({ header: { id, version: 0, createdAt: 0, ...header } as SessionHeader, revision })
  const mark = (revision = 'r1', kinds: readonly string[] = ['countdown']) => ({ revision, kinds })
  const scene = (more: Partial<CheckScene>): CheckScene => ({
    snapshots: [],
    marks: new Map(),
    owing: new Set(),
    kinds: ['countdown'],
    previous: new Map(),
    place: () => 'cold',
    attended: () => ['countdown'],
    ...more,
  })
  const places = (where: Readonly<Record<string, Place>>) => (id: string) => where[id] ?? 'cold'

  it.each([
    ['is unchanged', mark(), []],
    ['is unchanged and known for more kinds', mark('r1', ['countdown', 'reminder']), []],
    ['has changed', mark('r0'), ['s']],
    ['is unknown', undefined, ['s']],
    ['was never folded for this kind', mark('r1', ['reminder']), ['s']],
  ])('P4 R18 of a log that %s', (_what, known, read) => {
    const plan = planCheck(scene({ snapshots: [snapshot('s')], marks: new Map(known && [['s', known]]) }))
    expect(plan.read.map(({ header }) => header.id)).toEqual(read)
    expect([plan.mark.size, plan.delegated, plan.gone]).toEqual([0, [], []])
  })

  it('B58 ends what a session owes that is gone, and forgets its log', () => {
    const plan = planCheck(scene({ snapshots: [snapshot('here')], marks: new Map([['here', mark()], ['old', mark()]]), owing: new Set(['lost', 'old']) }))
    expect(plan.gone).toEqual(['old', 'lost'])
  })

  it('R18 a session that has no log yet is not gone while it is live, here or elsewhere', () => {
    expect(planCheck(scene({ owing: new Set(['new', 'other']), place: places({ new: 'here', other: 'elsewhere' }) })).gone).toEqual([])
  })

  it('B58 never reads the log of a subagent, and ends what it owes', () => {
    const plan = planCheck(scene({ snapshots: [snapshot('owes', 'r', { origin: 'subagent' }), snapshot('rests', 'r', { origin: 'subagent' })], owing: new Set(['owes']) }))
    expect(plan).toEqual({ read: [], mark: new Map(), delegated: ['owes'], gone: [] })
  })

  it('R20 leaves the sessions of other hosts to them', () => {
    expect(planCheck(scene({ snapshots: [snapshot('s')], place: () => 'elsewhere' }))).toEqual({ read: [], mark: new Map(), delegated: [], gone: [] })
  })

  it.each([
    ['has stood still since the listing before', 'r1', mark('r0', ['reminder']), ['countdown'], mark('r1', ['countdown', 'reminder'])],
    ['has stood still and is new', 'r1', undefined, ['countdown'], mark('r1')],
    ['has changed since', 'r0', mark('r0'), ['countdown'], undefined],
    ['is known already', 'r1', mark('r1'), ['countdown'], undefined],
    ['has no owner', 'r1', undefined, [], undefined],
  ])('R18 the log of a live session is never read, and counts as known when it %s', (_what, previous, known, attended, expected) => {
    const plan = planCheck(scene({ snapshots: [snapshot('s')], place: () => 'here', previous: new Map([['s', previous]]), marks: new Map(known && [['s', known]]), attended: () => attended }))
    expect(plan.read).toEqual([])
    expect(plan.mark.get('s')).toEqual(expected)
  })
})
