import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOTHING, receiptOf, receiveCursor, receivePage, receivePush, reconnect, see, type ReceiptState } from '../../src/client/store.ts'
import { scheduleReminderPresentation } from '../../src/presentation.ts'
import type { DurableEvent, StoredCursor } from '../../src/protocol.ts'
import { create, dispatch, event } from '../events.ts'

const cursor = (throughSeq: number, lifetime = 1, host = 'h', seedLength = 0): StoredCursor => ({ host, lifetime, throughSeq, seedLength })
const generationOf = (state: ReceiptState): number => state.sessions.get('s')?.generation ?? 0
const answer = (state: ReceiptState, through: StoredCursor): ReceiptState => receiveCursor(state, 's', generationOf(state), through)
const push = (state: ReceiptState, through: StoredCursor): ReceiptState => receivePush(state, { sessionId: 's', ...through })
const prompts = (state: ReceiptState): readonly (string | undefined)[] => {
  const session = state.sessions.get('s')
  return [...(session?.events.keys() ?? [])].toSorted((one, other) => one - other).flatMap((seq) => receiptOf(session, seq) ?? []).map(({ presentation }) => presentation?.prompt)
}
const LOG = [create(1, 'r-1', 'one'), dispatch(2, 'r-1'), create(3, 'r-2', 'two'), dispatch(4, 'r-2')]
const SEEN = see(NOTHING, 's', LOG)

describe('a receipt', () => {
  const of = (state: ReceiptState, seq: number) => receiptOf(state.sessions.get('s'), seq)

  it('P7 S32 stays the very same one while nothing of it is new, whatever else comes', () => {
    const first = answer(SEEN, cursor(5))
    const [two, four] = [of(first, 2), of(first, 4)]
    const more = push(see(first, 's', [create(5, 'r-3'), dispatch(6, 'r-3')]), cursor(7))
    expect([of(more, 2) === two, of(more, 4) === four, of(more, 6)?.create?.seq]).toEqual([true, true, 5])
  })

  it('S31 is another one once its create is known, or its session is seen to be a fork', () => {
    const lone = answer(see(NOTHING, 's', [dispatch(4, 'r-1')]), cursor(5))
    const before = of(lone, 4)
    const found = receivePage(lone, 's', generationOf(lone), 4, [create(1, 'r-1', 'one'), create(3, 'r-1', 'three')])
    expect([before?.lacksCreate, of(found, 4)?.presentation?.prompt]).toEqual([true, 'three'])
    const fork = push(found, cursor(6, 2, 'h', 4))
    expect([of(fork, 4)?.create, of(fork, 4)?.lacksCreate]).toEqual([undefined, false])
  })

  it('P7 of a thousand dispatches is found without looking through the others', () => {
    const pairs = Array.from({ length: 1000 }, (_, index) => [create(2 * index, `r-${index}`), dispatch(2 * index + 1, `r-${index}`)])
    let read = 0
    const counted = pairs.flat().map((one) => ({ ...one, get data() {
      read += 1
      return one.data
    } }))
    const state = answer(see(NOTHING, 's', counted), cursor(2000))
    const all = (session: ReceiptState): number => counted.filter(({ seq }) => of(session, seq) !== undefined).length
    read = 0
    expect(all(state)).toBe(1000)
    expect(read).toBeLessThan(12_000)
    read = 0
    expect([all(push(state, cursor(2001))), read]).toEqual([1000, 1000])
  })
})

describe('commit cursor', () => {
  it('S32 nothing is shown before the host has answered, and then exactly what is proven', () => {
    expect(prompts(SEEN)).toEqual([])
    expect(prompts(answer(SEEN, cursor(2)))).toEqual([])
    expect(prompts(answer(SEEN, cursor(3)))).toEqual(['one'])
    expect(prompts(push(answer(SEEN, cursor(3)), cursor(5)))).toEqual(['one', 'two'])
  })

  it('S32 a push before the first answer proves nothing alone, and is not lost', () => {
    const early = push(push(SEEN, cursor(5)), cursor(4))
    expect(prompts(early)).toEqual([])
    expect(prompts(answer(early, cursor(3)))).toEqual(['one', 'two'])
    expect(prompts(answer(push(SEEN, cursor(5, 1, 'old host')), cursor(3)))).toEqual(['one'])
  })

  it('S32 pushes that come out of order never take anything back', () => {
    expect(prompts(push(push(answer(SEEN, cursor(3)), cursor(5)), cursor(4)))).toEqual(['one', 'two'])
  })

  it('S32 a later lifetime replaces what an earlier one has proven, and an earlier one comes too late', () => {
    const later = push(answer(SEEN, cursor(5)), cursor(3, 2))
    expect(prompts(later)).toEqual(['one'])
    expect(push(later, cursor(9, 1))).toBe(later)
  })

  it('S34 another host process is asked in full', () => {
    const other = push(answer(SEEN, cursor(5)), cursor(5, 1, 'other'))
    expect(prompts(other)).toEqual([])
    expect(generationOf(other)).toBe(2)
    expect(prompts(answer(other, cursor(5, 1, 'other')))).toEqual(['one', 'two'])
  })

  it('a push for a session that the page does not show changes nothing', () => {
    expect(push(NOTHING, cursor(5))).toBe(NOTHING)
  })
})

