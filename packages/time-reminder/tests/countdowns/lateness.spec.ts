import { describe, expect, it } from 'vitest'
import type { Countdown } from '../../src/countdowns/fold.ts'
import { Observations } from '../../src/countdowns/lateness.ts'

const DUE = 100_000
const tea: Countdown = { name: 'tea', dueAt: DUE, onFire: 'wake', note: undefined, setAt: 0 }
const armed = (): Observations => {
  const seen = new Observations()
  seen.look([tea], DUE - 1)
  return seen
}

describe('why a notice was late', () => {
  it('R16 nothing is said of one that is on time, or less than two seconds late', () => {
    expect(armed().explain(tea, DUE, false)).toEqual([])
    const seen = armed()
    seen.rang([tea], DUE + 1999)
    expect(seen.explain(tea, DUE + 1999, false)).toEqual([])
  })

  it('R16 one that was never waited for came due before the timers were running', () => {
    const seen = new Observations()
    seen.look([tea], DUE + 720_000)
    expect(seen.explain(tea, DUE + 720_010, false)).toEqual([{ kind: 'armed-late', lateMs: 720_000 }])
  })

  it('R16 B30 a timer that went off late', () => {
    const seen = armed()
    seen.rang([tea], DUE + 7000)
    expect(seen.explain(tea, DUE + 7001, false)).toEqual([{ kind: 'rang-late', lateMs: 7000 }])
  })

  it('R16 B54 a session in the middle of a step, with the whole wait', () => {
    const seen = armed()
    seen.rang([tea], DUE + 3)
    seen.busy([tea], DUE + 4)
    seen.busy([tea], DUE + 60_000)
    expect(seen.explain(tea, DUE + 600_000, false)).toEqual([{ kind: 'busy', lateMs: 600_000 }])
  })

  it('R16 a late timer and a running step are both told', () => {
    const seen = armed()
    seen.rang([tea], DUE + 7000)
    seen.busy([tea], DUE + 7001)
    expect(seen.explain(tea, DUE + 9000, false).map(({ kind }) => kind)).toEqual(['rang-late', 'busy'])
  })

  it('R16 a notice that goes into the next step waits for the running one, also when it is on time', () => {
    expect(armed().explain(tea, DUE + 1, true)).toEqual([{ kind: 'busy', lateMs: undefined }])
    const seen = armed()
    seen.rang([tea], DUE + 7000)
    expect(seen.explain(tea, DUE + 7000, true)).toEqual([{ kind: 'rang-late', lateMs: 7000 }, { kind: 'busy', lateMs: undefined }])
  })

  it('R16 a wait in which nothing was observed, not even the timer, is that of a process that was blocked', () => {
    expect(armed().explain(tea, DUE + 5000, false)).toEqual([{ kind: 'rang-late', lateMs: 5000 }])
  })

  it('R16 a timer that went off in time is not blamed for what came after it', () => {
    const seen = armed()
    seen.rang([tea], DUE + 1)
    expect(seen.explain(tea, DUE + 5000, false)).toEqual([{ kind: 'held-up', lateMs: 5000 }])
  })

  it('R16 what came due while the log was being stored was held up by that', () => {
    const seen = armed()
    seen.stored([tea], DUE + 90_000)
    seen.rang([tea], DUE + 90_001)
    expect(seen.explain(tea, DUE + 90_002, false)).toEqual([{ kind: 'held-up', lateMs: 90_000 }])
  })

  it('R16 what was observed ends with the countdown', () => {
    const seen = armed()
    seen.rang([tea], DUE + 7000)
    seen.look([], DUE + 8000)
    const again = { ...tea, dueAt: DUE + 9000 }
    seen.look([again], DUE + 8500)
    seen.rang([tea, again], DUE + 9001)
    expect(seen.explain(again, DUE + 9001, false)).toEqual([])
    expect(seen.explain(again, DUE + 20_000, false)).toEqual([{ kind: 'held-up', lateMs: 11_000 }])
  })

  it('S25 a clock that is set back after the ring explains nothing', () => {
    const seen = armed()
    seen.rang([tea], DUE - 50_000)
    expect(seen.explain(tea, DUE, false)).toEqual([])
  })
})