describe('window', () => {
  it('S34 a repeated event is taken only when it is the very same, and adds nothing', () => {
    expect(see(SEEN, 's', [structuredClone(LOG[1]!)])).toBe(SEEN)
  })

  it('S34 another event under a known seq is asked for again in full', () => {
    const conflict = see(answer(SEEN, cursor(5)), 's', [dispatch(2, 'r-9')])
    expect(generationOf(conflict)).toBe(2)
    expect([...(conflict.sessions.get('s')?.events.keys() ?? [])]).toEqual([2])
    expect(prompts(conflict)).toEqual([])
  })

  it('S34 a stale answer never touches a window that was built anew', () => {
    const stale = generationOf(SEEN)
    const rebuilt = see(reconnect(answer(SEEN, cursor(5))), 's', LOG)
    expect(receiveCursor(rebuilt, 's', stale, cursor(5))).toBe(rebuilt)
    expect(receivePage(rebuilt, 's', stale, 2, LOG)).toBe(rebuilt)
  })

  it('S34 an older page brings the create that was missing, or the certainty that there is none', () => {
    const alone = answer(see(NOTHING, 's', [dispatch(2, 'r-1')]), cursor(5))
    expect(receiptOf(alone.sessions.get('s'), 2)).toMatchObject({ presentation: undefined, lacksCreate: true })
    expect(prompts(receivePage(alone, 's', 1, 2, [LOG[0]!]))).toEqual(['one'])
    const none = receivePage(alone, 's', 1, 2, [])
    expect(receiptOf(none.sessions.get('s'), 2)).toMatchObject({ presentation: undefined, lacksCreate: false })
  })

  it('S34 a page that conflicts is of another log', () => {
    const conflict = receivePage(answer(SEEN, cursor(5)), 's', 1, 4, [create(1, 'r-9')])
    expect(conflict.sessions.get('s')).toMatchObject({ generation: 2, cursor: undefined })
  })

  it('S35 a change that is not known here is shown without a presentation and is not searched for', () => {
    const state = answer(see(NOTHING, 's', [event(2, 'schedule/change', { version: 9 })]), cursor(5))
    expect(receiptOf(state.sessions.get('s'), 2)).toMatchObject({ presentation: undefined, lacksCreate: false })
  })

  it('shows nothing of a session that was never heard of, and no create as a receipt', () => {
    expect(receiptOf(undefined, 2)).toBeUndefined()
    expect(receiptOf(answer(SEEN, cursor(5)).sessions.get('s'), 1)).toBeUndefined()
  })
})

/** A log of reminders with a seed, some of its ids used on both sides of the edge. */
const anyLog = fc.record({ ids: fc.array(fc.tuple(fc.constantFrom('r-1', 'r-2', 'r-3'), fc.boolean()), { minLength: 1, maxLength: 16 }), seed: fc.nat(16) })

/** What can happen to a page, by number so that a failing run can be read. */
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('window' as const), from: fc.nat(16), size: fc.nat(6) }),
  fc.record({ kind: fc.constantFrom('ask' as const, 'push' as const), through: fc.nat(18) }),
  fc.record({ kind: fc.constant('askCreates' as const), seq: fc.nat(16) }),
  fc.record({ kind: fc.constant('deliver' as const), which: fc.nat(8) }),
  fc.record({ kind: fc.constantFrom('reconnect' as const, 'otherHost' as const) }),
)

describe('any order of events, answers, pushes and reconnects', () => {
  it('S34 loses, doubles and misplaces nothing, and never shows what is not proven', () => {
    fc.assert(
      fc.property(anyLog, fc.array(anyStep, { maxLength: 40 }), ({ ids, seed }, steps) => {
        const log = ids.map(([id, isCreate], seq) => (isCreate ? create(seq, id, `prompt ${seq}`) : dispatch(seq, id)))
        const run = new Run(log, Math.min(seed, log.length))
        for (const step of steps) {
          run.take(step)
          expect(run.mistakes()).toEqual([])
        }
        expect(run.settled()).toEqual(run.expected())
      }),
      { numRuns: 1000 },
    )
  })
})

type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** One page against one log. Answers wait under way until they are delivered, in whatever order. */
class Run {
  #state = NOTHING
  #host = 1
  /** What this host process has proven so far. */
  #proven = 0
  readonly #underWay: ((state: ReceiptState) => ReceiptState)[] = []
  readonly #log: readonly DurableEvent[]
  readonly #seed: number

  constructor(log: readonly DurableEvent[], seed: number) {
    this.#log = log
    this.#seed = seed
  }

  #cursor(): StoredCursor {
    return cursor(this.#proven, 1, `host ${this.#host}`, this.#seed)
  }

  take(step: Step): void {
    switch (step.kind) {
      case 'window':
        this.#state = see(this.#state, 's', this.#log.slice(step.from, step.from + step.size))
        return
      case 'ask':
        this.#proven = Math.min(Math.max(this.#proven, step.through), this.#log.length)
        return this.#send(receiveCursor, this.#cursor())
      case 'push': {
        this.#proven = Math.min(Math.max(this.#proven, step.through), this.#log.length)
        const pushed = { sessionId: 's', ...this.#cursor() }
        this.#underWay.push((state) => receivePush(state, pushed))
        return
      }
      case 'askCreates': {
        const generation = generationOf(this.#state)
        const found = this.#log.slice(0, step.seq).findLast((one) => prompt(one) !== undefined && idOf(one) === idOf(this.#log[step.seq]))
        this.#underWay.push((state) => receivePage(state, 's', generation, step.seq, found === undefined ? [] : [found]))
        return
      }
      case 'deliver': {
        const [arrived] = this.#underWay.splice(step.which % Math.max(this.#underWay.length, 1), 1)
        if (arrived !== undefined) this.#state = arrived(this.#state)
        return
      }
      case 'reconnect':
        this.#state = reconnect(this.#state)
        return
      case 'otherHost':
        // What the old process had under way dies with its connections.
        this.#underWay.length = 0
        this.#host += 1
        this.#proven = 0
        this.#state = reconnect(this.#state)
    }
  }

  #send(receive: typeof receiveCursor, value: StoredCursor): void {
    const generation = generationOf(this.#state)
    this.#underWay.push((state) => receive(state, 's', generation, value))
  }

  /** What the page shows now and must not, or holds and has never been told. */
  mistakes(): readonly unknown[] {
    const session = this.#state.sessions.get('s')
    return [...(session?.events ?? [])].filter(([seq, known]) => {
      const isShown = receiptOf(session, seq) !== undefined
      return known !== this.#log[seq] || (isShown && (seq >= this.#proven || prompt(known) !== undefined))
    })
  }

  /** Everything arrives at last. @returns the receipts that the page then shows. */
  settled(): readonly unknown[] {
    this.#proven = this.#log.length
    this.#state = see(this.#state, 's', this.#log)
    this.#send(receiveCursor, this.#cursor())
    while (this.#underWay.length > 0) this.take({ kind: 'deliver', which: 0 })
    const session = this.#state.sessions.get('s')
    return this.#log.flatMap(({ seq }) => receiptOf(session, seq) ?? []).map(({ event: { seq }, presentation }) => [seq, presentation])
  }

  /** What a reader of the whole log would show. */
  expected(): readonly unknown[] {
    const dispatches = this.#log.filter((one) => prompt(one) === undefined)
    return dispatches.map(({ seq }) => [seq, scheduleReminderPresentation(this.#log, seq, this.#seed)])
  }
}

function prompt({ data }: DurableEvent): string | undefined {
  return (data as { schedule?: { prompt: string } }).schedule?.prompt
}

function idOf(one: DurableEvent | undefined): string | undefined {
  const data = one?.data as { id?: string; schedule?: { id: string } } | undefined
  return data?.id ?? data?.schedule?.id
}
